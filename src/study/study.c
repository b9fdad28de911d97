#include "study/study.h"

#include "cost/chunk_curve.h"
#include "model/use.h"
#include "net/measure.h"

#include <math.h>
#include <string.h>

/* What can be given and yet count for nothing. */
static unsigned effect_bit(Text name)
{
    static const char *const names[] = {"k",       "segment", "radix",      "fanout",
                                        "root",    "size",    "from",       "to",
                                        "element", "compose", "bandwidths", "synthesize"};
    unsigned bit = 1;
    for (size_t i = 0; i < COUNT_OF(names) && !text_equals(name, names[i]); i++)
        bit <<= 1;
    return bit;
}

void study_note(const Study *study, const char *name, bool counts)
{
    if (study->effects)
        *(counts ? &study->effects->counts : &study->effects->idles) |=
            effect_bit(text_plain(name));
}

bool effects_lack(const Effects *effects, Text name)
{
    return effects->idles & ~effects->counts & effect_bit(name);
}

/* A level that was added must mean something here, and what is multiplied must be there: the
   level's, or what its links say themselves. A level's list says what a message pays as a whole:
   hop by hop no single one would count. */
static bool check_levels(const Study *study, const Network *network)
{
    const Rules *rules = &study->rules;
    for (int i = 0; i < study->machine.level_count; i++) {
        const Level *level = &study->machine.levels[i];
        if (level->is_set && !network_has_level(network, level->name)) {
            diag_error(study->diag, level->name.span, "%s has no level '%.*s'", network->name,
                       TEXT_ARGS(level->name));
            for (size_t c = 0; c < network->class_count; c++)
                if (network->classes[c].level)
                    diag_note(study->diag, NOWHERE, "it has the level '%s'",
                              network->classes[c].level);
            return false;
        }
        for (int x = 0; x < PARAMETER_COUNT; x++) {
            bool found = !(level->link_scales[x] > 0) || level->parameters[x] > 0;
            for (int j = 0; j < level->protocol_count; j++)
                found |= study->machine.protocols[level->first_protocol + j].parameters[x] > 0;
            for (size_t c = 0; c < network->class_count && !found; c++) {
                const LinkClass *links = &network->classes[c];
                double own = x == PARAMETER_TW ? links->tw : x == PARAMETER_TH ? links->th : 0;
                found = links->level && text_equals(level->name, links->level) && own > 0;
            }
            if (!found)
                return diag_error(study->diag, level->name.span,
                                  "level '%.*s' of %s has no %s that can be varied",
                                  TEXT_ARGS(level->name), network->name, parameter_info[x].key);
        }
    }
    for (int i = 0; i < rules->level_count && rules->protocols; i++) {
        const Level *level = &rules->levels[i];
        if (rules->switching != SWITCHING_CUT_THROUGH && level->protocol_count > 0 &&
            network_has_level(network, level->name))
            return diag_error(study->diag, level->name.span,
                              "level '%.*s' has protocols of its own, which count with "
                              "cut-through switching only",
                              TEXT_ARGS(level->name));
    }
    return true;
}

static bool check_rank(const Study *study, const GivenRank *given, int64_t rank, int64_t p)
{
    return !given->role || rank < p ||
           diag_error(study->diag, given->place, "the %s must be one of the ranks 0 .. %lld",
                      given->role, (long long)p - 1);
}

enum { LARGEST_GPU_NODE = 8 };
/* Tells why the machine does not fit the network. */
static void note_misfit(const Study *study, const char *why)
{
    diag_warning(study->diag, NOWHERE, "%s", why);
    if (study->misfit)
        *study->misfit = why;
}

/* GPUs of several nodes, by what the machine says of adapters: whoever asks is told where the
   network has no links of theirs, or the machine no adapters. */
