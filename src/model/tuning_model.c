#include "model/tuning_model.h"

#include <math.h>

/* Names in expressions, by slot; those of the hardware follow. */
typedef enum {
    SLOT_RANKS,
    SLOT_NODES,
    SLOT_DEVICES,
    SLOT_BYTES,
    SLOT_INTRA,
    SLOT_INTER,
    SLOT_MINOR,
    SLOT_HARDWARE
} TuningSlot;

enum { SMALLEST_FACTOR_BYTES = 64 };

typedef struct {
    const Resolver *resolver;
    Arena *arena;
    TuningModel *model;
    Scope scope;
    Diag *diag;
} TuningReader;

/* `generation: required`, `channels: 8` */
static bool read_hardware(TuningReader *reader, const Node *map)
{
    TuningModel *model = reader->model;
    if (!map)
        return true;
    if (!node_is_map(map, "the value of 'hardware'", reader->diag))
        return false;
    if (map->count > MOST_HARDWARE_FACTS)
        return diag_error(reader->diag, map->text.span, "there are at most %d names of hardware",
                          MOST_HARDWARE_FACTS);
    model->hardware = ARENA_ARRAY(reader->arena, TuningHardware, map->count);
    for (size_t i = 0; i < map->count; i++) {
        TuningHardware *one = &model->hardware[model->hardware_count++];
        const Node *value = map->values[i];
        Signature signature;
        if (!parse_signature(reader->arena, map->keys[i]->text, &signature, reader->diag) ||
            !node_is_scalar(value, "a number", reader->diag))
            return false;
        if (signature.parameter_count || scope_find(&reader->scope, signature.name) >= 0)
            return diag_error(reader->diag, map->keys[i]->text.span, "this is no new name");
        one->name = node_string(reader->arena, map->keys[i]);
        one->is_required = text_equals(value->text, "required");
        if (!one->is_required &&
            !quantity_parse(value->text, DIMENSION_NONE, &one->value, reader->diag))
            return false;
        scope_add(reader->arena, &reader->scope,
                  (Variable){one->name, TYPE_REAL, DIMENSION_NONE, false});
    }
    return true;
}

static bool read_candidate(TuningReader *reader, const Node *map, TuningCandidate *candidate)
{
    static const char *const keys[] = {"collective", "run",       "protocol", "when",
                                       "latency",    "bandwidth", "factors"};
    static const char *const needed[] = {"collective", "run", "latency", "bandwidth"};
    const Resolver *resolver = reader->resolver;
    Diag *diag = reader->diag;
    candidate->span = map->text.span;
    if (!read_map(map, "a candidate", keys, COUNT_OF(keys), diag))
        return false;
    for (size_t i = 0; i < COUNT_OF(needed); i++)
        if (!node_get(map, needed[i]))
            return diag_error(diag, candidate->span, "the key '%s' is missing", needed[i]);
    Arena *arena = reader->arena;
    if (!read_key_text(map, "collective", "the name of a collective", &candidate->collective,
                       diag) ||
        !read_key_string(arena, map, "run", "the name of an algorithm", &candidate->run, diag) ||
        !read_key_string(arena, map, "protocol", "the name of a protocol", &candidate->protocol,
                         diag) ||
        (!resolver->is_known_right &&
         !resolver_find(resolver, KIND_COLLECTIVE, candidate->collective)))
        return false;
    const FormulaMap in = {arena, map, &reader->scope, diag};
    if (!read_formula(in, "when", TYPE_BOOL, DIMENSION_NONE, &candidate->when) ||
        !read_formula(in, "latency", TYPE_REAL, DIMENSION_TIME, &candidate->latency) ||
        !read_formula(in, "bandwidth", TYPE_REAL, DIMENSION_BANDWIDTH, &candidate->bandwidth))
        return false;
    const Node *factors = node_get(map, "factors");
    candidate->factor_count = factors ? node_item_count(factors) : 0;
    candidate->factors = ARENA_ARRAY(arena, double, candidate->factor_count);
    for (size_t i = 0; i < candidate->factor_count; i++) {
        const Node *item = node_item(factors, i);
        if (!node_is_scalar(item, "a factor", diag) ||
            !quantity_parse(item->text, DIMENSION_NONE, &candidate->factors[i], diag))
            return false;
        if (!(candidate->factors[i] > 0))
            return diag_error(diag, item->text.span, "a factor is above zero");
    }
    return true;
}

