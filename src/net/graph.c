#include "net/graph.h"

#include "base/watch.h"
#include "base/wide_hash.h"

#include <stdlib.h>
#include <string.h>

/* Links of a product, and lanes for which rules are evaluated. */
enum { MOST_LINKS = 1 << 25, MOST_WORK = 1 << 28 };

/* A rule is expanded for some ranks at a time, so that what it tries takes some megabytes: for as
   many as make FEW links or more, and about MANY at most. */
enum { FIRST_LANES = 256, FEW = 1 << 16, MANY = 1 << 18 };

/* Links are listed in pieces, since an array that grows would take twice the memory. */
enum { PIECE_BITS = 16, PIECE = 1 << PIECE_BITS };

const int64_t graph_largest = LIMIT_RANKS;

void topology_names_fill(TopologyNames *names, const Topology *topology, const Shape *shape)
{
    *names = (TopologyNames){.p = shape->p};
    names->frame.slots[TOPOLOGY_P] = &names->p;
    for (int i = 0; i < topology->named_count; i++) {
        int at = topology->last_is_fastest ? shape->count - 1 - i : i;
        names->sizes[i] = shape->sizes[at];
        names->frame.slots[TOPOLOGY_SIZES + i] = &names->sizes[i];
    }
    if (topology->uplinks) {
        names->uplinks = names->sizes[topology->tapered] / (shape->taper ? shape->taper : 1);
        names->frame.slots[TOPOLOGY_UPLINKS] = &names->uplinks;
    }
    if (topology->adapters) {
        const int64_t share = shape->devices_per_adapter, all = names->sizes[topology->adapted];
        names->adapters = share ? (all + share - 1) / share : 0;
        names->frame.slots[TOPOLOGY_ADAPTERS] = &names->adapters;
    }
}

int topology_level(const Topology *topology, const char *name)
{
    for (size_t i = 0; name && i < topology->level_count; i++)
        if (strcmp(topology->levels[i], name) == 0)
            return (int)i + 1;
    return 0;
}

typedef struct {
    int32_t from, to;
    uint32_t rule;
    ClassNumber class;
} Link;

ARRAY_TYPE(PieceArray, Link *);

typedef struct {
    Arena *arena, *lasting; /* the latter for classes */
    const Topology *topology;
    TopologyNames *names;
    ClassTable *classes;
    int64_t nodes;
    PieceArray pieces;
    size_t link_count;
    int64_t work;
    Diag *diag;
} Layout;

static bool count_nodes(Layout *layout)
{
    const Formula *switches = &layout->topology->switches;
    int64_t count = 0;
    if (switches->program &&
        !program_run_int(switches->program, layout->names->frame.slots, &count, layout->diag))
        return false;
    if (count >= 0 && count <= graph_largest - layout->names->p) {
        layout->nodes = layout->names->p + count;
        return true;
    }
    if (count < 0)
        diag_error(layout->diag, switches->text.span, "the number of switches cannot be %lld",
                   (long long)count);
    else
        diag_limit(layout->diag, switches->text.span,
                   "p = %lld and switches = %lld are too many to be laid out (at most %lld nodes)",
                   (long long)layout->names->p, (long long)count, (long long)graph_largest);
    return false;
}

static bool is_same_class(const LinkClass *a, const LinkClass *b)
{
    return a->level == b->level && a->lanes == b->lanes && a->tw == b->tw && a->th == b->th;
}

/* The number of the class of a link, which is added if it is new; -1 after a report. */
static int find_class(Layout *layout, const LinkClass *wanted, Span span)
{
    ClassTable *classes = layout->classes;
    if (classes->count && is_same_class(&classes->items[classes->last], wanted))
        return (int)classes->last;
    WideHash hash = hash_add((WideHash){0}, (uintptr_t)wanted->level, (uint64_t)wanted->lanes);
    union {
        double real;
        uint64_t bits;
    } tw = {wanted->tw}, th = {wanted->th};
    hash = hash_add(hash, tw.bits, th.bits);
    int32_t *place = place_table_find(layout->lasting, &classes->places, hash.high >> 1);
    for (; *place >= 0 && !is_same_class(&classes->items[*place], wanted);)
        place = place_table_find(layout->lasting, &classes->places, (hash.high += 2) >> 1);
    if (*place >= 0)
        return (int)(classes->last = (size_t)*place);
    if (classes->count == MOST_CLASSES) {
        diag_error(layout->diag, span, "there are too many kinds of links (at most %d)",
                   MOST_CLASSES);
        return -1;
    }
    *place = (int32_t)classes->count;
    *ARRAY_PUSH(layout->lasting, classes) = *wanted;
    return (int)(classes->last = classes->count - 1);
}

