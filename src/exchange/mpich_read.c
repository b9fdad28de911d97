/* MPICH's tuning files (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE), as src/mpi/coll/src/csel.c of
   MPICH 4.0 to 5.0 reads them with json-c: objects in one another whose keys are conditions, tried
   in order, down to an algorithm. */
#include "exchange/json_tree.h"
#include "exchange/mpich.h"

#include <string.h>

static void read_object(MpichReader *reader, const JsonValue *object, MpichPath path);

/* What an algorithm asks of calls, and what its place does not say. */
static void check_needs(MpichReader *reader, const MpichPath *path, const char *function,
                        TuningRule *rule)
{
    const Span span = rule->span;
    const MpichNeeds *needs = mpich_needs(function);
    const char letter = needs ? *needs->needs : 0;
    TuningReader *in = reader->in;
    if (letter == 'P' && path->facts[FACT_POWER] != YES) {
        rule->aborts_off_power = true;
        tuning_fault(in, FAULT(POWERS), span);
    } else if (letter == 'F' && path->facts[FACT_MANY] != YES) {
        rule->aborts_if_few = true;
        tuning_fault(in, FAULT(FEW), span);
    } else if (letter == 'F' && path->facts[FACT_BUILT_IN] != YES) {
        tuning_fault(in, FAULT(OWN), span);
    } else if (letter == 'C' && path->facts[FACT_COMMUTATIVE] != YES) {
        tuning_fault(in, FAULT(COMMUTING), span);
    } else if (letter == 'I' && path->facts[FACT_IN_PLACE] != YES) {
        tuning_fault(in, FAULT(IN_PLACE), span);
    } else if (letter == 'O' && path->facts[FACT_IN_PLACE] != NO) {
        tuning_fault(in, FAULT(NOT_IN_PLACE), span);
    } else if (letter == 'H' && path->facts[FACT_PARENT] != YES) {
        rule->aborts_from = 1;
        tuning_fault(in, FAULT(PARENT), span);
    }
}

/* Parameters that are left to chance. */
static void check_parameters(MpichReader *reader, const JsonValue *given, const char *function,
                             Span span)
{
    const char *list = mpich_parameters(function);
    for (Text name; mpich_next_word(&list, &name);) {
        bool is_given = false;
        for (size_t i = 0; i < given->count; i++) {
            const Text key = mpich_key(reader, given->keys[i]->text);
            is_given |= key.length > name.length && key.chars[name.length] == '=' &&
                        text_same(text_slice(key, 0, name.length), name);
        }
        if (!is_given)
            tuning_fault(reader->in, FAULT(PARAMETER), span, TEXT_ARGS(name), TEXT_ARGS(name));
    }
}

/* Whether an algorithm is one of the collective, for calls such as these. */
static void check_place(MpichReader *reader, const MpichPath *path, int collective,
                        const char *name, TuningRule *rule)
{
    const Span span = rule->span;
    const bool is_inter = strncmp(name, "inter_", 6) == 0;
    const bool is_intra = strncmp(name, "intra_", 6) == 0;
    const bool may_be_inter =
        path->facts[FACT_WITHIN] != YES && mpich_has_test(path->collective, 'X');
    if (collective != path->collective) {
        rule->aborts_from = 1;
        tuning_fault(reader->in, FAULT(OTHERS), span, mpich_collectives[path->collective].name);
    } else if (is_inter && path->facts[FACT_WITHIN] != NO) {
        tuning_fault(reader->in, FAULT(BETWEEN), span);
    } else if (is_intra && may_be_inter && collective != MPICH_scan) {
        tuning_fault(reader->in, FAULT(WITHIN), span);
    }
}

static void read_algorithm(MpichReader *reader, const JsonValue *given, Text function,
                           const MpichPath *path)
{
    const char *name = "";
    int from = 0, to = 0;
    const int collective = mpich_algorithm(function, &name, &from, &to);
    if (collective == MPICH_COUNT) {
        tuning_fault(reader->in, FAULT(NO_FUNCTION), function.span);
        return;
    }
    if (reader->number < from || reader->number > to) {
        tuning_fault(reader->in, FAULT(OTHER_VERSION), function.span, reader->in->version);
        return;
    }
    if (path->collective == MPICH_COUNT) {
        tuning_fault(reader->in, FAULT(HIGH), function.span);
        return;
    }
    if (path->is_nowhere)
        return;
    TuningRule rule = path->rule;
    rule.collective = path->collective;
    rule.algorithm = -1;
    rule.span = function.span;
    if (!path->is_unclear && strncmp(name, "intra_", 6) == 0)
        rule.runs = tuned_named(reader->in, collective, text_plain(name + 6));
    check_place(reader, path, collective, name, &rule);
    if (collective == path->collective) {
        check_needs(reader, path, function.chars, &rule);
        check_parameters(reader, given, function.chars, function.span);
    }
    if (!path->is_elsewhere && path->collective < MPICH_BLOCKING)
        *ARRAY_PUSH(reader->in->arena, &reader->in->file->rules) = rule;
}

/* The last of the algorithms of an object; other keys are none beside them. */
static void read_leaf(MpichReader *reader, const JsonValue *object, const MpichPath *path)
{
    static const char start[] = "algorithm=";
    const JsonValue *last = NULL;
    Text function = {0};
    for (size_t i = 0; i < object->count; i++) {
        const Text key = mpich_key(reader, object->keys[i]->text);
        if (!text_begins(key, start)) {
            if (text_begins(key, "composition="))
                tuning_fault(reader->in, FAULT(COMPOSITION), key.span);
            else
                tuning_fault(reader->in, FAULT(LEAF), key.span);
            continue;
        }
        if (last)
            tuning_fault(reader->in, FAULT(LAST), function.span);
        last = object->values[i];
        function = text_behind(key, sizeof start - 1);
        if (last->kind != JSON_OBJECT)
            tuning_fault(reader->in, FAULT(NO_BRACES), last->text.span);
    }
    if (last)
        read_algorithm(reader, last, function, path);
}

