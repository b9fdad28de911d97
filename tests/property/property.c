/* What must hold for random machines, ranks and schedules. Seeded: every run tries the same cases.
 */
#include "world.h"

#include "../same_steps.h"

#include "cost/claim.h"
#include "cost/derive_instance.h"
#include "model/builtin.h"
#include "sched/branching.h"
#include "sched/packed.h"
#include "verify/verify.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLAIM_CASES = 4000, /* of which so many have a claim */
    LEAST_CLAIMS = 300,
    RULE_CASES = 1000,
    MUTATION_CASES = 5000,
    COUNT_CASES = 1000
};

/* Parameters that the text of a claim does not know are zero there. Returns false if it does not
   speak of this case. */
static bool compare_claim(World *world, const Claim *claim, const Case *drawn,
                          const Profile *profile, bool *good)
{
    ClaimPoint point = claim_point(&drawn->network.shape, drawn->instance.root, drawn->instance.k,
                                   drawn->instance.ports);
    point.target = drawn->instance.target;
    point.branches = branches_of(&drawn->instance);
    double claimed;
    Case known = *drawn;
    if (claim->kind != CLAIM_TIME || claim->recorded_refuted || claim->overlaps ||
        claim->first.program || drawn->network.ties != TIES_PLUS ||
        !claim_is_on(claim, drawn->network.topology->head.name) ||
        !(drawn->network.topology->direct || claim->switching[drawn->rules.switching]) ||
        !contract_buffer_blocks(drawn->algorithm->collective, point.p, &point.buffer_blocks,
                                &world->diag) ||
        !claim_applies(claim, &point))
        return false;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (!claim_counts(claim, (Parameter)i))
            known.link_costs[i] = 0;
    double derived = derived_time(profile, &known);
    *good =
        claim_seconds(claim, &point, known.link_costs, &known.bytes, 1, &claimed, &world->diag) &&
        fabs(claimed - derived) <= 1e-12 * fabs(derived);
    if (!*good) {
        describe(&known);
        printf("# '%s' claims %.17g, derived is %.17g\n", claim->source, claimed, derived);
    }
    return true;
}

static void claims_equal_derived_costs(Results *results)
{
    int compared = 0, wrong = 0;
    for (uint64_t n = 0; n < CLAIM_CASES && wrong < 5; n++) {
        World world = world_open(n);
        Case drawn;
        Profile profile;
        bool good = random_case(&world, false, &drawn) &&
                    profile_derive(world.arena, &drawn.instance, &drawn.network, &drawn.rules,
                                   &profile, &world.diag);
        wrong += !good;
        for (size_t i = 0; good && i < drawn.algorithm->claims.list.count; i++) {
            bool equal = true;
            compared += compare_claim(&world, &claims_all(&drawn.algorithm->claims)->items[i],
                                      &drawn, &profile, &equal);
            wrong += !equal;
        }
        wrong += world.diag.error_count > 0;
        world_close(&world);
    }
    printf("# %d claims compared\n", compared);
    result(results, wrong == 0 && compared > LEAST_CLAIMS, "claims that hold equal derived costs");
}

/* Each makes `more` cost at least what `less` does, both alike before. False where that is no
   theorem, but for some conventions that were drawn. */
typedef bool Order(Case *less, Case *more);

static bool is_barred(const Case *drawn)
{
    return !drawn->rules.asynchronous;
}

/* No barrier waits, though the loads are still those of a port step. Streams have none to begin
   with. */
static bool order_barriers(Case *less, Case *more)
{
    less->rules.combining = more->rules.combining = COMBINING_AFTER;
    less->rules.asynchronous = true, more->rules.asynchronous = false;
    return less->instance.algorithm->posting != POSTING_STREAMED;
}

static bool order_overlap(Case *less, Case *more)
{
    less->rules.asynchronous = more->rules.asynchronous = true;
    less->rules.combining = COMBINING_OVERLAP, more->rules.combining = COMBINING_AFTER;
    return true;
}

