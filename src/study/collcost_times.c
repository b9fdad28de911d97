/* The functions of collcost.h that are about times on machines that change. */
#include "study/call.h"
#include "study/case.h"

#include <math.h>
#include <string.h>

/* Times that differ by a smaller share are the same. */
static const double same_time = 1e-9;

struct collcost_times {
    const Case *given;
    Case *now;    /* the same question, with the costs of `machine`; NULL: not yet */
    Arena *arena; /* of that case; NULL: there is none */
    const double *sizes;
    size_t count;
    Machine machine; /* the last one, with lists */
    Machine derived; /* that on which the case was opened */

    bool is_tried[DELAYS_OF_LEVELS], depends[DELAYS_OF_LEVELS]; /* on these delays */
};

/* Levels that have no protocols of their own get such as say nothing: a profile then contains how
   much of each level a time has, and takes the price when it is asked, as it does of the machine's.
   With store-and-forward levels have none. */
static void add_lists(const Rules *rules, Machine *machine)
{
    static const Protocol nothing = {.up_to = INFINITY, .parameters = {-1, -1, -1, -1}};
    const Protocol *own = machine->protocol_count ? machine->protocols : &nothing;
    const int count = machine->protocol_count ? machine->protocol_count : 1;
    for (int i = 0; i < machine->level_count && rules->switching == SWITCHING_CUT_THROUGH; i++) {
        Level *level = &machine->levels[i];
        if (level->protocol_count || machine->listed_count + count > LIMIT_PROTOCOLS)
            continue;
        level->first_protocol = machine->listed_count;
        level->protocol_count = count;
        for (int j = 0; j < count; j++) {
            Protocol *protocol = &machine->protocols[machine->listed_count++];
            *protocol = nothing;
            protocol->number = own[j].number;
            protocol->up_to = own[j].up_to;
            protocol->waits = own[j].waits;
        }
    }
}

static void close_times(collcost_times *times)
{
    if (times->arena)
        arena_destroy(times->arena);
    times->arena = NULL;
    times->now = NULL;
}

static void change_costs(collcost_times *times, const Machine *machine)
{
    VariedLinkCost *varied = &times->now->study.rules.varied;
    case_change_costs(times->now, machine);
    for (int i = 0; i < machine->level_count && varied->level.length; i++)
        if (text_same(machine->levels[i].name, varied->level))
            varied->factor = times->derived.levels[i].capacity / machine->levels[i].capacity;
}

static Case *open_on(const Case *given, Arena *arena, const Machine *machine, Diag *diag)
{
    Study study = given->study;
    study.arena = arena;
    study.machine = *machine;
    study.diag = diag;
    study.rules.keeps_spacing = true;
    /* The first level with a capacity: that can change while profiles live, as a factor. */
    VariedLinkCost *varied = &study.rules.varied;
    *varied = (VariedLinkCost){0};
    for (int i = 0; i < machine->level_count && !varied->level.length; i++)
        if (machine->levels[i].capacity > 0 &&
            network_has_level(&given->network, machine->levels[i].name))
            *varied = (VariedLinkCost){machine->levels[i].name, VARIED_CAPACITY, 1};
    rules_follow_machine(&study.rules, &study.machine);
    return case_open(&study, given->collective, given->only, given->topology, &given->shape);
}

/* Of schedules whose number of chunks is free, those of so many chunks stand for all. */
static const int64_t tried_chunks[] = {1, 2, 3, 8};

/* Do two cases have the same times, and would they if another radix or fan-out were the best, or
   with any number of chunks? A time that is not known is another one. */
static bool are_same(const collcost_times *times, const Case *a, const Case *b, Arena *scratch)
{
    Curve *curve = a->candidates.curves[0], *other = b->candidates.curves[0];
    const size_t tries = curve_is_free(curve) ? COUNT_OF(tried_chunks) : 0;
    Diag silent = diag_silent();
    IntArray branches = {0};
    curve_list_branches(curve, scratch, &branches);
    if (!branches.count)
        *ARRAY_PUSH(scratch, &branches) = 0;
    bool same = true;
    for (size_t i = 0; i < times->count && same; i++) {
        const double bytes = times->sizes[i];
        CurvePoint point;
        same = curve_at(curve, bytes, curve_most_chunks(bytes), &point, &silent);
        for (size_t j = 0; j < branches.count * (tries + 1) && same; j++) {
            const size_t t = j % (tries + 1);
            const int64_t k = t ? tried_chunks[t - 1] : (int64_t)point.k;
            const int64_t of = branches.items[j / (tries + 1)];
            double before, after;
            same = curve_total(curve, k, of, bytes, &before, &silent) &&
                   curve_total(other, k, of, bytes, &after, &silent) &&
                   fabs(after - before) <= same_time * before;
        }
    }
    return same;
}

