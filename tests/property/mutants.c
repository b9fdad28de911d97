/* Mutants: every algorithm of the library with one small change in its schedule, an index off by
   one, a verb or a sign exchanged, a stage lost, must be rejected, by a run on data or by a claim,
   or be shown to be the same schedule, or another right one of the same cost on a complete network.

   usage: mutants [-v]: an eighth of them, all with -v, or with MORE in the environment
          mutants --write FOLDER EVERY: instead writes wrong mutants of what is proved for all p,
   one of so many, as models, which tests/prove.t tries to prove */
#include "claims/grid.h"
#include "claims/verdicts.h"
#include "cost/claim.h"
#include "cost/derive.h"
#include "model/builtin.h"
#include "model/proved.h"
#include "sched/branching.h"
#include "sched/contract.h"
#include "sched/expander.h"
#include "verify/verify.h"

#include <ctype.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_P = 9, TRIED_ORDER = 12, LEAST_MUTANTS = 500 };

typedef enum { REJECTED, IDENTICAL, EQUAL_COST, SURVIVES } Fate;

typedef struct {
    Arena *arena;
    Library *library;
    Diag diag;
} World;

static World world_open(void)
{
    World world = {.arena = arena_create(NULL), .diag = diag_silent()};
    world.library = library_open(world.arena);
    return world;
}

static const Algorithm *load(World *world, const char *text, const char *name)
{
    const Source *source = source_from_text(world->arena, "mutant.yaml", text, strlen(text));
    if (!library_add_source(world->library, source, &world->diag))
        return NULL;
    return library_algorithm(world->library, source_argument(world->arena, "mutant", name),
                             &world->diag);
}

/* Called for each instance of the grid on which the algorithm may run, until it says false. */
typedef bool (*Visitor)(void *context, const Instance *instance);

static bool visit_shape(const Algorithm *algorithm, const Shape *shape, int64_t ports,
                        Visitor visit, void *context)
{
    int64_t roots[4], chunks[5], none = 0;
    int root_count = verdict_roots(algorithm->collective->rooted, shape->p, roots);
    int chunk_count = algorithm->free_chunks ? 3 : 1;
    Diag silent = diag_silent();
    verdict_chunks(algorithm->free_chunks, chunks);
    if (!schedule_allows(algorithm, shape, ports, NULL, &silent))
        return silent.error_count == 0;
    Arena *arena = arena_create(NULL);
    IntArray branches = {0};
    bool good = true;
    branches_list(
        arena, &(Instance){.algorithm = algorithm, .p = shape->p, .ports = ports, .shape = shape},
        &branches);
    if (!branches.count)
        branches = (IntArray){.items = &none, .count = 1};
    for (size_t i = 0; i < (size_t)(root_count * chunk_count) * branches.count && good; i++) {
        int rest = (int)(i / branches.count);
        Instance instance = {.algorithm = algorithm,
                             .p = shape->p,
                             .root = roots[rest / chunk_count],
                             .k = chunks[rest % chunk_count],
                             .ports = ports,
                             .shape = shape,
                             .target = -1,
                             .sizes.order = algorithm->collective->problem ? TRIED_ORDER : 0,
                             .branches = branches.items[i % branches.count]};
        good = visit(context, &instance);
    }
    arena_destroy(arena);
    return good;
}

static bool visit_grid(const Algorithm *algorithm, Visitor visit, void *context)
{
    Arena *arena = arena_create(NULL);
    ShapeArray shapes = {0};
    bool good = true;
    for (int64_t p = 1; p <= LARGEST_P + 1; p++)
        shapes_list(arena, algorithm, p <= LARGEST_P ? p : 16, &shapes);
    for (size_t i = 0; i < shapes.count && good; i++)
        for (int64_t ports = 1; ports <= 2 && good; ports++)
            good = visit_shape(algorithm, &shapes.items[i], ports, visit, context);
    arena_destroy(arena);
    return good;
}

static bool is_right(void *context, const Instance *instance)
{
    Arena *scratch = arena_create(NULL);
    Diag silent = diag_silent();
    bool right = verify_schedule(scratch, instance, &silent).right;
    (void)context;
    arena_destroy(scratch);
    return right;
}

/* With one port and the least radix or fan-out. */
static bool is_right_at_least(void *context, const Instance *instance)
{
    const bool has_more =
        instance->ports > 1 ||
        instance->branches > (instance->algorithm->branching == BRANCHING_RADIX) + 1;
    return has_more || is_right(context, instance);
}

