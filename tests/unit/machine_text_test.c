/* Machines written as model files and read again. */
#include "model/machine.h"

#include "base/random.h"
#include "model/parameters.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *write_file(Fixture *fixture, const Machine *machine)
{
    Buffer out = {.arena = fixture->arena};
    buffer_printf(&out, "machine: written\nsummary: A machine.\nsource: a test\n");
    ck_assert(machine_write(&out, machine, &fixture->diag));
    return out.items;
}

static Machine *read_file(Fixture *fixture, const char *yaml)
{
    NodeArray documents = {0};
    Text text = text_of(fixture, yaml);
    const Source *source = source_from_text(fixture->arena, "written.yaml", yaml, text.length);
    ck_assert_msg(yaml_parse(fixture->arena, source, &documents, &fixture->diag), "%s", yaml);
    Machine *machine = machine_read(fixture->arena, documents.items[0], &fixture->diag);
    ck_assert_msg(machine != NULL, "%s\n%s", yaml, take_messages(fixture));
    return machine;
}

/* To 14 digits. */
static bool is_near(double a, double b)
{
    return a == b || fabs(a - b) <= 2e-14 * fabs(b);
}

static bool same_values(const double *a, const double *b)
{
    bool same = true;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        same = same && (is_near(a[i], b[i]) || (a[i] < 0 && b[i] < 0));
    return same;
}

static bool same_delays(const Delay *a, const Delay *b, int count)
{
    bool same = true;
    for (int i = 0; i < count; i++)
        same = same && a[i].is_given == b[i].is_given && a[i].is_assumed == b[i].is_assumed &&
               (!a[i].is_given || is_near(a[i].seconds, b[i].seconds));
    return same;
}

static bool same_level(const Level *a, const Level *b)
{
    return text_same(a->name, b->name) && same_values(a->parameters, b->parameters) &&
           same_delays(a->delays, b->delays, DELAYS_OF_LEVELS) && a->ports == b->ports &&
           is_near(a->capacity, b->capacity) && a->passes == b->passes &&
           memcmp(a->assumed, b->assumed, sizeof a->assumed) == 0 &&
           a->protocol_count == b->protocol_count &&
           (a->protocol_count == 0 || a->first_protocol == b->first_protocol);
}

static bool same_protocol(const Protocol *a, const Protocol *b)
{
    return text_same(a->name, b->name) && a->number == b->number && a->up_to == b->up_to &&
           same_values(a->parameters, b->parameters) &&
           memcmp(a->assumed, b->assumed, sizeof a->assumed) == 0;
}

static bool same_machine(const Machine *a, const Machine *b)
{
    bool same = same_values(a->parameters, b->parameters) && a->ports == b->ports &&
                memcmp(a->assumed, b->assumed, sizeof a->assumed) == 0 &&
                same_delays(&a->multiply, &b->multiply, 1) && a->all_ports == b->all_ports &&
                a->level_ports == b->level_ports && a->switching == b->switching &&
                a->duplex == b->duplex && a->posting == b->posting &&
                same_delays(a->delays, b->delays, DELAY_COUNT) &&
                a->level_count == b->level_count && a->protocol_count == b->protocol_count &&
                a->listed_count == b->listed_count && a->select_fastest == b->select_fastest &&
                a->compute.count == b->compute.count;
    for (int i = 0; same && i < a->level_count; i++)
        same = same_level(&a->levels[i], &b->levels[i]);
    for (int i = 0; same && i < a->listed_count; i++)
        same = same_protocol(&a->protocols[i], &b->protocols[i]);
    for (int i = 0; same && i < a->compute.count; i++)
        same = is_near(a->compute.items[i].price, b->compute.items[i].price) &&
               a->compute.items[i].up_to == b->compute.items[i].up_to;
    return same;
}

static void assert_returns(Fixture *fixture, const Machine *machine)
{
    const char *yaml = write_file(fixture, machine);
    ck_assert_msg(same_machine(machine, read_file(fixture, yaml)), "%s", yaml);
}

START_TEST(machines_of_the_library_read_back)
{
    Fixture *fixture = fixture_open();
    size_t count = library_entry_count(fixture->library), machines = 0;
    for (size_t i = 0; i < count; i++) {
        const ModelEntry *entry = library_entry(fixture->library, i);
        if (entry->kind != KIND_MACHINE)
            continue;
        const Machine *machine =
            library_machine(fixture->library, text_of(fixture, entry->name), &fixture->diag);
        assert_returns(fixture, machine);
        machines++;
    }
    ck_assert_uint_ge(machines, 8);
    fixture_close(fixture);
}
END_TEST