static Span end_span(const LinkRule *rule, int end)
{
    return rule->ends.syntax->indices[end]->text.span;
}

static bool add_link(Layout *layout, size_t rule, int64_t from, int64_t to, int class)
{
    if (layout->link_count == LIMIT_LINKS)
        return diag_limit(layout->diag, layout->topology->head.span,
                          "%s has too many links for %lld ranks (more than %d)",
                          layout->topology->head.name, (long long)layout->names->p, LIMIT_LINKS);
    size_t at = layout->link_count++ & (PIECE - 1);
    if (at == 0)
        *ARRAY_PUSH(layout->arena, &layout->pieces) = ARENA_ROOM(layout->arena, Link, PIECE);
    layout->pieces.items[layout->pieces.count - 1][at] =
        (Link){from, to, (uint32_t)rule, (ClassNumber) class};
    return true;
}

static const Link *link_at(const Layout *layout, size_t number)
{
    return &layout->pieces.items[number >> PIECE_BITS][number & (PIECE - 1)];
}

static bool add_links(Layout *layout, size_t number, const SetItems *items)
{
    const LinkRule *rule = &layout->topology->rules[number];
    for (size_t i = 0; i < items->count; i++) {
        int64_t from = items->indices[0][i], to = items->indices[1][i];
        int64_t lanes = rule->ends.index_count > 2 ? items->indices[2][i] : 0;
        const bool has_from = from >= 0 && from < layout->nodes;
        if (!has_from || to < 0 || to >= layout->nodes)
            return diag_error(
                layout->diag, end_span(rule, has_from),
                "a link from %lld to %lld, but there are nodes 0 .. %lld: exclude it with 'if'",
                (long long)from, (long long)to, (long long)layout->nodes - 1);
        if (from == to)
            return diag_error(layout->diag, end_span(rule, 1),
                              "a link from %lld to itself: exclude it with 'if'", (long long)from);
        if (lanes < 1 && rule->ends.index_count > 2)
            return diag_error(layout->diag, end_span(rule, 2), "a link cannot have %lld lanes",
                              (long long)lanes);
        const LinkClass wanted = {rule->level, lanes, rule->tw, rule->th};
        int class = find_class(layout, &wanted, rule->ends.syntax->text.span);
        if (class < 0 || !add_link(layout, number, from, to, class) ||
            (rule->both && !add_link(layout, number, to, from, class)))
            return false;
    }
    return true;
}

/* For some ranks after the others. `ranks`: all of them. */
static bool expand_rule(Layout *layout, size_t number, Frame *frame, const int64_t *ranks)
{
    const LinkRule *rule = &layout->topology->rules[number];
    size_t lanes = rule->of_ranks ? (size_t)layout->names->p : 1, chunk = FIRST_LANES, tried = 0;
    Arena *scratch = arena_scratch(layout->arena);
    const ArenaMark start = arena_mark(scratch);
    bool good = true;
    for (size_t first = 0, count; first < lanes && good; first += count) {
        SetItems items;
        count = chunk < lanes - first ? chunk : lanes - first;
        frame->slots[TOPOLOGY_R] = ranks + first;
        good = set_expand(&rule->ends, scratch, frame, count, &items, layout->diag);
        tried += good ? items.tried : 0;
        if (tried > LIMIT_ITEMS)
            good = set_report_too_many(&rule->ends, layout->diag);
        good = good && add_links(layout, number, &items);
        layout->work += (int64_t)count + (good ? (int64_t)items.count : 0);
        arena_release(scratch, start);
        if (good && items.tried < FEW)
            chunk *= 2;
        else if (good && items.tried > MANY && chunk > 1)
            chunk /= 2;
    }
    arena_destroy(scratch);
    return good;
}

static bool expand_rules(Layout *layout)
{
    const Topology *topology = layout->topology;
    size_t p = (size_t)layout->names->p;
    Frame frame = layout->names->frame;
    const int64_t *ranks = lanes_identity(layout->arena, p);
    for (size_t s = 0; s < topology->rule_count; s++) {
        bool good = expand_rule(layout, s, &frame, ranks);
        if (good && layout->work > MOST_WORK)
            diag_limit(layout->diag, topology->head.span,
                       "the links of %s take too long to lay out", topology->head.name);
        if (!good || layout->work > MOST_WORK)
            return false;
    }
    return true;
}

static int compare_links(const void *a, const void *b)
{
    const Link *left = a, *right = b;
    if (left->to != right->to)
        return left->to < right->to ? -1 : 1;
    return (left->rule > right->rule) - (left->rule < right->rule);
}

