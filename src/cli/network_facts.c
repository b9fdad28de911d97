#include "cli/show_parts.h"

#include <stdlib.h>
#include <string.h>

/* Ranks whose paths to all others are followed. */
enum { MOST_PAIRED = 1024 };

typedef struct {
    const char *level; /* "" */
    double tw, th;     /* negative: not known */
    int64_t cables;    /* both ways together; while they are counted each way */
} LinkKind;
ARRAY_TYPE(KindArray, LinkKind);

static Arena *arena_of(const NetworkFacts *facts)
{
    return facts->query->study.arena;
}

/* What links of a class have, by themselves or by the machine that was named. */
static LinkKind kind_of_class(const NetworkFacts *facts, size_t class)
{
    const LinkClass *of = &facts->network->classes[class];
    const Machine *machine = &facts->query->study.machine;
    const Level *level = level_find(machine->levels, machine->level_count, of->level);
    LinkKind kind = {of->level ? of->level : "", of->tw, of->th, of->lanes};
    const double tw = level && level->parameters[PARAMETER_TW] >= 0
                          ? level->parameters[PARAMETER_TW]
                          : machine->parameters[PARAMETER_TW];
    const double th = level && level->parameters[PARAMETER_TH] >= 0
                          ? level->parameters[PARAMETER_TH]
                          : machine->parameters[PARAMETER_TH];
    const double *scales = level ? level->link_scales : NULL;
    if (facts->knows_machine && (kind.tw < 0 || (scales && scales[PARAMETER_TW] < 0)))
        kind.tw = tw;
    if (facts->knows_machine && (kind.th < 0 || (scales && scales[PARAMETER_TH] < 0)))
        kind.th = th;
    if (!kind.cables)
        kind.cables = level && level->ports > 0 ? level->ports : 1;
    return kind;
}

/* So many more of a kind that is there, or a new one. */
static void add_cables(const NetworkFacts *facts, KindArray *kinds, const LinkKind *kind,
                       int64_t cables)
{
    size_t k = 0;
    while (k < kinds->count && (strcmp(kinds->items[k].level, kind->level) ||
                                kinds->items[k].tw != kind->tw || kinds->items[k].th != kind->th))
        k++;
    if (k == kinds->count)
        *ARRAY_PUSH(arena_of(facts), kinds) = (LinkKind){kind->level, kind->tw, kind->th, 0};
    kinds->items[k].cables += cables;
}

static KindArray list_kinds(const NetworkFacts *facts)
{
    const Network *network = facts->network;
    KindArray kinds = {0};
    int64_t *counts = ARENA_ARRAY(arena_of(facts), int64_t, network->class_count);
    const int64_t links = network_link_count(network);
    for (int64_t n = 0; n < network->node_count && network->starts; n++)
        for (int64_t i = network->starts[n]; i < network->starts[n + 1]; i++)
            counts[network_link_class(network, i)] +=
                network_find_link(network, network->neighbours[i], n) < 0 ? 2 : 1;
    if (!network->starts)
        counts[0] = network->p * (network->p - 1);
    for (size_t c = 0; c < network->class_count; c++) {
        const LinkKind kind = kind_of_class(facts, c);
        if (!counts[c] && links)
            continue;
        add_cables(facts, &kinds, &kind, counts[c] * kind.cables);
    }
    for (size_t k = 0; k < kinds.count; k++)
        kinds.items[k].cables = (kinds.items[k].cables + 1) / 2;
    return kinds;
}

/* "4 nvlink x 300 GB/s, 1 us a hop" */
static const char *kind_text(const NetworkFacts *facts, const LinkKind *kind)
{
    Arena *arena = arena_of(facts);
    const char *text = arena_printf(arena, "%lld %s", (long long)kind->cables,
                                    *kind->level        ? kind->level
                                    : kind->cables == 1 ? "link"
                                                        : "links");
    if (kind->tw > 0)
        text = arena_printf(arena, "%s x %s", text,
                            quantity_show_bandwidth(arena, number_inverse(kind->tw)));
    return kind->th > 0
               ? arena_printf(arena, "%s, %s a hop", text, quantity_show_time(arena, kind->th))
               : text;
}

/* What is unlike. */

/* A rank, or a switch next to ranks, by its links. */
static uint64_t signature(const NetworkFacts *facts, int64_t node)
{
    const Network *network = facts->network;
    uint64_t sum = 0;
    for (int64_t i = network->starts[node]; i < network->starts[node + 1]; i++) {
        const bool is_rank = network->neighbours[i] < network->p;
        uint64_t key = 2 * network_link_class(network, i) + is_rank + 1;
        key *= 0x9e3779b97f4a7c15u;
        sum += key ^ (key >> 29);
    }
    return sum;
}

