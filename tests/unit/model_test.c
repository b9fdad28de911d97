/* The readers of models, and the library. */
#include "unit.h"

#include <string.h>

static const struct {
    const char *yaml;
    size_t line, column;
} mistakes[] = {
    /* machines */
    {"machine: x\nbandwith: 1 GB/s\n", 2, 1},
    {"machine: x\nstartup: 1 us\n", 1, 10},
    {"machine: x\nbandwidth: 1 us\n", 2, 12},
    {"machine: x\nbandwidth: 0 B/s\n", 2, 12},
    {"machine: x\nbandwidth: [1 GB/s]\n", 2, 12},
    {"machine: x\nbandwidth: 1 GB/s\nstartup: 1\n", 3, 10},
    {"machine: x\nbandwidth: 1 GB/s\nstartup: 1 KB\n", 3, 12},
    {"machine: x\nbandwidth: 1 GB/s\nports: 0\n", 3, 8},
    {"machine: x\nbandwidth: 1 GB/s\nports: 1.5\n", 3, 8},
    {"machine: x\nbandwidth: 1 GB/s\nassumed: [startup, bandwdth]\n", 3, 20},
    {"machine: [x]\nbandwidth: 1 GB/s\n", 1, 10},
    {"machine: x\nbandwidth: 1 GB/s\nprotocols: [{startup: 1 us}]\n", 3, 12},
    {"machine: x\nbandwidth: 1 GB/s\nprotocols: {startup: 1 us}\n", 3, 12},
    {"machine: x\nbandwidth: 1 GB/s\nprotocols:\n  - {startup: 1 us}\n  - {}\n", 4, 5},
    {"machine: x\nbandwidth: 1 GB/s\nprotocols:\n  - {up-to: 1 kB}\n  - {up-to: 2 kB}\n", 5, 5},
    {"machine: x\nbandwidth: 1 GB/s\nprotocols:\n  - {up-to: 2 kB}\n  - {up-to: 2 kB}\n  - {}\n", 5,
     5},
    {"machine: x\nbandwidth: 1 GB/s\nprotocols:\n  - {up-to: 1 us}\n  - {}\n", 4, 13},
    {"machine: x\nbandwidth: 1 GB/s\nprotocols:\n  - {up-to: 1 B, ports: 2}\n  - {}\n", 4, 18},
    {"machine: x\nbandwidth: 1 GB/s\nprotocols:\n  - {name: a, up-to: 1 B}\n  - {name: a}\n", 5, 5},
    {"machine: x\nbandwidth: 1 GB/s\nlevels: {a: {}}\nprotocols:\n  - {name: a, up-to: 1 B}\n  - "
     "{}\n",
     5, 5},
    {"machine: x\nprotocols:\n  - {up-to: 1 kB}\n  - {bandwidth: 1 GB/s}\n", 1, 10},
    {"machine: x\nbandwidth: 1 GB/s\nprotocols:\n  - {up-to: 1 B}\n  - {}\nassumed: "
     "eager.startup\n",
     6, 10},
    {"machine: a b\nbandwidth: 1 GB/s\n", 1, 10},
    /* topologies */
    {"topology: x\nlinks: {from: r, to: 0}\n", 1, 11},
    {"topology: x\nlinks: {from: r, to: 0}\nnext: too\n", 3, 7},
    {"topology: x\nlinks: r\nnext: to\n", 2, 8},
    {"topology: x\nlinks: {from: r +, to: 0}\nnext: to\n", 2, 18},
    {"topology: x\nlinks: {from: r, to: to}\nnext: to\n", 2, 22},
    {"topology: x\nlink: {from: r, to: 0}\nnext: to\n", 2, 1},
    {"topology: x\nlinks: {from: r, to: 0}\nnext: to > r\n", 3, 7},
    /* collectives */
    {"collective: x\nbefore: 0\n", 1, 13},
    {"collective: x\nafter: 0\n", 1, 13},
    {"collective: x\nbefor: 0\nafter: 0\n", 2, 1},
    {"collective: x\nbefore: 0\nafter: all\n", 3, 8},
    {"collective: x\nbefore: (r, 0)\nafter: 0\n", 2, 9},
    {"collective: x\nblocks: {s: p, t: p}\nbefore: (r, 0)\nafter: r\n", 4, 8},
    {"collective: x\nblocks: {b: r}\nbefore: r\nafter: r\n", 2, 13},
    {"collective: x\nblocks: p\nbefore: r\nafter: r\n", 2, 9},
    {"collective: x\nblocks: {a: 1, b: 1, c: 1, d: 1}\nbefore: 0\nafter: 0\n", 2, 9},
    {"collective: x\nbefore: 0\nafter: 0 if r == root\n", 3, 18},
    {"collective: x\nrooted: maybe\nbefore: 0\nafter: 0\n", 2, 9},
    {"collective: x\nbefore: 0\nafter: 0\ncombine: 0\n", 4, 11},
    {"collective: x\nbefore: 0\nafter: 0\ncombine: 0 .. q\n", 4, 15},
    {"collective: x\nbefore: 0\nafter: 0\norder: rnk\n", 4, 8},
    {"collective: x\nbuffer: p * r\nbefore: 0\nafter: 0\n", 2, 13},
    /* algorithms */
    {"algorithm: x\nschedule: []\n", 1, 12},
    {"algorithm: x\ncollective: reduce\n", 1, 12},
    {"algorithm: x\ncollective: reduc\nschedule: []\n", 2, 13},
    {"algorithm: x\ncollective: reduce\nshedule: []\n", 3, 1},
    {"algorithm: x\ncollective: reduce\nschedule: {a: 1}\n", 3, 11},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - sned: 0\n    to: 1\n", 4, 5},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - send: 0\n", 4, 5},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - send: 0\n    to: 1\n    is: 1\n", 6, 5},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - send: 0\n    to: rot\n", 5, 9},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - send: (0, 0)\n    to: 1\n", 4, 11},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - send: 0\n    to: 1\n    if: 1.5\n", 6, 9},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - repeat: i in 0 .. r\n    steps: []\n", 4,
     23},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - repeat: i in 0 .. 1\n", 4, 5},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - repeat: p in 0 .. 1\n    steps: []\n", 4,
     13},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - round:\n      - round: []\n", 5, 9},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - round: []\n    if: r == 0\n", 5, 9},
    {"algorithm: x\ncollective: reduce\nlet:\n  r: 1\nschedule: []\n", 4, 3},
    {"algorithm: x\ncollective: reduce\nlet:\n  v: r + w\nschedule: []\n", 4, 10},
    {"algorithm: x\ncollective: reduce\nrequires: r > 1\nschedule: []\n", 3, 11},
    {"algorithm: x\ncollective: reduce\nexpect: never\nschedule: []\n", 3, 9},
    {"algorithm: x\ncollective: reduce\nschedule:\n  - send: k\n    to: 0\n", 4, 11},
    {"algorithm: x\ncollective: gather\nschedule:\n  - send: root + h\n    to: 0\n", 4, 18},
    {"algorithm: x\ncollective: reduce\ndual: broadcast/chian\n", 3, 7},
    {"algorithm: x\ncollective: reduce\ndual: scatter/binomial\n", 3, 7},
    {"algorithm: x\ncollective: reduce\ndual: broadcast/chain\nlet: {v: r}\n", 4, 6},
    {"algorithm: x\ncollective: reduce\ndual: broadcast/chain\nschedule: []\n", 4, 11},
    {"algorithm: x\ncollective: [reduce]\nschedule: []\n", 2, 13},
    /* claims */
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - on: full\n    time: ts\n", 5, 5},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - source: a\n    time: ts\n", 5,
     13},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - source: a\n    on: full\n", 5,
     13},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - source: a\n    on: full\n    "
     "time: m\n",
     7, 11},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - source: a\n    on: fll\n    "
     "time: ts\n",
     6, 9},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - source: a\n    on: full\n    "
     "time: ts\n"
     "    recorded: false\n",
     8, 15},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - source: a\n    on: full\n    "
     "time: ts\n"
     "    limit: ts\n",
     5, 13},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - source: a\n    on: full\n"
     "    time: k * ts\n",
     7, 11},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - source: a\n    on: full\n"
     "    reaches: [rounds, nodes]\n",
     7, 23},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims: {a: 1}\n", 4, 9},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - source: a\n    on: full\n"
     "    when: r == 0\n    time: ts\n",
     7, 11},
    {"algorithm: x\ncollective: reduce\nschedule: []\nclaims:\n  - source: a\n    on: full\n"
     "    bound: rounds\n    time: ts\n",
     5, 13},
    {"collective: x\nbefore: 0\nafter: 0\nclaims:\n  - source: a\n    on: full\n    time: ts\n", 5,
     13},
    /* no model at all */
    {"- a\n- b\n", 1, 1},
    {"summary: x\n", 1, 1},
    {"# nothing\n", 1, 1},
};