/* As the machine of the times now, with that delay; behind messages of all protocols, or of none,
   others wait. Each of both may hide a delay. */
static Machine delay_machine(const collcost_times *times, int delay, double seconds, bool waits)
{
    Machine machine = times->machine;
    machine.delays[delay] = (Delay){.is_given = true, .seconds = seconds};
    for (int i = 0; i < machine.listed_count; i++)
        machine.protocols[i].waits = waits;
    return machine;
}

/* Do the profiles contain a delay? They count messages that are posted together, and contacts, if
   no level has delays of its own; gaps in order are in them. A delay that exceeds all times would
   show. */
static bool contains(collcost_times *times, int delay)
{
    static const double long_delay = 0x1p40;
    if (times->is_tried[delay])
        return times->depends[delay];
    Arena *scratch = arena_scratch(times->given->study.arena);
    Diag silent = diag_silent();
    Machine machine = delay_machine(times, delay, long_delay, false);
    Case *delayed = open_on(times->given, scratch, &machine, &silent);
    change_costs(times, &machine);
    bool depends = !delayed || !are_same(times, times->now, delayed, scratch);
    if (!depends && machine.listed_count) {
        machine = delay_machine(times, delay, long_delay, true);
        case_change_costs(delayed, &machine);
        change_costs(times, &machine);
        depends = !are_same(times, times->now, delayed, scratch);
    }
    change_costs(times, &times->machine);
    arena_destroy(scratch);
    times->is_tried[delay] = true;
    return times->depends[delay] = depends;
}

typedef struct {
    Case *opened;
    const double *sizes;
    size_t count;
    collcost_times *times;
    const Machine *machine;
    const bool *wanted;
    double *seconds;
} TimesCall;

static collcost_status create_times(void *arguments)
{
    TimesCall *call = arguments;
    const Study *study = &call->opened->study;
    if (call->opened->candidates.algorithms.count != 1)
        return call_status(diag_error(study->diag, NOWHERE,
                                      "times on machines that change are those of one algorithm"));
    for (size_t i = 0; i < call->count; i++)
        if (!call_check_size(study, call->sizes[i], 0))
            return COLLCOST_BAD_INPUT;
    call->times = ARENA_NEW(study->arena, collcost_times);
    *call->times = (collcost_times){
        .given = call->opened,
        .sizes = ARENA_COPY(study->arena, double, call->sizes, call->count),
        .count = call->count,
        .machine = study->machine,
    };
    return COLLCOST_FINE;
}

collcost_status collcost_times_create(collcost_case *opened, const double *sizes, size_t count,
                                      collcost_times **times)
{
    TimesCall call = {.opened = opened, .sizes = sizes, .count = count};
    collcost_status status = call_study(&opened->study, create_times, &call);
    if (status == COLLCOST_FINE)
        *times = call.times;
    return status;
}

void collcost_times_free(collcost_times *times)
{
    if (times)
        close_times(times);
}

/* What was zero may have been left out, and what was not given may be another's; what is multiplied
   must not be zero. */
static bool can_price(const double *before, const double *now, bool multiplies)
{
    bool can = true;
    for (int x = 0; x < PARAMETER_COUNT; x++)
        can &= before[x] > 0 ? now[x] > 0 || (now[x] == 0 && !multiplies) : now[x] == before[x];
    return can;
}

/* Has the machine the same conventions, levels and protocols? Only prices may differ, and delays of
   the machine that were given. */