static bool order_combining(Case *less, Case *more)
{
    less->rules.combining = COMBINING_NONE, more->rules.combining = COMBINING_AFTER;
    return true;
}

static bool order_alone(Case *less, Case *more)
{
    less->rules.contention = CONTENTION_NONE;
    return more->rules.contention != CONTENTION_NONE;
}

/* On one link the largest message times their number is no less than their sum. But a message that
   goes far among larger ones is slower by bytes: hops must cost nothing, or be taken together. */
static bool order_contention(Case *less, Case *more)
{
    less->rules.contention = CONTENTION_BYTES, more->rules.contention = CONTENTION_MESSAGES;
    if (less->rules.switching == SWITCHING_CUT_THROUGH) {
        less->link_costs[PARAMETER_TH] = more->link_costs[PARAMETER_TH] = 0;
        less->rules.level_count = more->rules.level_count = 0;
    }
    return is_barred(less);
}

static bool order_duplex(Case *less, Case *more)
{
    less->rules.duplex = DUPLEX_FULL, more->rules.duplex = DUPLEX_HALF;
    return true;
}

/* The slots of a port step add up to the load of each link, if links are alike. */
static bool order_switching(Case *less, Case *more)
{
    less->rules.switching = SWITCHING_CUT_THROUGH;
    more->rules.switching = SWITCHING_STORE_AND_FORWARD;
    less->rules.level_count = more->rules.level_count = 0;
    return is_barred(less) && less->rules.contention != CONTENTION_MESSAGES;
}

/* With barriers and levels, a slot may hide a startup behind a slow link. */
static bool order_startups(Case *less, Case *more)
{
    less->rules.switching = SWITCHING_STORE_AND_FORWARD;
    more->rules.switching = SWITCHING_STARTUPS;
    if (is_barred(less))
        less->rules.level_count = more->rules.level_count = 0;
    return true;
}

static bool order_chunks(Case *less, Case *more)
{
    less->rules.ceil_chunks = false, more->rules.ceil_chunks = true;
    return true;
}

/* "node", the upper level, comes first in the list. */
static bool order_lanes(Case *less, Case *more)
{
    less->levels[0].ports = more->levels[0].ports + 1;
    return less->rules.level_count == 2;
}

static bool derive_case(World *world, Case *drawn, double *time)
{
    Profile profile;
    drawn->instance.ports = rules_ports(&drawn->rules, &drawn->network);
    drawn->instance.shape = &drawn->network.shape;
    if (drawn->rules.level_count)
        drawn->rules.levels = drawn->levels;
    if (!profile_derive(world->arena, &drawn->instance, &drawn->network, &drawn->rules, &profile,
                        &world->diag))
        return false;
    *time = derived_time(&profile, drawn);
    return true;
}

static bool keeps_order(World *world, bool *compared)
{
    static Order *const orders[] = {
        order_barriers, order_overlap,   order_combining, order_alone,  order_contention,
        order_duplex,   order_switching, order_startups,  order_chunks, order_lanes,
    };
    Case more;
    double less_time, more_time;
    if (!random_case(world, true, &more))
        return false;
    random_rules(world, &more);
    if (more.rules.posting != POSTING_TOGETHER) /* gaps have a cost with barriers only */
        random_no_posting(&more);
    random_no_merging(&more);
    Case less = more;
    *compared = orders[below(world, sizeof orders / sizeof *orders)](&less, &more);
    if (rules_loosest_posting(&more.rules, more.algorithm) >= POSTING_TOGETHER &&
        less.rules.switching + more.rules.switching > 0)
        *compared = false; /* posted together: no cost without barriers, ports share slow links */
    if (rules_have_contacts(&more.rules) && less.rules.asynchronous + more.rules.asynchronous > 0)
        *compared = false; /* contacts have none without barriers either */
    if (!*compared)
        return true;
    if (!derive_case(world, &less, &less_time) || !derive_case(world, &more, &more_time)) {
        *compared = false;
        return world->diag.limit_count == world->diag.error_count; /* it was too large */
    }
    if (less_time <= more_time * (1 + 1e-12))
        return true;
    describe(&less);
    describe(&more);
    printf("# %.17g is more than %.17g\n", less_time, more_time);
    return false;
}

