#include "base/utf8.h"
#include "base/watch.h"
#include "cli/models.h"
#include "cli/setting.h"
#include "exchange/tuning.h"
#include "study/study.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* A file, and what is asked about it. */
typedef struct {
    Query query;
    const TuningFormat *format;
    Text path;
    const Source *source;
    TuningFile file;
    bool has_choices; /* ranks and sizes are given */
} Check;

/* One collective on one network: its candidates, and the size that is asked about. */
typedef struct {
    int collective;
    size_t index; /* of the network */
    int64_t p;
    double buffer;   /* M / m */
    const Case *all; /* with all candidates; there may be none */
} Place;

/* For people, messages with their lines: of each kind the first places. */
static void tell_findings(const Check *check)
{
    enum { PLACES_OF_A_KIND = 3 };
    const TuningFindings *findings = &check->file.findings;
    Diag *diag = check->query.study.diag;
    size_t more = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const TuningFinding *found = &findings->items[i];
        const TuningEffectInfo *info = &tuning_effect_info[found->effect];
        if (found->before >= PLACES_OF_A_KIND)
            more++;
        else if (info->is_defect)
            diag_error(diag, found->span, "%s: %s", info->name, found->text);
        else
            diag_warning(diag, found->span, "%s", found->text);
    }
    if (more)
        diag_note(diag, NOWHERE, "%zu more place%s like these: -o csv lists all", more,
                  PLURAL_END(more));
}

/* "FILE as open-mpi@4.1 reads it: 12 rules for allreduce, bcast; 0 defects" */
static void write_summary(const Check *check)
{
    const Study *study = &check->query.study;
    const TuningRules *rules = &check->file.rules;
    const size_t defects = tuning_defects(&check->file);
    size_t count = 0;
    const char *names = "";
    bool seen[TUNED_COUNT] = {false};
    for (size_t i = 0; i < rules->count; i++) {
        const int collective = rules->items[i].collective;
        count += !rules->items[i].is_rest;
        if (!seen[collective])
            names = arena_printf(study->arena, "%s%s%s", names, *names ? ", " : " for ",
                                 check->format->collectives[collective].name);
        seen[collective] = true;
    }
    FILE *out = check->query.line->out;
    fprintf(out, "%s as %s@%s reads it: ", utf8_clean_line(study->arena, check->path.chars),
            study->implementation->head.name, study->version);
    if (check->file.is_dropped)
        fputs("dropped as a whole", out);
    else if (check->file.is_fatal)
        fputs("the library ends the job at its start", out);
    else
        fprintf(out, "%zu rule%s%s", count, PLURAL_END(count), names);
    fprintf(out, "; %zu defect%s\n", defects, PLURAL_END(defects));
}

/* The time of a library's algorithm with the settings of a rule and a protocol, where the machine
   has it; NAN: it has no model, or cannot run here. False after a report. */
static bool find_time(const Check *check, const Place *place, const LibraryAlgorithm *runs,
                      const char *protocol, const TuningRule *rule, double m, double *seconds)
{
    const LibraryCall call = {
        .p = place->p, .m = m, .buffer = m * place->buffer, .element = check->query.study.element};
    Query query = check->query;
    CurvePoint point;
    *seconds = NAN;
    if (*protocol && machine_keep_protocol(&query.study.machine, protocol))
        rules_follow_machine(&query.study.rules, &query.study.machine);
    else
        query.study.machine = check->query.study.machine;
    query.study.skips_refused = true;
    if (!runs->model.length)
        return true;
    const Algorithm *algorithm = subject_of_library(&query.study, runs, &call);
    if (!algorithm)
        return false;
    if (rule && rule->segment)
        query.study.chosen.segment = (double)rule->segment;
    if (rule && rule->fanout && runs == rule->runs && runs->settings.branches[BRANCHING_FANOUT])
        query.study.chosen.branches[BRANCHING_FANOUT] = rule->fanout;
    const Case *opened = query_case(&query, place->index, algorithm->collective, algorithm);
    if (!opened)
        return false;
    if (opened->candidates.algorithms.count == 0)
        return true;
    if (!case_points(opened, m, &point))
        return false;
    *seconds = point.total;
    return true;
}