static bool is_alike(const Case *given, const Machine *before, const Machine *now)
{
    const Algorithm *algorithm = case_algorithm(given, 0);
    Rules a = {0}, b = {0};
    rules_follow_machine(&a, before);
    rules_follow_machine(&b, now);
    /* What a rank holds, or does in its memory, is asked for on both, or on neither. */
    const bool are_held_alike =
        rules_price_local(&a, algorithm) == rules_price_local(&b, algorithm) &&
        rules_price_by_peak(&a, algorithm) == rules_price_by_peak(&b, algorithm);
    bool multiplies = false;
    for (int i = 0; i < now->level_count; i++)
        for (int x = 0; x < PARAMETER_COUNT; x++)
            multiplies |= now->levels[i].link_scales[x] > 0;
    bool is = before->ports == now->ports && before->all_ports == now->all_ports &&
              before->level_ports == now->level_ports &&
              (before->posting == now->posting || given->study.rules.fixed_posting) &&
              before->contacts == now->contacts && before->level_count == now->level_count &&
              before->protocol_count == now->protocol_count &&
              before->listed_count == now->listed_count &&
              before->select_fastest == now->select_fastest && are_held_alike &&
              can_price(before->parameters, now->parameters, false);
    /* Protocols are found by the same numbers, and by their names where the algorithm names one. */
    for (int i = 0; i < now->listed_count && is; i++) {
        const Protocol *of = &before->protocols[i], *by = &now->protocols[i];
        is = of->number == by->number &&
             (!algorithm->protocol.length || text_same(of->name, by->name)) &&
             can_price(of->parameters, by->parameters, multiplies);
    }
    for (int i = 0; i < DELAYS_OF_LEVELS; i++)
        is &= before->delays[i].is_given || !now->delays[i].is_given;
    /* Levels do the same with messages, and differ in prices alone. What is multiplied now must be
   there; how much it is multiplied matters to case_is_derived_otherwise. Delays of a level are in
   profiles, but for what exchanges take. */
    for (int i = 0; i < now->level_count && is; i++) {
        const Level *of = &before->levels[i], *by = &now->levels[i];
        is = text_same(of->name, by->name) && of->ports == by->ports && of->passes == by->passes &&
             of->merging == by->merging && of->devices_per_adapter == by->devices_per_adapter &&
             of->first_protocol == by->first_protocol && of->protocol_count == by->protocol_count &&
             can_price(of->parameters, by->parameters, multiplies);
        for (int kind = 0; kind < MERGING_COUNT; kind++)
            is &= of->merges[kind] == by->merges[kind];
        for (int x = 0; x < PARAMETER_COUNT; x++)
            is &= of->link_scales[x] > 0 || by->link_scales[x] <= 0 || by->parameters[x] > 0;
        for (int d = 0; d < DELAYS_OF_LEVELS; d++)
            is &= of->delays[d].is_given == by->delays[d].is_given &&
                  (d == DELAY_EXCHANGE || of->delays[d].seconds == by->delays[d].seconds);
    }
    return is;
}

static collcost_status find_seconds(void *arguments)
{
    const TimesCall *call = arguments;
    collcost_times *times = call->times;
    Machine listed = *call->machine;
    add_lists(&times->given->study.rules, &listed);
    if (times->now && !is_alike(times->given, &times->derived, &listed)) {
        close_times(times);
        memset(times->is_tried, 0, sizeof times->is_tried);
        memset(times->depends, 0, sizeof times->depends);
    }
    /* The case is closed where it contains delays which are others on this machine; what exchanges
       take is asked for with each cost. With those delays others may count that did not. */
    for (int i = 0; i < DELAYS_OF_LEVELS && times->now; i++) {
        const Delay *before = &times->machine.delays[i], *after = &listed.delays[i];
        const bool is_same = after->is_given == before->is_given &&
                             (i == DELAY_EXCHANGE || after->seconds == before->seconds);
        if (is_same || !contains(times, i))
            continue;
        close_times(times);
        memcpy(times->is_tried, times->depends, sizeof times->is_tried);
    }
    if (times->now && case_is_derived_otherwise(times->now, &listed))
        close_times(times);
    if (times->now)
        change_costs(times, &listed);
    times->machine = listed;
    for (size_t i = 0; i < times->count; i++) {
        if (call->wanted && !call->wanted[i])
            continue;
        if (!times->now) {
            close_times(times); /* it may have been opened in vain before */
            times->arena = arena_scratch(times->given->study.arena);
            times->now = open_on(times->given, times->arena, &listed, times->given->study.diag);
            times->derived = listed;
        }
        const double bytes = times->sizes[i];
        if (!times->now ||
            !curve_seconds(times->now->candidates.curves[0], bytes, curve_most_chunks(bytes),
                           &call->seconds[i], times->now->study.diag) ||
            !(call->seconds[i] > 0))
            return COLLCOST_BAD_INPUT;
    }
    return COLLCOST_FINE;
}

collcost_status collcost_times_on(collcost_times *times, const collcost_machine *machine,
                                  const bool *wanted, double *seconds)
{
    TimesCall call = {.times = times, .machine = machine, .wanted = wanted, .seconds = seconds};
    return call_study(&times->given->study, find_seconds, &call);
}
