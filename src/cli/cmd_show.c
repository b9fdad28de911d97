#include "claims/verdicts.h"
#include "cli/files.h"
#include "cli/models.h"
#include "cli/show_parts.h"
#include "format/network_picture.h"
#include "format/paper.h"
#include "model/claim.h"
#include "model/proved.h"
#include "study/check_cost.h"
#include "study/study.h"

#include <stdio.h>
#include <string.h>

/* An algorithm in LaTeX, for a paper: its program as a listing, its closed forms with sources and
   verdicts. */

static const char *add_formula(Arena *arena, const char *text, const char *word,
                               const Formula *formula)
{
    return formula->program
               ? arena_printf(arena, "%s, %s %s", text, word, listing_formula(arena, formula->text))
               : text;
}

/* `show` answers at once: it verifies up to this many ranks. */
enum { MOST_RANKS = 16 };

static void write_latex_claim(Arena *arena, FILE *stream, const Claim *claim,
                              const Verdict *verdict)
{
    const char *words = paper_escape_latex(arena, claim_words(arena, claim));
    fprintf(stream, "\\item %s%s%s\n", words, *words ? ": " : "",
            claim->formula.program ? listing_formula(arena, claim->formula.text)
                                   : paper_escape_latex(arena, claim_formula(arena, claim)));
    /* "on ring and uniring, cut-through, when $p > 2$, neglecting $t_h$" */
    const bool ct = claim->switching[SWITCHING_CUT_THROUGH];
    const char *where = "on";
    for (size_t i = 0; i < claim->on_count; i++)
        where = arena_printf(arena, "%s%s %s", where,
                             i == 0                    ? ""
                             : i + 1 < claim->on_count ? ","
                                                       : " and",
                             paper_escape_latex(arena, claim->on[i]));
    if (!ct || !claim->switching[SWITCHING_STORE_AND_FORWARD])
        where =
            arena_printf(arena, "%s, %s", where,
                         switching_names[ct ? SWITCHING_CUT_THROUGH : SWITCHING_STORE_AND_FORWARD]);
    where = add_formula(arena, where, "rounds", &claim->first);
    where = add_formula(arena, where, "when", &claim->when);
    if (claim->neglects[NEGLECTS_MULTIPLY])
        where = arena_printf(arena, "%s, neglecting $t_m$", where);
    for (int i = 0; i < PARAMETER_COUNT; i++)
        if (claim->neglects[i])
            where = arena_printf(arena, "%s, neglecting $t_%c$", where, parameter_info[i].name[1]);
    fprintf(stream, "  %s \\\\\n  (%s): ", where, paper_escape_latex(arena, claim->source));
    if (verdict->fails_alone)
        fprintf(stream, "holds for $1 < p \\le %d$\n", MOST_RANKS);
    else if (!verdict->cases)
        fprintf(stream, "not compared for $p \\le %d$\n", MOST_RANKS);
    else if (verdict_outcome(verdict) == OUTCOME_PROVED)
        fprintf(stream, "%s\n", verdict_words(arena, verdict));
    else if (verdict->holds)
        fprintf(stream, "%s for $p \\le %d$\n", verdict_words(arena, verdict), MOST_RANKS);
    else
        fprintf(stream, "wrong: %s\n", paper_escape_latex(arena, verdict->counterexample));
}

static void write_latex_field(Arena *arena, FILE *stream, const char *name, const char *text)
{
    if (*text)
        fprintf(stream, "\\par\\noindent\\textit{%s}: %s\n", name, paper_escape_latex(arena, text));
}

