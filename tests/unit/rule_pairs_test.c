/* Every pair of the rules of machines: schedules cost the same by what is alike in them as message
   by message, and no less than the lower bounds. */
#include "bound/bounds.h"
#include "cost/derive.h"
#include "cost/derive_finish.h"

#include "unit.h"

#include <math.h>
#include <string.h>

/* What a rule adds to a machine, and to the level of its nodes. */
static const struct {
    const char *name, *machine, *node;
    bool averages;
} additions[] = {
    {"none", "", "", false},
    {"posting", "posting: together\n", "", false},
    {"ports", "ports: levels\n", "", false},
    {"ports of nodes", "ports: 2\n", "    ports: 2\n", false},
    {"overhead", "overhead: 100 ns\n", "", false},
    {"overhead of nodes", "", "    overhead: 900 ns\n", false},
    {"gap", "gap: 300 ns\n", "", false},
    {"gap of nodes", "", "    gap: 1.3 us\n", false},
    {"call", "call: 5 us\n", "", false},
    {"fastest protocol",
     "select: fastest\nprotocols: [{name: a, bandwidth: 0.5 GB/s}, {name: b, startup: 2 us}]\n", "",
     false},
    {"protocols in levels", "",
     "    protocols: [{name: a, bandwidth: 0.2 GB/s}, {name: b, startup: 4 us}]\n", false},
    {"capacity", "", "    capacity: 1.5 GB/s\n    passes: 2\n", false},
    {"compute", "compute: [{up-to: 32 KiB, rate: 4 GB/s}, {rate: 1 GB/s}]\n", "", false},
    {"copy", "copy: [{up-to: 32 KiB, rate: 8 GB/s}, {rate: 2 GB/s}]\n", "", false},
    {"first-touch", "first-touch: [{up-to: 1 MiB, rate: 6 GB/s}, {rate: 3 GB/s}]\n", "", false},
    {"finish", "", "", true},
};
enum { ADDITIONS = sizeof additions / sizeof *additions };

static const char *const networks[] = {"cluster:2x4", "rails:2x4", "smp:4x2", "star:8"};
static const char *const algorithms[] = {"broadcast/binomial", "gather/binomial", "alltoall/bruck",
                                         "allreduce/ring", "allreduce/rabenseifner"};
static const double sizes[] = {1000, 70000};

/* Protocols of nodes are chosen by size, where the pair does not take the fastest one. */
static Rules rules_of_pair(Fixture *fixture, int i, int j)
{
    const bool fastest =
        strstr(additions[i].machine, "select") || strstr(additions[j].machine, "select");
    const bool listed =
        strstr(additions[i].node, "protocols") || strstr(additions[j].node, "protocols");
    const char *node = listed && !fastest ? "    protocols: [{name: a, up-to: 8 KiB, bandwidth: "
                                            "0.2 GB/s}, {name: b, startup: 4 us}]\n"
                                          : "";
    const char *name = arena_printf(fixture->arena, "pair-%d-%d", i, j);
    const bool same = i == j;
    /* a machine has one key `ports`: with ports by level, those of nodes are their lanes alone */
    const bool by_level = !same && strstr(additions[i].machine, "ports: 2") &&
                          strstr(additions[j].machine, "ports: levels");
    use_models(
        fixture,
        arena_printf(fixture->arena,
                     "machine: %s\nstartup: 1 us\nper-hop: 50 ns\nbandwidth: 1 GB/s\n%s%slevels:\n"
                     "  device: {bandwidth: 4 GB/s}\n  node:\n    startup: 3 us\n%s%s%s",
                     name, by_level ? "" : additions[i].machine, same ? "" : additions[j].machine,
                     *node && strstr(additions[i].node, "protocols") ? "" : additions[i].node,
                     same || (*node && strstr(additions[j].node, "protocols")) ? ""
                                                                               : additions[j].node,
                     node));
    Rules rules = {0};
    const Machine *machine =
        library_machine(fixture->library, text_of(fixture, name), &fixture->diag);
    assert_no_error(fixture);
    rules_follow_machine(&rules, machine);
    rules.averages = additions[i].averages || additions[j].averages;
    return rules;
}