static void warn_of_misfit(const Study *study, const Network *network)
{
    const Machine *machine = &study->machine;
    bool any = false;
    for (int i = 0; i < machine->level_count; i++) {
        const Level *level = &machine->levels[i];
        any |= level->devices_per_adapter > 0;
        if (level->devices_per_adapter && !network_has_level(network, level->name) &&
            network->p > LARGEST_GPU_NODE)
            note_misfit(
                study, arena_printf(study->arena,
                                    "%s has no level '%.*s': all %lld ranks are taken to be inside "
                                    "of one node of %s; cluster:NxD has nodes",
                                    network->name, TEXT_ARGS(level->name), (long long)network->p,
                                    machine->head.name));
    }
    if (machine->hardware_count && !any && shape_node_count(&network->shape) > 1 &&
        !level_find(machine->levels, machine->level_count, "node"))
        note_misfit(study, arena_printf(study->arena,
                                        "%s says nothing of links between nodes: on %s they cost "
                                        "what those inside of nodes do",
                                        machine->head.name, network->name));
}

bool study_network(const Study *study, const Topology *topology, const Shape *of, Network *network)
{
    const Machine *machine = &study->machine;
    Shape shape = *of; /* with the adapters that devices have by the machine */
    for (int i = 0; i < machine->level_count; i++)
        if (machine->levels[i].devices_per_adapter)
            shape.devices_per_adapter = machine->levels[i].devices_per_adapter;
    /* What a byte takes on the links of each level of the topology. */
    double level_tw[LIMIT_LEVELS + 1] = {machine->parameters[PARAMETER_TW]};
    for (size_t i = 0; i < topology->level_count; i++) {
        const Level *level = level_find(machine->levels, machine->level_count, topology->levels[i]);
        const bool has_own = level && level->parameters[PARAMETER_TW] >= 0;
        level_tw[i + 1] = has_own ? level->parameters[PARAMETER_TW] : level_tw[0];
    }
    return check_rank(study, &study->given_root, study->root, shape.p) &&
           check_rank(study, &study->given_target, study->target, shape.p) &&
           network_create_rated(study->arena, topology, &shape, study->rules.ties, level_tw,
                                network, study->diag) &&
           (warn_of_misfit(study, network), check_levels(study, network)) &&
           groups_apply(study->arena, &study->groups, network, study->diag) &&
           check_rank(study, &study->given_root, study->root, network->p) &&
           check_rank(study, &study->given_target, study->target, network->p);
}

void study_share(Study *study, const Network *network)
{
    if (network_groups(network) == 1 || study->chose_contention)
        return;
    study->rules.contention = CONTENTION_SHARED;
    study->rules.asynchronous = true;
    study->chose_contention = true;
}

bool study_check_ends(const Study *study, const Collective *collective)
{
    bool names_sender = study->given_root.role && strcmp(study->given_root.role, "sender") == 0;
    const GivenRank *given = names_sender ? &study->given_root : &study->given_target;
    study_note(study, "root", collective->rooted);
    if (!collective->is_empty)
        study_note(study, "size", true);
    return !given->role || collective->targeted ||
           diag_error(study->diag, given->place, "%s has no single sender and receiver",
                      collective->head.name);
}

bool study_settle_ends(Study *study, const Collective *collective, const Network *network)
{
    int64_t from = study->given_root.role ? study->root : -1, to = study->target;
    if (!study_check_ends(study, collective))
        return false;
    if (!collective->targeted)
        return true;
    if ((from < 0 || to < 0) && !network_farthest(network, &from, &to))
        return diag_error(study->diag, NOWHERE,
                          "the farthest pair of %s would take too long to find: give --from",
                          network->name);
    study->root = from;
    study->target = to;
    return true;
}

LibraryBlocks study_blocks(const Study *study)
{
    return study->weights.text.length ? BLOCKS_UNEQUAL : BLOCKS_EQUAL;
}

