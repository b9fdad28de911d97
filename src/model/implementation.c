#include "model/implementation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names in conditions, by slot. */
typedef enum {
    CALL_P,
    CALL_M,
    CALL_BUFFER,
    CALL_ELEMENTS,
    CALL_ELEMENT,
    CALL_SEGMENT,
    CALL_NODES,
    CALL_SLOTS
} CallSlot;

/* As a fallback: whatever the library chooses for the call. */
static const char own_choice[] = "chosen";

/* A file that is being read. */
typedef struct {
    const Resolver *resolver;
    Arena *arena;
    Implementation *library;
    Diag *diag;
} Reading;

#define PLACE(id, word, lacking) word,
static const char *const place_words[PLACE_COUNT] = {
#include "model/library_places.def"
};
#undef PLACE
#define PLACE(id, word, lacking) lacking,
static const char *const place_lacks[PLACE_COUNT] = {
#include "model/library_places.def"
};
#undef PLACE

static bool read_condition(const Reading *reading, const Node *map, const char *key,
                           Formula *formula)
{
    static const Variable names[] = {
        [CALL_P] = {"p", TYPE_INT, {0, 0}, false},
        [CALL_M] = {"m", TYPE_REAL, {0, 1}, false},
        [CALL_BUFFER] = {"M", TYPE_REAL, {0, 1}, false},
        [CALL_ELEMENTS] = {"n", TYPE_INT, {0, 0}, false},
        [CALL_ELEMENT] = {"element", TYPE_REAL, {0, 1}, false},
        [CALL_SEGMENT] = {"segment", TYPE_REAL, {0, 1}, false},
        [CALL_NODES] = {"nodes", TYPE_INT, {0, 0}, false},
    };
    Scope scope = {0};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        scope_add(reading->arena, &scope, names[i]);
    return read_formula((FormulaMap){reading->arena, map, &scope, reading->diag}, key, TYPE_BOOL,
                        DIMENSION_NONE, formula);
}

/* The algorithm of that name, collective and variant. NULL: none. */
static const LibraryAlgorithm *find_named(const Implementation *library, const char *version,
                                          Text collective, const char *variant, const char *name)
{
    for (size_t i = 0; i < library->algorithm_count; i++) {
        const LibraryAlgorithm *one = &library->algorithms[i];
        if (implementation_has(one->versions, one->version_count, version) &&
            text_same(one->collective, collective) && strcmp(one->variant, variant) == 0 &&
            strcmp(one->name, name) == 0)
            return one;
    }
    return NULL;
}

/* Some of the versions of the library; all where the key is left out. */
static bool read_versions(const Reading *reading, const Node *map, const char *const **versions,
                          size_t *count)
{
    const Implementation *library = reading->library;
    const Node *node = node_get(map, "versions");
    *versions = NULL;
    *count = 0;
    if (!node)
        return true;
    *versions = read_names(reading->arena, node, "a version", count, reading->diag);
    for (size_t i = 0; *versions && i < *count; i++)
        if (!implementation_has(library->versions, library->version_count, (*versions)[i]))
            return diag_error(reading->diag, node_item(node, i)->text.span,
                              "the library has no version '%s'", (*versions)[i]);
    return *versions != NULL;
}

/* `segment: 64KiB`, `segment: none` */
static bool read_settings(const Reading *reading, const Node *map, LibrarySettings *settings)
{
    const Node *segment = node_get(map, "segment");
    bool good = true;
    for (Branching b = BRANCHING_NONE + 1; b < BRANCHING_COUNT; b++)
        good &= read_key_whole(map, branching_names[b], branching_names[b], 1, INT32_MAX,
                               &settings->branches[b], reading->diag);
    if (!segment || !node_is_scalar(segment, "a segment", reading->diag))
        return good && !segment;
    if (text_equals(segment->text, "none")) {
        settings->segment = INFINITY;
        return good;
    }
    if (!quantity_parse(segment->text, DIMENSION_BYTES, &settings->segment, reading->diag))
        return false;
    if (!(settings->segment >= 1))
        diag_error(reading->diag, segment->text.span, "a segment has at least one byte");
    return good && settings->segment >= 1;
}

/* Whose algorithms or decisions these are. */
static bool read_subject(const Reading *reading, const Node *map, Text *collective,
                         const char **variant)
{
    const Resolver *resolver = reading->resolver;
    const Node *node = node_get(map, "collective");
    if (!node)
        return diag_error(reading->diag, map->text.span, "the key 'collective' is missing");
    if (!node_is_scalar(node, "the name of a collective", reading->diag) ||
        !read_text(reading->arena, map, "variant", variant, reading->diag))
        return false;
    *collective = node->text;
    return resolver->is_known_right || resolver_find(resolver, KIND_COLLECTIVE, node->text);
}