/* "links of node 5 (gpu5)": how many it has of each level. */
static const char *links_text(const NetworkFacts *facts, int64_t node)
{
    const Network *network = facts->network;
    KindArray kinds = {0};
    const char *text = "";
    for (int64_t i = network->starts[node]; i < network->starts[node + 1]; i++) {
        const LinkKind kind = kind_of_class(facts, network_link_class(network, i));
        add_cables(facts, &kinds, &kind, kind.cables);
    }
    for (size_t k = 0; k < kinds.count; k++)
        text = arena_printf(arena_of(facts), "%s%s%s", text, *text ? ", " : "",
                            kind_text(facts, &kinds.items[k]));
    return *text ? text : "no links";
}

typedef struct {
    uint64_t signature;
    int64_t count, first;
} Alike;
ARRAY_TYPE(AlikeArray, Alike);

/* "1 of 8 ranks: 1 pcie x 24 GB/s (7 have ...), such as 5 (GPU5)" */
static void add_unlike(const NetworkFacts *facts, int64_t from, int64_t to, const char *what,
                       StringArray *texts)
{
    Arena *arena = arena_of(facts);
    AlikeArray alike = {0};
    PlaceTable places = {0};
    for (int64_t n = from; n < to; n++) {
        const Network *network = facts->network;
        bool counts = n < network->p; /* of switches those that are next to a rank */
        for (int64_t i = network->starts[n]; i < network->starts[n + 1] && !counts; i++)
            counts = network->neighbours[i] < network->p;
        if (!counts)
            continue;
        const uint64_t key = signature(facts, n) >> 1;
        int32_t *place = place_table_find(arena, &places, key);
        if (*place < 0) {
            *place = (int32_t)alike.count;
            *ARRAY_PUSH(arena, &alike) = (Alike){key, 0, n};
        }
        alike.items[*place].count++;
    }
    const Alike *usual = NULL;
    int64_t total = 0;
    for (size_t i = 0; i < alike.count; i++) {
        usual = !usual || alike.items[i].count > usual->count ? &alike.items[i] : usual;
        total += alike.items[i].count;
    }
    for (size_t i = 0; i < alike.count && texts->count < MOST_SHOWN; i++) {
        const Alike *other = &alike.items[i];
        const uint32_t *levels = facts->network->levels_out;
        const bool is_other_kind =
            from && levels && levels[other->first] != levels[usual->first]; /* NVSwitch and leaf */
        if (other == usual || 2 * usual->count < total || is_other_kind)
            continue;
        const char *of =
            arena_printf(arena, other->count == 1 ? "%lld of %lld %s has" : "%lld of %lld %s have",
                         (long long)other->count, (long long)total, what);
        *ARRAY_PUSH(arena, texts) =
            arena_printf(arena, "%s %s, not %s%s %s", of, links_text(facts, other->first),
                         links_text(facts, usual->first), other->count == 1 ? ":" : ", such as",
                         network_name_node(arena, facts->network, other->first));
    }
}

static StringArray list_unlike(const NetworkFacts *facts)
{
    StringArray texts = {0};
    const Network *network = facts->network;
    if (network->starts && network->topology->ranks) {
        add_unlike(facts, 0, network->p, "ranks", &texts);
        add_unlike(facts, network->p, network->node_count, "switches next to ranks", &texts);
    }
    return texts;
}

void field_write(const Query *query, const char *name, const char *text)
{
    if (text && *text)
        fprintf(query->line->out, "%-12s%s\n", name, text);
}

void facts_write_fields(const NetworkFacts *facts)
{
    Arena *arena = arena_of(facts);
    const Network *network = facts->network;
    const Measures measures = network_measure(network);
    const char *degree = arena_printf(arena, "%lld", (long long)measures.least_degree);
    if (measures.most_degree > measures.least_degree)
        degree = arena_printf(arena, "%s .. %lld", degree, (long long)measures.most_degree);
    const char *diameter = arena_printf(arena, "%lld", (long long)measures.diameter);
    const char *mean = arena_printf(arena, "%lld/%lld = %.6g", (long long)measures.numerator,
                                    (long long)measures.denominator,
                                    (double)measures.numerator / (double)measures.denominator);
    if (measures.denominator == 1)
        mean = arena_printf(arena, "%lld", (long long)measures.numerator);
    if (!measures.has_distances)
        diameter = mean = "not computed: it would take too long";
    else if (!measures.connected)
        diameter = mean = "none: some ranks do not reach others";
    field_write(facts->query, "network", network->name);
    field_write(facts->query, "ranks", arena_printf(arena, "%lld", (long long)network->p));
    field_write(facts->query, "switches",
                arena_printf(arena, "%lld", (long long)measures.switches));
    field_write(facts->query, "links",
                measures.links < 0
                    ? "more than 2^63"
                    : arena_printf(arena, "%lld, directed", (long long)measures.links));
    field_write(facts->query, "degree", degree);
    field_write(facts->query, "diameter", diameter);
    field_write(facts->query, "mean", mean);
    const KindArray kinds = list_kinds(facts);
    bool is_known = facts->knows_machine;
    for (size_t k = 0; k < kinds.count; k++)
        is_known |= kinds.items[k].tw > 0;
    for (size_t k = 0; k < kinds.count && is_known; k++)
        field_write(facts->query, k ? "" : "kinds", kind_text(facts, &kinds.items[k]));
    const StringArray unlike = list_unlike(facts);
    for (size_t i = 0; i < unlike.count; i++)
        field_write(facts->query, i ? "" : "irregular", unlike.items[i]);
}