/* Judges the claims, for few ranks, and writes them with their verdicts. */
static bool show_claims(const Query *query, VerdictSubject subject)
{
    Arena *arena = query->study.arena;
    FILE *out = query->line->out;
    const ClaimList *claims = verdict_claims(&subject);
    const VerdictGrid grid = verdict_grid_up_to(MOST_RANKS);
    const VerdictQuestion asked = {arena, query->study.library, subject, &grid, query->study.diag};
    Verdict *verdicts = ARENA_ARRAY(arena, Verdict, claims->count + 1);
    if (!verdicts_find(&asked, claims, verdicts) ||
        !verdicts_find_lacking(&asked, claims, verdicts))
        return false;
    if (claims->count)
        fputs("\nclaims\n", out);
    for (size_t i = 0; i < claims->count; i++) {
        const Claim *claim = &claims->items[i];
        const Verdict *verdict = &verdicts[i];
        const char *words = claim_words(arena, claim);
        fprintf(out, "\n  %s%s%s\n", words, *words ? ": " : "", claim_formula(arena, claim));
        fprintf(out, "    %s, %s\n", claim->source, claim_where(arena, claim));
        fprintf(out, "    %s", verdict_reach(arena, verdict, MOST_RANKS));
        if (verdict->cases && verdict->holds == claim->recorded_refuted)
            fprintf(out, ", but recorded: %s", claim->recorded_refuted ? "refuted" : "holds");
        fputc('\n', out);
        if (verdict->counterexample)
            fprintf(out, "    %s\n", verdict->counterexample);
        if (*claim->note)
            fprintf(out, "    %s\n", claim->note);
    }
    return true;
}

/* "proved for all p; correct on real data for p = 1 .. 16": the first fault, or none. */
static const char *verify_briefly(const Query *query, const Algorithm *algorithm)
{
    CombiningOrder combining;
    const char *fault = smoke_run(&query->study, algorithm, MOST_RANKS, &combining);
    if (fault)
        return arena_printf(query->study.arena, "wrong: %s", fault);
    const char *order = !algorithm->collective->combines ? ""
                        : combining == ORDER_OF_RANKS    ? "; combines in the order of ranks"
                        : combining == ORDER_AT_ROOT_0
                            ? "; needs a commutative operation unless the root is 0"
                            : "; needs a commutative operation";
    const ProofRecord *record = proof_record(query->study.arena, algorithm);
    const bool proved = record && record->is_proved;
    return arena_printf(query->study.arena, "%s%scorrect on real data for p = 1 .. %d%s",
                        proved ? record->verdict : "", proved ? "; " : "", MOST_RANKS, order);
}

/* False after a report: its file cannot be read again. */
static bool show_algorithm_latex(const Query *query, const ModelEntry *entry,
                                 const Algorithm *algorithm)
{
    Arena *arena = query->study.arena;
    FILE *stream = query->line->out;
    const VerdictGrid grid = verdict_grid_up_to(MOST_RANKS);
    const VerdictQuestion asked = {
        arena, query->study.library, {.algorithm = algorithm}, &grid, query->study.diag};
    const ClaimList *claims = claims_all(&algorithm->claims);
    Verdict *verdicts = ARENA_ARRAY(arena, Verdict, claims->count + 1);
    if (!verdicts_find(&asked, claims, verdicts))
        return false;
    const char *verified = verify_briefly(query, algorithm);
    const Node *document = NULL; /* of its file, in which others may stand */
    NodeArray documents = {0};
    if (!yaml_parse(arena, entry->source, &documents, query->study.diag))
        return false;
    for (size_t i = 0; i < documents.count && !document; i++) {
        const Node *name = node_get(documents.items[i], "algorithm");
        const Node *whose = node_get(documents.items[i], "collective");
        whose = whose ? whose : node_get(documents.items[i], "problem");
        if (name && whose && text_equals(name->text, algorithm->head.name) &&
            text_equals(whose->text, algorithm->collective->head.name))
            document = documents.items[i];
    }
    if (!document)
        return false;
    fputs("% \\usepackage{amsmath}\n", stream);
    fputs("% r: a rank; p: how many there are; d: ports; m: bytes of a message, as MPI counts it; "
          "M: of the largest buffer of a rank;\n% t_s, t_h, t_w, t_c: time per message, hop, byte, "
          "combined byte\n",
          stream);
    fprintf(stream, "\\begin{minipage}{\\linewidth}\\raggedright\n");
    fprintf(stream, "\\noindent\\textbf{Algorithm} \\textsf{%s}\n",
            paper_escape_latex(arena, entry->name));
    fprintf(stream, "\\par\\noindent %s\n", paper_escape_latex(arena, algorithm->head.summary));
    fputs("\\par\\smallskip\\noindent\\hrule\\smallskip\n", stream);
    listing_write(arena, stream, document, query->study.diag);
    fputs("\\par\\smallskip\\noindent\\hrule\\smallskip\n", stream);
    write_latex_field(arena, stream, "Source", algorithm->head.source);
    write_latex_field(arena, stream, "Verified by collcost", verified);
    fputs("\\end{minipage}\n", stream);
    if (claims->count)
        fputs("\\par\\medskip\\noindent\\textit{Closed forms}\n\\begin{itemize}\n\\raggedright\n",
              stream);
    for (size_t i = 0; i < claims->count; i++)
        write_latex_claim(arena, stream, &claims->items[i], &verdicts[i]);
    if (claims->count)
        fputs("\\end{itemize}\n", stream);
    return true;
}