/* The links by their first node, those of one node by their second. */
static Link *sort_links(Layout *layout, int64_t *starts)
{
    Link *sorted = ARENA_ROOM(layout->arena, Link, layout->link_count);
    for (size_t i = 0; i < layout->link_count; i++)
        starts[link_at(layout, i)->from + 1]++;
    for (int64_t n = 0; n < layout->nodes; n++)
        starts[n + 1] += starts[n];
    int64_t *ends = ARENA_COPY(layout->arena, int64_t, starts, (size_t)layout->nodes);
    for (size_t i = 0; i < layout->link_count; i++)
        sorted[ends[link_at(layout, i)->from]++] = *link_at(layout, i);
    for (int64_t n = 0; n < layout->nodes; n++) {
        Link *links = sorted + starts[n];
        const size_t count = (size_t)(starts[n + 1] - starts[n]);
        bool in_order = true; /* as rules mostly give them */
        for (size_t i = 1; i < count && in_order; i++)
            in_order = compare_links(&links[i - 1], &links[i]) <= 0;
        if (!in_order)
            qsort(links, count, sizeof *links, compare_links);
    }
    return sorted;
}

/* Lists the sorted links, each once. */
static bool list_links(Layout *layout, const Link *links, int64_t *starts, Graph *graph)
{
    int64_t *neighbours = ARENA_ROOM(layout->arena, int64_t, layout->link_count);
    ClassNumber *classes = ARENA_ROOM(layout->arena, ClassNumber, layout->link_count);
    int64_t kept = 0;
    for (int64_t n = 0; n < layout->nodes; n++) {
        int64_t first = starts[n], end = starts[n + 1];
        starts[n] = kept;
        for (int64_t i = first; i < end; i++) {
            bool again = i > first && links[i].to == links[i - 1].to;
            if (again && classes[kept - 1] != links[i].class) {
                const LinkRule *rules = layout->topology->rules;
                diag_error(layout->diag, end_span(&rules[links[i].rule], 0),
                           "the link from %lld to %lld is given twice, with different properties",
                           (long long)links[i].from, (long long)links[i].to);
                return diag_note(layout->diag, end_span(&rules[links[i - 1].rule], 0),
                                 "it is also given here");
            }
            kept -= again;
            neighbours[kept] = links[i].to;
            classes[kept++] = links[i].class;
        }
    }
    starts[layout->nodes] = kept;
    *graph = (Graph){layout->nodes, starts, neighbours, classes, arena_workspace(layout->arena)};
    return true;
}

bool graph_create(Arena *arena, const Topology *topology, TopologyNames *names, ClassTable *classes,
                  Graph *graph, Diag *diag)
{
    Arena *scratch = arena_scratch(arena);
    Layout layout = {.arena = scratch,
                     .lasting = arena,
                     .topology = topology,
                     .names = names,
                     .classes = classes,
                     .diag = diag};
    const bool outer = diag_begin_trial(diag);
    bool good = count_nodes(&layout) && expand_rules(&layout);
    if (good) {
        int64_t *starts = ARENA_ARRAY(arena, int64_t, (size_t)layout.nodes + 1);
        Link *links = sort_links(&layout, starts);
        layout.arena = arena;
        good = list_links(&layout, links, starts, graph);
    }
    diag_end_trial(diag, outer);
    arena_destroy(scratch);
    return good;
}

/* Links of a product, by their first node. */
typedef struct {
    int64_t *neighbours;
    ClassNumber *classes;
    int64_t count;
} Rows;

/* From place `from` of the line on which `rank` is, to its places first .. end - 1. */
static void add_line(const Graph *graph, const GridLines *lines, int64_t rank, int64_t from,
                     int64_t first, int64_t end, Rows *rows)
{
    const int64_t at = rank / lines->stride % lines->size;
    for (int64_t i = graph->starts[from]; i < graph->starts[from + 1]; i++) {
        if (graph->neighbours[i] < first || graph->neighbours[i] >= end)
            continue;
        rows->neighbours[rows->count] = grid_node(lines, rank, at, graph->neighbours[i]);
        rows->classes[rows->count++] = graph->classes[i];
    }
}

