#include "base/random.h"
#include "exchange/tuning_plan.h"
#include "study/settings.h"
#include "study/subject.h"
#include "unit.h"

#include <string.h>

static TuningFile read_text(Fixture *fixture, const char *text, const char *version)
{
    Diag *diag = &fixture->diag;
    const Implementation *library =
        library_implementation(fixture->library, text_of(fixture, "open-mpi"), diag);
    ck_assert(library != NULL);
    return tuning_read_open_mpi(fixture->arena,
                                source_from_text(fixture->arena, "rules", text, strlen(text)),
                                library, version);
}

/* "4:1 misread, 5:1 aborts" */
static const char *findings_of(Fixture *fixture, const TuningFile *file)
{
    const char *text = "";
    for (size_t i = 0; i < file->findings.count; i++) {
        const TuningFinding *found = &file->findings.items[i];
        const Position place = source_position(found->span.source, found->span.offset);
        text = arena_printf(fixture->arena, "%s%s%zu:%zu %s", text, i ? ", " : "", place.line,
                            place.column, tuning_effect_info[found->effect].name);
    }
    return text;
}

static const struct {
    const char *version, *text, *findings;
} faults[] = {
    {"4.1", "1 2 1 2 2\n0 3 0 0\n1024 6 0 0\n", ""},
    {"4.1", "", "1:1 file dropped"},
    {"4.1", "# nothing\n", "2:1 file dropped"},
    {"4.1", "-1\n", "1:1 file dropped"},
    {"4.1", "23\n", "1:1 file dropped"},
    {"4.1", "1 22 1 2 1 0 3 0 0\n", "1:3 file dropped"},
    {"4.1", "1 -2 1 2 1 0 3 0 0\n", "1:3 file dropped"},
    {"4.1", "1 2 -1\n", "1:5 file dropped"},
    {"4.1", "1 2 1 -8 1 0 3 0 0\n", "1:7 file dropped"},
    {"4.1", "1 2 1 2 -1\n", "1:9 file dropped"},
    {"4.1", "1 2 1 2 1\n-1 3 0 0\n", "2:1 file dropped"},
    {"4.1", "1 2 1 2 1\n0 -3 0 0\n", "2:3 file dropped"},
    {"4.1", "1 2 1 2 1\n0 3 -1 0\n", "2:5 file dropped"},
    {"4.1", "1 2 1 2 1\n0 3 0 -1\n", "2:7 file dropped"},
    {"4.1", "1 2 1 2 1\n8 3 0 0\n", "2:1 file dropped"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n", "3:1 file dropped"},
    {"4.1", "1 2 2\n2 1\n0 3 0 0\n", "4:1 file dropped"},
    {"4.1", "2\n2 1 2 1\n0 3 0 0\n", "4:1 file dropped"},
    {"4.1", "1 2 1 2 1\n0 3 0\n", "3:1 file dropped"},
    {"4.1", "1 2 2\n2 2\n0 3 0 0\n4 1\n0 3 0 0\n", "4:1 remark, 5:5 never applies, 5:7 remark"},
    {"4.1", "rule-file-version-2\n1 2 1 2 1\n0 3 0 0\n", "1:1 file dropped"},
    {"5.0", "rule-file-version-2\n1 2 1 2 1\n0 3 0 0 7\n", "1:1 remark"},
    {"5.0", " rule-file-version-2\n1 2 1 2 1\n0 3 0 0\n", "1:2 ignored, 1:19 file dropped"},
    {"5.0", "1 2 1 2 1\n0 3 0 0 7\n", "2:9 ignored"},
    {"4.1", "1 2 1 2 2\n0 3 0 0 5\n1024 6 0 0\n", "2:9 remark, 2:9 aborts, 3:10 ignored"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n4k 6 0 0\n", "3:1 misread"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n1e3 6 0 0\n", "3:1 misread, 3:9 ignored"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n010 6 0 0\n", "3:1 misread"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n0x400 6 0 0\n", ""},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n08 6 0 0\n",
     "3:1 misread, 3:1 never applies, 3:1 aborts, 3:8 ignored"},
    {"4.1", "1 2 1 2 1\n0 4294967299 0 0\n", "2:3 misread"},
    {"4.1", "1 2 1 2 1\n0 3 0 2147483648\n", ""},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n99999999999999999999 6 0 0\n", ""},
    {"4.1", "1 2 1 2 3\n0 3 0 0\n1024 4 0 0\n512 6 0 0\n", "4:1 never applies"},
    {"4.1", "1 2 1 2 2\n0 3 0 0\n0 6 0 0\n", "3:1 never applies"},
    {"4.1", "1 2 2\n4 1\n0 3 0 0\n2 1\n0 6 0 0\n", "2:1 remark, 4:1 never applies"},
    {"4.1", "1 2 2\n2 1\n0 3 0 0\n2 1\n0 6 0 0\n", "4:1 never applies"},
    {"4.1", "2\n2 1 2 1\n0 3 0 0\n2 1 2 1\n0 6 0 0\n", "2:1 never applies"},
    {"4.1", "1 2 1 64 1\n0 3 0 0\n", "1:7 remark"},
    {"4.1", "1 2 1 2 1\n0 7 0 0\n", "2:1 aborts"},
    {"4.1", "1 0 1 2 1\n0 7 0 0\n", "2:1 aborts"},
    {"5.0", "1 0 1 2 1\n0 7 0 0\n", ""},
    {"4.1", "1 0 1 2 1\n0 6 0 0\n", "2:1 aborts"},
    {"4.1", "1 0 2\n2 1\n0 6 0 0\n3 1\n0 0 0 0\n", ""},
    {"4.1", "1 1 1 4 1\n0 5 0 0\n", "1:7 remark, 2:1 aborts"},
    {"4.1", "1 2 1 2 1\n0 5 0 0\n", "2:1 replaced"},
    {"4.1", "1 7 1 2 1\n0 2 0 0\n", "2:1 replaced"},
    {"4.1", "1 7 1 2 1\n0 2 33 0\n", "2:1 replaced"},
    {"4.1", "1 5 1 2 1\n0 1 0 0\n", "1:3 ignored"},
    {"4.1", "1 17 1 2 1\n0 1 0 0\n", "1:3 ignored"},
    {"4.1", "1 14 1 2 2\n0 1 0 0\n64 2 0 0\n", "3:1 misread"},
    {"4.1", "1 8 1 2 2\n0 1 0 0\n64 2 0 0\n", "3:1 misread"},
    {"4.1", "1 6 1 2 2\n0 1 0 0\n64 2 0 0\n", "3:1 never applies"},
    {"4.1", "1 15 1 2 2\n0 1 0 0\n64 2 0 0\n", "3:1 crashes"},
    {"4.1", "1 15 1 2 2\n0 1 0 0\n64 1 0 0\n", ""},
    {"4.1", "// rules for 1 collective\n1 2 1 2 1\n0 3 0 0\n",
     "1:1 ignored, 1:4 ignored, 1:10 ignored, 1:16 ignored, 2:9 file dropped, 2:9 remark, "
     "4:1 file dropped"},
    {"4.1", "1 2 0\n", "1:5 remark"},
    {"4.1", "1 2 1 2 0\n", "1:9 remark"},
    {"4.1", "1 2 1 2 1\n0 3 0 0\n5\n", "3:1 ignored"},
    {"4.1", "0\n", ""},
};

