/* Checks the schedule behind a certificate of `collcost bound --certificate`, which is read from
   stdin, from its own lines alone: that it brings every block where it must come, each contribution
   once, and that its busiest arcs take no longer than the bound. The formats stand in
   src/bound/certificate.h and src/cli/schedule_proof.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 64, ARCS = 1 << 16, LINE = 1 << 20, HELD = 1 << 22, WAY = 1 << 12 };
static char line[LINE];
static struct {
    long from, to, capacity, load;
} arcs[ARCS];
/* Contributions, as bits, that a rank has of a block, or must have; of one that is not combined,
   bit 0. */
typedef struct {
    long block, rank;
    uint64_t bits;
} Part;
static Part starts[HELD], needs[HELD];
/* What a rank has of a piece, when the round begins and when it ends. */
static uint64_t before[HELD], after[HELD];
static long arc_count, start_count, need_count, held;
static __int128 above, below = 1; /* the time so far */

static void fail(const char *what)
{
    printf("%s: %s", what, line);
    exit(1);
}

static uint64_t *at(uint64_t *side, long rank, long piece)
{
    if (rank < 0 || rank >= RANKS || piece < 0 || piece >= HELD / RANKS)
        fail("out of range");
    long i = piece * RANKS + rank;
    held = i >= held ? i + 1 : held;
    return &side[i];
}

/* The ranks that are listed from *text on, as bits. */
static uint64_t read_ranks(char **text)
{
    uint64_t ranks = 0;
    for (int used; **text == ' '; *text += used) {
        long first, last;
        if (sscanf(*text, " %ld..%ld%n", &first, &last, &used) != 2) {
            if (sscanf(*text, " %ld%n", &first, &used) != 1)
                break;
            last = first;
        }
        for (long r = first; r <= last && r >= 0 && r < RANKS; r++)
            ranks |= (uint64_t)1 << r;
    }
    return ranks;
}

static void add_parts(Part *parts, long *count, long block, uint64_t ranks, uint64_t bits)
{
    for (long r = 0; r < RANKS; r++)
        if (ranks >> r & 1) {
            if (*count == HELD)
                fail("too many blocks");
            parts[(*count)++] = (Part){block, r, bits ? bits : (uint64_t)1 << r};
        }
}

/* "3 to 0..7" of a block, "5 of 0..7" of a result. */
static void read_need(long block, char *text, int combined)
{
    if (block < 0 || block >= HELD / RANKS)
        fail("not a block");
    uint64_t first = read_ranks(&text);
    text += 3;
    uint64_t second = read_ranks(&text);
    add_parts(starts, &start_count, block, combined ? second : first, !combined);
    add_parts(needs, &need_count, block, combined ? first : second, combined ? second : 1);
}

static void load_arc(long from, long to, long load)
{
    for (long i = 0; i < arc_count; i++)
        if (arcs[i].from == from && arcs[i].to == to) {
            arcs[i].load += load;
            return;
        }
    fail("no such arc");
}

static void pass(const char *verb, long from, long to, long piece)
{
    int combines = *verb == 'r' || *verb == 'e', keeps = *verb == 's' || *verb == 'e';
    uint64_t sent = *at(before, from, piece), *there = at(after, to, piece);
    if (!sent || (combines ? *there & sent : *there && *there != sent))
        fail(sent ? "already there" : "not there");
    if (!keeps)
        *at(after, from, piece) &= ~sent;
    *there |= sent;
}

/* "send 0 1 via 8 9 of 0 3 5" */
static void read_transfer(const char *verb, long from, long to, char *text)
{
    long way[WAY] = {from}, count = 1, piece, load = 0;
    int used;
    while (count < WAY - 1 && sscanf(text, " %ld%n", &way[count], &used) == 1)
        text += used, count++;
    way[count] = to;
    for (text += 3; sscanf(text, " %ld%n", &piece, &used) == 1; text += used, load++)
        pass(verb, from, to, piece);
    for (long i = 0; i < count; i++)
        load_arc(way[i], way[i + 1], load);
}

/* The busiest arc's load over its capacity, added to the time. */
static void end_turn(void)
{
    long load = 0, capacity = 1;
    for (long i = 0; i < arc_count; arcs[i++].load = 0)
        if ((__int128)arcs[i].load * capacity > (__int128)load * arcs[i].capacity)
            load = arcs[i].load, capacity = arcs[i].capacity;
    above = above * capacity + below * load, below *= capacity;
    __int128 a = above, b = below;
    while (b) {
        __int128 rest = a % b;
        a = b, b = rest;
    }
    above /= a, below /= a;
}

int main(void)
{
    char verb[9];
    long a, b, p = 0, q = 0, pieces = 0;
    for (int used = 0; fgets(line, LINE, stdin); used = 0) {
        if (sscanf(line, "arc %ld %ld %ld", &a, &b, &arcs[arc_count].capacity) == 3) {
            arcs[arc_count].from = a, arcs[arc_count].to = b;
            if (arcs[arc_count].capacity <= 0 || ++arc_count == ARCS)
                fail("not an arc");
        } else if (sscanf(line, "block %ld at%n", &a, &used) == 1 && used) {
            read_need(a, line + used, 0);
        } else if (sscanf(line, "result %ld at%n", &a, &used) == 1 && used) {
            read_need(a, line + used, 1);
        } else if (sscanf(line, "pieces %ld", &pieces) == 1) {
            if (pieces <= 0 || pieces > HELD / RANKS)
                fail("not a number of pieces");
            for (long i = 0; i < start_count * pieces; i++) {
                const Part *part = &starts[i / pieces];
                *at(after, part->rank, part->block * pieces + i % pieces) |= part->bits;
            }
        } else if (strcmp(line, "round\n") == 0) {
            memcpy(before, after, (size_t)held * sizeof *before);
        } else if (strcmp(line, "turn\n") == 0) {
            end_turn();
        } else if (sscanf(line, "%8s %ld %ld via%n", verb, &a, &b, &used) == 3 && used) {
            read_transfer(verb, a, b, line + used);
        }
        sscanf(line, "bound %ld/%ld", &p, &q);
    }
    end_turn();
    for (long i = 0; i < need_count * pieces; i++)
        if (*at(after, needs[i / pieces].rank, needs[i / pieces].block * pieces + i % pieces) !=
            needs[i / pieces].bits)
            return puts("a block is missing"), 1;
    int good = pieces > 0 && q > 0 && above * q == below * p * pieces;
    printf("%lld/%lld: %s\n", (long long)above, (long long)(below * pieces),
           good ? "as the bound" : "not the bound");
    return !good;
}