START_TEST(mistakes_are_reported_at_their_place)
{
    Fixture *fixture = fixture_open();
    ck_assert(!add_models(fixture, mistakes[_i].yaml));
    assert_error_at(fixture, "user.yaml", mistakes[_i].line, mistakes[_i].column);
    fixture_close(fixture);
}
END_TEST

START_TEST(several_mistakes_are_reported_together)
{
    Fixture *fixture = fixture_open();
    ck_assert(!add_models(fixture, "algorithm: x\ncollective: reduce\nschedule:\n"
                                   "  - send: rot\n    to: 0\n"
                                   "  - send: 0\n    to: rott\n"));
    ck_assert_uint_eq(fixture->diag.error_count, 2);
    const char *messages = take_messages(fixture);
    ck_assert(strstr(messages, "user.yaml:4:11: error") &&
              strstr(messages, "user.yaml:7:9: error"));
    fixture_close(fixture);
}
END_TEST

START_TEST(machines_are_read)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "machine: mine\nstartup: 1.5 us\nper-hop: 50 ns\nbandwidth: 64 GB/s\n"
                        "compute: 512 GB/s\nports: 2\nassumed: [per-hop]\n");
    const Machine *machine =
        library_machine(fixture->library, text_of(fixture, "mine"), &fixture->diag);
    ck_assert_double_eq(machine->parameters[PARAMETER_TS], 1.5e-6);
    ck_assert_double_eq(machine->parameters[PARAMETER_TH], 50e-9);
    ck_assert_double_eq(machine->parameters[PARAMETER_TW], 1 / 64e9);
    ck_assert_double_eq(machine->parameters[PARAMETER_TC], 1 / 512e9);
    ck_assert_int_eq(machine->ports, 2);
    ck_assert(machine->assumed[PARAMETER_TH] && !machine->assumed[PARAMETER_TS]);
    fixture_close(fixture);
}
END_TEST