static bool show_collective(const Query *query, const Collective *collective)
{
    AlgorithmArray algorithms = {0};
    if (!library_algorithms(query->study.library, collective, &algorithms, query->study.diag))
        return false;
    for (size_t i = 0; i < algorithms.count; i++)
        field_write(query, i ? "" : "algorithms", algorithms.items[i]->head.name);
    return show_claims(query, (VerdictSubject){.collective = collective});
}

/* Is it known of what machine the links are? */
static NetworkFacts facts_of(const Query *query, const Network *network)
{
    return (NetworkFacts){query, network,
                          strcmp(query->study.machine.head.name, default_machine) != 0};
}

/* False after a report. A topology without sizes, and not for one number of ranks only, stays as it
   is. */
static bool lay_out(const Query *of, const Topology *topology, Text sizes, Network *network,
                    bool *has_sizes)
{
    Shape shape = {0};
    Query asked = *of, *query = &asked;
    if (topology->ranks && (topology->fixed.p || topology->dimensions != DIMENSIONS_NAMED))
        shape = topology_shape(topology, topology->ranks);
    if (sizes.chars && !topology_parse_shape(topology, sizes, &shape, query->study.diag))
        return false;
    *has_sizes = shape.p > 0;
    return shape.p == 0 || (query_take_away(query, &topology, &shape) &&
                            study_network(&query->study, topology, &shape, network));
}

/* What programs get of a network, and what people ask of it. */
static Status write_facts(const Query *query, const Topology *topology, Text name, Text sizes)
{
    const CommandLine *line = query->line;
    Network network;
    bool has_sizes;
    if (!lay_out(query, topology, sizes, &network, &has_sizes))
        return STATUS_BAD_INPUT;
    if (!has_sizes)
        return BAD_INPUT(line->diag, name.span, "the number of ranks is missing: %s:SIZES",
                         topology->head.name);
    const NetworkFacts facts = facts_of(query, &network);
    if (option_given(line, OPTION_ROUTE))
        return facts_write_route(&facts, option_value(line, OPTION_ROUTE)) ? STATUS_FINE
                                                                           : STATUS_BAD_INPUT;
    if (option_given(line, OPTION_PAIRS))
        return facts_write_pairs(&facts) ? STATUS_FINE : STATUS_BAD_INPUT;
    facts_write(&facts);
    return STATUS_FINE;
}

/* "8 ranks" */
static const char *plural(const Query *query, int64_t count, const char *what)
{
    return arena_printf(query->study.arena, "%lld %s%s", (long long)count, what, PLURAL_END(count));
}

