#include "exchange/mpich_read.h"

#include "exchange/json_tree.h"
#include "exchange/mpich_paths.h"

#include <string.h>

static void read_object(MpichReader *reader, const JsonValue *object, MpichPath path);

/* The algorithm in models/libraries; NULL: it is not there. */
static const LibraryAlgorithm *find_algorithm(const MpichReader *reader, int collective,
                                              const char *name)
{
    static const char within[] = "intra_";
    const TunedCollective *tuned = &mpich_collectives[collective];
    const LibraryAlgorithm *one;
    size_t at = 0;
    if (strncmp(name, within, sizeof within - 1) != 0)
        return NULL;
    while (*tuned->collective &&
           (one = implementation_next(reader->library, reader->version, tuned->collective, &at)))
        if (strcmp(one->name, name + sizeof within - 1) == 0)
            return one;
    return NULL;
}

/* What an algorithm asks of calls, and what its place does not say. */
static void check_needs(MpichReader *reader, const MpichPath *path, const char *function, Span span,
                        TuningRule *rule)
{
    const MpichNeeds *needs = mpich_needs(function);
    const char letter = needs ? *needs->needs : 0;
    if (letter == 'P' && path->facts[FACT_POWER] != YES) {
        rule->aborts_off_power = true;
        MPICH_FAULT(
            reader, ABORTS, span,
            "this is for powers of two: on other numbers of ranks it ends the job; put it below "
            "comm_size=pow2");
    } else if (letter == 'F' && path->facts[FACT_MANY] != YES) {
        rule->aborts_if_few = true;
        MPICH_FAULT(
            reader, ABORTS, span,
            "with fewer elements than the largest power of two in p this ends the job: put it "
            "below count<pow2");
    } else if (letter == 'F' && path->facts[FACT_BUILT_IN] != YES) {
        MPICH_FAULT(reader, CRASHES, span,
                    "this is for MPI's own operations: put it below is_op_built_in=yes");
    } else if (letter == 'C' && path->facts[FACT_COMMUTATIVE] != YES) {
        MPICH_FAULT(reader, CRASHES, span,
                    "with operations that do not commute the result is wrong: put it below "
                    "is_commutative=yes");
    } else if (letter == 'I' && path->facts[FACT_IN_PLACE] != YES) {
        MPICH_FAULT(
            reader, CRASHES, span,
            "this sends what is in the receive buffer: put it below is_sendbuf_inplace=yes");
    } else if (letter == 'O' && path->facts[FACT_IN_PLACE] != NO) {
        MPICH_FAULT(
            reader, CRASHES, span,
            "with MPI_IN_PLACE there is nothing to send: put it below is_sendbuf_inplace=no");
    } else if (letter == 'H' && path->facts[FACT_PARENT] != YES) {
        rule->aborts_from = 1;
        MPICH_FAULT(reader, ABORTS, span,
                    "this ends the job but where nodes have several ranks: put it below "
                    "comm_hierarchy=parent");
    }
}

/* Parameters that are left to chance. */
static void check_parameters(MpichReader *reader, const JsonValue *given, const char *function,
                             Span span)
{
    for (const char *list = mpich_parameters(function); *list;) {
        const size_t length = strcspn(list, " ");
        bool is_given = false;
        for (size_t i = 0; i < given->count; i++) {
            const Text key = mpich_key(reader, given->keys[i]->text);
            is_given |= key.length > length && memcmp(key.chars, list, length) == 0 &&
                        key.chars[length] == '=';
        }
        if (!is_given)
            MPICH_FAULT(
                reader, CRASHES, span,
                "%.*s is not said, and MPICH takes what it finds in its memory: add \"%.*s=...\": "
                "{}",
                (int)length, list, (int)length, list);
        list += length + (list[length] == ' ');
    }
}

/* Whether an algorithm is one of the collective, for calls such as these. */
static void check_place(MpichReader *reader, const MpichPath *path, int collective,
                        const char *name, Span span, TuningRule *rule)
{
    const bool is_inter = strncmp(name, "inter_", 6) == 0;
    const bool is_intra = strncmp(name, "intra_", 6) == 0;
    const bool may_be_inter =
        path->facts[FACT_WITHIN] != YES && mpich_has_test(path->collective, 'X');
    if (collective != path->collective) {
        rule->aborts_from = 1;
        MPICH_FAULT(reader, ABORTS, span,
                    "this is no algorithm of %s: calls that get here end the job",
                    mpich_collectives[path->collective].name);
    } else if (is_inter && path->facts[FACT_WITHIN] != NO) {
        MPICH_FAULT(reader, CRASHES, span,
                    "this is for calls between two groups: put it below comm_type=inter");
    } else if (is_intra && may_be_inter && collective != MPICH_scan) {
        MPICH_FAULT(reader, CRASHES, span,
                    "this is for calls within one group: put it below comm_type=intra");
    }
}

