#include "exchange/mpich_read.h"

#include "exchange/json_tree.h"
#include "exchange/mpich.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a place of the tree knows of the calls that get there. */
typedef enum {
    FACT_WITHIN,      /* one group, not between two */
    FACT_PARENT,      /* on several nodes, on some of which there are several ranks */
    FACT_ON_NODE,     /* all on one node */
    FACT_CONSECUTIVE, /* ranks of a node follow one another */
    FACT_THREADED,
    FACT_COMMUTATIVE,
    FACT_BUILT_IN,
    FACT_IN_PLACE,
    FACT_REGULAR,
    FACT_POWER, /* ranks are a power of two */
    FACT_MANY,  /* as many elements as the largest power of two in p, or more */
    FACT_COUNT
} Fact;
typedef enum { EITHER, YES, NO } Known;

/* Of the calls that rules are for. */
static const Known usual[FACT_COUNT] = {
    [FACT_WITHIN] = YES,     [FACT_PARENT] = NO,   [FACT_ON_NODE] = NO,
    [FACT_CONSECUTIVE] = NO, [FACT_THREADED] = NO, [FACT_COMMUTATIVE] = YES,
    [FACT_BUILT_IN] = YES,   [FACT_IN_PLACE] = NO, [FACT_REGULAR] = YES};

/* A way down the tree. */
typedef struct {
    int collective; /* MPICH_COUNT: not said yet */
    Known facts[FACT_COUNT];
    TuningRule rule;   /* its conditions */
    bool is_elsewhere; /* usual calls do not get here */
    bool is_nowhere;   /* no calls do */
    bool is_searched;  /* behind a condition that is no communicator's */
    bool is_unclear;   /* behind one that is not followed here */
} Path;

typedef enum {
    TEST_FACT,
    TEST_HIERARCHY, /* a kind of communicator that is never usual */
    TEST_RANKS,
    TEST_PPN, /* mean ranks of a node */
    TEST_AVERAGE,
    TEST_TOTAL,
    TEST_ELEMENTS,
    TEST_ANY,
    TEST_COLLECTIVE
} TestKind;

typedef struct {
    const char *text; /* a condition, or its beginning where a number follows */
    TestKind kind;
    char letter; /* in mpich.def; 0: of communicators, -: of all calls */
    Fact fact;
    Known known;
    bool has_number, is_below; /* is_below: <, else <= */
    bool ends;                 /* with it a chain can end: it is "any", or has two values */
} Test;

static const Test tests[] = {
    {"collective=", TEST_COLLECTIVE, 0, 0, 0, true, false, true},
    {"comm_type=intra", TEST_FACT, 0, FACT_WITHIN, YES, false, false, true},
    {"comm_type=inter", TEST_FACT, 0, FACT_WITHIN, NO, false, false, true},
    {"comm_hierarchy=parent", TEST_FACT, 0, FACT_PARENT, YES, false, false, true},
    {"comm_hierarchy=flat", TEST_FACT, 0, FACT_PARENT, NO, false, false, true},
    {"comm_hierarchy=node_roots", TEST_HIERARCHY, 0, 0, 0, false, false, true},
    {"comm_hierarchy=node", TEST_HIERARCHY, 0, 0, 0, false, false, true},
    {"is_node_consecutive=yes", TEST_FACT, 0, FACT_CONSECUTIVE, YES, false, false, true},
    {"is_node_consecutive=no", TEST_FACT, 0, FACT_CONSECUTIVE, NO, false, false, true},
    {"comm_size=pow2", TEST_FACT, 0, FACT_POWER, YES, false, false, false},
    {"comm_size=node_comm_size", TEST_FACT, 0, FACT_ON_NODE, YES, false, false, false},
    {"comm_size<=", TEST_RANKS, 0, 0, 0, true, false, false},
    {"comm_size<", TEST_RANKS, 0, 0, 0, true, true, false},
    {"comm_avg_ppn<=", TEST_PPN, 0, 0, 0, true, false, false},
    {"comm_avg_ppn<", TEST_PPN, 0, 0, 0, true, true, false},
    {"is_multi_threaded=yes", TEST_FACT, '-', FACT_THREADED, YES, false, false, true},
    {"is_multi_threaded=no", TEST_FACT, '-', FACT_THREADED, NO, false, false, true},
    {"avg_msg_size<=", TEST_AVERAGE, 'A', 0, 0, true, false, false},
    {"avg_msg_size<", TEST_AVERAGE, 'A', 0, 0, true, true, false},
    {"total_msg_size<=", TEST_TOTAL, 'T', 0, 0, true, false, false},
    {"total_msg_size<", TEST_TOTAL, 'T', 0, 0, true, true, false},
    {"count<=", TEST_ELEMENTS, 'N', 0, 0, true, false, false},
    {"count<pow2", TEST_FACT, 'N', FACT_MANY, NO, false, false, false},
    {"is_commutative=yes", TEST_FACT, 'C', FACT_COMMUTATIVE, YES, false, false, true},
    {"is_commutative=no", TEST_FACT, 'C', FACT_COMMUTATIVE, NO, false, false, true},
    {"is_op_built_in=yes", TEST_FACT, 'B', FACT_BUILT_IN, YES, false, false, true},
    {"is_op_built_in=no", TEST_FACT, 'B', FACT_BUILT_IN, NO, false, false, true},
    {"is_sendbuf_inplace=yes", TEST_FACT, 'I', FACT_IN_PLACE, YES, false, false, true},
    {"is_sendbuf_inplace=no", TEST_FACT, 'I', FACT_IN_PLACE, NO, false, false, true},
    {"is_block_regular=yes", TEST_FACT, 'R', FACT_REGULAR, YES, false, false, true},
    {"is_block_regular=no", TEST_FACT, 'R', FACT_REGULAR, NO, false, false, true},
};
enum { TEST_COUNT = sizeof tests / sizeof *tests };

