#include "cost/closed.h"

#include "base/whole.h"
#include "sched/branching.h"
#include "sched/pieces.h"

enum { DEEPEST_USE = 16, MOST_TERMS = 256, FOLDED_FROM = 5 };

typedef struct {
    Arena *arena;
    const Rules *rules;
    bool any_k, least;
    int depth; /* of uses within uses */
    ClosedForm *form;
} Seeker;

/* Bytes as a share of m. */
typedef struct {
    int64_t of, by;
} Share;

/* What a rank holds which takes part: how much; and, as bits, the dimensions along which its blocks
   are those of all coordinates (along the others they are those of its own), along which every rank
   holds something (along the others only the root does), and along which blocks of pairs have been
   exchanged. With copies, ranks may hold more than that. */
typedef struct {
    Share share;
    uint64_t whole, everyone, exchanged;
    bool has_copies;
} Held;

/* Of a contract: the most blocks that a rank has before, and after, and whether some have none. */
typedef struct {
    int64_t before, after;
    bool from_some, to_some;
} Counts;

static bool seek(Seeker *seeker, const Instance *instance, const Network *network, Share share);

static bool scale(Share *share, int64_t of, int64_t by)
{
    int64_t first = whole_common_divisor(share->of, by),
            second = whole_common_divisor(of, share->by);
    return first && second && !__builtin_mul_overflow(share->of / first, of / second, &share->of) &&
           !__builtin_mul_overflow(share->by / second, by / first, &share->by);
}

static int64_t most_held(const Holding *holding)
{
    int64_t most = 0;
    for (int64_t r = 0; r < holding->p; r++) {
        int64_t held = holding_count(holding, r);
        most = held > most ? held : most;
    }
    return most;
}

static bool count_blocks(Seeker *seeker, const Instance *instance, Counts *counts)
{
    Contract contract;
    ArenaMark mark = arena_mark(seeker->arena);
    bool good = contract_try(seeker->arena, instance->algorithm->collective, instance->p,
                             instance->root, instance->target, &contract);
    *counts = (Counts){0};
    if (good)
        *counts =
            (Counts){most_held(&contract.before), most_held(&contract.after),
                     contract.before.holders < instance->p, contract.after.holders < instance->p};
    arena_release(seeker->arena, mark);
    return good && counts->before > 0 && counts->after > 0;
}

static bool has_bits(uint64_t bits, uint64_t dimensions, bool wanted)
{
    return (bits & dimensions) == (wanted ? dimensions : 0);
}

static uint64_t with_bits(uint64_t bits, uint64_t dimensions, bool wanted)
{
    return wanted ? bits | dimensions : bits & ~dimensions;
}

/* Do the ranks hold what a stage starts from, and no more of it? A second allgather would find
   more, and send it only once; so would a scatter where not only the root has something. */
static bool pass_stage(Held *held, const Collective *own, const Instance *inner,
                       uint64_t dimensions, const Counts *counts)
{
    const Collective *theirs = inner->algorithm->collective;
    bool starts_whole = theirs->index_count == 0 || counts->before == inner->p;
    bool ends_whole = theirs->index_count == 0 || counts->after == inner->p;
    if (!has_bits(held->everyone, dimensions, !counts->from_some))
        return false;
    held->everyone = with_bits(held->everyone, dimensions, !counts->to_some);
    if (theirs->index_count > 1) {
        bool is_new = theirs == own && !(held->exchanged & dimensions);
        held->exchanged |= dimensions;
        return is_new;
    }
    if ((!starts_whole && counts->before > 1) || (!ends_whole && counts->after > 1) ||
        !has_bits(held->whole, dimensions, starts_whole))
        return false;
    held->whole = with_bits(held->whole, dimensions, ends_whole);
    return true;
}

/* Lines of a product have links of their own, so what a claim says about one holds for all, unless
   it means a grid inside of the line. */