START_TEST(faults_are_found)
{
    Fixture *fixture = fixture_open();
    const TuningFile file = read_text(fixture, faults[_i].text, faults[_i].version);
    ck_assert_str_eq(findings_of(fixture, &file), faults[_i].findings);
    ck_assert_int_eq(file.is_dropped, strstr(faults[_i].findings, "dropped") != NULL);
    fixture_close(fixture);
}
END_TEST

/* ### The library's own reader, by scanf, as an oracle. */

typedef struct {
    long size;
    int algorithm;
} KnownRule;

typedef struct {
    int ranks, count;
    KnownRule rules[8];
} KnownSize;

typedef struct {
    int count;
    KnownSize sizes[8];
} KnownCollective;

static long scan_number(FILE *stream)
{
    long value;
    for (;;) {
        const int found = fscanf(stream, "%li", &value);
        if (found == EOF)
            return -999;
        if (found == 1)
            return value;
        int c = getc(stream);
        if (c == EOF)
            return -999;
        if (c == '#')
            while (c != EOF && c != '\n')
                c = getc(stream);
    }
}

/* False: dropped, or larger than what tests are made of (`*is_large`). */
static bool scan_file(FILE *stream, KnownCollective known[TUNED_COUNT], bool *is_large)
{
    const int collectives = (int)scan_number(stream);
    *is_large = false;
    if (collectives < 0 || collectives > TUNED_COUNT)
        return false;
    for (int i = 0; i < collectives; i++) {
        const int id = (int)scan_number(stream);
        if (id < 0 || id >= TUNED_COUNT)
            return false;
        KnownCollective *collective = &known[id];
        collective->count = (int)scan_number(stream);
        if (collective->count < 0)
            return false;
        for (int j = 0; j < collective->count; j++) {
            KnownSize scratch, *size = j < 8 ? &collective->sizes[j] : &scratch;
            size->ranks = (int)scan_number(stream);
            size->count = size->ranks < 0 ? -1 : (int)scan_number(stream);
            if (size->count < 0)
                return false;
            for (int k = 0; k < size->count; k++) {
                KnownRule spare, *rule = k < 8 ? &size->rules[k] : &spare;
                rule->size = scan_number(stream);
                if (rule->size < 0)
                    return false;
                rule->algorithm = (int)scan_number(stream);
                if (rule->algorithm < 0 || (int)scan_number(stream) < 0 ||
                    (int)scan_number(stream) < 0 || (k == 0 && rule->size))
                    return false;
                *is_large |= j >= 8 || k >= 8;
            }
        }
    }
    return true;
}

