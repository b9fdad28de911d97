/* What of a machine can be changed by itself, with the values that there are, counted by hand. */
#include "model/varied.h"

#include "base/buffer.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static const char models[] =
    "machine: plain\nstartup: 0\nbandwidth: 1 GB/s\n"
    "---\n"
    "machine: with-protocols\nstartup: 3 us\nbandwidth: 1 GB/s\nprotocols:\n"
    "  - {name: eager, up-to: 1000 B, startup: 0}\n"
    "  - {name: middle, up-to: 8000 B, startup: 1 us, bandwidth: 2 GB/s}\n"
    "  - {name: large, startup: 2 us, bandwidth: 4 GB/s}\n"
    "---\n"
    "machine: with-levels\nstartup: 3 us\nbandwidth: 1 GB/s\nlevels:\n"
    "  node:\n    bandwidth: 2 GB/s\n    capacity: 8 GB/s\n    protocols:\n"
    "      - {name: eager, up-to: 500 B, startup: 0}\n"
    "      - {name: large, startup: 4 us}\n"
    "  elsewhere:\n    startup: 7 us\n    capacity: 5 GB/s\n    protocols:\n"
    "      - {name: eager, up-to: 100 B, startup: 1 us}\n"
    "      - {name: large, startup: 2 us}\n";

static const struct {
    const char *machine, *network, *list;
} cases[] = {
    /* a zero is a value as well, and the least one */
    {"plain", "full:4", "startup 0..0 zero; per-hop 0..0 zero; bandwidth 1..1; compute 0..0 zero"},
    /* what a protocol does not say is the machine's; sizes stay between those beside them */
    {"with-protocols", "full:4",
     "startup 0..2000; per-hop 0..0 zero; bandwidth 0.25..1; compute 0..0 zero; "
     "eager.startup 0..0 zero; eager.up-to 1000..1000 in 0..8000; "
     "middle.startup 1000..1000; middle.bandwidth 0.5..0.5; "
     "middle.up-to 8000..8000 in 1000..inf; "
     "large.startup 2000..2000; large.bandwidth 0.25..0.25"},
    /* levels of the network alone; what links do not say is their level's, or the machine's */
    {"with-levels", "cluster:2x2",
     "startup 3000..3000; per-hop 0..0 zero; bandwidth 1..1; compute 0..0 zero; "
     "node.startup 0..4000 of links; node.bandwidth 0.5..0.5 of links; "
     "node.eager.startup 0..0 zero; node.eager.up-to 500..500 in 0..inf; "
     "node.large.startup 4000..4000"},
    /* no level: only what is the machine's */
    {"with-levels", "full:4",
     "startup 3000..3000; per-hop 0..0 zero; bandwidth 1..1; compute 0..0 zero"},
};

/* Times in ns. */
static const char *list_text(Fixture *fixture, const VariedParameterArray *list)
{
    Buffer out = {.arena = fixture->arena};
    for (size_t i = 0; i < list->count; i++) {
        const VariedParameter *varied = &list->items[i];
        double unit = varied_is_size(varied) ? 1 : 1e-9;
        buffer_printf(&out, "%s%s %g..%g", i ? "; " : "", varied->name, varied->least / unit,
                      varied->most / unit);
        if (varied->is_zero)
            buffer_printf(&out, " zero");
        if (varied->of_links)
            buffer_printf(&out, " of links");
        if (varied_is_size(varied))
            buffer_printf(&out, " in %g..%g", varied->above, varied->below);
    }
    return out.items;
}

START_TEST(parameters_have_the_values_that_there_are)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, models);
    Network network = network_named(fixture, cases[_i].network, TIES_PLUS);
    const Machine *machine =
        library_machine(fixture->library, text_of(fixture, cases[_i].machine), &fixture->diag);
    ck_assert(machine != NULL);
    VariedParameterArray list =
        varied_list(fixture->arena, machine, network.classes, network.class_count);
    ck_assert_str_eq(list_text(fixture, &list), cases[_i].list);
    fixture_close(fixture);
}
END_TEST

/* What stands beside the list; capacities are those of levels that the network has, as times by
   byte. */
START_TEST(others_are_delays_local_work_and_capacities)
{
    Fixture *fixture = fixture_open();
    use_models(fixture, models);
    const Machine *machine =
        library_machine(fixture->library, text_of(fixture, "with-levels"), &fixture->diag);
    Network network = network_named(fixture, "cluster:2x2", TIES_PLUS);
    VariedParameterArray list = {0};
    varied_list_others(fixture->arena, machine, network.classes, network.class_count, &list);
    ck_assert_str_eq(
        list_text(fixture, &list),
        "overhead 0..0 zero of links; gap 0..0 zero of links; "
        "receive-overhead 0..0 zero of links; contact 0..0 zero of links; "
        "contact-posted 0..0 zero of links; exchange 0..0 zero of links; call 0..0 zero; "
        "copy 0..0 zero; first-touch 0..0 zero; "
        "node.capacity 0.125..0.125 of links");
    fixture_close(fixture);
}
END_TEST

Suite *varied_suite(void)
{
    Suite *suite = suite_create("varied");
    TCase *lists = tcase_create("lists");
    tcase_add_loop_test(lists, parameters_have_the_values_that_there_are, 0,
                        sizeof cases / sizeof *cases);
    tcase_add_test(lists, others_are_delays_local_work_and_capacities);
    suite_add_tcase(suite, lists);
    return suite;
}