bool graph_product(Arena *arena, const Graph *const *graphs, GridLines *const *lines, int count,
                   int64_t p, Graph *graph, Diag *diag)
{
    int64_t nodes = p, links = 0, node = p;
    for (int i = 0; i < count; i++) {
        lines[i]->first_switch = nodes;
        nodes += lines[i]->switches * (p / lines[i]->size);
        links += graphs[i]->starts[graphs[i]->nodes] * (p / lines[i]->size);
    }
    const bool has_many_links = links > MOST_LINKS;
    if (has_many_links || nodes > graph_largest)
        return diag_limit(diag, NOWHERE, "a network with %lld %s is too large (at most %lld)",
                          (long long)(has_many_links ? links : nodes),
                          has_many_links ? "links" : "nodes",
                          (long long)(has_many_links ? MOST_LINKS : graph_largest));
    int64_t *starts = ARENA_ARRAY(arena, int64_t, (size_t)nodes + 1);
    Rows rows = {ARENA_ROOM(arena, int64_t, (size_t)links),
                 ARENA_ROOM(arena, ClassNumber, (size_t)links), 0};
    /* Rising, because a step along a dimension is longer than any path along the faster ones: down
       from the slowest dimension, then up from the fastest, then to switches. */
    for (int64_t n = 0; n < p; n++) {
        int64_t at[MOST_DIMENSIONS];
        for (int i = 0; i < count; i++)
            at[i] = n / lines[i]->stride % lines[i]->size;
        for (int i = count; i-- > 0;)
            add_line(graphs[i], lines[i], n, at[i], 0, at[i], &rows);
        for (int i = 0; i < count; i++)
            add_line(graphs[i], lines[i], n, at[i], at[i] + 1, lines[i]->size, &rows);
        for (int i = 0; i < count; i++)
            add_line(graphs[i], lines[i], n, at[i], lines[i]->size, INT64_MAX, &rows);
        starts[n + 1] = rows.count;
    }
    for (int i = 0; i < count; i++)
        for (int64_t line = 0; lines[i]->switches && line < p / lines[i]->size; line++) {
            const int64_t stride = lines[i]->stride, rest = line % stride;
            const int64_t rank = (line - rest) * lines[i]->size + rest;
            for (int64_t from = lines[i]->size; from < graphs[i]->nodes; from++) {
                add_line(graphs[i], lines[i], rank, from, 0, INT64_MAX, &rows);
                starts[++node] = rows.count;
            }
        }
    *graph = (Graph){nodes, starts, rows.neighbours, rows.classes, arena_workspace(arena)};
    return true;
}

Graph graph_reverse(Arena *arena, const Graph *graph)
{
    size_t nodes = (size_t)graph->nodes;
    int64_t *starts = ARENA_ARRAY(arena, int64_t, nodes + 1);
    int64_t *neighbours = ARENA_ROOM(arena, int64_t, (size_t)graph->starts[nodes]);
    for (int64_t i = 0; i < graph->starts[nodes]; i++)
        starts[graph->neighbours[i] + 1]++;
    for (size_t n = 0; n < nodes; n++)
        starts[n + 1] += starts[n];
    int64_t *ends = ARENA_COPY(arena, int64_t, starts, nodes);
    for (int64_t n = 0; n < graph->nodes; n++)
        for (int64_t i = graph->starts[n]; i < graph->starts[n + 1]; i++)
            neighbours[ends[graph->neighbours[i]]++] = n;
    return (Graph){graph->nodes, starts, neighbours, NULL, graph->workspace};
}

int64_t graph_find(const Graph *graph, int64_t from, int64_t to)
{
    int64_t low = graph->starts[from], high = graph->starts[from + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (graph->neighbours[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->starts[from + 1] && graph->neighbours[low] == to ? low : -1;
}

void graph_distances(const Graph *graph, int64_t source, int64_t *distances, int64_t *queue)
{
    workspace_poll(graph->workspace, NULL);
    for (int64_t n = 0; n < graph->nodes; n++)
        distances[n] = -1;
    distances[source] = 0;
    queue[0] = source;
    /* Once all are reached, no further link shortens a path. */
    for (size_t head = 0, tail = 1; head < tail && tail < (size_t)graph->nodes; head++) {
        int64_t node = queue[head];
        for (int64_t i = graph->starts[node]; i < graph->starts[node + 1]; i++)
            if (distances[graph->neighbours[i]] < 0) {
                distances[graph->neighbours[i]] = distances[node] + 1;
                queue[tail++] = graph->neighbours[i];
            }
    }
}

/* Nodes whose distance fell wait in a ring until their links are tried. */
void graph_weighed_distances(const Graph *graph, const int64_t *lengths, int64_t source,
                             int64_t *distances, int64_t *queue, bool *waits)
{
    int64_t waiting = 1, head = 0;
    for (int64_t n = 0; n < graph->nodes; n++)
        distances[n] = -1;
    distances[source] = 0;
    queue[0] = source;
    while (waiting > 0) {
        int64_t node = queue[head];
        head = (head + 1) % graph->nodes, waiting--;
        waits[node] = false;
        for (int64_t i = graph->starts[node]; i < graph->starts[node + 1]; i++) {
            int64_t other = graph->neighbours[i], path = distances[node] + lengths[i];
            if (distances[other] >= 0 && distances[other] <= path)
                continue;
            distances[other] = path;
            if (!waits[other])
                queue[(head + waiting++) % graph->nodes] = other;
            waits[other] = true;
        }
    }
}