static void read_algorithm(MpichReader *reader, const JsonValue *given, Text function,
                           const MpichPath *path)
{
    const char *name = "";
    int from = 0, to = 0;
    const int collective = mpich_algorithm(function, &name, &from, &to);
    if (collective == MPICH_COUNT) {
        MPICH_FATAL(reader, function.span, "MPICH has no such algorithm: MPI_Init ends the job");
        return;
    }
    if (reader->number < from || reader->number > to) {
        MPICH_FATAL(reader, function.span,
                    "MPICH %s does not have this algorithm: MPI_Init ends the job",
                    reader->version);
        return;
    }
    if (path->collective == MPICH_COUNT) {
        MPICH_FATAL(reader, function.span,
                    "this algorithm is not below a collective: MPI_Init ends the job");
        return;
    }
    if (path->is_nowhere)
        return;
    TuningRule rule = path->rule;
    rule.collective = path->collective;
    rule.algorithm = -1;
    rule.runs = path->is_unclear ? NULL : find_algorithm(reader, collective, name);
    rule.span = function.span;
    check_place(reader, path, collective, name, function.span, &rule);
    if (collective == path->collective) {
        check_needs(reader, path, function.chars, function.span, &rule);
        check_parameters(reader, given, function.chars, function.span);
    }
    if (!path->is_elsewhere && path->collective < MPICH_BLOCKING)
        *ARRAY_PUSH(reader->arena, &reader->file->rules) = rule;
}

/* The last of the algorithms of an object; other keys are none beside them. */
static void read_leaf(MpichReader *reader, const JsonValue *object, const MpichPath *path)
{
    static const char start[] = "algorithm=";
    const JsonValue *last = NULL;
    Text function = {0};
    for (size_t i = 0; i < object->count; i++) {
        const Text key = mpich_key(reader, object->keys[i]->text);
        if (!mpich_begins(key, start)) {
            MPICH_FATAL(reader, key.span, "%s: MPI_Init ends the job",
                        mpich_begins(key, "composition=")
                            ? "compositions are for the file of "
                              "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"
                            : "beside an algorithm there can be no conditions");
            continue;
        }
        if (last)
            MPICH_FAULT(reader, REPLACED, function.span,
                        "another algorithm stands beside this one: that counts");
        last = object->values[i];
        function = text_slice(key, sizeof start - 1, key.length - (sizeof start - 1));
        if (last->kind != JSON_OBJECT)
            MPICH_FATAL(reader, last->text.span,
                        "an algorithm is followed by {}: MPI_Init ends the job");
    }
    if (last)
        read_algorithm(reader, last, function, path);
}

static bool is_leaf(MpichReader *reader, const JsonValue *object)
{
    bool found = false;
    for (size_t i = 0; i < object->count && !found; i++) {
        const Text key = mpich_key(reader, object->keys[i]->text);
        found = mpich_begins(key, "algorithm=") || mpich_begins(key, "composition=");
    }
    return found;
}

/* Which collective "collective=bcast" is about; false: the way ends here. */
static bool read_collective(MpichReader *reader, Text key, MpichPath *in)
{
    static const char start[] = "collective=";
    const Text name = text_slice(key, sizeof start - 1, key.length - (sizeof start - 1));
    const int collective = mpich_collective(name);
    if (collective == MPICH_COUNT) {
        MPICH_FATAL(reader, key.span, "MPICH has no such collective: MPI_Init ends the job");
        return false;
    }
    if (in->collective != MPICH_COUNT) {
        MPICH_FAULT(reader, DEAD, key.span, "the collective was said before");
        return collective == in->collective;
    }
    reader->seen[collective] = true;
    in->collective = collective;
    return true;
}

/* The calls that no key of an object takes: they end the job. */
static void check_rest(MpichReader *reader, const MpichPath *rest, const MpichTest *last, Text key)
{
    if (!last)
        return;
    if (!last->ends) {
        MPICH_FATAL(reader, key.span, "such a chain must end in \"any\": MPI_Init ends the job");
        return;
    }
    const bool can_be = rest->facts[FACT_WITHIN] != NO || rest->collective == MPICH_COUNT ||
                        mpich_has_test(rest->collective, 'X');
    if (rest->is_nowhere || rest->collective == MPICH_COUNT || !can_be)
        return;
    MPICH_FAULT(reader, ABORTS, key.span,
                "calls for which neither this nor what stands before holds end the job");
    if (!rest->is_elsewhere && rest->collective < MPICH_BLOCKING) {
        TuningRule *rule = ARRAY_PUSH(reader->arena, &reader->file->rules);
        *rule = rest->rule;
        rule->collective = rest->collective;
        rule->algorithm = -1;
        rule->aborts_from = 1;
        rule->span = key.span;
    }
}

/* A key is compared with so many others: files of people have a few. */
enum { MOST_COMPARED = 1024 };

/* Does the key stand further down again? Its value counts here then. */
static const JsonValue *last_value(MpichReader *reader, const JsonValue *object, size_t place)
{
    const Text key = object->keys[place]->text;
    const JsonValue *found = object->values[place];
    const size_t end =
        object->count < place + MOST_COMPARED ? object->count : place + MOST_COMPARED;
    for (size_t i = end; i > place + 1; i--)
        if (text_same(object->keys[i - 1]->text, key)) {
            MPICH_FAULT(reader, DEAD, key.span,
                        "this key stands again further down: what it has there counts");
            return object->values[i - 1];
        }
    return found;
}

