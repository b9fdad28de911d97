#include "prove/sums.h"

#include <string.h>

const char *const net_names[NET_COUNT] = {"full", "star", "uniring", "ring", "linear", "hypercube"};

enum { MOST_SENT = 8 };

/* The messages of a template in one round. */
typedef struct {
    const Template *template;
    const Term *sender; /* one of the longest message, */
    const Term *sends;  /* if anybody sends any; */
    const Term *blocks; /* and its length */
    bool by_all;        /* all ranks send alike */
} Sent;

/* What one rank sends: whether, even if to itself, to whom, how many blocks. */
typedef struct {
    const Term *sends, *wants, *to, *blocks;
} Sending;

typedef struct {
    Costing *costing;
    Proof *proof; /* of the stage */
    const State *before;
    Sent sent[MOST_SENT];
    int count;
    bool together; /* a rank may send several messages at once */
} Round;

static void give(Round *round, TermArray *given, const Term *term)
{
    *ARRAY_PUSH(round->proof->kernel->arena, given) = term;
}

static Sending sending_of(Round *round, const Template *template, const Term *rank)
{
    Kernel *kernel = round->proof->kernel;
    Terms *terms = kernel->terms;
    const CompiledSet *set = template->set;
    const Transfer *transfer = &template->step->transfer;
    Env env = template->env;
    env.slots[SCHEDULE_R] = rank;
    Sending sending = {
        .sends = kernel_program(kernel, &env, template->step->condition.program),
        .to = transfer->to.program ? kernel_program(kernel, &env, transfer->to.program) : rank,
        .blocks = term_int(terms, 1)};
    const int own = set ? set->loop_count : 0;
    if (template->loop_count > own || own > 1)
        kernel_refuse(kernel, "messages that are not one range of blocks");
    if (set && own == 0)
        sending.sends =
            term_and(terms, sending.sends, kernel_program(kernel, &env, set->condition));
    if (own == 1) {
        const Term *low = kernel_program(kernel, &env, set->loops[0].from);
        const Term *high = kernel_program(kernel, &env, set->loops[0].to);
        sending.blocks = term_plus(terms, term_sum(terms, high, -1, low), 1);
        env.slots[set->loops[0].slot] = term_free(terms, "j", low, high);
        if (!term_is_true(kernel_program(kernel, &env, set->condition)))
            kernel_refuse(kernel, "blocks under a condition");
    }
    sending.wants =
        term_and(terms, sending.sends, term_le(terms, term_int(terms, 1), sending.blocks));
    sending.sends =
        term_and(terms, sending.wants, term_not(terms, term_equal(terms, sending.to, rank)));
    return sending;
}

/* Who may be the one that sends the longest message. */
static TermArray possible_senders(Round *round)
{
    Kernel *kernel = round->proof->kernel;
    Terms *terms = kernel->terms;
    const Term *root = round->proof->env.slots[SCHEDULE_ROOT], *p = kernel->p;
    const Term *from = root ? root : term_int(terms, 0), *last = term_plus(terms, p, -1);
    TermArray ranks = {0}, steps = {0};
    give(round, &steps, term_int(terms, 1));
    for (size_t i = 0; i < round->proof->loops.count; i++) {
        const Term *index = round->sent[0].template->env.slots[round->proof->loops.items[i].slot];
        give(round, &steps, index);
        give(round, &steps, term_plus(terms, index, -1));
        give(round, &steps, term_plus(terms, index, 1));
        give(round, &steps, term_sum(terms, term_plus(terms, p, -1), -1, index));
        const Term *most = term_plus(terms, p, -2);
        give(round, &steps, term_choice(terms, term_le(terms, index, most), index, most));
    }
    for (size_t i = 0; i < kernel->chains.count; i++)
        if (kernel->chains.items[i]->levels[0])
            give(round, &steps, kernel->chains.items[i]->levels[0]->value);
    give(round, &ranks, from);
    give(round, &ranks, term_int(terms, 0));
    give(round, &ranks, last);
    for (size_t i = 0; i < steps.count; i++)
        for (int sign = 1; sign >= -1; sign -= 2)
            give(round, &ranks,
                 kernel_modulo(kernel, term_sum(terms, from, sign, steps.items[i]), p));
    return ranks;
}