static int64_t known_algorithm(const KnownCollective *collective, int p, int64_t bytes)
{
    const KnownSize *size = collective->sizes;
    if (!collective->count)
        return 0;
    for (int i = 0; i < collective->count && collective->sizes[i].ranks <= p; i++)
        size = &collective->sizes[i];
    if (!size->count)
        return 0;
    const KnownRule *rule = size->rules;
    for (int i = 0; i < size->count && size->rules[i].size <= bytes; i++)
        rule = &size->rules[i];
    return rule->algorithm;
}

static int below(uint64_t *state, int most)
{
    return (int)(random_next(state) % (uint64_t)most);
}

/* A file that is nearly right. */
static const char *random_file(Fixture *fixture, uint64_t *state)
{
    static const char *const odd[] = {"4k",   "-1",   "010", "08", "1e3",
                                      "0x1f", "oops", "#",   "\n", "- 3"};
    const char *text = "";
#define PUT(number)                                                                                \
    (text = arena_printf(fixture->arena, "%s%lld%s%s", text, (long long)(number),                  \
                         below(state, 4) ? " " : "\n",                                             \
                         below(state, 60) ? "" : odd[below(state, 10)]))
    const int collectives = 1 + (int)below(state, 3);
    PUT(collectives);
    for (int i = 0; i < collectives; i++) {
        const int sizes = (int)below(state, 4);
        PUT(below(state, 22));
        PUT(sizes);
        for (int j = 0; j < sizes; j++) {
            const int rules = (int)below(state, 4);
            PUT(below(state, 3) ? 1 << j : (int)below(state, 9));
            PUT(rules);
            for (int k = 0; k < rules; k++) {
                PUT(k == 0 ? 0 : below(state, 3) ? 8 * k : (int)below(state, 40));
                PUT(below(state, 7));
                PUT(0);
                PUT(below(state, 2) * 4096);
            }
        }
    }
#undef PUT
    return text;
}

START_TEST(files_are_read_as_by_scanf)
{
    Fixture *fixture = fixture_open();
    uint64_t state = 24;
    int dropped = 0, ruled = 0;
    for (int i = 0; i < 3000; i++) {
        const char *text = random_file(fixture, &state);
        KnownCollective known[TUNED_COUNT] = {0};
        bool is_large;
        FILE *stream = fmemopen((char *)text, strlen(text), "r");
        ck_assert(stream != NULL);
        const bool is_read = scan_file(stream, known, &is_large);
        fclose(stream);
        const TuningFile file = read_text(fixture, text, "4.1");
        ck_assert_msg(file.is_dropped == !is_read, "%s", text);
        dropped += file.is_dropped;
        for (int id = 0; id < TUNED_COUNT && is_read && !is_large; id++)
            for (int p = 1; p < 10; p++)
                for (int64_t bytes = 0; bytes < 44; bytes += 4) {
                    const TuningRule *rule = tuning_rule(&file, id, p, bytes);
                    const int64_t algorithm = rule ? rule->algorithm : 0;
                    ck_assert_msg(algorithm == known_algorithm(&known[id], p, bytes),
                                  "%s\ncollective %d, %d ranks, %lld bytes: %lld", text, id, p,
                                  (long long)bytes, (long long)algorithm);
                    ruled += algorithm > 0;
                }
    }
    ck_assert_int_gt(dropped, 100);
    ck_assert_int_gt(ruled, 10000);
    fixture_close(fixture);
}
END_TEST

