/* Confirms the cuts of tests/bounds/table by trying all of them, for up to 16 ranks: every set of
   memories, with every place of the routers. Shares the layout of networks and contracts with the
   tool, and nothing of its bounds. */
#include "cli/messages.h"
#include "model/library.h"
#include "net/network.h"
#include "sched/contract.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 16, SETS = 1 << MOST_RANKS, MOST_CONTRACTS = 32 };

/* capacity[S]: the least that the links and ports out of the memories S pass, one message a port.
 */
typedef struct {
    char name[64], ports[8];
    Network network;
    int send[MOST_RANKS], receive[MOST_RANKS];
    int capacity[SETS];
} Fabric;

/* blocks[S]: how many must leave the memories S. */
typedef struct {
    char name[64];
    int64_t p;
    int blocks[SETS];
} Demand;

typedef struct {
    Arena *arena;
    Library *library;
    Diag diag;
    Fabric fabric;
    Demand *demands;
    int demand_count;
} Table;

static void fail(const char *what)
{
    printf("%s\n", what);
    exit(EXIT_FAILURE);
}

static Text text_of(Table *table, const char *name)
{
    const Source *source = source_from_text(table->arena, "name", name, strlen(name));
    return (Text){name, strlen(name), {source, 0, strlen(name)}, true};
}

static void count_ports(Fabric *fabric)
{
    int64_t p = fabric->network.p;
    bool all = strcmp(fabric->ports, "all") == 0;
    for (int64_t r = 0; r < p; r++) {
        fabric->send[r] = all ? (int)network_degree(&fabric->network, r) : 1;
        fabric->receive[r] = all ? (int)network_arrivals(&fabric->network, r) : 1;
    }
}

/* Links from a router inside to one outside. */
static int count_links(const Network *network, int inside)
{
    int links = 0;
    for (int64_t n = 0; n < network->p; n++) {
        if (!(inside >> n & 1))
            continue;
        for (int64_t i = network->starts ? network->starts[n] : 0;
             network->starts && i < network->starts[n + 1]; i++)
            links += !(inside >> network->neighbours[i] & 1);
        for (int64_t other = 0; other < network->p && !network->starts; other++)
            links += !(inside >> other & 1);
    }
    return links;
}

/* Of a memory inside whose router is outside the send ports are cut, of the opposite the others.
   One rank after the other, both places of its router are tried. */
static void try_places(Fabric *fabric)
{
    int sets = 1 << fabric->network.p;
    for (int s = 0; s < sets; s++)
        fabric->capacity[s] = count_links(&fabric->network, s);
    for (int r = 0; r < fabric->network.p; r++)
        for (int s = 0; s < sets; s++) {
            int out = fabric->capacity[s & ~(1 << r)], in = fabric->capacity[s | 1 << r];
            if (s >> r & 1)
                continue;
            if (in + fabric->receive[r] < out)
                fabric->capacity[s] = in + fabric->receive[r];
            if (out + fabric->send[r] < in)
                fabric->capacity[s | 1 << r] = out + fabric->send[r];
        }
}

/* "torus:4x4" */
static void make_fabric(Table *table, const char *name, const char *ports)
{
    Fabric *fabric = &table->fabric;
    if (strcmp(fabric->name, name) == 0 && strcmp(fabric->ports, ports) == 0)
        return;
    Shape shape;
    const char *colon = strchr(name, ':');
    Text all = text_of(table, name), kind = all, size = all;
    kind.length = (size_t)(colon - name);
    size.chars = colon + 1, size.length = strlen(colon + 1);
    const Topology *topology = library_topology(table->library, kind, &table->diag);
    if (!topology || !topology_parse_shape(topology, size, &shape, &table->diag) ||
        !network_create(table->arena, topology, &shape, TIES_PLUS, &fabric->network, &table->diag))
        fail(name);
    snprintf(fabric->name, sizeof fabric->name, "%s", name);
    snprintf(fabric->ports, sizeof fabric->ports, "%s", ports);
    if (fabric->network.p > MOST_RANKS)
        return;
    count_ports(fabric);
    try_places(fabric);
}

/* As sets of ranks: who holds each block before, who must hold it after. */
static int count_blocks(const Contract *contract, const int *before, const int *after, int inside)
{
    int blocks = 0, all = (1 << contract->p) - 1;
    for (int64_t b = 0; b < contract->block_count; b++) {
        bool leaves = before[b] && !(before[b] & ~inside) && after[b] & ~inside;
        bool feeds = false;
        for (int t = 0; t < contract->p && contract->combines; t++) {
            if (!(after[b] & ~inside & all & 1 << t))
                continue;
            for (int64_t s = per_rank(&contract->contributors_from, t);
                 s <= per_rank(&contract->contributors_to, t); s++)
                feeds |= inside >> s & 1;
        }
        blocks += contract->combines ? feeds : leaves;
    }
    return blocks;
}

