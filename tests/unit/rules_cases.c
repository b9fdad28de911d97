#include "rules_cases.h"

#include "cost/derive.h"

#include <math.h>

static const char head[] = "algorithm: mine\ncollective: reduce\nchunks: 4\nschedule:\n";

Instance rules_instance(Fixture *fixture, const char *algorithm, int64_t root, int64_t k,
                        const Network *network, const Rules *rules)
{
    bool is_own = algorithm[0] == ' ';
    if (is_own)
        use_models(fixture, arena_printf(fixture->arena, "%s%s", head, algorithm));
    Instance instance =
        instance_of(fixture, is_own ? "reduce/mine" : algorithm, network->p, root, k);
    instance.ports = rules_ports(rules, network);
    instance.shape = &network->shape;
    return instance;
}

double time_of(Fixture *fixture, const Instance *instance, const Network *network,
               const Rules *rules, Prices link_costs, double bytes)
{
    Profile profile;
    const double parameters[PARAMETER_COUNT] = {link_costs.ts, link_costs.th, link_costs.tw,
                                                link_costs.tc};
    bool good = profile_derive(fixture->arena, instance, network, rules, &profile, &fixture->diag);
    assert_no_error(fixture);
    ck_assert(good);
    return cost_total(profile_cost(&profile, parameters, bytes));
}

void assert_rule_case(const RuleCase *expected)
{
    const double m = 240;
    Fixture *fixture = fixture_open();
    const Rules *rules = &expected->rules;
    Network network = network_named(fixture, expected->network, rules->ties);
    Instance instance =
        rules_instance(fixture, expected->algorithm, expected->root, expected->k, &network, rules);
    double ts = time_of(fixture, &instance, &network, rules, (Prices){1, 0, 0, 0}, m);
    double th = time_of(fixture, &instance, &network, rules, (Prices){0, 1, 0, 0}, m);
    double tw = time_of(fixture, &instance, &network, rules, (Prices){0, 0, 1, 0}, m) / m;
    double tc = time_of(fixture, &instance, &network, rules, (Prices){0, 0, 0, 1}, m) / m;
    ck_assert_msg(ts == expected->ts && th == expected->th && fabs(tw - expected->tw) < 1e-12 &&
                      fabs(tc - expected->tc) < 1e-12,
                  "%s, %s on %s: %g ts + %g th + %g m tw + %g m tc", expected->algorithm,
                  rules_describe(fixture->arena, rules), network.name, ts, th, tw, tc);
    fixture_close(fixture);
}