static bool one_in(uint64_t *state, uint64_t count)
{
    return random_next(state) % count == 0;
}

static double any_number(uint64_t *state, double least, double most)
{
    double share = (double)(random_next(state) >> 11) * 0x1p-53;
    double value = exp(log(least) + share * log(most / least));
    char text[40];
    snprintf(text, sizeof text, "%.*g", one_in(state, 2) ? 3 : 17, value);
    return strtod(text, NULL);
}

static void any_values(uint64_t *state, double *values, int count)
{
    for (int i = 0; i < PARAMETER_COUNT; i++)
        values[i] = i == PARAMETER_TW   ? 1 / any_number(state, 1e6, 1e12)
                    : i == PARAMETER_TC ? 1 / any_number(state, 1e6, 1e12)
                                        : any_number(state, 1e-9, 1e-4);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (i >= count || (i != PARAMETER_TW && one_in(state, 3)))
            values[i] = -1;
}

static void any_delays(uint64_t *state, Delay *delays, int count)
{
    for (int i = 0; i < count; i++)
        if (one_in(state, 2))
            delays[i] = (Delay){.is_given = true,
                                .is_assumed = one_in(state, 4),
                                .seconds = any_number(state, 1e-9, 1e-5)};
}

static void add_list(Fixture *fixture, uint64_t *state, Machine *machine, int count)
{
    for (int i = 0; i < count; i++) {
        const bool is_last = i + 1 == count;
        Protocol *protocol = &machine->protocols[machine->listed_count];
        *protocol = (Protocol){.number = machine->listed_count, .up_to = INFINITY};
        any_values(state, protocol->parameters, PARAMETER_COUNT);
        protocol->parameters[PARAMETER_TH] = protocol->parameters[PARAMETER_TC] = -1;
        if (!is_last && !machine->select_fastest)
            protocol->up_to = floor(any_number(state, 100, 1000) * pow(1000, i));
        if (one_in(state, 2))
            protocol->name = text_of(
                fixture, arena_printf(fixture->arena, one_in(state, 2) ? "eager-%d" : "it's %d: b",
                                      machine->listed_count));
        protocol->assumed[PARAMETER_TW] = protocol->name.length && one_in(state, 3);
        machine->listed_count++;
    }
}

/* What a file can say. */
static Machine any_machine(Fixture *fixture, uint64_t *state)
{
    static const char *const names[] = {"node", "switch", "a rack", "pod's"};
    Machine machine = {.ports = 1 + (int64_t)(random_next(state) % 3)};
    any_values(state, machine.parameters, PARAMETER_COUNT);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        machine.parameters[i] = fmax(machine.parameters[i], 0);
    machine.assumed[PARAMETER_TS] = one_in(state, 3);
    any_delays(state, &machine.multiply, 1);
    machine.all_ports = one_in(state, 4);
    machine.level_ports = !machine.all_ports && one_in(state, 4);
    if (machine.all_ports || machine.level_ports)
        machine.ports = 1;
    machine.switching = (Switching)(random_next(state) % SWITCHING_COUNT);
    machine.duplex = (Duplex)(random_next(state) % DUPLEX_COUNT);
    machine.posting = (Posting)(random_next(state) % POSTING_COUNT);
    machine.select_fastest = one_in(state, 3);
    any_delays(state, machine.delays, DELAY_COUNT);
    if (one_in(state, 3)) {
        machine.compute.count = 3;
        for (int i = 0; i < 3; i++)
            machine.compute.items[i] = (WorkingPrice){
                i == 2 ? INFINITY : floor(any_number(state, 100, 1000) * pow(1e3, i)),
                1 / any_number(state, 1e9, 1e11)};
        machine.parameters[PARAMETER_TC] = machine.compute.items[0].price;
    }
    machine.protocol_count = one_in(state, 2) ? 2 : 0;
    add_list(fixture, state, &machine, machine.protocol_count);
    machine.level_count = (int)(random_next(state) % 5);
    for (int i = 0; i < machine.level_count; i++) {
        Level *level = &machine.levels[i];
        *level = (Level){.name = text_of(fixture, names[i]),
                         .ports = one_in(state, 2) ? 8 : 0,
                         .capacity = one_in(state, 2) ? any_number(state, 1e9, 1e12) : 0,
                         .passes = one_in(state, 2) ? 2 : 0,
                         .first_protocol = machine.listed_count,
                         .protocol_count = one_in(state, 3) ? 2 : 0};
        any_values(state, level->parameters, one_in(state, 4) ? 0 : PARAMETER_TC);
        any_delays(state, level->delays, DELAYS_OF_LEVELS);
        level->assumed[PARAMETER_TS] = one_in(state, 3);
        add_list(fixture, state, &machine, level->protocol_count);
    }
    return machine;
}

