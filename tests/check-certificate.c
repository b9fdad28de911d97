/* Checks a certificate of `collcost bound --certificate`, which is read from stdin, from its own
   lines alone: what leaves a set of nodes, over which capacity; or how far blocks must go by the
   weights of arcs, and what all arcs pass. The format stands in src/bound/certificate.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 1 << 16, LINE = 1 << 20 };
static char line[LINE], inside[MOST_NODES], from[MOST_NODES], at[MOST_NODES], to[MOST_NODES];
static struct {
    long from, to, capacity, weight, is_edge;
} * arcs;
static long arc_count, nodes, ways[MOST_NODES];
static long blocks, crossed, last_out = -1, last_in = -1;
static int both;

/* Marks the nodes that are listed from `text` on. */
static char *read_nodes(char *text, char *marks)
{
    memset(marks, 0, (size_t)nodes);
    for (int used; *text == ' '; text += used) {
        long first, last;
        if (sscanf(text, " %ld..%ld%n", &first, &last, &used) != 2) {
            if (sscanf(text, " %ld%n", &first, &used) != 1)
                return text;
            last = first;
        }
        for (long n = first; n <= last && n >= 0 && n < nodes; n++)
            marks[n] = 1;
    }
    return text;
}

static void add_arc(int is_edge)
{
    long a = -1, b = -1, capacity = -1, weight = 0;
    sscanf(line, "%*s %ld %ld %ld %ld", &a, &b, &capacity, &weight);
    arcs = realloc(arcs, (size_t)(arc_count + 1) * sizeof *arcs);
    if (!arcs || a < 0 || a >= nodes || b < 0 || b >= nodes || capacity < 0 || weight < 0)
        exit(2);
    arcs[arc_count].from = a, arcs[arc_count].to = b, arcs[arc_count].is_edge = is_edge;
    arcs[arc_count].capacity = capacity, arcs[arc_count++].weight = weight;
}

/* ways[n]: the weight of the lightest way from a marked node; -1: there is none. */
static void find_ways(const char *marks)
{
    int changed = 1;
    for (long n = 0; n < nodes; n++)
        ways[n] = marks[n] ? 0 : -1;
    while (changed) {
        changed = 0;
        for (long i = 0; i < 2 * arc_count; i++) {
            long back = i >= arc_count, e = back ? i - arc_count : i;
            long a = back ? arcs[e].to : arcs[e].from, b = back ? arcs[e].from : arcs[e].to;
            long way = ways[a] + arcs[e].weight;
            if ((!back || arcs[e].is_edge) && ways[a] >= 0 && (ways[b] < 0 || way < ways[b]))
                ways[b] = way, changed = 1;
        }
    }
}

/* A block, or a part of one, which counts once each way across the cut. */
static void count_block(long block, int combined)
{
    long here[2] = {0, 0}, there[2] = {0, 0}, farthest = 0;
    if (!combined && memcmp(from, at, (size_t)nodes) != 0)
        find_ways(memcpy(from, at, (size_t)nodes));
    for (long n = 0; n < nodes; n++) {
        here[(int)inside[n]] += at[n], there[(int)inside[n]] += to[n];
        farthest = to[n] && ways[n] > farthest ? ways[n] : farthest;
    }
    crossed += combined ? 0 : farthest;
    int out = combined ? here[1] && there[0] : here[1] && !here[0] && there[0];
    int in = combined ? here[0] && there[1] : here[0] && !here[1] && there[1];
    blocks += (out && block != last_out) + (both && in && block != last_in);
    last_out = out ? block : last_out, last_in = in ? block : last_in;
}

int main(void)
{
    long block, capacity = 0, passed = 0, above = -1, below = -1, p = -1, q = -1;
    int used = 0, is_cut = 0;
    while (fgets(line, LINE, stdin)) {
        if (sscanf(line, "nodes %ld", &nodes) == 1 && (nodes < 0 || nodes > MOST_NODES))
            return 2;
        both |= strcmp(line, "both\n") == 0;
        if (strncmp(line, "arc ", 4) == 0 || strncmp(line, "edge ", 5) == 0) {
            add_arc(line[0] == 'e');
        } else if (strncmp(line, "inside", 6) == 0) {
            read_nodes(line + 6, inside), is_cut = 1;
        } else if (sscanf(line, "block %ld at%n", &block, &used) == 1 && used) {
            read_nodes(read_nodes(line + used, at) + 3, to), count_block(block, 0);
        } else if (sscanf(line, "result %ld at%n", &block, &used) == 1 && used) {
            read_nodes(read_nodes(line + used, to) + 3, at), count_block(block, 1);
        }
        used = 0, sscanf(line, is_cut ? "blocks %ld" : "crossed %ld", &above);
        sscanf(line, is_cut ? "capacity %ld" : "passed %ld", &below);
        sscanf(line, "bound %ld/%ld", &p, &q);
    }
    for (long i = 0; i < arc_count; i++) {
        int out = inside[arcs[i].from] && !inside[arcs[i].to];
        int in = !inside[arcs[i].from] && inside[arcs[i].to];
        capacity += out || (both && in) ? arcs[i].capacity : 0;
        passed += arcs[i].capacity * arcs[i].weight;
    }
    long found = is_cut ? blocks : crossed, over = is_cut ? capacity : passed;
    int good = found > 0 && over > 0 && found == above && over == below && q > 0 &&
               (__int128)found * q == (__int128)over * p;
    printf("%ld over %ld: %s\n", found, over, good ? "holds" : "WRONG");
    return !good;
}