/* No message is longer than the witness's, which is sent if any is. */
static bool is_longest(Round *round, const Template *template, const Term *sender, Sent *sent)
{
    Terms *terms = round->proof->kernel->terms;
    const Term *r = proof_rank(round->costing->main, "r");
    const Sending any = sending_of(round, template, r), one = sending_of(round, template, sender);
    TermArray given = {0};
    give(round, &given, any.sends);
    if (!costing_shows(round->costing, "longest", "no message is longer than that of one rank",
                       &given, term_and(terms, one.sends, term_le(terms, any.blocks, one.blocks))))
        return false;
    *sent = (Sent){template, sender, one.sends, one.blocks, false};
    given.count = 0;
    give(round, &given, one.sends);
    sent->by_all =
        !term_depends(any.wants, r) && !term_depends(any.blocks, r) &&
        costing_shows(round->costing, "all send", "if one rank sends, all do", &given, any.sends);
    return true;
}

static bool find_longest(Round *round, const Template *template, Sent *sent)
{
    Kernel *kernel = round->proof->kernel;
    const TermArray ranks = possible_senders(round);
    for (size_t i = 0; i < ranks.count && !kernel->why; i++)
        if (is_longest(round, template, ranks.items[i], sent)) {
            const Term *yes = term_bool(kernel->terms, true), *no = term_bool(kernel->terms, false);
            sent->sends = costing_choice(round->costing, sent->sends, yes, no);
            return true;
        }
    return false;
}

/* What is sent without being named is held, one block of it. */
static bool holds_one(Round *round, const Template *template)
{
    Proof *proof = round->proof;
    Terms *terms = proof->kernel->terms;
    const Term *r = proof_rank(round->costing->main, "r"), *holds = term_bool(terms, false);
    int64_t extent = 1;
    bool single = true;
    if (template->set)
        return true;
    for (int i = 0; i < proof->index_count; i++)
        single &= term_is_int(proof_extent(proof, 0, i), &extent) && extent == 1;
    if ((!single && !proof->algorithm->collective->is_empty) || proof->array_count > 1)
        return false;
    const Sending any = sending_of(round, template, r);
    for (int i = 0; i < 2; i++) {
        Block block = {.count = proof->index_count};
        for (int k = 0; k < block.count; k++)
            block.index[k] = i && !single ? r : term_int(terms, 0);
        holds = term_or(terms, holds, state_holds(proof, round->before, r, &block, r));
    }
    TermArray given = {0};
    give(round, &given, any.sends);
    return costing_shows(round->costing, "has some", "who sends holds something", &given, holds);
}

/* No rank has two messages of these at once, to send or to receive; or as many as there are ports
   for, and no two between the same ranks. */
static bool fit_ports(Round *round, int i, int j)
{
    Costing *costing = round->costing;
    Terms *terms = round->proof->kernel->terms;
    const Term *r = proof_rank(costing->main, "r"), *s = proof_rank(costing->main, "s");
    const Sending a = sending_of(round, round->sent[i].template, r);
    const Sending b = sending_of(round, round->sent[j].template, r);
    const Sending other = sending_of(round, round->sent[j].template, s);
    const Term *apart = term_not(terms, term_equal(terms, a.to, other.to));
    TermArray given = {0}, one = {0};
    give(round, &given, a.sends);
    give(round, &given, other.sends);
    give(round, &one, a.sends);
    give(round, &one, b.sends);
    if (i == j)
        give(round, &given, term_not(terms, term_equal(terms, r, s)));
    const size_t count = costing->main->obligations.count;
    if (costing_shows(costing, "one received", "no rank receives two messages at once", &given,
                      apart) &&
        (i == j || costing_shows(costing, "one sent", "no rank sends two messages at once", &one,
                                 term_bool(terms, false))))
        return true;
    costing->main->obligations.count = count;
    round->together = true;
    return i != j &&
           costing_always(costing, "ports", "there are ports for all messages of a rank",
                          term_le(terms, term_int(terms, round->count), costing->ports)) &&
           costing_shows(costing, "apart", "no rank sends two messages to one rank", &one,
                         term_not(terms, term_equal(terms, a.to, b.to)));
}