static Status draw_topology(const Query *query, const Topology *topology, Text name, Text sizes)
{
    Arena *arena = query->study.arena;
    Network network;
    bool has_sizes;
    const char *what;
    if (!lay_out(query, topology, sizes, &network, &has_sizes))
        return STATUS_BAD_INPUT;
    if (!has_sizes)
        return BAD_INPUT(query->study.diag, name.span,
                         "a picture needs a network with sizes: %s:SIZES", topology->head.name);
    if (!network_is_drawable(arena, &network, &what))
        return BAD_INPUT(query->study.diag, name.span, "too many %s", what);
    /* "9 ranks, 1 switch, 18 directed links, diameter 2" */
    const Measures measures = network_measure(&network);
    const char *counts = plural(query, network.p, "rank");
    if (measures.switches)
        counts = arena_printf(
            arena, "%s, %s", counts,
            plural(query, measures.switches, measures.switches == 1 ? "switch" : "switche"));
    counts = arena_printf(arena, "%s, %s", counts, plural(query, measures.links, "directed link"));
    if (measures.has_distances && measures.connected)
        counts = arena_printf(arena, "%s, diameter %lld", counts, (long long)measures.diameter);
    Heading heading = {network.name, {topology->head.summary, counts}};
    Drawing *drawing = network_draw(arena, &network, &heading, NULL);
    if (!drawing)
        return BAD_INPUT(query->study.diag, name.span,
                         "this network cannot be drawn: links would overlap each other or nodes");
    return picture_write(query->line, drawing);
}

static bool show_model(const Query *query, const ModelEntry *entry, const void *model, Text sizes)
{
    Arena *arena = query->study.arena;
    const Head *head = model; /* with which every model begins */
    const char *list = "";
    for (size_t i = 0; i < head->also_count; i++)
        list = arena_printf(arena, "%s%s%s", list, i ? ", " : "", head->also[i]);
    fprintf(query->line->out, "%s %s\n\n", kind_keys[entry->kind], entry->name);
    field_write(query, "also", list);
    field_write(query, "summary", head->summary);
    if (entry->kind != KIND_ORIGIN)
        field_write(query, "source", head->source);
    field_write(query, "file", entry->path);
    switch (entry->kind) {
    case KIND_ALGORITHM: {
        const Algorithm *algorithm = model;
        const Text requires = algorithm->requires.text;
        field_write(query, "requires", text_string(arena, requires));
        if (algorithm->dual)
            field_write(query, "dual of", algorithm_full_name(arena, algorithm->dual));
        field_write(query, "verified", verify_briefly(query, algorithm));
        return show_claims(query, (VerdictSubject){.algorithm = algorithm});
    }
    case KIND_COLLECTIVE:
        return show_collective(query, model);
    case KIND_PROBLEM:
        return show_collective(query, &((const Problem *)model)->collective);
    case KIND_MACHINE: {
        const Machine *machine = model;
        const Fitted *fitted = machine->fitted;
        field_write(query, "parameters", machine_describe(arena, machine));
        if (machine->multiply.is_given)
            field_write(query, "", machine_describe_multiply(arena, machine));
        if (!fitted)
            return true;
        field_write(query, "fitted", fitted_describe(arena, fitted));
        field_write(query, "intervals", fitted_describe_intervals(arena, fitted));
        if (fitted->rule_count)
            field_write(query, "under", fitted_describe_rules(arena, fitted));
        for (size_t i = 0; i < fitted->log_count; i++)
            field_write(query, i ? "" : "logs", fitted->logs[i].name);
        return true;
    }
    case KIND_TOPOLOGY: {
        /* What it is like at the sizes behind its name, or at its one number of ranks. */
        Network network;
        bool has_sizes;
        if (!lay_out(query, model, sizes, &network, &has_sizes))
            return false;
        const NetworkFacts facts = facts_of(query, &network);
        if (has_sizes) {
            fputc('\n', query->line->out);
            facts_write_fields(&facts);
        }
        return show_claims(query, (VerdictSubject){.topology = model});
    }
    default:
        return true;
    }
}