static bool are_claims_as_recorded(World *world, const Algorithm *algorithm)
{
    const ClaimList *claims = claims_all(&algorithm->claims);
    Verdict *verdicts = ARENA_ARRAY(world->arena, Verdict, claims->count + 1);
    const VerdictGrid grid = verdict_grid_up_to(2 * LARGEST_P);
    const VerdictQuestion asked = {
        world->arena, world->library, {.algorithm = algorithm}, &grid, &world->diag};
    if (!verdicts_find(&asked, claims, verdicts))
        return false;
    for (size_t i = 0; i < claims->count; i++)
        if (!verdicts[i].holds && !claims->items[i].recorded_refuted)
            return false;
    return true;
}

static bool same_round(const Round *a, const Round *b)
{
    if (a->count != b->count || a->product_count != b->product_count)
        return false;
    for (size_t i = 0; i < a->product_count; i++)
        if (a->products[i].rank != b->products[i].rank ||
            memcmp(a->products[i].blocks, b->products[i].blocks, sizeof a->products[i].blocks))
            return false;
    for (size_t t = 0; t < a->count; t++) {
        const ScheduledTransfer *left = &a->transfers[t], *right = &b->transfers[t];
        if (left->from != right->from || left->to != right->to || left->verb != right->verb ||
            left->block_count != right->block_count)
            return false;
        for (size_t i = 0; i < left->block_count; i++)
            if (a->blocks[left->first_block + i] != b->blocks[right->first_block + i] ||
                round_destination(a, left->first_block + i) !=
                    round_destination(b, right->first_block + i))
                return false;
    }
    return true;
}

/* `context`: the original algorithm. */
static bool is_identical(void *context, const Instance *mutant)
{
    Instance original = *mutant;
    original.algorithm = context;
    Arena *scratch = arena_create(NULL);
    RoundArray ours = {0}, theirs = {0};
    Diag silent = diag_silent();
    bool same =
        expander_collect(scratch, &original, &(RoundsWanted){0}, &(int64_t){0}, &ours, &silent) &&
        expander_collect(scratch, mutant, &(RoundsWanted){0}, &(int64_t){0}, &theirs, &silent) &&
        ours.count == theirs.count;
    for (size_t i = 0; i < ours.count && same; i++)
        same = same_round(&ours.items[i], &theirs.items[i]);
    arena_destroy(scratch);
    return same;
}

typedef struct {
    const Algorithm *original;
    const Topology *topology;
} Comparison;

static const double link_costs[PARAMETER_COUNT] = {1000003, 10007, 101, 7};
static const double bytes = 4096;

/* Where the verdicts on claims try only some radices and fan-outs, this tries all. `context`: the
   topology. */
static bool meets_claim(void *context, const Instance *mutant)
{
    Arena *scratch = arena_create(NULL);
    Network network;
    Profile profile;
    double claimed;
    const Rules rules = {.ports = mutant->ports};
    Diag silent = diag_silent();
    const Shape shape = shape_line(mutant->p);
    ClaimPoint point = claim_point(&shape, mutant->root, mutant->k, mutant->ports);
    point.branches = mutant->branches;
    const Claim *claim = NULL;
    bool good = contract_buffer_blocks(mutant->algorithm->collective, mutant->p,
                                       &point.buffer_blocks, &silent) &&
                network_create(scratch, context, &shape, TIES_PLUS, &network, &silent);
    if (good)
        claim = claim_find(mutant->algorithm, &network, &point, &rules, false);
    if (claim) {
        good = profile_derive(scratch, mutant, &network, &rules, &profile, &silent) &&
               claim_seconds(claim, &point, link_costs, &bytes, 1, &claimed, &silent);
        double derived = good ? cost_total(profile_cost(&profile, link_costs, bytes)) : 0;
        good = good && fabs(claimed - derived) <= 1e-12 * derived;
    }
    arena_destroy(scratch);
    return good;
}

static bool has_equal_cost(void *context, const Instance *mutant)
{
    const Comparison *comparison = context;
    Instance original = *mutant;
    original.algorithm = comparison->original;
    Arena *scratch = arena_create(NULL);
    Network network;
    Profile ours, theirs;
    const Rules rules = {.ports = mutant->ports};
    Diag silent = diag_silent();
    const Shape shape = shape_line(mutant->p);
    bool equal =
        network_create(scratch, comparison->topology, &shape, TIES_PLUS, &network, &silent) &&
        profile_derive(scratch, &original, &network, &rules, &ours, &silent) &&
        profile_derive(scratch, mutant, &network, &rules, &theirs, &silent) &&
        cost_total(profile_cost(&ours, link_costs, bytes)) ==
            cost_total(profile_cost(&theirs, link_costs, bytes)) &&
        ours.work == theirs.work;
    arena_destroy(scratch);
    return equal;
}