START_TEST(parameters_can_be_set_by_both_names)
{
    Fixture *fixture = fixture_open();
    Machine machine = {0};
    ck_assert(
        machine_set(&machine, text_of(fixture, "tw"), text_of(fixture, "15us/B"), &fixture->diag));
    ck_assert_double_eq(machine.parameters[PARAMETER_TW], 15e-6);
    ck_assert(machine_set(&machine, text_of(fixture, "bandwidth"), text_of(fixture, "8 Gbit/s"),
                          &fixture->diag));
    ck_assert_double_eq(machine.parameters[PARAMETER_TW], 1e-9);
    ck_assert(
        machine_set(&machine, text_of(fixture, "startup"), text_of(fixture, "0"), &fixture->diag));
    assert_no_error(fixture);
    ck_assert(
        !machine_set(&machine, text_of(fixture, "tx"), text_of(fixture, "1us"), &fixture->diag));
    assert_error_at(fixture, "text", 1, 1);
    ck_assert(
        !machine_set(&machine, text_of(fixture, "ts"), text_of(fixture, "1 B"), &fixture->diag));
    assert_error_at(fixture, "text", 1, 1);
    fixture_close(fixture);
}
END_TEST

START_TEST(settings_are_told_in_si_units)
{
    static const struct {
        const char *machine, *name, *value, *told;
    } cases[] = {
        {"sg2260", "bandwidth", "64 GB/s", "bandwidth=64000000000B/s"},
        {"sg2260", "tw", "15us/B", "bandwidth=66666.66666666667B/s"},
        {"sg2260", "tw", "0", "tw=0s/B"},
        {"sg2260", "ts", "x2", "startup=2e-06s"},
        {"sg2260", "tm", "2 ps", "multiply=2e-12s"},
        {"griffon", "startup", "x2", NULL},
        {"griffon", "eager.up-to", "20KiB", "eager.up-to=20480B"},
        {"griffon", "eager.bandwidth", "100 MB/s", "eager.bandwidth=100000000B/s"},
        {"alaska-smp", "memory.capacity", "50 GB/s", "memory.capacity=50000000000B/s"},
        {"omni-path", "node.ports", "4", "node.ports=4"},
        {"h100-ndr", "node.startup", "x2", NULL},
    };
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text name = text_of(fixture, cases[i].name);
        Machine machine =
            *library_machine(fixture->library, text_of(fixture, cases[i].machine), &fixture->diag);
        ck_assert(machine_set(&machine, name, text_of(fixture, cases[i].value), &fixture->diag));
        const char *told = machine_setting(fixture->arena, &machine, name);
        ck_assert_msg(told == cases[i].told || (told && strcmp(told, cases[i].told) == 0),
                      "%s=%s is told as %s", cases[i].name, cases[i].value, told);
    }
    assert_no_error(fixture);
    fixture_close(fixture);
}
END_TEST

