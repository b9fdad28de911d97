/* Checks a certificate of `collcost bound --certificate`, which is read from stdin, from its own
   lines alone: what leaves the inside, over which capacity, and the fraction. The format stands in
   src/cost/bound_certificate.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1 << 16, LINE = 1 << 20 };
static char inside[MOST_NODES], line[LINE];
static struct {
    long from, to, capacity;
} * arcs;
static long arc_count, blocks, capacity, last_out = -1, last_in = -1;
static int both;

/* Of the nodes listed from `text` on: how many are inside, and how many are not. */
static char *count_nodes(char *text, int mark, long counts[2])
{
    counts[0] = counts[1] = 0;
    for (int used; *text == ' '; text += used) {
        long first, last;
        if (sscanf(text, " %ld..%ld%n", &first, &last, &used) != 2) {
            if (sscanf(text, " %ld%n", &first, &used) != 1)
                return text;
            last = first;
        }
        for (long n = first; n <= last && n >= 0 && n < MOST_NODES; n++)
            mark ? (void)(inside[n] = 1) : (void)counts[(int)inside[n]]++;
    }
    return text;
}

/* A block, or a part of one, which counts once each way. */
static void count_block(long block, const long at[2], const long to[2], int combined)
{
    int out = combined ? at[1] && to[0] : at[1] && !at[0] && to[0];
    int in = combined ? at[0] && to[1] : at[0] && !at[1] && to[1];
    blocks += (out && block != last_out) + (both && in && block != last_in);
    last_out = out ? block : last_out, last_in = in ? block : last_in;
}

int main(void)
{
    long a, b, c, at[2], to[2], claimed[4] = {-1, -1, -1, -1};
    int used = 0;
    while (fgets(line, LINE, stdin)) {
        both |= strcmp(line, "both\n") == 0;
        if (sscanf(line, "arc %ld %ld %ld", &a, &b, &c) == 3 ||
            sscanf(line, "edge %ld %ld %ld", &a, &b, &c) == 3) {
            arcs = realloc(arcs, (size_t)(arc_count + 1) * sizeof *arcs);
            if (!arcs || a < 0 || a >= MOST_NODES || b < 0 || b >= MOST_NODES || c < 0)
                return fputs("a bad arc\n", stderr), 2;
            arcs[arc_count].from = a, arcs[arc_count].to = b, arcs[arc_count++].capacity = c;
        } else if (strncmp(line, "inside", 6) == 0) {
            count_nodes(line + 6, 1, at);
        } else if (sscanf(line, "block %ld at%n", &a, &used) == 1 && used) {
            char *rest = count_nodes(line + used, 0, at);
            count_nodes(rest + 3, 0, to);
            count_block(a, at, to, 0);
        } else if (sscanf(line, "result %ld at %ld of%n", &a, &b, &used) == 2 && used) {
            to[0] = !inside[b], to[1] = inside[b];
            count_nodes(line + used, 0, at);
            count_block(a, at, to, 1);
        }
        sscanf(line, "blocks %ld", &claimed[0]), sscanf(line, "capacity %ld", &claimed[1]);
        sscanf(line, "bound %ld/%ld", &claimed[2], &claimed[3]), used = 0;
    }
    for (long i = 0; i < arc_count; i++) {
        int from = inside[arcs[i].from], out = from && !inside[arcs[i].to];
        capacity += out || (both && !from && inside[arcs[i].to]) ? arcs[i].capacity : 0;
    }
    int good = blocks > 0 && capacity > 0 && blocks == claimed[0] && capacity == claimed[1] &&
               claimed[3] > 0 && (__int128)blocks * claimed[3] == (__int128)capacity * claimed[2];
    printf("%ld blocks over %ld: %s\n", blocks, capacity, good ? "holds" : "WRONG");
    return !good;
}