/* On a complete network, where a mirrored schedule costs the same. */
static bool costs_the_same(World *world, const Algorithm *original, const Algorithm *mutant)
{
    static const char *const names[] = {"full"};
    bool same = true;
    for (size_t i = 0; i < sizeof names / sizeof *names && same; i++) {
        Text name = source_argument(world->arena, "topology", names[i]);
        Comparison comparison = {original, library_topology(world->library, name, &world->diag)};
        same = comparison.topology && visit_grid(mutant, has_equal_cost, &comparison);
    }
    return same;
}

static bool meets_claims(World *world, const Algorithm *mutant)
{
    Text name = source_argument(world->arena, "topology", "full");
    const Topology *full = library_topology(world->library, name, &world->diag);
    return full && (!mutant->branching || visit_grid(mutant, meets_claim, (void *)(uintptr_t)full));
}

typedef struct {
    const char *name;
    const Algorithm *original;
    int counts[SURVIVES + 1];
    bool is_verbose;
    const char *folder;
    int every, tried;
} Tally;

static const struct {
    const char *algorithm;
    int64_t devices, nodes, root, k, branches;
} copies[] = {
#define COPY(algorithm, p, root, k, branches, messages) {algorithm, p, 1, root, k, branches},
#define COPY_ON(algorithm, devices, nodes, messages) {algorithm, devices, nodes, 0, 1, 0},
#include "../unit/copies.def"
#undef COPY
#undef COPY_ON
};

/* Does it send what the original sends where that is written down? */
static bool is_a_copy(World *world, const Algorithm *original, const Algorithm *mutant)
{
    const char *name = algorithm_full_name(world->arena, original);
    bool same = true;
    for (size_t i = 0; i < sizeof copies / sizeof *copies && same; i++) {
        Shape line = shape_line(copies[i].devices);
        if (copies[i].nodes > 1)
            shape_add(&line, "y", copies[i].nodes);
        if (strcmp(copies[i].algorithm, name) == 0)
            same = is_identical((void *)(uintptr_t)original,
                                &(Instance){.algorithm = mutant,
                                            .p = line.p,
                                            .root = copies[i].root,
                                            .k = copies[i].k,
                                            .ports = 1,
                                            .shape = &line,
                                            .target = -1,
                                            .branches = copies[i].branches});
    }
    return same;
}

/* What is the same schedule is the quickest to be seen. */
static Fate judge(const Tally *tally, const char *text)
{
    World world = world_open();
    const Algorithm *mutant = load(&world, text, tally->name);
    Fate fate = SURVIVES;
    if (!mutant)
        fate = REJECTED;
    else if (visit_grid(mutant, is_identical, (void *)(uintptr_t)tally->original))
        fate = IDENTICAL;
    else if (!visit_grid(mutant, is_right, NULL) || !are_claims_as_recorded(&world, mutant) ||
             !meets_claims(&world, mutant) || !is_a_copy(&world, tally->original, mutant))
        fate = REJECTED;
    else if (costs_the_same(&world, tally->original, mutant))
        fate = EQUAL_COST;
    arena_destroy(world.arena);
    return fate;
}

/* Writes a mutant that fails on data under a name of its own. */
static void write_wrong(Tally *tally, const char *text)
{
    World world = world_open();
    const Algorithm *mutant = load(&world, text, tally->name);
    if (mutant && !mutant->collective->targeted && !visit_grid(mutant, is_right_at_least, NULL)) {
        const int number = tally->counts[REJECTED]++;
        const char *key = strstr(text, "algorithm: ");
        FILE *file = fopen(arena_printf(world.arena, "%s/%04d.yaml", tally->folder, number), "w");
        if (!key || !file)
            exit(EXIT_FAILURE);
        fprintf(file, "%.*salgorithm: mutant-%d%s", (int)(key - text), text, number,
                strchr(key, '\n'));
        fclose(file);
    }
    arena_destroy(world.arena);
}

static void try_mutant(Tally *tally, const char *text, size_t length, size_t at, size_t removed,
                       const char *inserted)
{
    if (tally->tried++ % tally->every)
        return;
    Arena *arena = arena_create(NULL);
    const char *mutant = arena_printf(arena, "%.*s%s%.*s", (int)at, text, inserted,
                                      (int)(length - at - removed), text + at + removed);
    if (tally->folder) {
        write_wrong(tally, mutant);
        arena_destroy(arena);
        return;
    }
    Fate fate = judge(tally, mutant);
    static const char *const words[] = {"rejected", "identical", "of equal cost", "SURVIVES"};
    tally->counts[fate]++;
    if (fate == SURVIVES || tally->is_verbose) {
        size_t line = at, end = at;
        while (line > 0 && text[line - 1] != '\n')
            line--;
        while (end < length && text[end] != '\n')
            end++;
        printf("# %s: %s: '%.*s' -> '%s' in '%.*s'\n", tally->name, words[fate], (int)removed,
               text + at, inserted, (int)(end - line), text + line);
    }
    arena_destroy(arena);
}

