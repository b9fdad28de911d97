/* One expansion for several rules and numbers of ports gives what each gives by itself. */
#include "unit.h"

#include "../same_steps.h"

#include "cost/derive.h"

static const char *const networks[] = {"ring:5", "ring:8",    "linear:7",
                                       "full:9", "torus:4x4", "hypercube:8"};

enum { NETWORK_COUNT = sizeof networks / sizeof *networks, MOST_PORTS = 4 };

static void assert_same_profile(const Profile *a, const Profile *b, const char *about)
{
    bool same = a->startups == b->startups && a->chunks == b->chunks && a->moved == b->moved &&
                a->peak_blocks == b->peak_blocks && a->path_count == b->path_count &&
                are_same_steps(a, b);
    ck_assert_msg(same, "%s", about);
}

static void derive_alone(Fixture *fixture, Instance *instance, const Network *network,
                         Switching mode, Profile *profile)
{
    Rules rules = {.ports = instance->ports, .switching = mode};
    ck_assert(profile_derive(fixture->arena, instance, network, &rules, profile, &fixture->diag));
}

/* Returns whether more ports are known to change nothing. */
static bool compare_derived(Fixture *fixture, const Algorithm *algorithm, const Network *network)
{
    Instance instance = {.algorithm = algorithm,
                         .p = network->p,
                         .k = algorithm->free_chunks ? 3 : 1,
                         .ports = 1,
                         .shape = &network->shape,
                         .sizes.order = algorithm->collective->problem ? network->p : 0};
    const char *about =
        arena_printf(fixture->arena, "%s on %s", algorithm->head.name, network->name);
    Rules rules[] = {{.ports = 1, .switching = SWITCHING_STORE_AND_FORWARD},
                     {.ports = 1, .switching = SWITCHING_CUT_THROUGH}};
    Profile together[2], alone;
    const Derivation of = {.instance = &instance,
                           .network = network,
                           .rules = rules,
                           .count = 2,
                           .wants_peaks = true,
                           .profiles = together};
    ck_assert(profiles_derive(fixture->arena, &of, &fixture->diag));
    for (int i = 0; i < 2; i++) {
        derive_alone(fixture, &instance, network, rules[i].switching, &alone);
        assert_same_profile(&together[i], &alone, about);
    }
    if (!together[0].has_spare_ports || algorithm->reads_ports)
        return false;
    for (instance.ports = 2; instance.ports <= MOST_PORTS; instance.ports++) {
        if (!schedule_allows(algorithm, &network->shape, instance.ports, NULL, &fixture->diag))
            continue;
        for (int i = 0; i < 2; i++) {
            derive_alone(fixture, &instance, network, rules[i].switching, &alone);
            assert_same_profile(&together[i], &alone, about);
        }
    }
    return true;
}

START_TEST(one_expansion_serves_rules_and_ports)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, networks[_i], TIES_PLUS);
    int shared = 0, own = 0;
    for (size_t i = 0; i < library_entry_count(fixture->library); i++) {
        const ModelEntry *entry = library_entry(fixture->library, i);
        if (entry->kind != KIND_ALGORITHM)
            continue;
        const Algorithm *algorithm = library_load(fixture->library, entry, &fixture->diag);
        if (!schedule_allows(algorithm, &network.shape, 1, NULL, &fixture->diag))
            continue;
        ++*(compare_derived(fixture, algorithm, &network) ? &shared : &own);
    }
    ck_assert_int_gt(shared, 20);
    ck_assert_int_gt(own, 5);
    fixture_close(fixture);
}
END_TEST