bool tuning_model_read(const Resolver *resolver, const Node *map, TuningModel *model)
{
    Diag *diag = resolver->diag;
    static const char *const keys[] = {"hardware", "let", "candidates"};
    TuningReader reader = {
        .resolver = resolver, .arena = resolver->arena, .model = model, .diag = diag};
    if (!node_is_map(map, "the value of 'tuning'", diag) ||
        !node_check_keys(map, "the tuning of a library", keys, COUNT_OF(keys), diag))
        return false;
    const Node *candidates = node_get(map, "candidates"), *lets = node_get(map, "let");
    if (!candidates)
        return diag_error(diag, map->text.span, "the key 'candidates' is missing");
    static const Variable names[SLOT_HARDWARE] = {
        [SLOT_RANKS] = {"p", TYPE_INT, {0, 0}, false},
        [SLOT_NODES] = {"nodes", TYPE_INT, {0, 0}, false},
        [SLOT_DEVICES] = {"devices", TYPE_INT, {0, 0}, false},
        [SLOT_BYTES] = {"b", TYPE_REAL, {0, 1}, false},
        [SLOT_INTRA] = {"intra", TYPE_REAL, {-1, 1}, false},
        [SLOT_INTER] = {"inter", TYPE_REAL, {-1, 1}, false},
        [SLOT_MINOR] = {"minor", TYPE_INT, {0, 0}, false},
    };
    for (int i = 0; i < SLOT_HARDWARE; i++)
        scope_add(reader.arena, &reader.scope, names[i]);
    if (!read_hardware(&reader, node_get(map, "hardware")) ||
        !read_functions(resolver->arena, lets, &reader.scope, diag))
        return false;
    model->candidate_count = node_item_count(candidates);
    model->candidates = ARENA_ARRAY(resolver->arena, TuningCandidate, model->candidate_count);
    bool good = true;
    for (size_t i = 0; i < model->candidate_count; i++)
        good &= read_candidate(&reader, node_item(candidates, i), &model->candidates[i]);
    return good;
}

bool tuning_model_covers(const TuningModel *model, const char *collective)
{
    bool found = false;
    for (size_t i = 0; i < model->candidate_count && !found; i++)
        found = text_equals(model->candidates[i].collective, collective);
    return found;
}

bool tuning_model_hardware(const TuningModel *model, const char *library, const Machine *machine,
                           double *values, Diag *diag)
{
    for (size_t i = 0; i < model->hardware_count; i++) {
        const TuningHardware *one = &model->hardware[i];
        const double *said = machine_hardware(machine, text_plain(one->name));
        if (!said && one->is_required) {
            diag_error(diag, NOWHERE,
                       "what %s chooses depends on '%s' of the hardware, of which machine %s says "
                       "nothing",
                       library, one->name, machine->head.name);
            return diag_note(diag, NOWHERE,
                             "a machine says so in its key 'hardware', as h100-ndr does");
        }
        values[i] = said ? *said : one->value;
    }
    return true;
}

/* What links carry at most, which machines say for lower bounds. */
static const char protocol_of_no_message[] = "line-rate";

/* Bytes per second of one port of a level by its fastest protocol, where it has none of its own of
   the machine. */
static double fastest(const Machine *machine, const char *name)
{
    const Level *level = level_find(machine->levels, machine->level_count, name);
    double tw = level && level->parameters[PARAMETER_TW] >= 0 ? level->parameters[PARAMETER_TW]
                                                              : machine->parameters[PARAMETER_TW];
    const int count = level && level->protocol_count                  ? level->protocol_count
                      : level && level->parameters[PARAMETER_TW] >= 0 ? 0
                                                                      : machine->protocol_count;
    const Protocol *protocols =
        machine->protocols + (level && level->protocol_count ? level->first_protocol : 0);
    for (int i = 0; i < count; i++)
        if (protocols[i].parameters[PARAMETER_TW] >= 0 &&
            !text_equals(protocols[i].name, protocol_of_no_message))
            tw = i == 0 ? protocols[i].parameters[PARAMETER_TW]
                        : fmin(tw, protocols[i].parameters[PARAMETER_TW]);
    return 1 / tw;
}

bool tuning_model_time(const TuningModel *model, const TuningCandidate *candidate,
                       const ForetoldCall *call, const double *hardware, double *seconds,
                       Diag *diag)
{
    const Machine *machine = call->machine;
    const int64_t devices = call->p / call->nodes;
    const Level *node = level_find(machine->levels, machine->level_count, "node");
    const double lanes = node && node->devices_per_adapter > 0
                             ? ceil((double)devices / (double)node->devices_per_adapter)
                         : node && node->ports > 0 ? (double)node->ports
                                                   : 1;
    const double intra = fastest(machine, "device"), inter = fastest(machine, "node") * lanes;
    const void *slots[MOST_SLOTS] = {
        [SLOT_RANKS] = &call->p,      [SLOT_NODES] = &call->nodes, [SLOT_DEVICES] = &devices,
        [SLOT_BYTES] = &call->buffer, [SLOT_INTRA] = &intra,       [SLOT_INTER] = &inter,
        [SLOT_MINOR] = &call->minor};
    int64_t runs = 1;
    double latency, bandwidth;
    for (size_t i = 0; i < model->hardware_count; i++)
        slots[SLOT_HARDWARE + i] = &hardware[i];
    *seconds = INFINITY;
    if (candidate->when.program && !program_run_int(candidate->when.program, slots, &runs, diag))
        return false;
    if (!runs)
        return true;
    if (!program_run(candidate->latency.program, slots, 1, &latency, diag) ||
        !program_run(candidate->bandwidth.program, slots, 1, &bandwidth, diag))
        return false;
    const double step = floor(log2(call->buffer / SMALLEST_FACTOR_BYTES));
    if (step >= 0 && step < (double)candidate->factor_count)
        bandwidth *= candidate->factors[(size_t)step];
    *seconds = latency + call->buffer / bandwidth;
    return true;
}
