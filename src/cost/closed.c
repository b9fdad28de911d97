#include "cost/closed.h"

#include "sched/contract.h"
#include "sched/pieces.h"

#include <math.h>

enum { DEEPEST_USE = 16, MOST_TERMS = 256 };

typedef struct {
    Arena *arena;
    const Rules *rules;
    bool any_k;
    ClosedForm *form;
} Seeker;

/* Bytes that a rank holds which takes part, as a share of m. */
typedef struct {
    int64_t of, by;
} Share;

static bool seek(Seeker *seeker, const Instance *instance, const Network *network, Share share,
                 int depth);

static int64_t common_divisor(int64_t a, int64_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

static bool scale(Share *share, int64_t of, int64_t by)
{
    int64_t first = common_divisor(share->of, by), second = common_divisor(of, share->by);
    return first && second && !__builtin_mul_overflow(share->of / first, of / second, &share->of) &&
           !__builtin_mul_overflow(share->by / second, by / first, &share->by);
}

/* The most blocks that a rank has before, and after. */
static bool count_blocks(Seeker *seeker, const Instance *instance, int64_t *before, int64_t *after)
{
    Contract contract;
    Diag silent = diag_silent();
    ArenaMark mark = arena_mark(seeker->arena);
    bool good = contract_create_to(seeker->arena, instance->algorithm->collective, instance->p,
                                   instance->root, instance->target, &contract, &silent);
    *before = *after = 0;
    for (int64_t r = 0; good && r < instance->p; r++) {
        int64_t held = contract.before.starts[r + 1] - contract.before.starts[r];
        int64_t wanted = contract.after.starts[r + 1] - contract.after.starts[r];
        *before = held > *before ? held : *before;
        *after = wanted > *after ? wanted : *after;
    }
    arena_release(seeker->arena, mark);
    return good && *before > 0 && *after > 0;
}

/* Lines of a product have links of their own, so what a claim says about one holds for all. */
static bool find_line(const Network *network, const Shape *shape, int line, Network *of_line)
{
    const Topology *topology = network->topology;
    *of_line = *network;
    if (line == ALL_RANKS)
        return true;
    of_line->topology = topology->base ? topology->base : topology;
    of_line->p = of_line->node_count = shape->sizes[line];
    of_line->shape = shape_line(of_line->p);
    of_line->starts = of_line->neighbours = of_line->arrivals = NULL;
    return topology->base || topology->direct;
}

/* Stage by stage: what a rank holds before it, in blocks of its collective, is its m. */
static bool seek_stage(Seeker *seeker, const Instance *instance, const Network *network,
                       const Use *use, Share *share, int depth)
{
    int lines[MOST_DIMENSIONS];
    Diag silent = diag_silent();
    Shape shape = instance_shape(instance);
    int count = pieces_lines(use, &shape, lines, &silent);
    if (use->renumber.program || use->root.program || use->algorithm->collective->targeted ||
        instance->algorithm->grid.count)
        return false;
    for (int i = 0; i < count; i++) {
        Network of_line;
        Shape line_shape;
        int64_t before, after;
        Instance inner = pieces_line_instance(instance, use, lines[i], &line_shape);
        if (inner.algorithm->collective->rooted && instance->algorithm->collective->rooted)
            inner.root = lines[i] == ALL_RANKS ? instance->root
                                               : shape_coordinate(&shape, instance->root, lines[i]);
        if (!find_line(network, &shape, lines[i], &of_line) ||
            (lines[i] != ALL_RANKS && seeker->rules->all_ports) ||
            !count_blocks(seeker, &inner, &before, &after) || !scale(share, 1, before) ||
            !seek(seeker, &inner, &of_line, *share, depth + 1) || !scale(share, after, 1))
            return false;
    }
    return count >= 0;
}

static bool seek_stages(Seeker *seeker, const Instance *instance, const Network *network,
                        Share share, int depth)
{
    const Algorithm *algorithm = instance->algorithm;
    int64_t before, after;
    if (depth == DEEPEST_USE || algorithm->dual || algorithm->step_count == 0 ||
        !count_blocks(seeker, instance, &before, &after) || !scale(&share, before, 1))
        return false;
    for (size_t i = 0; i < algorithm->step_count; i++) {
        const ScheduleStep *step = &algorithm->steps[i];
        if (step->kind != STEP_USE || step->condition.program ||
            !seek_stage(seeker, instance, network, &step->use, &share, depth))
            return false;
    }
    return true;
}

/* `share`: of the instance's own m. */
static bool seek(Seeker *seeker, const Instance *instance, const Network *network, Share share,
                 int depth)
{
    Diag silent = diag_silent();
    ClaimPoint point = claim_point(&network->shape, instance->root, instance->k, instance->ports);
    point.target = instance->target;
    if (!contract_buffer_blocks(instance->algorithm->collective, instance->p, &point.buffer_blocks,
                                &silent))
        return false;
    const Claim *claim =
        claim_find(instance->algorithm, network, &point, seeker->rules, seeker->any_k);
    if (!claim)
        return seek_stages(seeker, instance, network, share, depth);
    *ARRAY_PUSH(seeker->arena, seeker->form) = (ClosedTerm){claim, point, share.of, share.by};
    return seeker->form->count <= MOST_TERMS;
}

ClosedForm closed_find(Arena *arena, const Instance *instance, const Network *network,
                       const Rules *rules, bool any_k)
{
    ClosedForm form = {0};
    Seeker seeker = {arena, rules, any_k, &form};
    if (!seek(&seeker, instance, network, (Share){1, 1}, 0))
        form.count = 0;
    return form;
}

static bool reads_k(const Claim *claim)
{
    return expr_uses(program_expr(claim->formula.program), CLAIM_K);
}

bool closed_seconds(const ClosedForm *form, double k, const double *parameters, double bytes,
                    double *seconds, Diag *diag)
{
    *seconds = 0;
    for (size_t i = 0; i < form->count; i++) {
        const ClosedTerm *term = &form->items[i];
        ClaimPoint point = term->point;
        double share = bytes * (double)term->share_of / (double)term->share_by, part;
        bool whole = k == floor(k) || !reads_k(term->claim);
        point.k = (int64_t)k;
        if (!(whole ? claim_seconds(term->claim, &point, parameters, &share, 1, &part, diag)
                    : claim_seconds_real_k(term->claim, &point, k, parameters, share, &part, diag)))
            return false;
        *seconds += part;
    }
    return true;
}

bool closed_has_real_k(const ClosedForm *form)
{
    for (size_t i = 0; i < form->count; i++)
        if (reads_k(form->items[i].claim) && !form->items[i].claim->real_k)
            return false;
    return form->count > 0;
}

static const char *show_share(Arena *arena, const ClosedTerm *term)
{
    const char *by =
        term->share_by == 1 ? "" : arena_printf(arena, "/%lld", (long long)term->share_by);
    return term->share_of == 1 ? arena_printf(arena, "m%s", by)
                               : arena_printf(arena, "%lld m%s", (long long)term->share_of, by);
}

const char *closed_text(Arena *arena, const ClosedForm *form)
{
    const char *text = "";
    for (size_t i = 0; i < form->count; i++) {
        const ClosedTerm *term = &form->items[i];
        const Text *formula = &term->claim->formula.text;
        if (form->count == 1 && term->share_of == term->share_by)
            return arena_copy(arena, formula->chars, formula->length);
        text = arena_printf(arena, "%s%s[%.*s for p = %lld, m = %s]", text, *text ? " + " : "",
                            (int)formula->length, formula->chars, (long long)term->point.p,
                            show_share(arena, term));
    }
    return text;
}

Span closed_span(const ClosedForm *form)
{
    return form->count ? form->items[0].claim->formula.text.span : NOWHERE;
}
