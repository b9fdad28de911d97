#include "model/machine.h"
#include "topology/net.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 100 };

/* Links in equal steps, in steps again: from + i df + k ef -> to + i dt + k et. */
typedef struct {
    int64_t from, to, count, df, dt, times, ef, et;
    const NetLink *first; /* its properties are those of all */
} Run;
ARRAY_TYPE(RunArray, Run);

/* By their properties, then their ends. */
static int compare_for_runs(const void *one, const void *other)
{
    const NetLink *a = one, *b = other;
    const double differences[] = {a->level - b->level,
                                  (double)(a->lanes - b->lanes),
                                  b->rate - a->rate,
                                  a->latency - b->latency,
                                  a->is_one_way - b->is_one_way,
                                  a->a - b->a,
                                  a->b - b->b};
    for (size_t i = 0; i < COUNT_OF(differences); i++)
        if (differences[i] != 0)
            return differences[i] < 0 ? -1 : 1;
    return 0;
}

/* Runs of links one behind the other; with few links each stands for itself. */
static RunArray list_runs(Net *net)
{
    RunArray runs = {0};
    const NetLink *links = net->links.items;
    for (size_t i = 0; i < net->links.count; i++) {
        const NetLink *link = &links[i];
        Run *run = runs.count ? &runs.items[runs.count - 1] : NULL;
        const NetLink *last = i ? &links[i - 1] : NULL;
        const int64_t df = last ? link->a - last->a : 0, dt = last ? link->b - last->b : 0;
        if (run && net_alike(last, link) &&
            (run->count == 1 ? df <= 1 && dt >= 0 && dt <= 1 : df == run->df && dt == run->dt)) {
            run->df = df, run->dt = dt, run->count++;
            continue;
        }
        *ARRAY_PUSH(net->arena, &runs) = (Run){link->a, link->b, 1, 0, 0, 1, 0, 0, link};
    }
    return runs;
}

/* Runs that are alike, in equal steps. */
static void nest_runs(RunArray *runs)
{
    size_t kept = 0;
    for (size_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        Run *last = kept ? &runs->items[kept - 1] : NULL;
        const int64_t ef = last ? run->from - (last->from + (last->times - 1) * last->ef) : 0;
        const int64_t et = last ? run->to - (last->to + (last->times - 1) * last->et) : 0;
        const bool fits = last && net_alike(last->first, run->first) && last->count == run->count &&
                          last->df == run->df && last->dt == run->dt && ef >= 0 && et >= 0 &&
                          (last->times == 1 || (ef == last->ef && et == last->et));
        if (fits)
            last->ef = ef, last->et = et, last->times++;
        else
            runs->items[kept++] = *run;
    }
    runs->count = kept;
}

/* "16 + 2 * i + k" */
static const char *place(Arena *arena, int64_t start, int64_t i_step, int64_t k_step)
{
    const char *text =
        start || (!i_step && !k_step) ? arena_printf(arena, "%lld", (long long)start) : "";
    const int64_t steps[] = {i_step, k_step};
    for (int n = 0; n < 2; n++) {
        const char *name = n ? "k" : "i";
        const int64_t size = steps[n] < 0 ? -steps[n] : steps[n];
        if (!size)
            continue;
        const char *sign = steps[n] < 0 ? (*text ? " - " : "-") : *text ? " + " : "";
        text = size == 1 ? arena_printf(arena, "%s%s%s", text, sign, name)
                         : arena_printf(arena, "%s%s%lld * %s", text, sign, (long long)size, name);
    }
    return text;
}

/* What a link has of its own, beside its level. */
static void write_properties(Net *net, const NetLink *link, bool states_lanes, Buffer *out)
{
    const NetLevel *level = &net->levels[link->level];
    buffer_printf(out, link->is_one_way ? "" : ", both: yes");
    if (!net->like)
        buffer_printf(out, ", level: %s", level->name);
    if (link->lanes > 1 || states_lanes)
        buffer_printf(out, ", lanes: %lld", (long long)link->lanes);
    if (link->rate > 0 && link->rate != level->rate)
        buffer_printf(out, ", bandwidth: %s", machine_show_bandwidth(net->arena, link->rate));
    if (link->latency >= 0 && link->latency != level->latency)
        buffer_printf(out, ", latency: %s", machine_show_time(net->arena, link->latency));
    buffer_printf(out, "}\n");
}

/* One link of each rank, all to switches in the order of ranks: "p + r div 8". */
static const char *find_rule_of_ranks(const Net *net, const NetLink *links, size_t count)
{
    const int64_t p = net_rank_count(net);
    if ((int64_t)count != p || p < 2)
        return NULL;
    const int64_t first = links[0].b;
    int64_t group = 1;
    while (group < p && links[group].b == first)
        group++;
    bool divides = true, wraps = true;
    int64_t rails = links[p - 1].b - first + 1;
    for (int64_t r = 0; r < p; r++) {
        if (links[r].a != r || links[r].b < p)
            return NULL;
        divides &= links[r].b == first + r / group;
        wraps &= rails > 0 && links[r].b == first + r % rails;
    }
    const char *start = first == p ? "p" : arena_printf(net->arena, "%lld", (long long)first);
    return group == p              ? start
           : group == 1 && divides ? arena_printf(net->arena, "%s + r", start)
           : divides ? arena_printf(net->arena, "%s + r div %lld", start, (long long)group)
           : wraps   ? arena_printf(net->arena, "%s + r mod %lld", start, (long long)rails)
                     : NULL;
}