static bool read_algorithm(const Reading *reading, const Node *map, LibraryAlgorithm *algorithm)
{
    static const char *const keys[] = {
        "collective", "variant", "blocks",  "number", "name",     "versions", "model",    "note",
        "radix",      "fanout",  "segment", "unless", "fallback", "switches", "recorded", "only"};
    static const char *const block_words[BLOCKS_COUNT] = {"equal", "unequal", "any"};
    Diag *diag = reading->diag;
    int blocks, place;
    algorithm->number = -1;
    algorithm->span = map->text.span;
    if (!read_map(map, "an algorithm of a library", keys, COUNT_OF(keys), diag) ||
        !read_subject(reading, map, &algorithm->collective, &algorithm->variant) ||
        !read_keyword(map, "blocks", "which blocks", block_words, BLOCKS_COUNT, &blocks, diag) ||
        !read_text(reading->arena, map, "name", &algorithm->name, diag) ||
        !read_text(reading->arena, map, "note", &algorithm->note, diag) ||
        !read_text(reading->arena, map, "fallback", &algorithm->fallback, diag) ||
        !read_text(reading->arena, map, "switches", &algorithm->switches, diag) ||
        !read_versions(reading, map, &algorithm->versions, &algorithm->version_count) ||
        !read_settings(reading, map, &algorithm->settings) ||
        !read_condition(reading, map, "unless", &algorithm->unless))
        return false;
    const Node *model = node_get(map, "model");
    if (!read_keyword(map, "only", "'only'", place_words, PLACE_COUNT, &place, diag) ||
        !read_key_whole(map, "recorded", "a number of runs", 1, INT32_MAX, &algorithm->recorded,
                        diag) ||
        !read_key_whole(map, "number", "a number", 0, INT32_MAX, &algorithm->number, diag) ||
        !read_key_text(map, "model", "the name of a model", &algorithm->model, diag))
        return false;
    algorithm->blocks = (LibraryBlocks)blocks;
    algorithm->place = (LibraryPlace)place;
    const char *wrong = !*algorithm->name ? "an algorithm of a library needs a 'name'"
                        : !model && !*algorithm->note
                            ? "an algorithm without a 'model' needs a 'note' that says why"
                        : !algorithm->unless.program != !*algorithm->fallback
                            ? "'unless' and 'fallback' belong together"
                            : NULL;
    if (wrong)
        return diag_error(diag, algorithm->span, "%s", wrong);
    /* The model must be there, and of that collective. Stages, which have spaces or a colon, are
       read when they are asked for. */
    const Text name = algorithm->model;
    if (!model || reading->resolver->is_known_right || memchr(name.chars, ':', name.length))
        return true;
    const Algorithm *found = resolver_find(reading->resolver, KIND_ALGORITHM, name);
    if (!found || text_equals(algorithm->collective, found->collective->head.name))
        return found != NULL;
    return diag_error(diag, name.span, "this is no algorithm of %.*s",
                      TEXT_ARGS(algorithm->collective));
}

static bool read_rules(const Reading *reading, const Node *list, const LibraryDecision *decision,
                       LibraryRule **rules, size_t *count);

static bool read_rule(const Reading *reading, const Node *map, const LibraryDecision *decision,
                      LibraryRule *rule)
{
    static const char *const keys[] = {"when", "run", "choose"};
    const char *run;
    rule->span = map->text.span;
    if (!read_map(map, "a rule", keys, COUNT_OF(keys), reading->diag) ||
        !read_condition(reading, map, "when", &rule->when) ||
        !read_text(reading->arena, map, "run", &run, reading->diag))
        return false;
    const Node *choose = node_get(map, "choose");
    if (!*run == !choose)
        return diag_error(reading->diag, rule->span, "a rule has either 'run' or 'choose'");
    if (choose)
        return read_rules(reading, choose, decision, &rule->rules, &rule->rule_count);
    rule->run = run;
    for (size_t i = 0; i < reading->library->version_count; i++) {
        const char *version = reading->library->versions[i];
        if (!implementation_has(decision->versions, decision->version_count, version) ||
            find_named(reading->library, version, decision->collective, decision->variant, run))
            continue;
        return diag_error(reading->diag, node_get(map, "run")->text.span,
                          "version %s has no algorithm '%s' of %.*s", version, run,
                          TEXT_ARGS(decision->collective));
    }
    return true;
}