static void put_kind(Table *table, const LinkKind *kind)
{
    put_text(table, KEY_level, kind->level);
    if (kind->tw > 0)
        put_number(table, KEY_link_bandwidth, number_inverse(kind->tw));
    if (kind->th >= 0)
        put_number(table, KEY_link_latency, kind->th);
}

static void write_kind_rows(const NetworkFacts *facts)
{
    const KindArray kinds = list_kinds(facts);
    Table *table = query_table(facts->query, TABLE_show_links);
    for (size_t k = 0; k < kinds.count; k++) {
        put_kind(table, &kinds.items[k]);
        put_number(table, KEY_cables, (double)kinds.items[k].cables);
        table_row(table);
    }
    table_close(table);
}

void facts_write(const NetworkFacts *facts)
{
    const Measures measures = network_measure(facts->network);
    if (facts->query->format != FORMAT_JSON) {
        write_kind_rows(facts);
        return;
    }
    Table *record = query_table(facts->query, TABLE_show);
    put_text(record, KEY_topology, facts->network->name);
    put_number(record, KEY_ranks, (double)facts->network->p);
    put_number(record, KEY_switches, (double)measures.switches);
    if (measures.links >= 0)
        put_number(record, KEY_directed_links, (double)measures.links);
    if (measures.has_distances && measures.connected) {
        PUT(record, &measures, diameter);
        put_number(record, KEY_mean_hops,
                   (double)measures.numerator / (double)measures.denominator);
    }
    table_nest(record, KEY_link_kinds);
    write_kind_rows(facts);
    const StringArray unlike = list_unlike(facts);
    put_list(record, KEY_irregular, unlike.items, unlike.count);
    table_close(record);
}

void facts_write_import(const NetworkFacts *facts, Text path, const Source *models)
{
    const Topology *topology = facts->network->topology;
    const bool is_text = facts->query->format == FORMAT_TEXT;
    Text line, rest = {models->text, models->length, {models, 0, models->length}, true};
    if (is_text) {
        field_write(facts->query, "file", text_string(arena_of(facts), path));
        field_write(facts->query, "read as", topology->head.summary);
        facts_write_fields(facts);
    } else
        facts_write(facts);
    for (bool first = true;
         text_split(rest, '\n', &line, &rest) && line.length > 1 && line.chars[0] == '#';
         first = false)
        if (is_text)
            line_say(facts->query->line, "%-12s%.*s", first ? "notes" : "", (int)line.length - 2,
                     line.chars + 2);
        else
            diag_note(facts->query->study.diag, NOWHERE, "%.*s", (int)line.length - 2,
                      line.chars + 2);
}

/* Paths. */

typedef struct {
    const char *levels;
    int64_t hops;
    double tw; /* of the slowest link; negative: not known */
    int64_t pairs, from, to;
} PathKind;
ARRAY_TYPE(PathKindArray, PathKind);

static int compare_paths(const void *one, const void *other)
{
    const PathKind *a = one, *b = other;
    if (a->tw != b->tw)
        return a->tw < b->tw ? -1 : 1;
    return a->hops != b->hops ? (a->hops < b->hops ? -1 : 1) : strcmp(a->levels, b->levels);
}