static bool states_lanes(const Net *net, int level)
{
    return net->level_count > 1 && net->levels[level].ports > 1;
}

static void write_run(Net *net, Run run, Buffer *out)
{
    if (run.count == 1 && run.times == 2) { /* two links by themselves say more than a loop */
        const Run second = {run.from + run.ef, run.to + run.et, 1, 0, 0, 1, 0, 0, run.first};
        run.times = 1, run.ef = run.et = 0;
        write_run(net, run, out);
        run = second;
    }
    Arena *arena = net->arena;
    const char *loops = "";
    if (run.count > 1)
        loops = arena_printf(arena, "i in 0 .. %lld", (long long)run.count - 1);
    if (run.times > 1)
        loops = arena_printf(arena, "%s%sk in 0 .. %lld", loops, *loops ? ", " : "",
                             (long long)run.times - 1);
    buffer_printf(out, "  - {");
    if (*loops)
        buffer_printf(out, strchr(loops, ',') ? "for: [%s], " : "for: %s, ", loops);
    buffer_printf(out, "from: %s, to: %s", place(arena, run.from, run.df, run.ef),
                  place(arena, run.to, run.dt, run.et));
    write_properties(net, run.first, states_lanes(net, run.first->level), out);
}

static void write_links(Net *net, Buffer *out)
{
    NetLinkArray *links = &net->links;
    if (links->count)
        qsort(links->items, links->count, sizeof *links->items, compare_for_runs);
    buffer_printf(out, links->count ? "links:\n" : "links: []\n");
    for (size_t i = 0, end; i < links->count; i = end) {
        NetLink *all = links->items;
        for (end = i; end < links->count && net_alike(&all[i], &all[end]);)
            end++;
        const char *rule = find_rule_of_ranks(net, all + i, end - i);
        if (rule) {
            buffer_printf(out, "  - {from: r, to: %s", rule);
            write_properties(net, &all[i], states_lanes(net, all[i].level), out);
            continue;
        }
        Net part = *net;
        part.links = (NetLinkArray){all + i, end - i, end - i};
        RunArray runs = list_runs(&part);
        nest_runs(&runs);
        for (size_t n = 0; n < runs.count; n++)
            write_run(net, runs.items[n], out);
    }
}

static void write_list(Buffer *out, const char *key, const char *const *words, size_t count)
{
    size_t start = out->count;
    buffer_printf(out, "%s: [", key);
    for (size_t i = 0; i < count; i++) {
        if (i && out->count - start > LINE_WIDTH - 12) {
            buffer_printf(out, ",\n  ");
            start = out->count;
        } else if (i)
            buffer_printf(out, ", ");
        machine_write_word(out, text_plain(words[i]));
    }
    buffer_printf(out, "]\n");
}

static void write_names(Net *net, Buffer *out)
{
    const char **names = ARENA_ARRAY(net->arena, const char *, net->nodes.count + 1);
    for (size_t i = 0; i < net->nodes.count; i++)
        if (!net->nodes.items[i].is_left_out)
            names[net->nodes.items[i].number] = net->nodes.items[i].name;
    write_list(out, "names", names, (size_t)(net->like ? net_rank_count(net) : net_count(net)));
}

static bool is_used(const Net *net, int level)
{
    bool used = net->like != NULL;
    for (size_t i = 0; i < net->links.count && !used; i++)
        used = net->links.items[i].level == level;
    return used;
}

/* Levels that have links; `ranks`: of ranks. */
static size_t list_levels(const Net *net, const char **names, bool forwarding)
{
    size_t count = 0;
    for (int i = 0; i < net->level_count; i++)
        if (is_used(net, i) && (!forwarding || net->levels[i].forwards))
            names[count++] = net->levels[i].name;
    return count;
}

/* Ranks have links of several levels, over which others might go through them. */
static bool is_mixed(const Net *net)
{
    int count = 0;
    for (int i = 0; i < net->level_count; i++)
        count += is_used(net, i) && net->levels[i].ports > 0;
    return count > 1;
}