static bool read_rules(const Reading *reading, const Node *list, const LibraryDecision *decision,
                       LibraryRule **rules, size_t *count)
{
    *count = node_item_count(list);
    *rules = ARENA_ARRAY(reading->arena, LibraryRule, *count);
    bool good = true;
    for (size_t i = 0; i < *count; i++)
        good &= read_rule(reading, node_item(list, i), decision, &(*rules)[i]);
    return good;
}

static bool read_decision(const Reading *reading, const Node *map, LibraryDecision *decision)
{
    static const char *const keys[] = {"collective", "variant", "versions", "choose"};
    if (!read_map(map, "a decision", keys, COUNT_OF(keys), reading->diag) ||
        !read_subject(reading, map, &decision->collective, &decision->variant) ||
        !read_versions(reading, map, &decision->versions, &decision->version_count))
        return false;
    const Node *choose = node_get(map, "choose");
    if (!choose)
        diag_error(reading->diag, map->text.span, "the key 'choose' is missing");
    return choose && read_rules(reading, choose, decision, &decision->rules, &decision->rule_count);
}

/* Fallbacks are algorithms of the same collective, in every version. */
static bool check_fallbacks(const Reading *reading)
{
    const Implementation *library = reading->library;
    for (size_t i = 0; i < library->algorithm_count; i++) {
        const LibraryAlgorithm *one = &library->algorithms[i];
        bool found = true;
        for (size_t j = 0; j < library->version_count && one->unless.program && found; j++) {
            const char *version = library->versions[j];
            found = !implementation_has(one->versions, one->version_count, version) ||
                    strcmp(one->fallback, own_choice) == 0 ||
                    find_named(library, version, one->collective, one->variant, one->fallback);
        }
        if (found)
            continue;
        return diag_error(reading->diag, one->span, "there is no algorithm '%s' to fall back on",
                          one->fallback);
    }
    return true;
}

Implementation *implementation_read(const Resolver *resolver, const Node *map)
{
    static const char *const keys[] = {"library",  "also",       "summary",   "source",
                                       "versions", "algorithms", "decisions", "tuning"};
    Arena *arena = resolver->arena;
    Diag *diag = resolver->diag;
    Implementation *library = ARENA_NEW(arena, Implementation);
    const Reading reading = {resolver, arena, library, diag};
    if (!node_check_keys(map, "a library", keys, COUNT_OF(keys), diag) ||
        !read_head(arena, map, "library", &library->head, diag))
        return NULL;
    const Node *algorithms = node_get(map, "algorithms"), *decisions = node_get(map, "decisions");
    const Node *versions = node_get(map, "versions"), *tuning = node_get(map, "tuning");
    bool good = true;
    if (!algorithms || !versions)
        return DIAG_NULL(diag, library->head.span, "a library needs 'versions' and 'algorithms'");
    library->versions = read_names(arena, versions, "a version", &library->version_count, diag);
    if (!library->versions)
        return NULL;
    if (!library->version_count)
        return DIAG_NULL(diag, versions->text.span, "a library has at least one version");
    library->algorithm_count = node_item_count(algorithms);
    library->algorithms = ARENA_ARRAY(arena, LibraryAlgorithm, library->algorithm_count);
    for (size_t i = 0; i < library->algorithm_count; i++)
        good &= read_algorithm(&reading, node_item(algorithms, i), &library->algorithms[i]);
    if (!good || !check_fallbacks(&reading))
        return NULL;
    library->decision_count = decisions ? node_item_count(decisions) : 0;
    library->decisions = ARENA_ARRAY(arena, LibraryDecision, library->decision_count);
    for (size_t i = 0; i < library->decision_count; i++)
        good &= read_decision(&reading, node_item(decisions, i), &library->decisions[i]);
    if (good && tuning)
        good = tuning_model_read(resolver, tuning, &library->tuning);
    for (size_t i = 0; good && i < library->tuning.candidate_count; i++) {
        const TuningCandidate *one = &library->tuning.candidates[i];
        bool found = false;
        for (size_t j = 0; j < library->version_count && !found; j++)
            found = find_named(library, library->versions[j], one->collective, "", one->run);
        good = found || diag_error(diag, one->span, "there is no algorithm '%s' to run", one->run);
    }
    return good ? library : NULL;
}

const char *implementation_try_version(const Implementation *library, Text version)
{
    if (version.length == 0)
        return library->versions[library->version_count - 1];
    for (size_t i = 0; i < library->version_count; i++) {
        /* "4.1" begins "4.1" and "4.1.4", not "4.10" */
        const size_t length = strlen(library->versions[i]);
        if (text_begins(version, library->versions[i]) &&
            (version.length == length || version.chars[length] == '.'))
            return library->versions[i];
    }
    return NULL;
}

