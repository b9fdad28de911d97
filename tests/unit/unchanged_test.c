/* Costs by the default rules, to the last bit: a digest of each algorithm of the library over
   numbers of ranks up to 64, networks, ports and ways of switching. What is added to the rules must
   not change them. */
#include "unit.h"

#include "cost/derive.h"

#include <inttypes.h>
#include <string.h>

/* Kept from before rules were added. An algorithm that is not among them is new, and not compared;
   one whose schedule is changed on purpose needs the digest that the failing test prints. */
static const struct {
    const char *algorithm;
    uint64_t digest;
} kept[] = {
#define DIGEST(algorithm, digest) {algorithm, digest},
#include "unchanged.def"
#undef DIGEST
};

enum { KEPT_OUTPUTS = sizeof kept / sizeof *kept, MOST_TRIED_RANKS = 64 };

/* Every number of ranks is tried on the first two, few on the others. */
static const char *const topologies[] = {"full", "ring", "star", "torus", "cluster", "fat-tree"};

/* Whole numbers: sums of products are exact, on any machine. */
static const double parameters[PARAMETER_COUNT] = {1000003, 1009, 7, 3};
static const double bytes = 64 * 720720.0;

static uint64_t add_bits(uint64_t digest, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    digest = (digest ^ bits) * 0x9E3779B97F4A7C15u;
    return digest ^ digest >> 29;
}

/* Also where the algorithm may not run. */
static uint64_t add_cost(Fixture *fixture, const Algorithm *algorithm, const Network *network,
                         const Rules *rules, uint64_t digest)
{
    Instance instance = {.algorithm = algorithm,
                         .p = network->p,
                         .root = algorithm->collective->rooted ? network->p / 2 : 0,
                         .k = algorithm->free_chunks ? 3 : 1,
                         .ports = rules->ports,
                         .shape = &network->shape,
                         .sizes.order = algorithm->collective->problem ? network->p : 0};
    Profile profile;
    Diag silent = diag_silent();
    Arena *scratch = arena_scratch(fixture->arena);
    bool runs = schedule_allows(algorithm, &network->shape, rules->ports, NULL, &silent) &&
                profile_derive(scratch, &instance, network, rules, &profile, &silent);
    digest = add_bits(digest, runs);
    if (runs) {
        CostParts parts = profile_cost(&profile, parameters, bytes);
        digest = add_bits(digest, parts.startup);
        digest = add_bits(digest, parts.hop);
        digest = add_bits(digest, parts.transfer);
        digest = add_bits(digest, parts.compute);
        digest = add_bits(digest, cost_total(profile_cost(&profile, parameters, 1)));
    }
    arena_destroy(scratch);
    return digest;
}

static uint64_t digest_of(Fixture *fixture, const Algorithm *algorithm, Network *networks[])
{
    const Rules plain = {.ports = 1};
    const Rules others[] = {
        {.ports = 2},
        {.ports = 1, .switching = SWITCHING_STORE_AND_FORWARD},
        {.ports = 1, .asynchronous = true},
        {.ports = 1, .all_ports = true, .duplex = DUPLEX_HALF},
    };
    uint64_t digest = 1;
    for (size_t t = 0; t < sizeof topologies / sizeof *topologies; t++)
        for (int64_t p = 2; p <= MOST_TRIED_RANKS; p++) {
            const Network *network = &networks[t][p];
            bool few = p == 4 || p == 6 || p == 9 || p == 16;
            if (!network->p)
                continue;
            if (t < 2 || few || p == 32 || p == 64)
                digest = add_cost(fixture, algorithm, network, &plain, digest);
            for (size_t i = 0; few && i < sizeof others / sizeof *others; i++)
                digest = add_cost(fixture, algorithm, network, &others[i], digest);
        }
    return digest;
}

static void compare_digest(const char *name, uint64_t digest, int *found)
{
    for (size_t i = 0; i < KEPT_OUTPUTS; i++) {
        if (strcmp(kept[i].algorithm, name) != 0)
            continue;
        ck_assert_msg(kept[i].digest == digest,
                      "costs of %s have changed: DIGEST(\"%s\", 0x%016" PRIx64 ")", name, name,
                      digest);
        ++*found;
        return;
    }
}

START_TEST(costs_by_default_rules_are_unchanged)
{
    Fixture *fixture = fixture_open();
    Network *networks[sizeof topologies / sizeof *topologies];
    Diag silent = diag_silent();
    int found = 0;
    for (size_t t = 0; t < sizeof topologies / sizeof *topologies; t++) {
        networks[t] = ARENA_ARRAY(fixture->arena, Network, MOST_TRIED_RANKS + 1);
        const Topology *topology =
            library_topology(fixture->library, text_of(fixture, topologies[t]), &fixture->diag);
        for (int64_t p = 2; p <= MOST_TRIED_RANKS; p++) {
            const Shape shape = topology_shape(topology, p);
            if (!network_create(fixture->arena, topology, &shape, TIES_PLUS, &networks[t][p],
                                &silent))
                networks[t][p].p = 0;
        }
    }
    for (size_t i = 0; i < library_entry_count(fixture->library); i++) {
        const ModelEntry *entry = library_entry(fixture->library, i);
        if (entry->kind != KIND_ALGORITHM)
            continue;
        const Algorithm *algorithm = library_load(fixture->library, entry, &fixture->diag);
        uint64_t digest = digest_of(fixture, algorithm, networks);
        compare_digest(algorithm_full_name(fixture->arena, algorithm), digest, &found);
    }
    ck_assert_int_eq(found, KEPT_OUTPUTS);
    fixture_close(fixture);
}
END_TEST

Suite *unchanged_suite(void)
{
    Suite *suite = suite_create("unchanged");
    TCase *test = tcase_create("unchanged");
    tcase_add_test(test, costs_by_default_rules_are_unchanged);
    tcase_set_tags(test, "slow");
    suite_add_tcase(suite, test);
    return suite;
}