static bool stands_before(const JsonValue *object, size_t place)
{
    for (size_t i = place > MOST_COMPARED ? place - MOST_COMPARED : 0; i < place; i++)
        if (text_same(object->keys[i]->text, object->keys[place]->text))
            return true;
    return false;
}

/* One key of an object, to which calls get unless it is dead, with its value; `rest` is left with
   the calls for which it does not hold. */
static const MpichTest *read_member(MpichReader *reader, const JsonValue *object, size_t place,
                                    bool is_dead, MpichPath *rest)
{
    const Text key = mpich_key(reader, object->keys[place]->text);
    const JsonValue *value = last_value(reader, object, place);
    const MpichTest *test = mpich_find_test(reader, key);
    MpichPath in;
    if (!test) {
        MPICH_FATAL(reader, key.span,
                    "MPICH %s does not know this condition: MPI_Init ends the job",
                    reader->version);
        return NULL;
    }
    const bool was_nowhere = rest->is_nowhere;
    const bool is_good = value->kind == JSON_OBJECT && value->count > 0;
    if (!is_good)
        MPICH_FATAL(reader, value->text.span,
                    "a condition is followed by an object with something in it: "
                    "MPI_Init ends the job");
    mpich_split(reader, test, key, &in, rest);
    if (in.is_nowhere && !is_dead && !reader->file->is_fatal)
        MPICH_FAULT(reader, DEAD, key.span,
                    was_nowhere ? "what stands before takes all calls" : "no call gets here");
    if (!is_good)
        return test;
    if (test->kind != TEST_COLLECTIVE || read_collective(reader, key, &in))
        read_object(reader, value, in);
    return test;
}

static void read_object(MpichReader *reader, const JsonValue *object, MpichPath path)
{
    const MpichTest *last = NULL;
    const bool is_dead = path.is_nowhere;
    Text last_key = {0};
    if (is_leaf(reader, object)) {
        read_leaf(reader, object, &path);
        return;
    }
    for (size_t i = 0; i < object->count; i++) {
        if (stands_before(object, i))
            continue;
        last_key = mpich_key(reader, object->keys[i]->text);
        if (last && mpich_is_any(last))
            MPICH_FATAL(reader, last_key.span, "nothing can follow \"any\": MPI_Init ends the job");
        last = read_member(reader, object, i, is_dead, &path);
    }
    check_rest(reader, &path, last, last_key);
}

/* Collectives without anything: their calls end the job. */
static void check_missing(MpichReader *reader)
{
    enum { MOST_NAMED = 8 };
    const char *missing = "";
    int count = 0;
    for (int i = 0; i < MPICH_COUNT; i++) {
        if (reader->seen[i])
            continue;
        if (count++ < MOST_NAMED)
            missing = arena_printf(reader->arena, "%s%s%s", missing, *missing ? ", " : "",
                                   mpich_collectives[i].name);
        if (i < MPICH_BLOCKING)
            *ARRAY_PUSH(reader->arena, &reader->file->rules) =
                (TuningRule){.collective = i,
                             .below_ranks = INT64_MAX,
                             .below_size = INT64_MAX,
                             .algorithm = -1,
                             .aborts_from = 1,
                             .span = {reader->source, 0, 0}};
    }
    if (count > MOST_NAMED)
        missing = arena_printf(reader->arena, "%s and %d more", missing, count - MOST_NAMED);
    if (count)
        MPICH_FAULT(
            reader, ABORTS, ((Span){reader->source, reader->source->length, 0}),
            "the file takes the place of all that MPICH knows, and has nothing for %s: such calls "
            "end the job",
            missing);
}

TuningFile mpich_read(Arena *arena, const Source *source, const Implementation *library,
                      const char *version)
{
    TuningFile file = {0};
    MpichReader place = {.arena = arena,
                         .source = source,
                         .library = library,
                         .version = version,
                         .number = mpich_version(version),
                         .file = &file},
                *reader = &place;
    JsonFault fault;
    const JsonValue *tree =
        json_tree_parse(arena, source, (JsonDialect){.is_lenient = true, .depth = 32}, &fault);
    const MpichPath all = {.collective = MPICH_COUNT,
                           .rule = {.below_ranks = INT64_MAX, .below_size = INT64_MAX}};
    if (!tree)
        MPICH_FATAL(reader, fault.span,
                    "%s: this is no JSON, and MPI_Init ends the job without saying so", fault.text);
    else if (tree->kind != JSON_OBJECT)
        MPICH_FATAL(reader, tree->text.span, "the file has to be an object: MPI_Init ends the job");
    else
        read_object(reader, tree, all);
    if (tree && tree->kind == JSON_OBJECT)
        check_missing(reader);
    tuning_sort(&file);
    return file;
}
