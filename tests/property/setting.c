#include "setting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    bool is_rooted, is_targeted, is_empty;
} Kind;

static const Kind kinds[] = {
    {"alltoall", false, false, false},
    {"allgather", false, false, false},
    {"allreduce", false, false, false},
    {"reduce-scatter", false, false, false},
    {"broadcast", true, false, false},
    {"reduce", true, false, false},
    {"gather", true, false, false},
    {"scatter", true, false, false},
    {"scan", false, false, false},
    {"exscan", false, false, false},
    {"point-to-point", true, true, false},
    {"barrier", false, false, true},
    /* where algorithms are often as fast as one another */
    {"alltoall", false, false, false},
    {"allreduce", false, false, false},
};

/* Adds an option to both ways of saying it. `parameter`: of the machine, for --set. */
static void say(World *world, Setting *setting, bool parameter, const char *name, const char *value)
{
    Arena *arena = world->arena;
    const char *given = value ? value : "";
    setting->options =
        parameter
            ? arena_printf(arena, "%s --set %s=%s", setting->options, name, given)
            : arena_printf(arena, "%s --%s%s%s", setting->options, name, value ? " " : "", given);
    setting->statements =
        arena_printf(arena, "%sset %s%s%s\n", setting->statements, name, value ? " = " : "", given);
}

static void say_network(World *world, Setting *setting, const char *topology, int64_t p)
{
    Arena *arena = world->arena;
    setting->topology = topology;
    setting->p = p;
    setting->options = arena_printf(arena, " -t %s%s", topology, setting->options);
    setting->statements = arena_printf(arena, "use %s\n%s", topology, setting->statements);
}

static void say_machine(World *world, Setting *setting, const char *machine)
{
    Arena *arena = world->arena;
    setting->options = arena_printf(arena, "%s --machine %s", setting->options, machine);
    setting->statements = arena_printf(arena, "%smachine %s\n", setting->statements, machine);
}

/* Mostly up to 10 ranks; sometimes up to 32, seldom 64. Small: where costs take long. */
static int64_t random_ranks(World *world, bool is_small)
{
    if (is_small)
        return 2 + (int64_t)below(world, 3);
    uint64_t kind = below(world, 30);
    return kind == 0 ? 64 : kind < 4 ? 8 + (int64_t)below(world, 25) : 2 + (int64_t)below(world, 9);
}

static void draw_flat(World *world, bool is_small, Setting *setting)
{
    static const char *const names[] = {"full",   "full", "full", "ring",     "uniring",
                                        "linear", "star", "tree", "hypercube"};
    const char *name = names[below(world, sizeof names / sizeof *names)];
    int64_t p = random_ranks(world, is_small);
    if (strcmp(name, "hypercube") == 0)
        p = (int64_t)2 << below(world, is_small ? 2 : 5);
    say_network(world, setting, arena_printf(world->arena, "%s:%lld", name, (long long)p), p);
}

static void draw_grid(World *world, bool is_small, Setting *setting)
{
    const char *text = below(world, 2) ? "torus:" : "mesh:";
    int64_t p = 1;
    int count = 2 + (!is_small && below(world, 3) == 0);
    for (int i = 0; i < count; i++) {
        int64_t side = 2 + (int64_t)below(world, is_small ? 1 : count == 3 ? 2 : 4);
        text = arena_printf(world->arena, "%s%s%lld", text, i ? "x" : "", (long long)side);
        p *= side;
    }
    say_network(world, setting, text, p);
}

static void draw_levels(World *world, bool is_small, Setting *setting)
{
    static const struct {
        const char *name;
        int64_t p;
    } all[] = {{"cluster:2x2", 4},     {"cluster:3x2", 6},     {"fat-tree:1x2x2", 4},
               {"dragonfly:3x2x1", 6}, {"cluster:2x4", 8},     {"cluster:4x2", 8},
               {"fat-tree:2x2x2", 8},  {"fat-tree:2x3x2", 12}, {"dragonfly:3x2x2", 12},
               {"cluster:2x8", 16},    {"cluster:4x8", 32},    {"cluster:3x5", 15},
               {"fat-tree:4x2x2", 16}, {"fat-tree:1x4x4", 16}, {"dragonfly:5x2x2", 20},
               {"dragonfly:9x4x1", 36}};
    enum { SMALLEST_COUNT = 4, SMALL_COUNT = 9 };
    uint64_t count = is_small          ? SMALLEST_COUNT
                     : below(world, 4) ? SMALL_COUNT
                                       : sizeof all / sizeof *all;
    uint64_t i = below(world, count);
    say_network(world, setting, all[i].name, all[i].p);
    if (strncmp(all[i].name, "cluster", 7) != 0)
        return;
    if (below(world, 3) == 0)
        say(world, setting, true, "node.bandwidth", below(world, 2) ? "4GB/s" : "10GB/s");
    if (below(world, 6) == 0)
        say(world, setting, true, "node.startup", "14us");
    if (below(world, 6) == 0)
        say(world, setting, true, "node.ports", "8");
}