/* Those of one source, whose messages are followed together. */
static bool add_paths_from(const NetworkFacts *facts, int64_t from, PathKindArray *kinds)
{
    const int64_t p = facts->network->p;
    Arena *scratch = arena_scratch(arena_of(facts));
    int64_t *sources = ARENA_ROOM(scratch, int64_t, (size_t)p);
    int64_t *targets = ARENA_ROOM(scratch, int64_t, (size_t)p);
    size_t count = 0;
    Routes routes;
    for (int64_t to = 0; to < p; to++)
        if (to != from)
            sources[count] = from, targets[count++] = to;
    const bool good = network_route(facts->network, scratch, count, sources, targets, &routes,
                                    facts->query->study.diag);
    if (good) {
        size_t *starts = ARENA_ARRAY(scratch, size_t, count + 1);
        ClassNumber *classes = ARENA_ARRAY(scratch, ClassNumber, routes.link_count + 1);
        for (size_t j = 0; j < count; j++)
            starts[j + 1] = starts[j] + (size_t)routes.hops[j];
        for (size_t i = 0; i < routes.link_count; i++)
            classes[starts[routes.message[i]] + (size_t)routes.slot[i]] =
                routes.classes ? routes.classes[i] : 0;
        for (size_t j = 0; j < count; j++) {
            /* The levels of the links of a path, those of one level in a row once. */
            PathKind path = {.levels = "", .hops = routes.hops[j], .tw = -1};
            const char *last = NULL;
            for (int64_t i = 0; i < path.hops; i++) {
                const LinkKind kind = kind_of_class(facts, classes[starts[j] + (size_t)i]);
                path.tw = kind.tw > path.tw ? kind.tw : path.tw;
                if (last && strcmp(last, kind.level) == 0)
                    continue;
                path.levels = arena_printf(scratch, "%s%s%s", path.levels, last ? " " : "",
                                           *kind.level ? kind.level : "link");
                last = kind.level;
            }
            size_t k = 0;
            while (k < kinds->count && compare_paths(&path, &kinds->items[k]) != 0)
                k++;
            if (k == kinds->count) {
                path.from = from, path.to = targets[j];
                path.levels = arena_copy(arena_of(facts), path.levels, strlen(path.levels));
                *ARRAY_PUSH(arena_of(facts), kinds) = path;
            }
            kinds->items[k].pairs++;
        }
    }
    arena_destroy(scratch);
    return good;
}

bool facts_write_pairs(const NetworkFacts *facts)
{
    const Network *network = facts->network;
    PathKindArray kinds = {0};
    if (network->p > MOST_PAIRED)
        return diag_error(facts->query->study.diag, NOWHERE,
                          "pairs are listed for at most %d ranks", MOST_PAIRED);
    for (int64_t r = 0; r < network->p; r++)
        if (!add_paths_from(facts, r, &kinds))
            return false;
    if (kinds.count)
        qsort(kinds.items, kinds.count, sizeof *kinds.items, compare_paths);
    Table *table = query_table(facts->query, TABLE_show_pairs);
    for (size_t k = 0; k < kinds.count; k++) {
        const PathKind *path = &kinds.items[k];
        put_text(table, KEY_path_levels, path->levels);
        put_number(table, KEY_path_pairs, (double)path->pairs);
        put_number(table, KEY_hops, (double)path->hops);
        if (path->tw > 0)
            put_number(table, KEY_slowest_link, number_inverse(path->tw));
        put_text(table, KEY_first_node, network_name_node(arena_of(facts), network, path->from));
        put_text(table, KEY_second_node, network_name_node(arena_of(facts), network, path->to));
        table_row(table);
    }
    table_close(table);
    return true;
}

bool facts_write_route(const NetworkFacts *facts, Text ends)
{
    const Network *network = facts->network;
    Diag *diag = facts->query->study.diag;
    Text first, second;
    Routes routes;
    if (!text_split(ends, ',', &first, &second))
        return diag_error(diag, ends.span, "two ranks are needed: --route 0,5");
    const int64_t from = network_find_node(network, first, 0),
                  to = network_find_node(network, second, 0);
    if (from < 0 || to < 0)
        return diag_error(diag, ends.span, "nodes have numbers from 0 to %lld, or names",
                          (long long)network->node_count - 1);
    if (network->topology->factor_count && (from >= network->p || to >= network->p))
        return diag_error(diag, ends.span, "routes through a product join ranks, from 0 to %lld",
                          (long long)network->p - 1);
    if (from == to)
        return diag_error(diag, ends.span, "a route joins two different nodes");
    if (!network_route(network, arena_of(facts), 1, &from, &to, &routes, diag))
        return false;
    Table *table = query_table(facts->query, TABLE_show_route);
    for (size_t i = 0; i < routes.link_count; i++) {
        const LinkKind kind = kind_of_class(facts, routes.classes ? routes.classes[i] : 0);
        put_text(table, KEY_first_node,
                 network_name_node(arena_of(facts), network, routes.from[i]));
        put_text(table, KEY_second_node, network_name_node(arena_of(facts), network, routes.to[i]));
        put_kind(table, &kind);
        table_row(table);
    }
    table_close(table);
    return true;
}