static void conventions_keep_their_order(Results *results)
{
    int compared = 0, wrong = 0;
    for (uint64_t n = 0; n < RULE_CASES && wrong < 5; n++) {
        World world = world_open(4000000 + n);
        bool was_compared = false;
        wrong += !keeps_order(&world, &was_compared);
        compared += was_compared;
        world_close(&world);
    }
    printf("# %d cases\n", compared);
    result(results, wrong == 0 && compared > RULE_CASES / 2,
           "less waiting, sharing and work is no slower, where that is a theorem");
}

typedef struct {
    RoundArray rounds;
    bool good;
    const char *messages;
    Arena *arena;
} Expansion;

static void note_message(void *user, const Diagnostic *diagnostic)
{
    Expansion *expansion = user;
    expansion->messages =
        arena_printf(expansion->arena, "%s%zu:%zu %s; ", expansion->messages,
                     diagnostic->position.line, diagnostic->position.column, diagnostic->message);
}

static bool keep_round(void *context, const Round *round, Arena *arena)
{
    Expansion *expansion = context;
    (void)arena;
    rounds_keep(expansion->arena, &expansion->rounds, round);
    return true;
}

static Expansion expand(Arena *arena, const Instance *instance, bool counts_only, bool packs)
{
    Expansion expansion = {.messages = "", .arena = arena};
    Diag diag = diag_create(note_message, &expansion);
    const RoundsWanted wanted = {.counts_only = counts_only, .takes_packed = packs};
    expansion.good = schedule_expand_as(instance, &wanted, keep_round, &expansion, &diag);
    return expansion;
}

/* A block, and where it lands. */
typedef struct {
    int64_t block, to;
} Landing;

static int compare_landings(const void *a, const void *b)
{
    const Landing *left = a, *right = b;
    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    return (left->to > right->to) - (left->to < right->to);
}

/* Are the packed blocks those of the list, in any order? */
static bool unpacks_as(Arena *arena, const Round *packed, const Round *listed)
{
    for (size_t t = 0; t < listed->count; t++) {
        const ScheduledTransfer *transfer = &listed->transfers[t];
        const size_t count = transfer->block_count;
        Landing *landings = ARENA_ARRAY(arena, Landing, 2 * count), *others = landings + count;
        size_t n = 0;
        for (PackedBlocks at = packed_blocks(packed, &packed->transfers[t]); packed_more(&at);)
            for (int64_t i = 0; i < at.run.count && n < count; i++)
                landings[n++] =
                    (Landing){at.run.first + i * at.run.stride, at.run.to + i * at.run.to_stride};
        for (size_t i = 0; i < count; i++)
            others[i] = (Landing){listed->blocks[transfer->first_block + i],
                                  round_destination(listed, transfer->first_block + i)};
        qsort(landings, n, sizeof *landings, compare_landings);
        qsort(others, count, sizeof *others, compare_landings);
        if (n != count || memcmp(landings, others, count * sizeof *others) != 0)
            return false;
    }
    return true;
}

static bool is_count_of(Arena *arena, const Round *counted, const Round *listed)
{
    bool same = counted->number == listed->number && counted->count == listed->count &&
                counted->product_count == listed->product_count;
    for (size_t t = 0; same && t < listed->count; t++) {
        const ScheduledTransfer *a = &counted->transfers[t], *b = &listed->transfers[t];
        same = a->from == b->from && a->to == b->to && a->verb == b->verb && a->span == b->span &&
               a->block_count == b->block_count &&
               (counted->packed || a->first_block == b->first_block);
    }
    return same && (!counted->packed || unpacks_as(arena, counted, listed));
}