static bool find_line(const Network *network, const Shape *shape, int line, Network *of_line)
{
    const Topology *topology = network->topology;
    *of_line = *network;
    if (line == ALL_RANKS)
        return true;
    of_line->topology = topology->factor_count ? topology_factor(topology, shape, line) : topology;
    of_line->p = of_line->node_count = shape->sizes[line];
    of_line->shape = shape_line(of_line->p);
    of_line->starts = of_line->neighbours = of_line->arrivals = NULL;
    const Shape own = topology_shape(of_line->topology, of_line->p);
    return own.count == 1 && !own.taper && (topology->factor_count || topology->direct);
}

/* Stage by stage: what a rank holds before it, in blocks of its collective, is its m. */
static bool seek_stage(Seeker *seeker, const Instance *instance, const Network *network,
                       const Use *use, Held *held)
{
    int lines[MOST_DIMENSIONS];
    Shape shape = instance_shape(instance);
    int count = pieces_try_lines(use, &shape, lines);
    const Collective *own = instance->algorithm->collective, *theirs = use->algorithm->collective;
    if (use->renumber.program || use->channels.program || use->root.program || theirs->targeted ||
        (theirs->is_empty && !own->is_empty) || instance->algorithm->grid.count)
        return false;
    for (int i = 0; i < count; i++) {
        Network of_line;
        Shape line_shape;
        Counts counts;
        Instance inner = pieces_line_instance(instance, use, lines[i], &line_shape);
        uint64_t dimensions = 0; /* of the line; one of size 1 makes no difference */
        for (int d = 0; d < shape.count; d++)
            if (shape.sizes[d] > 1 && (lines[i] == ALL_RANKS || lines[i] == d))
                dimensions |= (uint64_t)1 << d;
        if (theirs->rooted && own->rooted)
            inner.root = lines[i] == ALL_RANKS ? instance->root
                                               : shape_coordinate(&shape, instance->root, lines[i]);
        if (!find_line(network, &shape, lines[i], &of_line) ||
            (lines[i] != ALL_RANKS && seeker->rules->all_ports) ||
            (held->has_copies && !seeker->least) || !count_blocks(seeker, &inner, &counts) ||
            !pass_stage(held, own, &inner, dimensions, &counts) ||
            !scale(&held->share, 1, counts.before) ||
            !seek(seeker, &inner, &of_line, held->share) || !scale(&held->share, counts.after, 1))
            return false;
        /* May ranks hold more then than its contract says: what they sent and kept, or blocks of
           other arrays? The next stage would send that, too. */
        const bool ends_whole =
            theirs->index_count == 0 || (theirs->index_count == 1 && counts.after == inner.p);
        held->has_copies = use->algorithm->moves_blocks || (inner.p > 1 && use->algorithm->keeps &&
                                                            (counts.to_some || !ends_whole));
    }
    return count >= 0;
}

static bool seek_stages(Seeker *seeker, const Instance *instance, const Network *network,
                        Share share)
{
    const Algorithm *algorithm = instance->algorithm;
    const Collective *own = algorithm->collective;
    const bool has_lines = network->topology->factor_count || network->topology->direct;
    Counts counts;
    if (seeker->depth == DEEPEST_USE || algorithm->dual || algorithm->pipelined ||
        !algorithm->step_count)
        return false;
    /* Is every step a stage in lines of which claims may speak? */
    for (size_t i = 0; i < algorithm->step_count; i++) {
        const ScheduleStep *step = &algorithm->steps[i];
        if (step->kind != STEP_USE || step->condition.program ||
            (step->use.along != ALONG_ALL_RANKS && !has_lines))
            return false;
    }
    if (!count_blocks(seeker, instance, &counts) || !scale(&share, counts.before, 1))
        return false;
    bool is_whole =
        own->index_count == 0 || (own->index_count == 1 && counts.before == instance->p);
    Held held = {share, is_whole ? UINT64_MAX : 0, counts.from_some ? 0 : UINT64_MAX, 0, false};
    bool good = true;
    seeker->depth++;
    for (size_t i = 0; i < algorithm->step_count && good; i++)
        good = seek_stage(seeker, instance, network, &algorithm->steps[i].use, &held);
    seeker->depth--;
    return good;
}

