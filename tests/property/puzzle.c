#include "puzzle.h"

#include <stdio.h>
#include <string.h>

/* Lanes, a level and a bandwidth of its own, or none of these; both ways as one, or each by itself.
 */
static void add_link(World *world, Puzzle *puzzle, int from, int to, bool both)
{
    static const char *const levels[] = {"", ", level: node", ", level: device"};
    static const char *const rates[] = {"", "", ", bandwidth: 1 GB/s", ", bandwidth: 12.5 GB/s"};
    if (from == to || puzzle->linked[from][to])
        return;
    const bool apart = both && !puzzle->alike && below(world, 4) == 0;
    both = both && !puzzle->linked[to][from] && !apart;
    puzzle->linked[from][to] = true;
    puzzle->linked[to][from] |= both;
    puzzle->links =
        arena_printf(world->arena, "%s  - {from: %d, to: %d, both: %s%s%s", puzzle->links, from, to,
                     both ? "yes" : "no", puzzle->alike ? "" : levels[below(world, 3)],
                     puzzle->alike ? "" : rates[below(world, 4)]);
    if (!puzzle->alike && below(world, 3) == 0)
        puzzle->links =
            arena_printf(world->arena, "%s, lanes: %d", puzzle->links, (int)below(world, 3) + 1);
    puzzle->links = arena_printf(world->arena, "%s}\n", puzzle->links);
    if (apart)
        add_link(world, puzzle, to, from, false);
}

/* A tree, or a ring in one direction, and some more links, one path or both. */
static void random_graph(World *world, Puzzle *puzzle)
{
    puzzle->alike = below(world, 2);
    puzzle->p = (int)below(world, MOST_RANKS - 1) + 2;
    puzzle->nodes = puzzle->p + (int)(below(world, 2) ? below(world, 4) : 0);
    bool ring = puzzle->nodes > 2 && below(world, 4) == 0;
    puzzle->links = "";
    for (int n = 1; n < puzzle->nodes; n++)
        add_link(world, puzzle, n, ring ? n - 1 : (int)below(world, (uint64_t)n), !ring);
    if (ring)
        add_link(world, puzzle, 0, puzzle->nodes - 1, false);
    for (uint64_t more = below(world, 2) * below(world, 2 * (uint64_t)puzzle->nodes); more > 0;
         more--)
        add_link(world, puzzle, (int)below(world, (uint64_t)puzzle->nodes),
                 (int)below(world, (uint64_t)puzzle->nodes), below(world, 2));
}

/* Each block has one holder, or now and then more, and some ranks that need it. */
static void random_contract(World *world, Puzzle *puzzle)
{
    uint64_t p = (uint64_t)puzzle->p, usual = below(world, p + 1);
    puzzle->blocks = (int)below(world, MOST_BLOCKS) + 1;
    puzzle->demand[below(world, p)][0] = true;
    for (int b = 0; b < puzzle->blocks; b++) {
        puzzle->holds[below(world, p)][b] = true;
        if (below(world, 8) == 0)
            puzzle->holds[below(world, p)][b] = true;
        for (uint64_t n = below(world, 2) ? usual : below(world, p + 1); n > 0; n--)
            puzzle->demand[below(world, p)][b] = true;
    }
}

static const char *list_side(World *world, const Puzzle *puzzle, const char *name,
                             bool side[MOST_RANKS][MOST_BLOCKS])
{
    const char *text = arena_printf(world->arena, "%s:\n", name);
    for (int r = 0; r < puzzle->p; r++)
        for (int b = 0; b < puzzle->blocks; b++)
            if (side[r][b])
                text = arena_printf(world->arena, "%s  - %d if r == %d\n", text, b, r);
    return text;
}

void puzzle_draw(World *world, Puzzle *puzzle)
{
    random_graph(world, puzzle);
    random_contract(world, puzzle);
}

bool puzzle_add(World *world, Puzzle *puzzle)
{
    const char *text =
        arena_printf(world->arena,
                     "topology: graph\nranks: %d\nswitches: %d\nlevels: [device, node]\nlinks:\n%s"
                     "routing: shortest\n---\n"
                     "collective: wanted\nblocks: {b: %d}\n%s%s---\n"
                     "algorithm: greedy\ncollective: wanted\n%s",
                     puzzle->p, puzzle->nodes - puzzle->p, puzzle->links, puzzle->blocks,
                     list_side(world, puzzle, "before", puzzle->holds),
                     list_side(world, puzzle, "after", puzzle->demand), puzzle->schedule);
    const Source *source = source_from_text(world->arena, "puzzle.yaml", text, strlen(text));
    return library_add_source(world->library, source, &world->diag);
}

static bool draw_case(World *world, Puzzle *puzzle, const char *collective, Case *drawn,
                      Contract *contract)
{
    puzzle->schedule = "schedule: []\n";
    if (!puzzle_add(world, puzzle))
        return false;
    const Collective *found =
        library_collective(world->library, text_of(world, collective), &world->diag);
    const char *network = below(world, 3) ? "graph" : random_topology(world, true);
    if (!found || !make_network(world, network, puzzle->p, &drawn->network) ||
        !contract_create(world->arena, found, puzzle->p, (int64_t)below(world, (uint64_t)puzzle->p),
                         0, contract, &world->diag))
        return false;
    drawn->instance.ports = (int64_t)below(world, 3) + 1;
    random_machine(world, drawn);
    set_rules(drawn);
    if (below(world, 3))
        random_rules(world, drawn);
    return true;
}

static bool try_case(World *world, const PuzzleSeries *series, bool *compared)
{
    Puzzle puzzle = {0};
    Case drawn = {0};
    Contract contract;
    puzzle_draw(world, &puzzle);
    const char *name = series->collectives[below(world, series->collective_count)];
    if (!draw_case(world, &puzzle, name, &drawn, &contract))
        return false;
    bool good = series->compare(world, &drawn, &contract, compared);
    if (!good)
        printf("# %s, %s\n%s", name, rules_describe(world->arena, &drawn.rules), puzzle.links);
    return good;
}

void puzzle_run(Results *results, const PuzzleSeries *series)
{
    uint64_t wrong = 0, compared = 0;
    for (uint64_t n = 0; n < series->cases && wrong < 3; n++) {
        World world = world_open(series->seed + n);
        bool was_compared = false;
        wrong += !try_case(&world, series, &was_compared);
        compared += was_compared;
        world_close(&world);
    }
    printf("# %llu cases compared\n", (unsigned long long)compared);
    result(results, wrong == 0 && compared > series->cases / 3, series->what);
}