static void write_topology(Net *net, const char *name, Buffer *out)
{
    const int64_t p = net_rank_count(net), switches = net_count(net) - p;
    const char *levels[LIMIT_LEVELS];
    buffer_printf(out, "topology: %s\nsummary: '%s: %lld ranks in the order of %s'\n", name,
                  net->format, (long long)p, net->order ? net->order : "the file");
    if (net->like) {
        buffer_printf(out, "like: %s\n", net->like);
        if (net->level_count == 1)
            buffer_printf(out, "level: %s\n", net->levels[0].name);
        write_names(net, out);
        return;
    }
    if (net->dimension_count > 1) {
        buffer_printf(out, "dimensions: {");
        for (int i = 0; i < net->dimension_count; i++)
            buffer_printf(out, "%s%s: %lld", i ? ", " : "", net->dimensions[i].name,
                          (long long)net->dimensions[i].size);
        buffer_printf(out, "}\nfastest: last\n");
    } else
        buffer_printf(out, "ranks: %lld\n", (long long)p);
    if (switches)
        buffer_printf(out, "switches: %lld\n", (long long)switches);
    write_names(net, out);
    const size_t count = list_levels(net, levels, false);
    if (count)
        write_list(out, "levels", levels, count);
    write_links(net, out);
    buffer_printf(out, "routing: %s\n", is_mixed(net) ? "fastest" : "shortest");
    bool holds = false; /* are there links over which ranks pass nothing on? */
    for (int i = 0; i < net->level_count; i++)
        holds |= is_used(net, i) && net->levels[i].ports > 0 && !net->levels[i].forwards;
    const size_t forwarding = list_levels(net, levels, true);
    if (holds && forwarding == 0 && p > 1)
        buffer_printf(out, "forward: no\n");
    else if (holds && forwarding)
        write_list(out, "forward", levels, forwarding);
}

/* A key of a level, where it has one. */
static void write_key(Buffer *out, const char **joint, const char *key, const char *value)
{
    buffer_printf(out, "%s%s: %s", *joint, key, value);
    *joint = ", ";
}

static void write_level(Net *net, const NetLevel *level, Buffer *out)
{
    Arena *arena = net->arena;
    const char *joint = "";
    buffer_printf(out, "  %s: {", level->name);
    if (net->startups)
        write_key(out, &joint, "startup", machine_show_time(arena, level->startup));
    if (level->latency >= 0)
        write_key(out, &joint, "per-hop", machine_show_time(arena, level->latency));
    if (level->rate > 0)
        write_key(out, &joint, "bandwidth", machine_show_bandwidth(arena, level->rate));
    if (level->ports > 1 && net->level_count > 1)
        write_key(out, &joint, "ports", arena_printf(arena, "%lld", (long long)level->ports));
    if (level->capacity > 0)
        write_key(out, &joint, "capacity", machine_show_bandwidth(arena, level->capacity));
    buffer_printf(out, "}\n");
}

static void write_assumed(Net *net, int base, bool has_levels, Buffer *out)
{
    const char *words[2 + 2 * LIMIT_LEVELS];
    size_t count = 0;
    if (net->startups)
        words[count++] = "startup";
    if (net->levels[base].is_assumed || !net->level_count)
        words[count++] = "bandwidth";
    for (int i = 0; i < net->level_count && has_levels; i++) {
        if (!is_used(net, i))
            continue;
        if (net->startups)
            words[count++] = arena_printf(net->arena, "%s.startup", net->levels[i].name);
        if (net->levels[i].is_assumed)
            words[count++] = arena_printf(net->arena, "%s.bandwidth", net->levels[i].name);
    }
    if (count)
        write_list(out, "assumed", words, count);
}

static void write_machine(Net *net, const char *name, Buffer *out)
{
    int base = 0;
    while (base + 1 < net->level_count && !is_used(net, base))
        base++;
    const NetLevel *level = &net->levels[base];
    const bool is_plain = net->like && net->level_count == 1; /* its level is as the machine */
    const char *ports = is_mixed(net) ? "levels" : level->ports > 1 ? "all" : "1";
    buffer_printf(out, "---\nmachine: %s\nsummary: 'links of %s%s%s'\n", name, name,
                  net->startups ? "; startups: " : "", net->startups ? net->startups : "");
    write_assumed(net, base, !is_plain, out);
    if (net->startups)
        buffer_printf(out, "startup: %s\n", machine_show_time(net->arena, level->startup));
    buffer_printf(out, "bandwidth: %s\n",
                  level->rate > 0 ? machine_show_bandwidth(net->arena, level->rate) : "1 GB/s");
    if (is_plain && level->latency >= 0)
        buffer_printf(out, "per-hop: %s\n", machine_show_time(net->arena, level->latency));
    buffer_printf(out, "ports: %s\n", ports);
    if (net->is_half_duplex)
        buffer_printf(out, "duplex: half\n");
    const char *names[LIMIT_LEVELS];
    if (!list_levels(net, names, false))
        return;
    buffer_printf(out, "levels:\n");
    for (int i = 0; i < net->level_count; i++)
        if (is_plain)
            buffer_printf(out, "  %s: {}\n", net->levels[i].name);
        else if (is_used(net, i))
            write_level(net, &net->levels[i], out);
}

void net_write(Net *net, const char *name, Buffer *out)
{
    for (size_t i = 0; i < net->notes.count; i++)
        buffer_printf(out, "# %s\n", net->notes.items[i]);
    write_topology(net, name, out);
    write_machine(net, name, out);
}