const LibraryAlgorithm *study_library_algorithm(const Study *study, const Algorithm *algorithm)
{
    size_t at = 0;
    const LibraryAlgorithm *one;
    while (study->implementation &&
           (one = implementation_next_for(study->implementation, study->version,
                                          algorithm->collective->head.name, study_blocks(study),
                                          &at))) {
        /* "ring" of "allreduce/ring"; stages behind the name of their collective. */
        Text collective, name = one->model;
        if (!text_split(one->model, ':', &collective, &name))
            text_split(one->model, '/', &collective, &name);
        Text stages = text_trim(name), names = text_plain(algorithm->head.name);
        bool same = (!study->variant || strcmp(one->variant, study->variant) == 0) &&
                    sequence_take_pipelined(&stages) == sequence_take_pipelined(&names);
        /* A stage that the library chooses is any stage there. */
        for (bool more = true; same && more;) {
            Text stage = stages, named = names;
            more = text_split(stages, ',', &stage, &stages);
            same = text_split(names, ',', &named, &names) == more &&
                   (text_holds(stage, "/chosen") || text_same(text_trim(stage), text_trim(named)));
        }
        if (same)
            return one;
    }
    return NULL;
}

/* `given` is what the user says; nothing for stages that the library chooses. */
static FreeChoice choose(const Study *study, const Algorithm *algorithm, const FreeChoice *given)
{
    static const FreeChoice nothing;
    FreeChoice choice = *given;
    const LibraryAlgorithm *one = study_library_algorithm(study, algorithm);
    /* a library that chooses the stages sets their parameters too, but for a segment of the whole
     */
    const bool is_set = one && !(one->settings.segment > 0) && text_holds(one->model, "/chosen");
    const bool counts = given != &nothing && !is_set;
    study_note(study, "k", counts && algorithm->free_chunks);
    study_note(study, "segment",
               counts && (algorithm->free_chunks || algorithm_cutting(algorithm)->reads_segment));
    study_note(study, "radix", counts && algorithm->branching == BRANCHING_RADIX);
    study_note(study, "fanout", counts && algorithm->branching == BRANCHING_FANOUT);
    if (is_set)
        given = &nothing, choice = nothing;
    if (!one)
        return choice;
    bool is_given = choice.k || choice.segment > 0;
    if (!is_given && isinf(one->settings.segment))
        choice.k = 1;
    else if (!is_given)
        choice.segment = one->settings.segment;
    for (int b = 0; b < BRANCHING_COUNT; b++)
        if (!choice.branches[b])
            choice.branches[b] = one->settings.branches[b];
    if (!memchr(one->model.chars, ':', one->model.length))
        return choice;
    /* What the library does with its parts, where nothing is said of the whole. */
    for (size_t i = 0; i < algorithm->step_count; i++) {
        if (algorithm->steps[i].kind != STEP_USE)
            continue;
        const FreeChoice part = choose(study, algorithm->steps[i].use.algorithm, given);
        if (!choice.k && !(choice.segment > 0))
            choice.k = part.k, choice.segment = part.segment;
        for (int b = 0; b < BRANCHING_COUNT; b++)
            if (!choice.branches[b])
                choice.branches[b] = part.branches[b];
    }
    return choice;
}

Diag *study_silence(Study *study)
{
    Diag *former = study->diag;
    study->diag = ARENA_NEW(study->arena, Diag);
    *study->diag = diag_silent();
    return former;
}

CurveSubject study_subject(const Study *study, const Algorithm *algorithm, const Network *network)
{
    return (CurveSubject){
        algorithm, network, &study->rules, {.root = study->root, .target = study->target}};
}