/* A call on so many nodes. */
static LibraryCall call_of(const Check *check, const Place *place, double m, int64_t nodes)
{
    const Study *study = &check->query.study;
    return (LibraryCall){.p = place->p,
                         .m = m,
                         .buffer = m * place->buffer,
                         .element = study->element,
                         .nodes = nodes,
                         .machine = &study->machine};
}

/* What runs in a call: by the rule, or without one (NULL) what the library chooses by itself. That
   is not known where it depends on what the machine does not say of its hardware. */
static LibraryChoice find_choice(const Check *check, const Place *place, const TuningRule *rule,
                                 double m)
{
    const Study *study = &check->query.study;
    const TunedCollective *tuned = &check->format->collectives[place->collective];
    const char *const *protocols = check->format->protocols;
    const Shape shape = query_shape(&check->query, place->index);
    LibraryCall call = call_of(check, place, m, tuning_nodes(check->format, &shape));
    call.segment = rule ? (double)rule->segment : 0;
    if (rule)
        return (LibraryChoice){implementation_runs(study->implementation, study->version,
                                                   rule->runs, &call, study->diag),
                               protocols ? protocols[rule->protocol] : ""};
    LibraryChoice own =
        protocols ? implementation_try_choice(study->implementation, study->version,
                                              tuned->collective, tuned->variant, &call)
                  : implementation_choice(study->implementation, study->version, tuned->collective,
                                          tuned->variant, &call, study->diag);
    for (int i = 0; protocols && protocols[i]; i++) /* as files spell it */
        own.protocol = strcasecmp(own.protocol, protocols[i]) == 0 ? protocols[i] : own.protocol;
    return own;
}