/* Conditions that always hold; MPICH 4.2 and later take any other that ends so. */
static const char *const any_tests[] = {"comm_size=any", "comm_hierarchy=any", "avg_msg_size=any",
                                        "total_msg_size=any", "count=any"};
static const Test any_test = {"any", TEST_ANY, 0, 0, 0, false, false, true};
/* Before 4.2 more can follow this one, to no effect. */
static const Test any_hierarchy_test = {
    "comm_hierarchy=any", TEST_ANY, 0, 0, 0, false, false, true};

typedef struct {
    Arena *arena;
    const Source *source;
    const Implementation *library;
    const char *version;
    int number; /* of the version: 401 */
    TuningFile *file;
    bool seen[MPICH_COUNT];
} Reader;

#define FAULT(effect, span, ...)                                                                   \
    tuning_find_fault(reader->arena, reader->file, TUNING_##effect, span, __VA_ARGS__)

/* MPI_Init ends the job. */
#define FATAL(span, ...)                                                                           \
    do {                                                                                           \
        reader->file->is_fatal = true;                                                             \
        FAULT(ABORTS, span, __VA_ARGS__);                                                          \
    } while (0)

static void read_object(Reader *reader, const JsonValue *object, Path path);

/* Keys count without their blanks. */
static Text without_blanks(Reader *reader, Text key)
{
    char *chars = ARENA_ARRAY(reader->arena, char, key.length + 1);
    size_t length = 0;
    for (size_t i = 0; i < key.length; i++)
        if (!isspace((unsigned char)key.chars[i]))
            chars[length++] = key.chars[i];
    return (Text){chars, length, key.span, false};
}

static bool begins(Text text, const char *start)
{
    const size_t length = strlen(start);
    return text.length >= length && memcmp(text.chars, start, length) == 0;
}

static bool ends(Text text, const char *end)
{
    const size_t length = strlen(end);
    return text.length >= length && memcmp(text.chars + text.length - length, end, length) == 0;
}

static const Test *find_test(const Reader *reader, Text key)
{
    if (text_equals(key, any_hierarchy_test.text) && reader->number < 402)
        return &any_hierarchy_test;
    for (size_t i = 0; i < sizeof any_tests / sizeof *any_tests; i++)
        if (text_equals(key, any_tests[i]))
            return &any_test;
    for (int i = 0; i < TEST_COUNT; i++)
        if (tests[i].has_number ? begins(key, tests[i].text) : text_equals(key, tests[i].text))
            return tests[i].kind == TEST_PPN && tests[i].is_below && reader->number < 402
                       ? NULL
                       : &tests[i];
    return reader->number >= 402 && (text_equals(key, "any") || ends(key, "=any")) ? &any_test
                                                                                   : NULL;
}

/* The number behind a condition, as atoi takes it into an int. */
static int64_t read_limit(Reader *reader, Text key, size_t from)
{
    const char *text = key.chars + from;
    char *end;
    const long long value = strtoll(text, &end, 10);
    const int limit = (int)(unsigned int)(unsigned long long)value;
    if (end == text || *end)
        FAULT(MISREAD, key.span,
              "this is read as %d: numbers have no suffixes, exponents or separators", limit);
    else if (value != limit)
        FAULT(MISREAD, key.span, "this does not fit in 32 bits: it is read as %d", limit);
    return limit;
}

/* The ways of the calls for which a fact is known, and of the others. */
static void split_fact(Fact fact, Known known, Path *in, Path *others)
{
    const Known before = in->facts[fact];
    in->is_nowhere |= before != EITHER && before != known;
    others->is_nowhere |= before == known;
    in->facts[fact] = known;
    others->facts[fact] = known == YES ? NO : YES;
    in->is_elsewhere |= usual[fact] != EITHER && usual[fact] != known;
    others->is_elsewhere |= usual[fact] == known;
    if (fact == FACT_POWER)
        in->rule.needs_power = true;
    if (fact == FACT_MANY)
        in->rule.needs_few = true;
}

/* The ways of calls below a limit of a range, and of the others. */
static void split_range(int64_t below, int64_t *in_from, int64_t *in_below, int64_t *others_from,
                        Path *in, Path *others)
{
    in->is_nowhere |= below <= *in_from;
    others->is_nowhere |= below >= *in_below && *in_below != INT64_MAX;
    *in_below = below < *in_below ? below : *in_below;
    *others_from = below > *others_from ? below : *others_from;
}

static void split_ranks(Reader *reader, const Test *test, Text key, Path *in, Path *others)
{
    int64_t below = read_limit(reader, key, strlen(test->text)) + !test->is_below;
    if (test->is_below && in->is_searched) {
        below++;
        FAULT(MISREAD, key.span,
              "below a condition on the call this is read as comm_size<=: put conditions on the "
              "communicator first");
    }
    split_range(below, &in->rule.from_ranks, &in->rule.below_ranks, &others->rule.from_ranks, in,
                others);
}

/* How one rank sees a size that others may see differently. */
static void check_size(Reader *reader, const Path *path, Text key)
{
    const int collective = path->collective;
    if (path->facts[FACT_WITHIN] == NO)
        return;
    if (collective == MPICH_gather || collective == MPICH_scatter)
        FAULT(CRASHES, key.span,
              "the size is counted in elements, by what each rank says itself, which means nothing "
              "at a root with MPI_IN_PLACE: ranks can run different algorithms");
    else if (collective == MPICH_alltoallv || collective == MPICH_alltoallw)
        FAULT(CRASHES, key.span,
              "each rank looks up what it sends itself: ranks can run different algorithms");
}

static void split_size(Reader *reader, const Test *test, Text key, Path *in, Path *others)
{
    const int64_t below = read_limit(reader, key, strlen(test->text)) + !test->is_below;
    const bool is_average = mpich_has_test(in->collective, 'A');
    check_size(reader, in, key);
    if (is_average == (test->kind == TEST_AVERAGE)) {
        split_range(below, &in->rule.from_size, &in->rule.below_size, &others->rule.from_size, in,
                    others);
        return;
    }
    const int64_t before = in->rule.below_total;
    in->is_nowhere |= below <= 0;
    in->rule.below_total = before && before < below ? before : below;
}

/* Whether conditions on messages have a value here; else calls that get there end the job. */
static bool is_defined(Reader *reader, const Test *test, Text key, Path *in, Path *others)
{
    if (!test->letter || test->letter == '-' || mpich_has_test(in->collective, test->letter))
        return true;
    FAULT(ABORTS, key.span, "MPICH does not know this of %s: calls that get here end the job",
          mpich_collectives[in->collective].name);
    in->rule.aborts_from = others->rule.aborts_from = 1;
    return false;
}

/* The ways of the calls for which a condition holds, and of the others. */
static void split(Reader *reader, const Test *test, Text key, Path *in, Path *others)
{
    *in = *others;
    if (test->letter && in->collective == MPICH_COUNT && test->letter != '-') {
        FATAL(key.span, "above the collectives only communicators have conditions: MPI_Init ends "
                        "the job");
        return;
    }
    if (!is_defined(reader, test, key, in, others))
        return;
    in->is_searched |= test->letter != 0;
    others->is_searched |= test->letter != 0;
    switch (test->kind) {
    case TEST_FACT:
        split_fact(test->fact, test->known, in, others);
        break;
    case TEST_HIERARCHY:
        in->is_elsewhere = true;
        break;
    case TEST_RANKS:
        split_ranks(reader, test, key, in, others);
        break;
    case TEST_PPN:
        /* from 5.0 on it is for communicators with several ranks on a node only */
        if (reader->number < 500 &&
            read_limit(reader, key, strlen(test->text)) + !test->is_below > 1)
            others->is_elsewhere = true;
        else
            in->is_elsewhere = true;
        break;
    case TEST_AVERAGE:
    case TEST_TOTAL:
        split_size(reader, test, key, in, others);
        break;
    case TEST_ELEMENTS:
        in->rule.below_elements = read_limit(reader, key, strlen(test->text)) + 1;
        in->is_nowhere |= in->rule.below_elements <= 0;
        break;
    case TEST_ANY:
        others->is_nowhere = true;
        break;
    case TEST_COLLECTIVE:
        break;
    }
    /* of these the count is that of all ranks */
    if (test->letter == 'N' &&
        (in->collective == MPICH_reduce_scatter || in->collective == MPICH_allgatherv))
        in->is_unclear = others->is_unclear = true;
}

/* The algorithm in models/libraries; NULL: it is not there. */
static const LibraryAlgorithm *find_algorithm(const Reader *reader, int collective,
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
static void check_needs(Reader *reader, const Path *path, const char *function, Span span,
                        TuningRule *rule)
{
    const MpichNeeds *needs = mpich_needs(function);
    const char letter = needs ? *needs->needs : 0;
    if (letter == 'P' && path->facts[FACT_POWER] != YES) {
        rule->aborts_off_power = true;
        FAULT(ABORTS, span,
              "this is for powers of two: on other numbers of ranks it ends the job; put it below "
              "comm_size=pow2");
    } else if (letter == 'F' && path->facts[FACT_MANY] != YES) {
        rule->aborts_if_few = true;
        FAULT(ABORTS, span,
              "with fewer elements than the largest power of two in p this ends the job: put it "
              "behind count<pow2");
    } else if (letter == 'F' && path->facts[FACT_BUILT_IN] != YES) {
        FAULT(CRASHES, span, "this is for MPI's own operations: put it below is_op_built_in=yes");
    } else if (letter == 'C' && path->facts[FACT_COMMUTATIVE] != YES) {
        FAULT(CRASHES, span,
              "with operations that do not commute the result is wrong: put it below "
              "is_commutative=yes");
    } else if (letter == 'I' && path->facts[FACT_IN_PLACE] != YES) {
        FAULT(CRASHES, span,
              "this sends what is in the receive buffer: put it below is_sendbuf_inplace=yes");
    } else if (letter == 'O' && path->facts[FACT_IN_PLACE] != NO) {
        FAULT(CRASHES, span,
              "with MPI_IN_PLACE there is nothing to send: put it below is_sendbuf_inplace=no");
    } else if (letter == 'H' && path->facts[FACT_PARENT] != YES) {
        rule->aborts_from = 1;
        FAULT(ABORTS, span,
              "this ends the job but where nodes have several ranks: put it below "
              "comm_hierarchy=parent");
    }
}

/* Parameters that are left to chance. */
static void check_parameters(Reader *reader, const JsonValue *given, const char *function,
                             Span span)
{
    for (const char *list = mpich_parameters(function); *list;) {
        const size_t length = strcspn(list, " ");
        bool is_given = false;
        for (size_t i = 0; i < given->count; i++) {
            const Text key = without_blanks(reader, given->keys[i]->text);
            is_given |= key.length > length && memcmp(key.chars, list, length) == 0 &&
                        key.chars[length] == '=';
        }
        if (!is_given)
            FAULT(
                CRASHES, span,
                "%.*s is not said, and MPICH takes what it finds in its memory: add \"%.*s=...\": "
                "{}",
                (int)length, list, (int)length, list);
        list += length + (list[length] == ' ');
    }
}

/* Whether an algorithm is one of the collective, for calls such as these. */
static void check_place(Reader *reader, const Path *path, int collective, const char *name,
                        Span span, TuningRule *rule)
{
    const bool is_inter = strncmp(name, "inter_", 6) == 0;
    const bool is_intra = strncmp(name, "intra_", 6) == 0;
    const bool may_be_inter =
        path->facts[FACT_WITHIN] != YES && mpich_has_test(path->collective, 'X');
    if (collective != path->collective) {
        rule->aborts_from = 1;
        FAULT(ABORTS, span, "this is no algorithm of %s: calls that get here end the job",
              mpich_collectives[path->collective].name);
    } else if (is_inter && path->facts[FACT_WITHIN] != NO) {
        FAULT(CRASHES, span, "this is for calls between two groups: put it below comm_type=inter");
    } else if (is_intra && may_be_inter && collective != MPICH_scan) {
        FAULT(CRASHES, span, "this is for calls within one group: put it below comm_type=intra");
    }
}

static void read_algorithm(Reader *reader, const JsonValue *given, Text function, const Path *path)
{
    const char *name = "";
    int from = 0, to = 0;
    const int collective = mpich_algorithm(function, &name, &from, &to);
    if (collective == MPICH_COUNT) {
        FATAL(function.span, "MPICH has no such algorithm: MPI_Init ends the job");
        return;
    }
    if (reader->number < from || reader->number > to) {
        FATAL(function.span, "MPICH %s does not have this algorithm: MPI_Init ends the job",
              reader->version);
        return;
    }
    if (path->collective == MPICH_COUNT) {
        FATAL(function.span, "this algorithm is not below a collective: MPI_Init ends the job");
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
static void read_leaf(Reader *reader, const JsonValue *object, const Path *path)
{
    static const char start[] = "algorithm=";
    const JsonValue *last = NULL;
    Text function = {0};
    for (size_t i = 0; i < object->count; i++) {
        const Text key = without_blanks(reader, object->keys[i]->text);
        if (!begins(key, start)) {
            FATAL(key.span, "%s: MPI_Init ends the job",
                  begins(key, "composition=") ? "compositions are for the file of "
                                                "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"
                                              : "beside an algorithm there can be no conditions");
            continue;
        }
        if (last)
            FAULT(REPLACED, function.span, "another algorithm stands beside this one: that counts");
        last = object->values[i];
        function = text_slice(key, sizeof start - 1, key.length - (sizeof start - 1));
        if (last->kind != JSON_OBJECT)
            FATAL(last->text.span, "an algorithm is followed by {}: MPI_Init ends the job");
    }
    if (last)
        read_algorithm(reader, last, function, path);
}

static bool is_leaf(Reader *reader, const JsonValue *object)
{
    bool found = false;
    for (size_t i = 0; i < object->count && !found; i++) {
        const Text key = without_blanks(reader, object->keys[i]->text);
        found = begins(key, "algorithm=") || begins(key, "composition=");
    }
    return found;
}

/* Which collective "collective=bcast" is about; false: the way ends here. */
static bool read_collective(Reader *reader, Text key, Path *in)
{
    static const char start[] = "collective=";
    const Text name = text_slice(key, sizeof start - 1, key.length - (sizeof start - 1));
    const int collective = mpich_collective(name);
    if (collective == MPICH_COUNT) {
        FATAL(key.span, "MPICH has no such collective: MPI_Init ends the job");
        return false;
    }
    if (in->collective != MPICH_COUNT) {
        FAULT(DEAD, key.span, "the collective was said before");
        return collective == in->collective;
    }
    reader->seen[collective] = true;
    in->collective = collective;
    return true;
}

/* The calls that no key of an object takes: they end the job. */
static void check_rest(Reader *reader, const Path *rest, const Test *last, Text key)
{
    if (!last)
        return;
    if (!last->ends) {
        FATAL(key.span, "such a chain must end in \"any\": MPI_Init ends the job");
        return;
    }
    const bool can_be = rest->facts[FACT_WITHIN] != NO || rest->collective == MPICH_COUNT ||
                        mpich_has_test(rest->collective, 'X');
    if (rest->is_nowhere || rest->collective == MPICH_COUNT || !can_be)
        return;
    FAULT(ABORTS, key.span,
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
static const JsonValue *last_value(Reader *reader, const JsonValue *object, size_t place)
{
    const Text key = object->keys[place]->text;
    const JsonValue *found = object->values[place];
    const size_t end =
        object->count < place + MOST_COMPARED ? object->count : place + MOST_COMPARED;
    for (size_t i = end; i > place + 1; i--)
        if (text_same(object->keys[i - 1]->text, key)) {
            FAULT(DEAD, key.span, "this key stands again further down: what it has there counts");
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
static const Test *read_member(Reader *reader, const JsonValue *object, size_t place, bool is_dead,
                               Path *rest)
{
    const Text key = without_blanks(reader, object->keys[place]->text);
    const JsonValue *value = last_value(reader, object, place);
    const Test *test = find_test(reader, key);
    Path in;
    if (!test) {
        FATAL(key.span, "MPICH %s does not know this condition: MPI_Init ends the job",
              reader->version);
        return NULL;
    }
    const bool was_nowhere = rest->is_nowhere;
    const bool is_good = value->kind == JSON_OBJECT && value->count > 0;
    if (!is_good)
        FATAL(value->text.span, "a condition is followed by an object with something in it: "
                                "MPI_Init ends the job");
    split(reader, test, key, &in, rest);
    if (in.is_nowhere && !is_dead && !reader->file->is_fatal)
        FAULT(DEAD, key.span,
              was_nowhere ? "what stands before takes all calls" : "no call gets here");
    if (!is_good)
        return test;
    if (test->kind != TEST_COLLECTIVE || read_collective(reader, key, &in))
        read_object(reader, value, in);
    return test;
}

static void read_object(Reader *reader, const JsonValue *object, Path path)
{
    const Test *last = NULL;
    const bool is_dead = path.is_nowhere;
    Text last_key = {0};
    if (is_leaf(reader, object)) {
        read_leaf(reader, object, &path);
        return;
    }
    for (size_t i = 0; i < object->count; i++) {
        if (stands_before(object, i))
            continue;
        last_key = without_blanks(reader, object->keys[i]->text);
        if (last == &any_test)
            FATAL(last_key.span, "nothing can follow \"any\": MPI_Init ends the job");
        last = read_member(reader, object, i, is_dead, &path);
    }
    check_rest(reader, &path, last, last_key);
}

/* Collectives without anything: their calls end the job. */
static void check_missing(Reader *reader)
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
        FAULT(
            ABORTS, ((Span){reader->source, reader->source->length, 0}),
            "the file takes the place of all that MPICH knows, and has nothing for %s: such calls "
            "end the job",
            missing);
}

TuningFile mpich_read(Arena *arena, const Source *source, const Implementation *library,
                      const char *version)
{
    TuningFile file = {0};
    Reader place = {.arena = arena,
                    .source = source,
                    .library = library,
                    .version = version,
                    .number = mpich_version(version),
                    .file = &file},
           *reader = &place;
    JsonFault fault;
    const JsonValue *tree =
        json_tree_parse(arena, source, (JsonDialect){.is_lenient = true, .depth = 32}, &fault);
    const Path all = {.collective = MPICH_COUNT,
                      .rule = {.below_ranks = INT64_MAX, .below_size = INT64_MAX}};
    if (!tree)
        FATAL(fault.span, "%s: this is no JSON, and MPI_Init ends the job without saying so",
              fault.text);
    else if (tree->kind != JSON_OBJECT)
        FATAL(tree->text.span, "the file has to be an object: MPI_Init ends the job");
    else
        read_object(reader, tree, all);
    if (tree && tree->kind == JSON_OBJECT)
        check_missing(reader);
    tuning_sort(&file);
    return file;
}