FreeChoice study_choice(const Study *study, const Algorithm *algorithm, const Network *network)
{
    FreeChoice choice = choose(study, algorithm, &study->chosen);
    const Instance whole =
        study_instance(study, algorithm, network, 1, choice.branches[algorithm->branching]);
    int64_t pieces;
    if (algorithm_cutting(algorithm)->segments && choice.segment > 0) {
        /* Libraries cut into whole elements, as many as come nearest, or not at all into less than
           one. */
        const double element = study->element, count = floor(choice.segment / element);
        const bool rounds_up = choice.segment - count * element > floor(element / 2);
        choice.segment = (count + (rounds_up ? 1 : 0)) * element;
        if (count < 1)
            choice.segment = 0, choice.k = 1;
    }
    choice.each = choice.segment;
    if (choice.segment > 0 && algorithm->free_chunks && !algorithm->pipelined &&
        schedule_try_chunks(&whole, &pieces))
        choice.segment *= (double)pieces;
    return choice;
}

bool study_weigh(Study *study, const Collective *collective, int64_t p)
{
    const Rules *rules = &study->rules;
    const char *obstacle = rules->combining == COMBINING_OVERLAP ? "overlapped combining"
                           : rules->ceil_chunks                  ? "chunks of whole bytes"
                           : study->chosen.segment > 0           ? "a segment size"
                           : study->compose == COMPOSE_ALL       ? "compositions"
                                                                 : NULL;
    if (!study->weights.text.length)
        return true;
    if (obstacle)
        diag_error(study->diag, study->weights.text.span, "unequal blocks have no cost with %s",
                   obstacle);
    else
        study->rules.weights =
            weights_find(study->arena, &study->weights, collective, p, study->diag);
    return study->rules.weights && !obstacle;
}

bool study_buffer_blocks(const Study *study, const Collective *collective, int64_t p,
                         double *blocks)
{
    int64_t count;
    if (study->weights.text.length) {
        const Weights *weights =
            weights_find(study->arena, &study->weights, collective, p, study->diag);
        *blocks = weights ? (double)weights->largest_sum : 0;
        return weights;
    }
    if (!contract_buffer_blocks(collective, p, &count, study->diag))
        return false;
    *blocks = (double)count;
    return true;
}

bool study_call(const Study *study, const Collective *collective, int64_t p, const Shape *shape,
                double m, LibraryCall *call)
{
    double blocks;
    if (!study_buffer_blocks(study, collective, p, &blocks))
        return false;
    *call = (LibraryCall){.p = p,
                          .m = m,
                          .buffer = m * blocks,
                          .element = study->element,
                          .nodes = shape_node_count(shape)};
    return true;
}

double study_largest_size(const Study *study, const AlgorithmArray *candidates)
{
    double largest = LARGEST_SIZE;
    for (size_t i = 0; i < candidates->count; i++) {
        const Algorithm *one = candidates->items[i];
        const double segment = one->free_chunks ? choose(study, one, &study->chosen).segment : 0;
        if (segment > 0)
            largest = fmin(largest, segments_largest(segment));
    }
    return largest;
}

bool study_check_segment(const Study *study, const Algorithm *algorithm, bool has_size)
{
    return choose(study, algorithm, &study->chosen).segment <= 0 || has_size ||
           !algorithm->free_chunks ||
           diag_error(study->diag, NOWHERE,
                      "a segment cuts messages of a given size into chunks: give -m");
}

collcost_branches study_branches(const Algorithm *algorithm, int64_t branches)
{
    return algorithm->branching
               ? (collcost_branches){branching_names[algorithm->branching], branches}
               : (collcost_branches){0};
}

const char *study_add_call(const Study *study, const char *formula)
{
    const double call = study->rules.delays[DELAY_CALL].seconds;
    return call > 0 ? arena_printf(study->arena, "%s + %s", formula,
                                   quantity_show_time(study->arena, call))
                    : formula;
}

Instance study_instance(const Study *study, const Algorithm *algorithm, const Network *network,
                        int64_t k, int64_t branches)
{
    return (Instance){.algorithm = algorithm,
                      .p = network->p,
                      .root = study->root,
                      .k = k,
                      .ports = rules_ports(&study->rules, network),
                      .shape = &network->shape,
                      .target = study->target,
                      .branches = branches,
                      .sizes.weights = study->rules.weights};
}