/* Peaks are claimed on full networks, and used on all. */
START_TEST(claimed_peaks_are_those_of_the_schedule)
{
    Fixture *fixture = fixture_open();
    Network network = network_named(fixture, networks[_i], TIES_PLUS);
    int claimed = 0;
    for (size_t i = 0; i < library_entry_count(fixture->library); i++) {
        const ModelEntry *entry = library_entry(fixture->library, i);
        if (entry->kind != KIND_ALGORITHM)
            continue;
        const Algorithm *algorithm = library_load(fixture->library, entry, &fixture->diag);
        int64_t root = algorithm->collective->rooted ? network.p - 2 : 0;
        ClaimPoint point = claim_point(&network.shape, root, algorithm->free_chunks ? 3 : 1, 1);
        Instance instance = {.algorithm = algorithm,
                             .p = network.p,
                             .root = root,
                             .k = point.k,
                             .ports = 1,
                             .shape = &network.shape};
        Rules rules = {.ports = 1};
        Profile profile;
        Exact share;
        if (algorithm->collective->problem || algorithm->collective->targeted ||
            !schedule_allows(algorithm, &network.shape, 1, NULL, &fixture->diag) ||
            !claim_peak(algorithm, &network, &point, &share))
            continue;
        claimed++;
        ck_assert(
            profile_derive(fixture->arena, &instance, &network, &rules, &profile, &fixture->diag));
        Exact derived =
            exact_divide(exact_from_int(profile.peak_blocks), exact_from_int(profile.chunks));
        ck_assert_msg(exact_equal(share, derived), "%s on %s", entry->name, network.name);
    }
    ck_assert_int_gt(claimed, 40);
    fixture_close(fixture);
}
END_TEST

/* Wherever d stands: in a step, a name, the number of chunks, a size, an algorithm that is used. */
START_TEST(what_reads_ports_is_known)
{
    static const struct {
        const char *program;
        bool reads;
    } cases[] = {
        {"schedule:\n  - send: 0\n    to: (r + 1) mod p\n", false},
        {"schedule:\n  - send: 0\n    to: (r + d) mod p\n", true},
        {"let: {next: (r + d) mod p}\nschedule:\n  - send: 0\n    to: next\n", true},
        {"let: {next(x): (x + d) mod p}\nschedule:\n  - send: 0\n    to: next(r)\n", true},
        {"let: {unused(x): x + d}\nschedule:\n  - send: 0\n    to: (r + 1) mod p\n", false},
        {"schedule:\n  - send: 0\n    to: (r + 1) mod p\n    if: r < d\n", true},
        {"schedule:\n  - repeat: i in 1 .. d\n    steps:\n      - send: 0\n        to: (r + i) mod "
         "p\n",
         true},
        {"schedule:\n  - send: 0\n    to: (r + j) mod p\n    for: j in 1 .. d\n", true},
        {"grid: {x: d, y: p / d}\nschedule:\n  - send: 0\n    to: (r + 1) mod p\n", true},
        {"chunks: d\nschedule:\n  - send: 0\n    to: (r + 1) mod p\n", true},
        {"arrays: {spare: d}\nschedule:\n  - send: 0\n    to: (r + 1) mod p\n", true},
    };
    Fixture *fixture = fixture_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *name = arena_printf(fixture->arena, "case-%zu", i);
        const char *user = arena_printf(fixture->arena, "broadcast/%s", name);
        use_models(fixture, arena_printf(fixture->arena, "algorithm: %s\ncollective: broadcast\n%s",
                                         name, cases[i].program));
        ck_assert_msg(algorithm_named(fixture, user)->reads_ports == cases[i].reads, "case %zu", i);
    }
    fixture_close(fixture);
}
END_TEST

START_TEST(a_use_brings_what_it_reads)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, "algorithm: wide\ncollective: broadcast\nschedule:\n"
                        "  - send: 0\n    to: (r + d) mod p\n"
                        "---\nalgorithm: user\ncollective: broadcast\nsequence: [broadcast/wide]\n"
                        "---\nalgorithm: turned\ncollective: reduce\ndual: broadcast/wide\n");
    ck_assert(algorithm_named(fixture, "broadcast/user")->reads_ports);
    ck_assert(algorithm_named(fixture, "reduce/turned")->reads_ports);
    fixture_close(fixture);
}
END_TEST

Suite *shared_expansion_suite(void)
{
    Suite *suite = suite_create("shared-expansion");
    TCase *all = tcase_create("shared-expansion");
    tcase_set_timeout(all, 300);
    tcase_add_loop_test(all, one_expansion_serves_rules_and_ports, 0, NETWORK_COUNT);
    tcase_add_loop_test(all, claimed_peaks_are_those_of_the_schedule, 0, NETWORK_COUNT);
    tcase_add_test(all, what_reads_ports_is_known);
    tcase_add_test(all, a_use_brings_what_it_reads);
    suite_add_tcase(suite, all);
    return suite;
}