/* Are the counts, or the packed blocks, those of the lists, and mistakes the same? `*rounds` have
   no lists. */
static bool expands_as_listed(Arena *arena, const Instance *instance, bool packs, int *rounds)
{
    Expansion counted = expand(arena, instance, !packs, packs);
    Expansion listed = expand(arena, instance, false, false);
    bool same = counted.good == listed.good && counted.rounds.count == listed.rounds.count &&
                strcmp(counted.messages, listed.messages) == 0;
    for (size_t i = 0; same && i < listed.rounds.count; i++) {
        same = is_count_of(arena, &counted.rounds.items[i], &listed.rounds.items[i]);
        *rounds += !counted.rounds.items[i].blocks;
    }
    if (!same)
        printf("# %s, p %lld, root %lld: '%s', listed '%s'\n", instance->algorithm->head.name,
               (long long)instance->p, (long long)instance->root, counted.messages,
               listed.messages);
    return same;
}

static bool counts_as_listed(Arena *arena, const Instance *instance, int *rounds)
{
    return expands_as_listed(arena, instance, false, rounds) &&
           expands_as_listed(arena, instance, true, rounds);
}

static void counts_are_those_of_lists(Results *results)
{
    int rounds = 0, wrong = 0;
    for (uint64_t n = 0; n < COUNT_CASES && wrong < 5; n++) {
        World world = world_open(5000000 + n);
        Case drawn;
        wrong += !random_case(&world, true, &drawn) ||
                 !counts_as_listed(world.arena, &drawn.instance, &rounds);
        world_close(&world);
    }
    printf("# %d rounds without lists\n", rounds);
    result(results, wrong == 0 && rounds > COUNT_CASES,
           "blocks that are counted are as many as those that are listed, and packed ones are the "
           "same");
}

/* A word, sign or digit in the place of one byte of the schedule. */
static const char *mutate(World *world, const char *text, size_t length)
{
    static const char *const pieces[] = {
        "+", "-", "*", "/",    "r",   "p",   "0",   "1",    "2",  " mod ",
        "(", ")", "i", "root", "xor", "not", "all", " .. ", "k",  "v",
        ",", "",  " ", "==",   "<",   "if",  "\n",  ": ",   "1/0"};
    const char *schedule = strstr(text, "schedule:"), *claims = strstr(text, "\nclaims:");
    size_t start = schedule ? (size_t)(schedule - text) + 9 : 0;
    size_t end = claims ? (size_t)(claims - text) : length;
    const char *mutated = arena_copy(world->arena, text, end); /* claims are read elsewhere */
    for (uint64_t n = 1 + below(world, 3); n > 0; n--) {
        size_t at = start + below(world, strlen(mutated) - start);
        const char *piece = pieces[below(world, sizeof pieces / sizeof *pieces)];
        mutated =
            arena_printf(world->arena, "%.*s%s%s\n", (int)at, mutated, piece, mutated + at + 1);
    }
    return mutated;
}

/* Returns whether the mutated file was still a model. */
static bool try_mutation(World *world, int *rounds, int *wrong)
{
    static const int64_t counts[] = {1, 2, 5, 8};
    const BuiltinFile *file = &builtin_files[below(world, builtin_file_count)];
    const char *text = mutate(world, file->text, file->length);
    const Source *source = source_from_text(world->arena, "mutated.yaml", text, strlen(text));
    if (!library_add_source(world->library, source, &world->diag))
        return false;
    for (size_t i = 0; i < library_entry_count(world->library); i++) {
        const ModelEntry *entry = library_entry(world->library, i);
        if (!entry->is_users || entry->kind != KIND_ALGORITHM)
            continue;
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
            Instance instance = {.algorithm = library_load(world->library, entry, &world->diag),
                                 .p = counts[n],
                                 .root = (int64_t)below(world, (uint64_t)counts[n]),
                                 .k = 3,
                                 .ports = 1};
            Network network;
            Profile profile;
            const Rules rules = {.ports = 1};
            if (instance.algorithm)
                *wrong += !counts_as_listed(world->arena, &instance, rounds);
            if (make_network(world, "linear", counts[n], &network) &&
                verify_schedule(world->arena, &instance, &world->diag).on_data)
                profile_derive(world->arena, &instance, &network, &rules, &profile, &world->diag);
        }
    }
    return true;
}