static double time_by_messages(Fixture *fixture, const Instance *instance, const Network *network,
                               const Rules *rules, double bytes)
{
    TraceVisitor visitor;
    Profile profile;
    Averager *averager = averager_create(fixture->arena, network->p, &visitor);
    ck_assert(profile_trace(fixture->arena, instance, network, rules, &visitor, &profile,
                            &fixture->diag));
    double settled[PARAMETER_COUNT], local = 0, sum = 0;
    double *ends = ARENA_ARRAY(fixture->arena, double, (size_t)network->p);
    if (!rules->averages)
        return cost_total(profile_cost(&profile, rules->parameters, bytes));
    averager_ends(averager, profile_parameters(&profile, rules->parameters, bytes, settled),
                  profile_block(&profile, bytes), ends);
    for (int i = 0; i < LOCAL_WORK_COUNT; i++)
        local += profile_local(&profile, (LocalWork)i, bytes);
    for (int64_t r = 0; r < network->p; r++)
        sum += ends[r];
    return sum / (double)network->p + local;
}

static void assert_above_bounds(Fixture *fixture, const Instance *instance, const Network *network,
                                const Rules *rules, double bytes, double time)
{
    Contract contract;
    BoundSet bounds;
    double least[PARAMETER_COUNT];
    Rules bounded = *rules;
    bounded.posting = rules_loosest_posting(rules, instance->algorithm);
    ck_assert(contract_create(fixture->arena, instance->algorithm->collective, instance->p,
                              instance->root, 0, &contract, &fixture->diag));
    bounds_compute(fixture->arena, &contract, network, &bounded, BOUND_SEARCH_CUTS, &bounds);
    rules_least(rules, network, least);
    for (int kind = 0; kind < BOUND_KIND_COUNT; kind++) {
        const double bound = bound_seconds(&bounds.items[kind], least, bytes);
        ck_assert_msg(bound <= time * (1 + 1e-12), "%s on %s, %s: bound '%s' %g, cost %g",
                      algorithm_full_name(fixture->arena, instance->algorithm), network->name,
                      rules_describe(fixture->arena, rules), bound_names[kind], bound, time);
    }
}

START_TEST(pairs_of_rules)
{
    Fixture *fixture = fixture_open();
    for (int j = 0; j <= _i; j++) {
        const Rules rules = rules_of_pair(fixture, _i, j);
        for (size_t n = 0; n < sizeof networks / sizeof *networks; n++) {
            Network network = network_named(fixture, networks[n], TIES_PLUS);
            for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
                Instance instance = instance_of(fixture, algorithms[a], 8, 3 * (a < 2), 1);
                instance.ports = rules_ports(&rules, &network);
                instance.shape = &network.shape;
                Profile profile;
                ck_assert(profile_derive(fixture->arena, &instance, &network, &rules, &profile,
                                         &fixture->diag));
                for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                    double time = cost_total(profile_cost(&profile, rules.parameters, sizes[s]));
                    double by_messages =
                        time_by_messages(fixture, &instance, &network, &rules, sizes[s]);
                    ck_assert_msg(time > 0 && fabs(time / by_messages - 1) < 1e-12,
                                  "%s and %s, %s on %s: %.17g, message by message %.17g",
                                  additions[_i].name, additions[j].name, algorithms[a],
                                  network.name, time, by_messages);
                    if (!rules.averages)
                        assert_above_bounds(fixture, &instance, &network, &rules, sizes[s], time);
                }
            }
        }
    }
    fixture_close(fixture);
}
END_TEST

Suite *rule_pairs_suite(void)
{
    Suite *suite = suite_create("rule_pairs");
    TCase *tests = tcase_create("rule_pairs");
    tcase_add_loop_test(tests, pairs_of_rules, 0, ADDITIONS);
    tcase_set_timeout(tests, 300);
    suite_add_tcase(suite, tests);
    return suite;
}