static void fill_sets(const Contract *contract, const Holding *holding, int *sets)
{
    for (int64_t r = 0; r < contract->p; r++)
        for (int64_t i = 0; i < holding_count(holding, r); i++)
            sets[holding_block(holding, r, i)] |= 1 << r;
}

static const Demand *find_demand(Table *table, const char *name, int64_t p)
{
    for (int i = 0; i < table->demand_count; i++)
        if (strcmp(table->demands[i].name, name) == 0 && table->demands[i].p == p)
            return &table->demands[i];
    if (table->demand_count == MOST_CONTRACTS)
        fail("too many collectives");
    Demand *demand = &table->demands[table->demand_count++];
    const Collective *collective =
        library_collective(table->library, text_of(table, name), &table->diag);
    Contract contract;
    if (!collective || !contract_create(table->arena, collective, p, 0, 0, &contract, &table->diag))
        fail(name);
    int *before = ARENA_ARRAY(table->arena, int, (size_t)contract.block_count);
    int *after = ARENA_ARRAY(table->arena, int, (size_t)contract.block_count);
    fill_sets(&contract, &contract.before, before);
    fill_sets(&contract, &contract.after, after);
    snprintf(demand->name, sizeof demand->name, "%s", name);
    demand->p = p;
    for (int s = 0; s < 1 << p; s++)
        demand->blocks[s] = count_blocks(&contract, before, after, s);
    return demand;
}

typedef struct {
    int64_t blocks, capacity;
} Ratio;

static void keep_larger(Ratio *best, int64_t blocks, int64_t capacity)
{
    if (blocks > 0 && blocks * best->capacity > best->blocks * capacity)
        *best = (Ratio){blocks, capacity};
}

static Ratio best_cut(const Fabric *fabric, const Demand *demand)
{
    Ratio best = {0, 1};
    for (int s = 1; s < (1 << demand->p) - 1; s++)
        keep_larger(&best, demand->blocks[s], fabric->capacity[s]);
    return best;
}

static Ratio best_node(const Fabric *fabric, const Demand *demand)
{
    Ratio best = {0, 1};
    int all = (1 << demand->p) - 1;
    for (int r = 0; r < demand->p; r++) {
        keep_larger(&best, demand->blocks[1 << r], fabric->send[r]);
        keep_larger(&best, demand->blocks[all & ~(1 << r)], fabric->receive[r]);
    }
    return best;
}

/* "7/2 m tw", "m tw" */
static Ratio value_of(const char *formula)
{
    long a = 1, b = 1;
    if (strcmp(formula, "0 ") == 0)
        return (Ratio){0, 1};
    if (sscanf(formula, "%ld/%ld", &a, &b) < 1)
        a = 1;
    return (Ratio){a, b};
}

/* Returns whether the line speaks of a cut of few ranks. */
static bool check_line(Table *table, const char *line, int *wrong)
{
    char collective[64], network[64], ports[8], kind[16], formula[64];
    if (sscanf(line, "%63s %63s %7s %15[a-z]: %63[^|]", collective, network, ports, kind,
               formula) != 5)
        fail("a line of the table cannot be read");
    bool node = strcmp(kind, "node") == 0;
    if (!node && strcmp(kind, "cut") != 0)
        return false;
    make_fabric(table, network, ports);
    if (table->fabric.network.p > MOST_RANKS)
        return false;
    const Demand *demand = find_demand(table, collective, table->fabric.network.p);
    Ratio best = (node ? best_node : best_cut)(&table->fabric, demand);
    Ratio told = value_of(formula);
    if (told.blocks * best.capacity == best.blocks * told.capacity)
        return true;
    printf("%sbut the best of all is %lld/%lld\n", line, (long long)best.blocks,
           (long long)best.capacity);
    ++*wrong;
    return true;
}

int main(int count, char **arguments)
{
    static Table table;
    static char line[1 << 16];
    int wrong = 0, checked = 0;
    FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
    if (!file)
        fail("usage: every-cut TABLE");
    table.arena = arena_create(NULL);
    table.library = library_open(table.arena);
    table.diag = messages_to(stderr);
    table.demands = ARENA_ARRAY(table.arena, Demand, MOST_CONTRACTS);
    while (fgets(line, sizeof line, file))
        checked += check_line(&table, line, &wrong);
    fclose(file);
    arena_destroy(table.arena);
    printf("%d values, %d wrong\n", checked, wrong);
    return wrong || checked == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