/* A model that does not work where it is tried is shown, with what was told of that. */
static Status shown_status(const CommandLine *line)
{
    return line->diag->error_count ? STATUS_CHECK_FAILED : STATUS_FINE;
}

static Status run_show(const CommandLine *line)
{
    Query query;
    Text name = line->operands.items[0], sizes = {0};
    if (!picture_check(line) || !query_read(line, &query))
        return STATUS_BAD_INPUT;
    library_check_formulas(query.study.library);
    text_split(name, ':', &name, &sizes);
    name = models_name_in(query.study.library, name, KIND_TOPOLOGY);
    const ModelEntry *entry = library_find(query.study.library, name);
    if (!entry) {
        library_report_missing(query.study.library, KIND_COUNT, name, line->diag);
        return STATUS_BAD_INPUT;
    }
    /* What a context says of formats is for tables. */
    const bool has_format = option_is_spoken(line, OPTION_OUTPUT) && query.format != FORMAT_TEXT;
    const bool asks_for_facts = /* not for the model */
        entry->kind == KIND_TOPOLOGY &&
        (option_given(line, OPTION_ROUTE) || option_given(line, OPTION_PAIRS) ||
         (has_format && query.format != FORMAT_LATEX));
    if (!asks_for_facts && has_format &&
        (query.format != FORMAT_LATEX || entry->kind != KIND_ALGORITHM))
        return BAD_INPUT(line->diag, option_value(line, OPTION_OUTPUT).span, "%s",
                         query.format != FORMAT_LATEX ? "formats of 'show' are text and latex"
                                                      : "'show' writes only algorithms in LaTeX");
    const void *model = library_load(query.study.library, entry, line->diag);
    if (sizes.chars && entry->kind != KIND_TOPOLOGY)
        return BAD_INPUT(line->diag, sizes.span, "only a topology has sizes");
    if (model && option_given(line, OPTION_PICTURE)) {
        if (entry->kind == KIND_TOPOLOGY)
            return draw_topology(&query, model, line->operands.items[0], sizes);
        return BAD_INPUT(line->diag, name.span, "'show' draws topologies; 'trace' draws schedules");
    }
    if (model && asks_for_facts)
        return write_facts(&query, model, line->operands.items[0], sizes);
    if (model && has_format)
        return show_algorithm_latex(&query, entry, model) ? shown_status(line) : STATUS_BAD_INPUT;
    if (!model || !show_model(&query, entry, model, sizes))
        return STATUS_BAD_INPUT;
    fprintf(line->out, "\ndefinition\n\n%.*s", (int)entry->source->length, entry->source->text);
    return shown_status(line);
}

const Command command_show = {
    .name = "show",
    .operands = "MODEL[:SIZES]",
    .summary = "one model: formulas, sources, verification state, definition",
    .description =
        "Shows a model: what it is, where it comes from, whether it is right on real data, each "
        "claim with its verdict, and its definition. Algorithms are named COLLECTIVE/NAME. A "
        "topology with sizes (torus:4x8) is measured: links, degrees, diameter, mean distance; "
        "with --picture it is drawn. With -o latex an algorithm is written for a paper: its "
        "steps as a listing, its closed forms with sources and verdicts.",
    .examples = "collcost show allreduce/ring\n"
                "collcost show torus:4x4",
    .options = OPTIONS_OF_PICTURES | OPTIONS_OF_DESCRIPTIONS |
               OPTIONS(MODELS, OUTPUT, MACHINE, SET, PAIRS, ROUTE, WITHOUT),
    .shows_models = true,
    .formats = "text, latex for an algorithm, json and others for a network",
    .run = run_show,
};