/* The blocks of a message are different ones. */
static bool are_distinct(Round *round, const Template *template)
{
    Proof *proof = round->proof;
    Terms *terms = proof->kernel->terms;
    if (proof->exact || !template->set || template->set->loop_count == 0)
        return true; /* no two messages bring the same, nor does one twice */
    const Term *r = proof_rank(round->costing->main, "r"), *same = term_bool(terms, true);
    const Message one = message_build(proof, template, r, NULL, NULL);
    const Message two = message_build(proof, template, r, NULL, NULL);
    for (int i = 0; i < one.block.count; i++)
        same = term_and(terms, same, term_equal(terms, one.block.index[i], two.block.index[i]));
    TermArray given = {0};
    give(round, &given, one.guard);
    give(round, &given, two.guard);
    give(round, &given, same);
    return costing_shows(round->costing, "distinct", "a message has no block twice", &given,
                         term_equal(terms, one.parameters[0], two.parameters[0]));
}

/* All that arrives is combined with something. */
static bool combines_all(Round *round, const Template *template)
{
    Proof *proof = round->proof;
    Terms *terms = proof->kernel->terms;
    const Term *r = proof_rank(round->costing->main, "r");
    const Block any = template->set ? (Block){0} : proof_block(proof, template->array);
    const Message message = message_build(proof, template, r, NULL, &any);
    const Term *c = proof_rank(round->costing->main, "con");
    const Term *last = term_plus(terms, proof->kernel->p, -1);
    const Term *there = state_holds(proof, round->before, message.to, &message.landing, c);
    TermArray some = message_contributions(proof, there, c), given = {0};
    const Term *is = term_bool(terms, false);
    give(round, &some, message.to);
    for (size_t i = 0; i < some.count; i++) {
        const Term *exists = term_between(terms, term_int(terms, 0), some.items[i], last);
        is = term_or(terms, is,
                     term_and(terms, exists,
                              state_holds(proof, round->before, message.to, &message.landing,
                                          some.items[i])));
    }
    give(round, &given, message.guard);
    return costing_shows(round->costing, "combined", "what arrives meets something", &given, is);
}

/* How far messages go, and how many of their bytes the busiest link on the way carries, for each
   byte of a message. */
typedef struct {
    Poly hops, load;
} Path;

static Path path_of(Arena *arena, const Term *hops, const Term *load)
{
    return (Path){poly_of(arena, hops), poly_of(arena, load)};
}

/* Each message crosses one link, which no other one crosses in the same direction: its sender and
   receiver are neighbours, and no two messages have the same. */
static bool are_neighbours(Round *round, const Sent *sent)
{
    Costing *costing = round->costing;
    Kernel *kernel = round->proof->kernel;
    Terms *terms = kernel->terms;
    const Term *r = proof_rank(costing->main, "r"), *near = term_bool(terms, false);
    const Sending any = sending_of(round, sent->template, r);
    const Term *step = term_sum(terms, any.to, -1, r), *one = term_int(terms, 1);
    TermArray given = {0};
    give(round, &given, any.sends);
    for (int sign = 1; sign >= -1 && costing->net != NET_HYPERCUBE; sign -= 2) {
        if (costing->net == NET_UNIRING && sign != (costing->backwards ? -1 : 1))
            continue;
        near = term_or(terms, near, term_equal(terms, step, term_times(terms, one, sign)));
        if (costing->net != NET_LINEAR)
            near = term_or(
                terms, near,
                term_equal(terms, step, term_times(terms, term_plus(terms, kernel->p, -1), -sign)));
    }
    if (costing->net != NET_HYPERCUBE)
        return costing_shows(costing, "neighbours", "messages go to neighbours", &given, near);
    for (size_t i = 0; i < kernel->chains.count; i++)
        for (int k = 0; k < MOST_PLACES; k++) {
            const PowerLevel *level = kernel->chains.items[i]->levels[k];
            if (!level || level->chain->base != 2 || kernel->chains.items[i]->unit == kernel->p)
                continue;
            const Term *near_by = term_equal(terms, any.to, kernel_xor(kernel, r, level->value));
            if (!kernel->why &&
                costing_shows(costing, "neighbours", "messages go to neighbours", &given, near_by))
                return true;
            kernel->why = NULL;
        }
    return false;
}