/* A protocol that is kept replaces all that messages would take else. */
START_TEST(protocols_that_are_named_stay)
{
    static const struct {
        const char *kept, *left;
    } cases[] = {{"simple", "Simple Simple Simple NVLS "}, {"LL", "LL-few LL LL LL "}};
    Fixture *fixture = fixture_open();
    use_models(fixture, "machine: own\nselect: fastest\nprotocols:\n"
                        "  - {name: LL-few, startup: 1 us, bandwidth: 10 GB/s}\n"
                        "  - {name: LL, startup: 2 us, bandwidth: 50 GB/s}\n"
                        "  - {name: Simple, startup: 5 us, bandwidth: 100 GB/s}\n"
                        "  - {name: NVLS, startup: 9 us, bandwidth: 80 GB/s}\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Machine machine =
            *library_machine(fixture->library, text_of(fixture, "own"), &fixture->diag);
        const char *left = "";
        ck_assert(machine_keep_protocol(&machine, cases[i].kept));
        for (int n = 0; n < machine.protocol_count; n++)
            left =
                arena_printf(fixture->arena, "%s%.*s ", left, (int)machine.protocols[n].name.length,
                             machine.protocols[n].name.chars);
        ck_assert_str_eq(left, cases[i].left);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(a_users_model_hides_the_built_in_one)
{
    Fixture *fixture = fixture_open();
    size_t entries = library_entry_count(fixture->library);
    use_models(fixture, "algorithm: chain\ncollective: broadcast\nsummary: mine\nschedule: []\n");
    ck_assert_uint_eq(library_entry_count(fixture->library), entries);
    ck_assert_str_eq(algorithm_named(fixture, "broadcast/chain")->head.summary, "mine");
    ck_assert(library_find(fixture->library, text_of(fixture, "broadcast/chain"))->is_users);
    /* a built-in model that is made from it is made from the user's */
    ck_assert_str_eq(algorithm_named(fixture, "reduce/chain")->dual->head.summary, "mine");
    fixture_close(fixture);
}
END_TEST

START_TEST(a_file_with_one_bad_model_adds_nothing)
{
    Fixture *fixture = fixture_open();
    size_t entries = library_entry_count(fixture->library);
    ck_assert(!add_models(fixture, "machine: good\nbandwidth: 1 GB/s\n"
                                   "---\nalgorithm: chain\ncollective: broadcast\nschedule: []\n"
                                   "---\nmachine: bad\n"));
    assert_error_at(fixture, "user.yaml", 8, 10);
    ck_assert_uint_eq(library_entry_count(fixture->library), entries);
    ck_assert_ptr_null(library_machine(fixture->library, text_of(fixture, "good"), &fixture->diag));
    assert_error_at(fixture, "text", 1, 1);
    ck_assert(!library_find(fixture->library, text_of(fixture, "broadcast/chain"))->is_users);
    ck_assert_uint_gt(algorithm_named(fixture, "broadcast/chain")->step_count, 0);
    fixture_close(fixture);
}
END_TEST

START_TEST(models_of_one_file_may_name_later_ones)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "algorithm: b\ncollective: mine\ndual: mine/a\n"
                        "---\nalgorithm: a\ncollective: mine\nschedule: []\n"
                        "---\ncollective: mine\nbefore: 0\nafter: 0\ndual: mine\n");
    ck_assert_ptr_eq(algorithm_named(fixture, "mine/b")->dual, algorithm_named(fixture, "mine/a"));
    fixture_close(fixture);
}
END_TEST