const char *implementation_version(const Implementation *library, Text version, Diag *diag)
{
    const char *known = implementation_try_version(library, version);
    if (known)
        return known;
    diag_error(diag, version.span, "version '%.*s' of %s is not known", TEXT_ARGS(version),
               library->head.name);
    for (size_t i = 0; i < library->version_count; i++)
        diag_note(diag, NOWHERE, "there is %s@%s", library->head.name, library->versions[i]);
    return NULL;
}

bool implementation_has(const char *const *versions, size_t count, const char *version)
{
    return count == 0 || text_among(text_plain(version), versions, count) < count;
}

const LibraryAlgorithm *implementation_next_for(const Implementation *library, const char *version,
                                                const char *collective, LibraryBlocks blocks,
                                                size_t *at)
{
    while (*at < library->algorithm_count) {
        const LibraryAlgorithm *one = &library->algorithms[(*at)++];
        if (implementation_has(one->versions, one->version_count, version) &&
            (blocks == BLOCKS_ANY || one->blocks == BLOCKS_ANY || one->blocks == blocks) &&
            (!*collective || text_equals(one->collective, collective)))
            return one;
    }
    return NULL;
}

const LibraryAlgorithm *implementation_next(const Implementation *library, const char *version,
                                            const char *collective, size_t *at)
{
    return implementation_next_for(library, version, collective, BLOCKS_EQUAL, at);
}

void implementation_refuse(const Implementation *library, const char *version,
                           const char *collective, Diag *diag)
{
    diag_error(diag, NOWHERE, "%s@%s has no algorithm of %s", library->head.name, version,
               collective);
}

bool library_algorithm_has_number(const LibraryAlgorithm *algorithm, Text text)
{
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)algorithm->number);
    return algorithm->number >= 0 && text_equals(text, number);
}

const char *library_algorithm_lacks(const LibraryAlgorithm *algorithm, int64_t p, int64_t nodes)
{
    const bool runs[PLACE_COUNT] = {[PLACE_ANY] = true,
                                    [PLACE_ONE_NODE] = nodes <= 1,
                                    [PLACE_ONE_DEVICE] = nodes == p,
                                    [PLACE_SEVERAL_NODES] = nodes > 1 && nodes < p};
    return runs[algorithm->place] ? NULL : place_lacks[algorithm->place];
}

static bool holds(const Formula *condition, const LibraryCall *call, bool *does, Diag *diag)
{
    const double element = call->element > 0 ? call->element : 1;
    const int64_t elements = (int64_t)fmin(call->m / element, 0x1p62);
    const void *slots[MOST_SLOTS] = {
        [CALL_P] = &call->p,         [CALL_M] = &call->m,       [CALL_BUFFER] = &call->buffer,
        [CALL_ELEMENTS] = &elements, [CALL_ELEMENT] = &element, [CALL_SEGMENT] = &call->segment,
        [CALL_NODES] = &call->nodes};
    int64_t value = 1;
    bool good = !condition->program || program_run_int(condition->program, slots, &value, diag);
    *does = value != 0;
    return good;
}

const LibraryAlgorithm *implementation_runs(const Implementation *library, const char *version,
                                            const LibraryAlgorithm *algorithm,
                                            const LibraryCall *call, Diag *diag)
{
    for (size_t i = 0; algorithm && i <= library->algorithm_count; i++) {
        bool falls = false;
        if (!algorithm->unless.program)
            return algorithm;
        if (!holds(&algorithm->unless, call, &falls, diag))
            return NULL;
        if (!falls)
            return algorithm;
        if (strcmp(algorithm->fallback, own_choice) == 0) {
            char collective[64];
            LibraryCall instead = *call;
            const LibraryAlgorithm *chosen = NULL;
            snprintf(collective, sizeof collective, "%.*s", TEXT_ARGS(algorithm->collective));
            instead.is_instead = true;
            if (!call->is_instead)
                chosen = implementation_chooses(library, version, collective, algorithm->variant,
                                                &instead, diag);
            return chosen ? chosen
                          : DIAG_NULL(diag, algorithm->span,
                                      "what %s chooses in place of '%s' is not known",
                                      library->head.name, algorithm->name);
        }
        algorithm = find_named(library, version, algorithm->collective, algorithm->variant,
                               algorithm->fallback);
    }
    return algorithm;
}

/* NULL: no rule says; *good is false after a report. */
static const LibraryRule *find_rule(const LibraryRule *rules, size_t count, const LibraryCall *call,
                                    bool *good, Diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        bool does = false;
        *good = holds(&rules[i].when, call, &does, diag);
        if (!*good)
            return NULL;
        if (does)
            return rules[i].run ? &rules[i]
                                : find_rule(rules[i].rules, rules[i].rule_count, call, good, diag);
    }
    return NULL;
}