/* Which collective "collective=bcast" is about; false: the way ends here. */
static bool read_collective(MpichReader *reader, Text key, MpichPath *in)
{
    static const char start[] = "collective=";
    const Text name = text_behind(key, sizeof start - 1);
    const int collective = tuned_collective(mpich_collectives, MPICH_COUNT, name);
    if (collective == MPICH_COUNT)
        return tuning_fault(reader->in, FAULT(NO_COLLECTIVE), key.span);
    if (in->collective != MPICH_COUNT) {
        tuning_fault(reader->in, FAULT(SAID), key.span);
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
        tuning_fault(reader->in, FAULT(NO_ANY), key.span);
        return;
    }
    const bool can_be = rest->facts[FACT_WITHIN] != NO || rest->collective == MPICH_COUNT ||
                        mpich_has_test(rest->collective, 'X');
    if (rest->is_nowhere || rest->collective == MPICH_COUNT || !can_be)
        return;
    tuning_fault(reader->in, FAULT(OPEN), key.span);
    if (!rest->is_elsewhere && rest->collective < MPICH_BLOCKING) {
        TuningRule *rule = ARRAY_PUSH(reader->in->arena, &reader->in->file->rules);
        *rule = rest->rule;
        rule->collective = rest->collective;
        rule->algorithm = -1;
        rule->aborts_from = 1;
        rule->span = key.span;
    }
}

/* Does the key stand further down again? Its value counts here then. */
static const JsonValue *last_value(MpichReader *reader, const JsonValue *object, size_t place)
{
    const Text key = object->keys[place]->text;
    const JsonValue *found = object->values[place];
    const size_t end =
        object->count < place + MOST_COMPARED ? object->count : place + MOST_COMPARED;
    for (size_t i = end; i > place + 1; i--)
        if (text_same(object->keys[i - 1]->text, key)) {
            tuning_fault(reader->in, FAULT(AGAIN), key.span);
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
        tuning_fault(reader->in, FAULT(NO_CONDITION), key.span, reader->in->version);
        return NULL;
    }
    const bool was_nowhere = rest->is_nowhere;
    const bool is_good = value->kind == JSON_OBJECT && value->count > 0;
    if (!is_good)
        tuning_fault(reader->in, FAULT(NO_MEMBER), value->text.span);
    mpich_split(reader, test, key, &in, rest);
    const bool is_told = in.is_nowhere && !is_dead && !reader->in->file->is_fatal;
    if (is_told && was_nowhere)
        tuning_fault(reader->in, FAULT(TAKEN), key.span);
    else if (is_told)
        tuning_fault(reader->in, FAULT(NO_CALLS), key.span);
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
    bool is_leaf = false;
    for (size_t i = 0; i < object->count && !is_leaf; i++) {
        const Text key = mpich_key(reader, object->keys[i]->text);
        is_leaf = text_begins(key, "algorithm=") || text_begins(key, "composition=");
    }
    if (is_leaf) {
        read_leaf(reader, object, &path);
        return;
    }
    for (size_t i = 0; i < object->count; i++) {
        if (stands_before(object, i))
            continue;
        last_key = mpich_key(reader, object->keys[i]->text);
        if (last && mpich_is_any(last))
            tuning_fault(reader->in, FAULT(AFTER_ANY), last_key.span);
        last = read_member(reader, object, i, is_dead, &path);
    }
    check_rest(reader, &path, last, last_key);
}

/* Collectives without anything: their calls end the job. */
static void check_missing(MpichReader *reader)
{
    const Source *source = reader->in->source;
    enum { MOST_NAMED = 8 };
    const char *missing = "";
    int count = 0;
    for (int i = 0; i < MPICH_COUNT; i++) {
        if (reader->seen[i])
            continue;
        if (count++ < MOST_NAMED)
            missing = arena_printf(reader->in->arena, "%s%s%s", missing, *missing ? ", " : "",
                                   mpich_collectives[i].name);
        if (i < MPICH_BLOCKING)
            *ARRAY_PUSH(reader->in->arena, &reader->in->file->rules) =
                (TuningRule){.collective = i,
                             .below_ranks = INT64_MAX,
                             .below_size = INT64_MAX,
                             .algorithm = -1,
                             .aborts_from = 1,
                             .span = {source, 0, 0}};
    }
    if (count > MOST_NAMED)
        missing = arena_printf(reader->in->arena, "%s and %d more", missing, count - MOST_NAMED);
    if (count)
        tuning_fault(reader->in, FAULT(MISSING), (Span){source, source->length, 0}, missing);
}

void mpich_read(TuningReader *in)
{
    MpichReader state = {.in = in, .number = mpich_version(in->version)}, *reader = &state;
    JsonFault fault;
    const JsonValue *tree = json_tree_parse(in->arena, in->source,
                                            (JsonDialect){.is_lenient = true, .depth = 32}, &fault);
    const MpichPath all = {.collective = MPICH_COUNT,
                           .rule = {.below_ranks = INT64_MAX, .below_size = INT64_MAX}};
    if (!tree) {
        tuning_fault(in, FAULT(NO_TREE), fault.span, fault.text);
    } else if (tree->kind != JSON_OBJECT) {
        tuning_fault(in, FAULT(NO_ROOT), tree->text.span);
    } else {
        read_object(reader, tree, all);
        check_missing(reader);
    }
}