static const char *const circles[] = {
    "algorithm: a\ncollective: reduce\ndual: reduce/a\n",
    "algorithm: a\ncollective: reduce\ndual: broadcast/b\n"
    "---\nalgorithm: b\ncollective: broadcast\ndual: reduce/a\n",
};

START_TEST(a_dual_of_itself_is_refused)
{
    Fixture *fixture = fixture_open();
    ck_assert(!add_models(fixture, circles[_i]));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

START_TEST(a_missing_model_is_reported)
{
    Fixture *fixture = fixture_open();
    ck_assert_ptr_null(
        library_algorithm(fixture->library, text_of(fixture, "reduce/binomal"), &fixture->diag));
    const char *messages = take_messages(fixture);
    ck_assert_msg(strstr(messages, "reduce/binomial"), "%s", messages);
    fixture_close(fixture);
}
END_TEST

/* No two models of a kind are called the same, and each is found by all its names. */
START_TEST(aliases_name_one_model)
{
    Fixture *fixture = fixture_open();
    const Library *library = fixture->library;
    size_t aliases = 0;
    for (size_t i = 0; i < library_entry_count(library); i++) {
        const ModelEntry *entry = library_entry(library, i);
        size_t count;
        const char *const *also = library_also(library, entry, &count);
        const char *slash = strchr(entry->name, '/');
        for (size_t a = 0; a < count; a++) {
            const char *name =
                slash ? arena_printf(fixture->arena, "%.*s%s", (int)(slash + 1 - entry->name),
                                     entry->name, also[a])
                      : also[a];
            const ModelEntry *found = library_find(library, text_of(fixture, name));
            ck_assert_msg(found == entry, "%s finds %s, not %s", name,
                          found ? found->name : "nothing", entry->name);
        }
        aliases += count;
    }
    ck_assert_uint_gt(aliases, 50);
    fixture_close(fixture);
}
END_TEST

START_TEST(names_are_alike_without_case_and_separators)
{
    Fixture *fixture = fixture_open();
    ck_assert(known_alike(text_of(fixture, "All_Reduce"), "allreduce"));
    ck_assert(known_alike(text_of(fixture, "reducescatter"), "reduce-scatter"));
    ck_assert(known_alike(text_of(fixture, "-scan-"), "scan"));
    ck_assert(!known_alike(text_of(fixture, "scan2"), "scan"));
    ck_assert(!known_alike(text_of(fixture, "sca"), "scan"));
    ck_assert(!known_alike(text_of(fixture, ""), "scan"));
    fixture_close(fixture);
}
END_TEST

/* In a file, a collective has one spelling. */
START_TEST(aliases_do_not_count_in_files)
{
    Fixture *fixture = fixture_open();
    ck_assert(!add_models(fixture, "algorithm: x\ncollective: bcast\nschedule: []\n"));
    const char *messages = take_messages(fixture);
    ck_assert_msg(strstr(messages, "'broadcast'"), "%s", messages);
    fixture_close(fixture);
}
END_TEST

START_TEST(all_built_in_models_can_be_read)
{
    Fixture *fixture = fixture_open();
    library_check_formulas(fixture->library);
    ck_assert_uint_gt(library_entry_count(fixture->library), 20);
    for (size_t i = 0; i < library_entry_count(fixture->library); i++)
        ck_assert_ptr_nonnull(
            library_load(fixture->library, library_entry(fixture->library, i), &fixture->diag));
    fixture_close(fixture);
}
END_TEST

START_TEST(claims_are_read)
{
    Fixture *fixture = fixture_open();
    const Algorithm *algorithm = algorithm_named(fixture, "reduce/binomial");
    const ClaimList *claims = claims_all(&algorithm->claims);
    ck_assert_uint_ge(claims->count, 6);
    const Claim *claim = &claims->items[1];
    ck_assert_int_eq(claim->kind, CLAIM_TIME);
    ck_assert(claim->recorded_refuted);
    ck_assert(claim_is_on(claim, "full") && !claim_is_on(claim, "linear"));
    ck_assert(claim_counts(claim, PARAMETER_TC) && !claim_counts(claim, PARAMETER_TH));
    ck_assert_int_eq(claims->items[3].kind, CLAIM_REACHES);
    ck_assert(claims->items[3].bounds[BOUND_ROUNDS]);
    ck_assert(claim_counts(&claims->items[9], PARAMETER_TH));
    ck_assert_ptr_nonnull(claims->items[4].when.program);
    fixture_close(fixture);
}
END_TEST

/* Names beyond the 64 of a program, in places where nothing is sent. */
START_TEST(too_many_names_are_refused)
{
    Fixture *fixture = fixture_open();
    const char *yaml = "algorithm: x\ncollective: broadcast\nlet:\n";
    for (int i = 0; i < 58; i++)
        yaml = arena_printf(fixture->arena, "%s  v%d: r\n", yaml, i);
    yaml = arena_printf(fixture->arena,
                        "%sschedule:\n"
                        "  - repeat: a in 0 .. 1\n    steps:\n"
                        "    - repeat: b in 0 .. 1\n      steps:\n"
                        "      - repeat: c in 0 .. 1\n        steps: []\n",
                        yaml);
    if (add_models(fixture, yaml)) {
        Instance instance = instance_of(fixture, "broadcast/x", 4, 0, 0);
        ck_assert_str_eq(schedule_text(fixture, &instance), "");
    } else {
        assert_error(fixture);
    }
    fixture_close(fixture);
}
END_TEST

Suite *model_suite(void)
{
    Suite *suite = suite_create("model");
    TCase *readers = tcase_create("readers");
    tcase_add_loop_test(readers, mistakes_are_reported_at_their_place, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(readers, several_mistakes_are_reported_together);
    tcase_add_test(readers, machines_are_read);
    tcase_add_test(readers, parameters_can_be_set_by_both_names);
    tcase_add_test(readers, settings_are_told_in_si_units);
    tcase_add_test(readers, claims_are_read);
    tcase_add_test(readers, too_many_names_are_refused);
    suite_add_tcase(suite, readers);
    TCase *library = tcase_create("library");
    tcase_add_test(library, protocols_that_are_named_stay);
    tcase_add_test(library, a_users_model_hides_the_built_in_one);
    tcase_add_test(library, a_file_with_one_bad_model_adds_nothing);
    tcase_add_test(library, models_of_one_file_may_name_later_ones);
    tcase_add_loop_test(library, a_dual_of_itself_is_refused, 0, 2);
    tcase_add_test(library, a_missing_model_is_reported);
    tcase_add_test(library, aliases_name_one_model);
    tcase_add_test(library, names_are_alike_without_case_and_separators);
    tcase_add_test(library, aliases_do_not_count_in_files);
    tcase_add_test(library, all_built_in_models_can_be_read);
    suite_add_tcase(suite, library);
    return suite;
}