/* The path over so many links in one direction. */
static Path path_along(Round *round, const Term *links, bool by_all)
{
    Costing *costing = round->costing;
    Kernel *kernel = round->proof->kernel;
    Terms *terms = kernel->terms;
    const Term *back = term_sum(terms, kernel->p, -1, links);
    const Term *least = links, *most = links;
    if (costing->net == NET_RING || (costing->net == NET_LINEAR && by_all)) {
        const Term *near = term_le(terms, links, back);
        least = costing_choice(costing, near, links, back);
        most = costing_choice(costing, near, back, links);
    }
    const Term *hops = costing->net == NET_LINEAR ? most : least;
    const Term *load = !by_all && !costing->stores                     ? term_int(terms, 1)
                       : costing->net == NET_LINEAR && costing->stores ? most
                                                                       : least;
    return path_of(kernel->arena, hops, load);
}

/* All ranks send alike, so many ranks further (lemma U); or one rank sends alone. */
static bool find_path(Round *round, const Sent *sent, Path *path)
{
    Costing *costing = round->costing;
    Kernel *kernel = round->proof->kernel;
    Terms *terms = kernel->terms;
    const Term *zero = term_int(terms, 0), *p = kernel->p;
    const Term *r = proof_rank(costing->main, "r");
    const Sending any = sending_of(round, sent->template, r);
    const Sending one = sending_of(round, sent->template, sent->sender);
    const bool around = costing->net == NET_UNIRING && costing->backwards;
    TermArray given = {0};
    give(round, &given, any.sends);
    if (costing->net == NET_HYPERCUBE)
        return false;
    if (costing_shows(costing, "alone", "one rank sends", &given,
                      term_equal(terms, r, sent->sender))) {
        const Term *links = term_sum(terms, one.to, -1, sent->sender);
        const Term *back = term_times(terms, links, -1);
        if (costing->net == NET_LINEAR)
            links = term_choice(terms, term_le(terms, zero, links), links, back);
        else
            links = kernel_modulo(kernel, around ? back : links, p);
        *path = path_along(round, links, false);
        return true;
    }
    const Term *far = sending_of(round, sent->template, zero).to;
    given.count = 0;
    give(round, &given, sent->sends);
    if (!sent->by_all || term_depends(far, r))
        return false;
    const Term *beyond =
        term_equal(terms, any.to, kernel_modulo(kernel, term_sum(terms, r, 1, far), p));
    if (!costing_shows(costing, "shift", "all ranks send to the rank so far beyond them", &given,
                       term_and(terms, term_less(terms, zero, far), beyond)))
        return false;
    *path = path_along(round, around ? term_sum(terms, p, -1, far) : far, true);
    return true;
}

/* On networks with links between neighbours. */
static bool find_paths(Round *round, Path *path)
{
    Terms *terms = round->proof->kernel->terms;
    const Term *one = term_int(terms, 1);
    const size_t count = round->costing->main->obligations.count;
    bool near = true;
    for (int i = 0; i < round->count && near; i++)
        near = term_is_false(round->sent[i].sends) || are_neighbours(round, &round->sent[i]);
    *path = path_of(terms->arena, one, one);
    if (near)
        return true;
    round->costing->main->obligations.count = count;
    return round->count == 1 && find_path(round, &round->sent[0], path);
}

static const Term *larger(Round *round, const Term *a, const Term *b)
{
    return costing_choice(round->costing, term_le(round->proof->kernel->terms, a, b), b, a);
}

static void add_times(Round *round, Parameter parameter, const Poly *a, const Poly *b, bool *fits)
{
    Arena *arena = round->proof->kernel->arena;
    Poly *total = &round->costing->total.of[parameter];
    const Poly product = poly_times(arena, a, b, fits);
    *total = poly_sum(arena, total, 1, &product);
}