static void draw_machine(World *world, Setting *setting)
{
    static const char *const machines[] = {"edr-fat-tree", "griffon", "slingshot", "tpu-v4"};
    static const char *const startups[] = {"1us", "500ns", "10us", "2.5us"};
    static const char *const bandwidths[] = {"1GB/s", "64GB/s", "12.5GB/s", "370GB/s"};
    static const char *const computes[] = {"512GB/s", "2GB/s", "64GB/s"};
    Arena *arena = world->arena;
    double unit = 1 + (double)below(world, 1000000) / 7;
    const char *machine = machines[below(world, sizeof machines / sizeof *machines)];
    if (below(world, 2)) {
        say_machine(world, setting, machine);
        setting->has_jumps = strcmp(machine, "griffon") == 0;
    }
    if (below(world, 3) == 0)
        say(world, setting, true, "startup",
            below(world, 2) ? startups[below(world, 4)] : arena_printf(arena, "%.17gns", unit));
    if (below(world, 3) == 0)
        say(world, setting, true, "bandwidth",
            below(world, 2) ? bandwidths[below(world, 4)] : arena_printf(arena, "%.17gMB/s", unit));
    if (below(world, 3) == 0)
        say(world, setting, true, "per-hop", below(world, 2) ? "100ns" : "0s");
    if (below(world, 4) == 0)
        say(world, setting, true, "compute", computes[below(world, 3)]);
}

static void draw_rules(World *world, bool is_asynchronous, Setting *setting)
{
    static const char *const switching[] = {"sf", "sf", "sf-startups", "ct"};
    static const char *const ports[] = {"2", "3", "all"};
    static const char *const contention[] = {"messages", "none"};
    static const char *const ties[] = {"plus", "inside", "parity"};
    if (below(world, 4) == 0)
        say(world, setting, false, "switching", switching[below(world, 4)]);
    if (below(world, 5) == 0)
        say(world, setting, false, "ports", ports[below(world, 3)]);
    if (below(world, 6) == 0)
        say(world, setting, false, "contention", contention[below(world, 2)]);
    if (below(world, 6) == 0)
        say(world, setting, false, "duplex", "half");
    if (below(world, 6) == 0)
        say(world, setting, false, "ties", ties[below(world, 3)]);
    if (!is_asynchronous && below(world, 8) == 0)
        say(world, setting, false, "combining", "none");
    if (is_asynchronous)
        say(world, setting, false, below(world, 2) ? "overlap" : "asynchronous", NULL);
}

static void draw_ends(World *world, const Kind *kind, Setting *setting)
{
    Arena *arena = world->arena;
    int64_t from = (int64_t)below(world, (uint64_t)setting->p);
    int64_t to = (from + 1 + (int64_t)below(world, (uint64_t)setting->p - 1)) % setting->p;
    if (!kind->is_rooted || below(world, 2))
        return;
    say(world, setting, false, kind->is_targeted ? "from" : "root",
        arena_printf(arena, "%lld", (long long)from));
    setting->for_lines = kind->is_targeted;
    if (kind->is_targeted)
        say(world, setting, false, "to", arena_printf(arena, "%lld", (long long)to));
}

/* The first option is the network. */
static const char *name_ranks(World *world, const Setting *setting)
{
    const char *others = setting->options + strlen(" -t ") + strlen(setting->topology);
    size_t length = strcspn(setting->topology, ":");
    return strchr(setting->topology, 'x')
               ? setting->options
               : arena_printf(world->arena, " -t %.*s -p %lld%s", (int)length, setting->topology,
                              (long long)setting->p, others);
}

Setting setting_of(World *world, const char *collective, const char *topology, int64_t p,
                   const char *settings)
{
    Setting setting = {.collective = collective, .range_from = 1, .options = "", .statements = ""};
    for (char *word = strtok(arena_printf(world->arena, "%s", settings), " "); word;
         word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        say(world, &setting, true, word, value);
    }
    say_network(world, &setting, topology, p);
    setting.options_of_bounds = setting.options;
    setting.options_by_ranks = name_ranks(world, &setting);
    return setting;
}

Setting setting_draw(World *world)
{
    const Kind *kind = &kinds[below(world, sizeof kinds / sizeof *kinds)];
    Setting setting = {.collective = kind->name,
                       .is_empty = kind->is_empty,
                       .range_from = 1,
                       .options = "",
                       .statements = ""};
    bool is_asynchronous = below(world, 12) == 0;
    uint64_t network = below(world, 10);
    draw_machine(world, &setting);
    draw_rules(world, is_asynchronous, &setting);
    bool is_small = is_asynchronous || setting.has_jumps;
    if (network < 5)
        draw_flat(world, is_small, &setting);
    else if (network < 7)
        draw_grid(world, is_small, &setting);
    else
        draw_levels(world, is_small, &setting);
    draw_ends(world, kind, &setting);
    if (is_small ? below(world, 4) > 0 : below(world, 8) == 0)
        say(world, &setting, true, "k", arena_printf(world->arena, "%d", 1 + (int)below(world, 6)));
    setting.options_of_bounds = setting.options;
    if (!is_asynchronous && below(world, 8) == 0)
        say(world, &setting, false, "real-k", NULL);
    if (is_small) /* where switch points take long, without many chunks of single bytes */
        setting.range_from = 0x1p14;
    setting.options_by_ranks = name_ranks(world, &setting);
    return setting;
}