/* ### What is planned and written is read back. */

static const struct {
    const char *machine, *topology, *collectives;
    int64_t ranks[4];
} plans[] = {
    {"slingshot", "full", "allgather allreduce alltoall barrier bcast", {2, 3, 8, 64}},
    {"slingshot", "full", "exscan gather reduce scan scatter", {4, 7, 16, 31}},
    {"sg2260", "full", "reduce_scatter reduce_scatter_block", {2, 5, 8, 16}},
    {"sg2260", "ring", "allgather allreduce bcast reduce alltoall", {4, 9, 12, 16}},
    {"edr-fat-tree", "full", "allreduce bcast scatter gather reduce", {8, 16, 33, 40}},
    {"griffon", "full", "allgather allreduce bcast alltoall", {2, 6, 8, 24}},
    {"a100", "hypercube", "allreduce bcast reduce allgather", {2, 4, 8, 16}},
};

static void set(Fixture *fixture, Study *study, const char *name, const char *value)
{
    ck_assert_msg(study_set(study, text_of(fixture, name), text_of(fixture, value)), "%s %s", name,
                  value);
}

static TuningPlan plan_all(Fixture *fixture, Study *study, int number)
{
    TuningPlan plan = {0};
    Shape shapes[4];
    PlanQuestion question = {.shapes = shapes, .count = 4, .least_gain = 0.05};
    for (int i = 0; i < 4; i++)
        question.topology = subject_topology(
            study,
            text_of(fixture, arena_printf(fixture->arena, "%s:%lld", plans[number].topology,
                                          (long long)plans[number].ranks[i])),
            &shapes[i]);
    char names[128];
    strcpy(names, plans[number].collectives);
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        int id = 0;
        while (strcmp(tuned_collectives[id].name, name) != 0)
            id++;
        ck_assert(tuning_plan(study, &question, id, &plan));
    }
    return plan;
}

START_TEST(plans_are_read_back)
{
    Fixture *fixture = fixture_open();
    Study *study = study_create(fixture->arena, fixture->library, &fixture->diag);
    set(fixture, study, "machine", plans[_i].machine);
    set(fixture, study, "for", _i % 2 ? "open-mpi@4.1" : "open-mpi@5.0");
    const TuningPlan plan = plan_all(fixture, study, _i);
    TuningRules rules = {0};
    Buffer text = {.arena = fixture->arena};
    for (size_t i = 0; i < plan.rules.count; i++)
        *ARRAY_PUSH(fixture->arena, &rules) = plan.rules.items[i].rule;
    ck_assert_int_gt(rules.count, 0);
    tuning_write_open_mpi(&text, &rules);
    const TuningFile file = read_text(fixture, text.items, study->version);
    ck_assert_msg(tuning_defects(&file) == 0, "%s\n%s", findings_of(fixture, &file), text.items);
    ck_assert_int_eq(file.rules.count, rules.count);
    for (size_t i = 0; i < rules.count; i++) {
        const TuningRule *rule = &rules.items[i];
        const int64_t p = rule->below_ranks == INT64_MAX ? rule->from_ranks : rule->below_ranks - 1;
        const int64_t size = rule->below_size == INT64_MAX ? INT64_MAX - 1 : rule->below_size - 1;
        const TuningRule *least =
            tuning_rule(&file, rule->collective, rule->from_ranks, rule->from_size);
        ck_assert_ptr_eq(least, tuning_rule(&file, rule->collective, p, size));
        ck_assert_ptr_eq(least, &file.rules.items[i]);
        ck_assert_int_eq(least->algorithm, rule->algorithm);
        ck_assert_int_eq(least->fanout, rule->fanout);
    }
    fixture_close(fixture);
}
END_TEST

Suite *tuning_suite(void)
{
    Suite *suite = suite_create("tuning");
    TCase *tests = tcase_create("tuning");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, faults_are_found, 0, sizeof faults / sizeof *faults);
    tcase_add_loop_test(tests, plans_are_read_back, 0, sizeof plans / sizeof *plans);
    tcase_add_test(tests, files_are_read_as_by_scanf);
    suite_add_tcase(suite, tests);
    return suite;
}