/* Adds what the round costs: all its messages begin at the same time. */
static void add_round(Round *round, const Path *path)
{
    Costing *costing = round->costing;
    Kernel *kernel = round->proof->kernel;
    Terms *terms = kernel->terms;
    const Term *zero = term_int(terms, 0), *sends = term_bool(terms, false);
    const Term *most = zero, *sum = zero, *combined = zero, *combined_sum = zero;
    const char *dual = round->proof->algorithm->collective->dual;
    const bool recombines = costing->backwards && dual && strncmp(dual, "reduce", 6) == 0;
    bool fits = true, all = true;
    for (int i = 0; i < round->count; i++) {
        const Sent *sent = &round->sent[i];
        const Term *blocks = term_choice(terms, sent->sends, sent->blocks, zero);
        sends = term_or(terms, sends, sent->sends);
        most = i ? larger(round, most, blocks) : blocks;
        sum = term_sum(terms, sum, 1, blocks);
        all &= sent->by_all;
        if (!recombines && !verb_info[sent->template->step->transfer.verb].combines)
            continue;
        combined = combined == zero ? blocks : larger(round, combined, blocks);
        combined_sum = term_sum(terms, combined_sum, 1, blocks);
        if (!recombines && !combines_all(round, sent->template))
            costing->why = "something arrives where nothing was";
    }
    if (round->together && !all && (combined != zero || costing->net == NET_STAR))
        costing->why = "several messages at once, not of all ranks alike";
    if (round->together) {
        combined = combined_sum;
        most = costing->net == NET_STAR ? sum : most;
    }
    const Poly is = costing_count(costing, sends);
    Poly bytes = poly_of(kernel->arena, most), work = poly_of(kernel->arena, combined), one;
    one = poly_int(kernel->arena, 1);
    if (round->proof->algorithm->collective->is_empty)
        bytes = work = (Poly){0};
    add_times(round, PARAMETER_TS, &is, &one, &fits);
    add_times(round, PARAMETER_TH, &is, &path->hops, &fits);
    bytes = poly_times(kernel->arena, &bytes, &costing->unit, &fits);
    add_times(round, PARAMETER_TW, &bytes, &path->load, &fits);
    add_times(round, PARAMETER_TC, &work, &costing->unit, &fits);
    if (!fits)
        costing->why = "products of too many numbers";
}

void costing_round(void *context, Proof *proof, const Templates *templates, const State *before)
{
    Round round = {.costing = context, .proof = proof, .before = before};
    Costing *costing = round.costing;
    Terms *terms = proof->kernel->terms;
    if (costing->why)
        return;
    for (size_t i = 0; i < templates->count && !costing->why; i++) {
        const Template *template = &templates->items[i];
        round.sent[round.count < MOST_SENT ? round.count : 0].template = template;
        if (round.count == MOST_SENT || template->step->transfer.blocks.count > 1)
            costing->why = "messages of several sets, or many messages";
        else if (!holds_one(&round, template) || !are_distinct(&round, template))
            costing->why = "blocks of a message are not counted";
        else if (!find_longest(&round, template, &round.sent[round.count]))
            costing->why = "no longest message is found";
        else
            round.count++;
    }
    for (int i = 0; i < round.count && !costing->why; i++)
        for (int j = 0; j <= i && !costing->why; j++)
            if (!fit_ports(&round, i, j))
                costing->why = "messages take turns at ports";
    if (proof->kernel->why || costing->why)
        return;
    const int hops = costing->net == NET_STAR ? 2 : 1;
    const Term *sendings = term_int(terms, costing->stores ? hops : 1);
    Path path = path_of(terms->arena, term_int(terms, hops), sendings);
    const bool moved = proof->kernel->ranks == RANKS_POWERS && costing->net != NET_HYPERCUBE;
    if (costing->net > NET_STAR && (round.together || moved || !find_paths(&round, &path)))
        costing->why = "how links are loaded is not known";
    else
        add_round(&round, &path);
}

void costing_loop(void *context, const Term *index, const Term *low, const Term *high, bool begins)
{
    Costing *costing = context;
    if (costing->why || costing->kernel->why)
        return;
    if (begins && costing->depth == MOST_DEPTH) {
        costing->why = "loops in loops";
    } else if (begins) {
        costing->outer[costing->depth++] = costing->total;
        costing->total = (Measures){0};
        *ARRAY_PUSH(costing->kernel->arena, &costing->inside) =
            term_le(costing->kernel->terms, low, high);
    } else {
        Measures *outer = &costing->outer[--costing->depth];
        costing->inside.count--;
        for (int i = 0; i < PARAMETER_COUNT; i++) {
            const Poly sum = costing_sum(costing, index, low, high, &costing->total.of[i]);
            costing->total.of[i] = poly_sum(costing->kernel->arena, &outer->of[i], 1, &sum);
        }
    }
}