/* What is exchanged for what, where it stands as a word or sign by itself. */
static const struct {
    const char *from, *to;
} exchanges[] = {
    {"send:", "move:"},       {"send:", "reduce:"},     {"move:", "send:"},
    {"reduce:", "exchange:"}, {"reduce:", "send:"},     {"exchange:", "reduce:"},
    {"exchange:", "send:"},   {" + ", " - "},           {" - ", " + "},
    {" < ", " <= "},          {" > ", " >= "},          {" == ", " != "},
    {"clog2", "flog2"},       {" xor ", " + "},         {" mod ", " div "},
    {" down to ", " .. "},    {"dual: ", "sequence: "},
};

static bool starts_with(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - text) >= length && memcmp(text, word, length) == 0;
}

/* Whole numbers by themselves: one more, and one less. */
static void try_number(Tally *tally, const char *text, size_t length, size_t at)
{
    char digits[24];
    size_t count = 0;
    while (at + count < length && isdigit((unsigned char)text[at + count]) && count < 9)
        count++;
    long value = strtol(text + at, NULL, 10);
    snprintf(digits, sizeof digits, "%ld", value + 1);
    try_mutant(tally, text, length, at, count, digits);
    if (value == 0)
        return;
    snprintf(digits, sizeof digits, "%ld", value - 1);
    try_mutant(tally, text, length, at, count, digits);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The part of the file that says what is sent: from `let`, `chunks`, `sequence` or `schedule` on.
 */
static void mutate_body(Tally *tally, const char *text, size_t length)
{
    static const char *const keys[] = {"let:", "chunks:", "grid:", "schedule:", "sequence:"};
    const char *claims = strstr(text, "\nclaims:"), *end = claims ? claims : text + length;
    bool inside = false;
    for (const char *at = text; at < end; at++) {
        bool starts_line = at == text || at[-1] == '\n';
        for (size_t i = 0; starts_line && i < sizeof keys / sizeof *keys; i++)
            inside |= starts_with(at, end, keys[i]);
        if (!inside)
            continue;
        size_t place = (size_t)(at - text);
        if (isdigit((unsigned char)*at) && !is_word(at[-1]))
            try_number(tally, text, length, place);
        for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++)
            if (starts_with(at, end, exchanges[i].from) && (*at == ' ' || !is_word(at[-1])))
                try_mutant(tally, text, length, place, strlen(exchanges[i].from), exchanges[i].to);
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (starts_line && starts_with(at, end, "  - ") && !strstr(text, "schedule:") && line_end)
            try_mutant(tally, text, length, place, (size_t)(line_end + 1 - at), "");
    }
}

int main(int count, char **arguments)
{
    Tally tally = {.is_verbose = count > 1 && strcmp(arguments[1], "-v") == 0};
    tally.every = tally.is_verbose || getenv("MORE") ? 1 : 8;
    if (count == 4 && strcmp(arguments[1], "--write") == 0) {
        tally.folder = arguments[2];
        tally.every = atoi(arguments[3]) > 0 ? atoi(arguments[3]) : 1;
    }
    gsl_set_error_handler_off();
    for (size_t i = 0; i < builtin_file_count; i++) {
        static const char folder[] = "algorithms/";
        const BuiltinFile *file = &builtin_files[i];
        if (strncmp(file->path, folder, strlen(folder)) != 0)
            continue;
        World plain = world_open();
        const char *path = file->path + strlen(folder);
        tally.name = arena_copy(plain.arena, path, strlen(path) - strlen(".yaml"));
        Text full_name = source_argument(plain.arena, "original", tally.name);
        tally.original = library_algorithm(plain.library, full_name, &plain.diag);
        const ProofRecord *record = proof_record(plain.arena, tally.original);
        if (!tally.folder || (record && record->is_proved && record->cases))
            mutate_body(&tally, arena_copy(plain.arena, file->text, file->length), file->length);
        arena_destroy(plain.arena);
    }
    int total = 0;
    if (tally.folder)
        return EXIT_SUCCESS;
    for (int i = 0; i <= SURVIVES; i++)
        total += tally.counts[i];
    printf(
        "# %d mutants: %d rejected, %d are the same schedule, %d others are right at equal cost, "
        "%d survive\n",
        total, tally.counts[REJECTED], tally.counts[IDENTICAL], tally.counts[EQUAL_COST],
        tally.counts[SURVIVES]);
    bool good = tally.counts[SURVIVES] == 0 && total >= LEAST_MUTANTS;
    printf("%s 1 - mutants of the library are rejected or shown to be equivalent\n1..1\n",
           good ? "ok" : "not ok");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