/* `share`: of the instance's own m. */
static bool seek(Seeker *seeker, const Instance *instance, const Network *network, Share share)
{
    ClaimPoint point = claim_point(&network->shape, instance->root, instance->k, instance->ports);
    point.target = instance->target;
    point.branches = branches_of(instance);
    if (instance->algorithm->branching && !point.branches)
        return false;
    if (!contract_try_buffer_blocks(instance->algorithm->collective, instance->p,
                                    &point.buffer_blocks))
        return false;
    const Claim *claim =
        claim_find(instance->algorithm, network, &point, seeker->rules, seeker->any_k);
    if (!claim)
        return seek_stages(seeker, instance, network, share);
    seeker->form->is_compared &= claim_is_compared(claim, instance->algorithm, network);
    *ARRAY_PUSH(seeker->arena, seeker->form) =
        (ClosedTerm){.claim = claim, .point = point, .share_of = share.of, .share_by = share.by};
    return seeker->form->count <= MOST_TERMS;
}

ClosedForm closed_find(Arena *arena, const Instance *instance, const Network *network,
                       const Rules *rules, bool any_k, bool least)
{
    ClosedForm form = {.arena = arena, .is_compared = true};
    Seeker seeker = {arena, rules, any_k, least, 0, &form};
    if (!rules_have_closed_forms(rules) || !seek(&seeker, instance, network, (Share){1, 1}))
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
        ClosedTerm *term = &form->items[i];
        const double share = bytes * (double)term->share_of / (double)term->share_by;
        const bool whole = k == (double)(int64_t)k || !reads_k(term->claim);
        double part;
        if (whole && !term->folded && ++term->asked == FOLDED_FROM)
            term->folded = claim_fold(form->arena, term->claim, &term->point);
        if (!whole || !term->folded ||
            !claim_seconds_folded(term->folded, (int64_t)k, term->point.buffer_blocks, parameters,
                                  share, &part)) {
            ClaimPoint point = term->point;
            point.k = (int64_t)k;
            if (!(whole ? claim_seconds(term->claim, &point, parameters, &share, 1, &part, diag)
                        : claim_seconds_real_k(term->claim, &point, k, parameters, share, &part,
                                               diag)))
                return false;
        }
        *seconds += part;
    }
    return true;
}

bool closed_exact(const ClosedForm *form, int64_t k, const ExactParameters *parameters, Exact bytes,
                  Exact *seconds)
{
    *seconds = exact_from_int(0);
    for (size_t i = 0; i < form->count; i++) {
        const ClosedTerm *term = &form->items[i];
        ClaimPoint point = term->point;
        Exact share = exact_divide(exact_multiply(bytes, exact_from_int(term->share_of)),
                                   exact_from_int(term->share_by));
        Exact part;
        point.k = k;
        if (!claim_exact(term->claim, &point, parameters, share, &part))
            return false;
        *seconds = exact_add(*seconds, part);
    }
    return true;
}

bool closed_has_real_k(const ClosedForm *form)
{
    for (size_t i = 0; i < form->count; i++)
        if (reads_k(form->items[i].claim) && !claim_real_k(form->items[i].claim))
            return false;
    return form->count > 0;
}

const char *closed_text(Arena *arena, const ClosedForm *form)
{
    const char *text = "";
    for (size_t i = 0; i < form->count; i++) {
        const ClosedTerm *term = &form->items[i];
        const Text *formula = &term->claim->formula.text;
        if (form->count == 1 && term->share_of == term->share_by)
            return arena_copy(arena, formula->chars, formula->length);
        const char *times =
            term->share_of == 1 ? "" : arena_printf(arena, "%lld ", (long long)term->share_of);
        const char *by =
            term->share_by == 1 ? "" : arena_printf(arena, "/%lld", (long long)term->share_by);
        text = arena_printf(arena, "%s%s[%.*s for p = %lld, m = %sm%s]", text, *text ? " + " : "",
                            TEXT_ARGS(*formula), (long long)term->point.p, times, by);
    }
    return text;
}

Span closed_span(const ClosedForm *form)
{
    return form->count ? form->items[0].claim->formula.text.span : NOWHERE;
}