Text implementation_variant(const Implementation *library, const char *version, Text variant)
{
    for (size_t i = 0; i < library->decision_count; i++) {
        const LibraryDecision *decision = &library->decisions[i];
        if (*decision->variant && text_equals(variant, decision->variant) &&
            implementation_has(decision->versions, decision->version_count, version))
            return decision->collective;
    }
    return (Text){0};
}

/* The least of the times that the library predicts. */
static LibraryChoice predict_choice(const Implementation *library, const char *version,
                                    const char *collective, const LibraryCall *call, Diag *diag)
{
    const TuningModel *model = &library->tuning;
    const char *point = strchr(version, '.');
    const ForetoldCall about = {call->p, call->nodes, point ? strtoll(point + 1, NULL, 10) : 0,
                                call->buffer, call->machine};
    double hardware[MOST_HARDWARE_FACTS], least = INFINITY, seconds;
    LibraryChoice choice = {NULL, ""};
    if (!tuning_model_covers(model, collective) ||
        !tuning_model_hardware(model, library->head.name, call->machine, hardware, diag))
        return choice;
    for (size_t i = 0; i < model->candidate_count; i++) {
        const TuningCandidate *one = &model->candidates[i];
        const LibraryAlgorithm *algorithm =
            text_equals(one->collective, collective)
                ? find_named(library, version, one->collective, "", one->run)
                : NULL;
        if (!algorithm)
            continue;
        /* Do the machine's switches do what the algorithm needs? */
        const Machine *machine = call->machine;
        const Level *level = level_find(machine->levels, machine->level_count, algorithm->switches);
        if (*algorithm->switches &&
            !(level && level->merges[MERGING_MULTICASTS] && level->merges[MERGING_COMBINES]))
            continue;
        if (!tuning_model_time(model, one, &about, hardware, &seconds, diag))
            return (LibraryChoice){NULL, ""};
        if (seconds < least) {
            least = seconds;
            choice = (LibraryChoice){algorithm, one->protocol};
        }
    }
    return choice;
}

LibraryChoice implementation_choice(const Implementation *library, const char *version,
                                    const char *collective, const char *variant,
                                    const LibraryCall *call, Diag *diag)
{
    LibraryChoice choice = {NULL, ""};
    bool good = true, has_any = false;
    for (size_t i = 0; i < library->decision_count && good; i++) {
        const LibraryDecision *decision = &library->decisions[i];
        if (!text_equals(decision->collective, collective) ||
            (variant && strcmp(decision->variant, variant) != 0) ||
            !implementation_has(decision->versions, decision->version_count, version))
            continue;
        const LibraryRule *rule =
            find_rule(decision->rules, decision->rule_count, call, &good, diag);
        const LibraryAlgorithm *named =
            rule ? find_named(library, version, decision->collective, decision->variant, rule->run)
                 : NULL;
        has_any = true;
        if (!named ||
            (!variant && (named->place == PLACE_STAGE || named->blocks == BLOCKS_UNEQUAL)))
            continue;
        choice.algorithm = implementation_runs(library, version, named, call, diag);
        return choice;
    }
    return !has_any && call->machine && call->nodes
               ? predict_choice(library, version, collective, call, diag)
               : choice;
}

LibraryChoice implementation_try_choice(const Implementation *library, const char *version,
                                        const char *collective, const char *variant,
                                        const LibraryCall *call)
{
    Diag silent = diag_silent();
    return implementation_choice(library, version, collective, variant, call, &silent);
}

const LibraryAlgorithm *implementation_chooses(const Implementation *library, const char *version,
                                               const char *collective, const char *variant,
                                               const LibraryCall *call, Diag *diag)
{
    return implementation_choice(library, version, collective, variant, call, diag).algorithm;
}

const char *library_settings_describe(Arena *arena, const LibrarySettings *settings)
{
    const char *text = "";
    for (Branching b = BRANCHING_NONE + 1; b < BRANCHING_COUNT; b++)
        if (settings->branches[b])
            text = arena_printf(arena, "%s%s%s %lld", text, *text ? ", " : "", branching_names[b],
                                (long long)settings->branches[b]);
    if (isinf(settings->segment))
        return arena_printf(arena, "%s%sno segments", text, *text ? ", " : "");
    if (settings->segment > 0)
        return arena_printf(arena, "%s%ssegments of %s", text, *text ? ", " : "",
                            quantity_show_bytes(arena, settings->segment));
    return text;
}