static bool write_choice(const Check *check, const Place *place, double m, Table *table)
{
    const Study *study = &check->query.study;
    const TunedCollective *tuned = &check->format->collectives[place->collective];
    const Shape shape = query_shape(&check->query, place->index);
    const TuningCall looked_up =
        tuning_call(tuned, place->p, tuning_placement(check->format, &shape), m, study->element);
    const TuningRule *rule = tuning_rule(&check->file, place->collective, &looked_up);
    const bool is_named = rule && tuning_names_algorithm(rule);
    const bool aborts = tuning_aborts(&check->file, rule, &looked_up);
    const LibraryChoice choice =
        aborts ? (LibraryChoice){NULL, ""} : find_choice(check, place, is_named ? rule : NULL, m);
    const LibraryAlgorithm *runs = choice.algorithm;
    double seconds = NAN, best_seconds = INFINITY;
    const size_t count = place->all->candidates.algorithms.count;
    size_t best = count; /* the fastest candidate; there may be none */
    CurvePoint *points = ARENA_ARRAY(place->all->study.arena, CurvePoint, count + 1);
    if ((runs &&
         !find_time(check, place, runs, choice.protocol, is_named ? rule : NULL, m, &seconds)) ||
        (count && !case_points(place->all, m, points)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (points[i].total < best_seconds) {
            best_seconds = points[i].total;
            best = i;
        }
    put_text(table, KEY_tuned_collective, tuned->name);
    put_number(table, KEY_p, (double)place->p);
    put_number(table, KEY_m_bytes, m);
    put_number(table, KEY_compared_size, tuning_measure(tuned, place->p, m, study->element));
    if (is_named && rule->span.length)
        put_number(table, KEY_rule_line,
                   (double)source_position(rule->span.source, rule->span.offset).line);
    if (runs || aborts)
        put_text(table, KEY_library_runs, aborts ? "aborts" : runs->name);
    if (*choice.protocol)
        put_text(table, KEY_library_protocol, choice.protocol);
    put_number(table, KEY_total_s, seconds);
    if (best < count) {
        const LibraryAlgorithm *winner =
            study_library_algorithm(study, case_algorithm(place->all, best));
        /* segments of a rule can make it faster than the library's own settings */
        const bool is_ours = runs && !isnan(seconds) && seconds <= best_seconds;
        put_text(table, KEY_best_algorithm, is_ours ? runs->name : winner ? winner->name : NULL);
        put_number(table, KEY_best_s, is_ours ? seconds : best_seconds);
        if (best_seconds > 0)
            put_number(table, KEY_lost, is_ours ? 0 : seconds / best_seconds - 1);
    }
    table_row(table);
    return true;
}

/* On several nodes a library can run what passes by all rules. */
static void tell_passing(const Check *check, const Place *place, double m)
{
    const Study *study = &check->query.study;
    const TunedCollective *tuned = &check->format->collectives[place->collective];
    const Shape shape = query_shape(&check->query, place->index);
    const LibraryCall call = call_of(check, place, m, shape_node_count(&shape));
    const LibraryAlgorithm *runs =
        implementation_try_choice(study->implementation, study->version, tuned->collective,
                                  tuned->variant, &call)
            .algorithm;
    if (!check->format->protocols && runs && runs->place == PLACE_SEVERAL_NODES)
        diag_warning(
            study->diag, NOWHERE,
            "%s on %lld nodes: the library runs '%s', to whose parts within nodes and between them "
            "these rules apply at most%s (%s)",
            tuned->name, (long long)call.nodes, runs->name,
            check->has_choices ? "; what follows is without it" : "", runs->note);
}

/* All sizes of one collective on one network. */
static bool write_place(const Check *check, int id, size_t index, Table *table)
{
    const TunedCollective *tuned = &check->format->collectives[id];
    Query query = check->query;
    const Collective *collective;
    const Algorithm *only;
    if (!subject_read(&query.study,
                      source_argument(query.study.arena, "collective", tuned->collective),
                      &collective, &only))
        return false;
    query.study.skips_refused = true;
    query.study.variant = tuned->variant;
    Place place = {.collective = id, .index = index, .p = query.ranks.items[index]};
    int64_t blocks;
    if (!contract_buffer_blocks(collective, place.p, &blocks, query.study.diag))
        return false;
    place.buffer = (double)blocks;
    tell_passing(check, &place, check->query.sizes.items[0]);
    place.all = query_case(&query, index, collective, NULL);
    if (!place.all)
        return false;
    for (size_t i = 0; i < check->query.sizes.count; i++) {
        watch_step(query.study.arena, collective->head.name, (int64_t)i,
                   (int64_t)query.sizes.count);
        if (collective->is_empty && i > 0)
            break;
        if (!write_choice(check, &place, collective->is_empty ? 0 : query.sizes.items[i], table))
            return false;
    }
    return true;
}

static bool read_question(const CommandLine *line, Check *check)
{
    if (!query_read(line, &check->query))
        return false;
    check->path = line->operands.items[0];
    check->query.study.compose = COMPOSE_NONE;
    check->has_choices = check->query.ranks.count && check->query.sizes.count;
    if (!check->query.ranks.count && check->query.sizes.count)
        return diag_error(line->diag, NOWHERE,
                          "what will run depends on ranks too: -p 8 with -m 1KiB,1MiB");
    Study *study = &check->query.study;
    check->source =
        models_read_source(line->context, study->arena, check->path, LIMIT_FILE_BYTES, study->diag);
    if (!check->source)
        return false;
    if (!study->implementation) {
        const char *seen = tuning_recognise(study->arena, check->source);
        if (!seen)
            return diag_error(study->diag, (Span){check->source, 0, 0},
                              "no library is known to read such a file: --for says which one");
        const Text name = source_argument(study->arena, "the library of this file", seen);
        if (!study_set(study, source_argument(study->arena, "for", "for"), name))
            return false;
    }
    check->format = tuning_format(study->implementation->head.name, study->version);
    if (!check->format)
        return diag_error(study->diag, option_value(line, OPTION_FOR).span,
                          "tuning files of %s cannot be read", study->implementation->head.name);
    if (source_mark(check->source))
        diag_warning(study->diag, (Span){check->source, 0, 0},
                     "the file begins with a byte order mark, which the library takes for text");
    check->file = tuning_read(check->format, study->arena, check->source, study->implementation,
                              study->version);
    return true;
}

static Status run_check(const CommandLine *line)
{
    Check check = {0};
    if (!read_question(line, &check))
        return STATUS_BAD_INPUT;
    const Query *query = &check.query;
    const bool is_text = query->format == FORMAT_TEXT;
    if (is_text || check.has_choices)
        tell_findings(&check);
    if (is_text)
        write_summary(&check);
    Table *table = NULL;
    if (!is_text && !check.has_choices) {
        table = query_table(query, TABLE_check);
        for (size_t i = 0; i < check.file.findings.count; i++) {
            const TuningFinding *found = &check.file.findings.items[i];
            const Position place = source_position(found->span.source, found->span.offset);
            put_text(table, KEY_file, check.path.chars);
            put_number(table, KEY_line, (double)place.line);
            put_number(table, KEY_file_column, (double)place.column);
            put_text(table, KEY_effect, tuning_effect_info[found->effect].name);
            put_bool(table, KEY_is_defect, tuning_effect_info[found->effect].is_defect);
            put_text(table, KEY_detail, found->text);
            table_row(table);
        }
    }
    if (check.has_choices) {
        if (is_text) {
            fputc('\n', line->out);
            setting_write_machine(query);
        }
        table = query_table(query, TABLE_check_choices);
        if (check.format->protocols)
            table_include(table, KEY_library_protocol);
        setting_put(table, query, false, setting_rules(query));
    }
    for (int id = 0; id < check.format->count; id++) {
        /* Has the file rules for it, and is it known here? */
        bool is_ruled = false;
        for (size_t i = 0; i < check.file.rules.count; i++)
            is_ruled |= check.file.rules.items[i].collective == id;
        is_ruled &= *check.format->collectives[id].collective != '\0';
        for (size_t i = 0; is_ruled && i < query->ranks.count; i++) {
            const Place place = {.collective = id, .index = i, .p = query->ranks.items[i]};
            if (!check.has_choices) /* no size is given: of short messages */
                tell_passing(&check, &place, 0);
            else if (!write_place(&check, id, i, table))
                return STATUS_BAD_INPUT;
        }
    }
    if (table)
        table_close(table);
    return tuning_defects(&check.file) ? STATUS_CHECK_FAILED : STATUS_FINE;
}

const Command command_check = {
    .name = "check",
    .operands = "FILE",
    .summary = "check a tuning file of Open MPI, MPICH, UCC or NCCL as the library reads it",
    .description =
        "Reads a tuning file as its library does: rules of Open MPI, a tree of MPICH, a table "
        "of NCCL, RCCL or NCCLX, or variables that scripts and files set. It reports, with "
        "line and column, what the library would silently drop, ignore or misread, what never "
        "applies, and what ends the job. The exit status is 1 if there are defects. With -p and "
        "-m it says which algorithm runs, what that costs, and what it loses against the best "
        "of the library. Without --for, the file says which library it is for; numbers alone "
        "are read as rules of Open MPI 5.0.",
    .examples = "collcost tune allreduce --for open-mpi@4.1 -t star:16 --save rules.conf && "
                "collcost check rules.conf -t star:16 -m 1KiB\n"
                "collcost check rules.conf -t star:16 -m 1KiB..1MiB",
    .options = OPTIONS_OF_COSTS | OPTIONS(FOR, SIZES, ELEMENT),
    .spoken = OPTIONS(SIZE, RANKS, TOPOLOGY),
    .run = run_check,
};