static void mutated_models_do_not_crash(Results *results)
{
    int accepted = 0, silent = 0, rounds = 0, wrong = 0;
    for (uint64_t n = 0; n < MUTATION_CASES; n++) {
        World world = world_open(3000000 + n);
        world.diag = diag_silent();
        bool good = try_mutation(&world, &rounds, &wrong);
        accepted += good;
        silent += !good && world.diag.error_count == 0;
        world_close(&world);
    }
    printf("# %d cases, of which %d were models still, with %d rounds without lists\n",
           MUTATION_CASES, accepted, rounds);
    result(results, silent == 0 && accepted > MUTATION_CASES / 20,
           "mutated models are refused with a reason, or run");
    result(results, wrong == 0 && rounds > MUTATION_CASES / 4,
           "counts and mistakes of mutated models are those of their lists");
}

static bool combines_alike(const Profile *a, const Profile *b)
{
    bool same = a->step_count == b->step_count && a->combined == b->combined;
    for (size_t t = 0; same && t < a->step_count; t++)
        same = a->steps[t].repeat == b->steps[t].repeat &&
               a->steps[t].combined == b->steps[t].combined;
    return same;
}

/* Combining told from how many blocks arrive is that of blocks that are followed. */
static bool combines_as_counted(World *world, Case *drawn, int *compared)
{
    Profile followed, counted;
    const RoundsWanted whole = {0}, by_counts = {.all_combine = true};
    Derivation of = {.instance = &drawn->instance,
                     .network = &drawn->network,
                     .rules = &drawn->rules,
                     .count = 1,
                     .profiles = &counted};
    Diag silent = diag_silent();
    drawn->rules.asynchronous = false;
    drawn->rules.combining = COMBINING_AFTER;
    if (!drawn->algorithm->combines || drawn->algorithm->expect_wrong ||
        (drawn->algorithm->names_all &&
         !schedule_parts_fit(world->arena, &drawn->instance, drawn->instance.p)) ||
        !derive_instance(world->arena, &of, &by_counts, NULL, &silent))
        return true;
    ++*compared;
    of.profiles = &followed;
    if (derive_instance(world->arena, &of, &whole, NULL, &silent) &&
        combines_alike(&followed, &counted) &&
        derived_time(&followed, drawn) == derived_time(&counted, drawn))
        return true;
    describe(drawn);
    return false;
}

static void combining_follows_from_counts(Results *results)
{
    int compared = 0, wrong = 0;
    for (uint64_t n = 0; n < COUNT_CASES && wrong < 5; n++) {
        World world = world_open(6000000 + n);
        Case drawn;
        if (random_case(&world, true, &drawn)) {
            random_rules(&world, &drawn);
            wrong += !combines_as_counted(&world, &drawn, &compared);
        }
        world_close(&world);
    }
    printf("# %d of %d cases combine as few blocks as must be\n", compared, COUNT_CASES);
    result(results, wrong == 0 && compared > COUNT_CASES / 20,
           "where no more blocks arrive than must be combined, all of them are");
}

int main(void)
{
    Results results = {0};
    gsl_set_error_handler_off();
    claims_equal_derived_costs(&results);
    conventions_keep_their_order(&results);
    counts_are_those_of_lists(&results);
    combining_follows_from_counts(&results);
    mutated_models_do_not_crash(&results);
    return results_end(&results);
}