START_TEST(random_machines_read_back)
{
    Fixture *fixture = fixture_open();
    uint64_t state = 1;
    for (int i = 0; i < 2000; i++) {
        const Machine machine = any_machine(fixture, &state);
        assert_returns(fixture, &machine);
    }
    fixture_close(fixture);
}
END_TEST

static const char *value_for(const ParameterInfo *info)
{
    return info->keeping == KEPT_COUNT                                ? "3"
           : info->keeping == KEPT_SHARE || parameter_is_number(info) ? "0.25"
           : info->keeping == KEPT_SIZE                               ? "12345 B"
           : info->inverse                                            ? "2.5 GB/s"
                                                                      : "3.5 us";
}

/* By its key: set, multiplied where that can be, told as a setting, and written to a file. */
static void try_parameter(Fixture *fixture, const Machine *plain, const ParameterInfo *info,
                          const char *owner)
{
    Machine machine = *plain;
    const Text name = text_of(fixture, arena_printf(fixture->arena, "%s%s", owner, info->key));
    const Text of = text_slice(name, 0, *owner ? strlen(owner) - 1 : 0);
    ck_assert_msg(machine_set(&machine, name, text_of(fixture, value_for(info)), &fixture->diag),
                  "%s %s", name.chars, take_messages(fixture));
    double value = parameter_get(info, owner_find(&machine, of));
    const char *told = machine_setting(fixture->arena, &machine, name);
    ck_assert_msg(value > 0 && told && strncmp(told, name.chars, name.length) == 0, "%s",
                  name.chars);
    if (parameter_is_scaled(info)) {
        ck_assert(machine_scale(&machine, name, 2, &fixture->diag));
        const double scaled = parameter_get(info, owner_find(&machine, of));
        ck_assert_msg(is_near(scaled, info->inverse ? value / 2 : value * 2), "%s", name.chars);
        value = scaled;
    }
    const Machine *again = read_file(fixture, write_file(fixture, &machine));
    ck_assert_msg(is_near(parameter_get(info, owner_find(again, of)), value), "%s", name.chars);
}

START_TEST(each_parameter_of_the_table_is_set_told_and_written)
{
    static const char *const owners[OWNER_KINDS] = {"", "node.", "eager."};
    Fixture *fixture = fixture_open();
    const Machine *plain =
        read_file(fixture, "machine: plain\nbandwidth: 1 GB/s\nlevels: {node: {}}\nprotocols:\n"
                           "  - {name: eager, up-to: 1 kB, startup: 1 us}\n"
                           "  - {name: large, startup: 2 us}\n");
    int tried = 0;
    for (int i = 0; i < parameter_info_count; i++)
        for (int kind = 0; kind < OWNER_KINDS; kind++)
            if (parameter_has(&parameter_info[i], (OwnerKind)kind) &&
                parameter_is_set(&parameter_info[i])) {
                try_parameter(fixture, plain, &parameter_info[i], owners[kind]);
                tried++;
            }
    ck_assert_int_ge(tried, 29);
    fixture_close(fixture);
}
END_TEST

START_TEST(what_no_file_can_say_is_refused)
{
    Fixture *fixture = fixture_open();
    Buffer out = {.arena = fixture->arena};
    const Machine endless = {.ports = 1, .parameters = {1e-6, 0, 0, 0}};
    ck_assert(!machine_write(&out, &endless, &fixture->diag));
    assert_error(fixture);
    fixture_close(fixture);
}
END_TEST

Suite *machine_text_suite(void)
{
    Suite *suite = suite_create("machine_text");
    TCase *all = tcase_create("machine_text");
    tcase_set_timeout(all, 300);
    tcase_add_test(all, machines_of_the_library_read_back);
    tcase_add_test(all, random_machines_read_back);
    tcase_add_test(all, each_parameter_of_the_table_is_set_told_and_written);
    tcase_add_test(all, what_no_file_can_say_is_refused);
    suite_add_tcase(suite, all);
    return suite;
}
