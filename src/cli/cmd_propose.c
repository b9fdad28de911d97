#include "cli/setting.h"
#include "forms/propose.h"

/* The points of a proposed form in words: those that have determined it, and those that agree. */

/* Have its ranks sides that forms can name? */
static bool is_grid(const FitPoints *points, size_t i)
{
    return (points->space->variables & FORM_BIT(X)) && fitting_sample(points, i)->shape->count > 1;
}

/* "p = 2", "torus:2x4, root = 1, k = 3" */
static const char *points_show(Arena *arena, const FitPoints *points, size_t i)
{
    static const struct {
        FormVariable variable;
        const char *word;
    } more[] = {{FORM_ROOT, "root"}, {FORM_TARGET, "target"}, {FORM_K, "k"}, {FORM_D, "d"}};
    const Sample *sample = fitting_sample(points, i);
    const char *text = is_grid(points, i)
                           ? sample->name
                           : arena_printf(arena, "p = %lld", (long long)sample->shape->p);
    for (size_t v = 0; v < COUNT_OF(more); v++)
        if (points->space->variables & (1u << more[v].variable))
            text = arena_printf(arena, "%s, %s = %lld", text, more[v].word,
                                (long long)sample->point.values[more[v].variable]);
    return text;
}

/* How many have determined a factor. */
static size_t points_count_fitted(const FitPoints *points)
{
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++)
        count += points->determining[i];
    return count;
}

/* "; 31 grids of 2 sides up to torus:8x8" for the points that have determined nothing. */
static const char *describe_grids(Arena *arena, const FitPoints *points, int sides)
{
    const Sample *largest = NULL;
    int count = 0;
    for (size_t i = 0; i < points->count; i++) {
        const Sample *sample = fitting_sample(points, i);
        bool counts =
            is_grid(points, i) && sample->shape->count == sides && !points->determining[i];
        if (!counts ||
            (largest && (sample->shape == largest->shape || sample->shape->p < largest->shape->p)))
            continue;
        largest = sample;
        count++;
    }
    return count == 0 ? ""
                      : arena_printf(arena, "; %d grid%s of %d sides up to %s", count,
                                     count > 1 ? "s" : "", sides, largest->name);
}

/* The points that have determined nothing: "p = 1, 3 .. 64, 96; 31 grids of 2 sides up to
   torus:8x8; k = 1, 2, 3, 5, 8". */
static const char *points_describe_checked(Arena *arena, const FitPoints *points)
{
    static const struct {
        FormVariable variable;
        const char *words;
    } more[] = {{FORM_ROOT, "; root = 0, 1, p div 2, p - 1"},
                {FORM_TARGET, "; target = 0, 1, p div 2, p - 1"},
                {FORM_K, "; k = 1, 2, 3, 5, 8"},
                {FORM_D, "; d = 1, 2, 3 for the smallest"}};
    IntArray lines = {0}; /* numbers of ranks */
    for (size_t i = 0; i < points->count; i++) {
        const int64_t p = fitting_sample(points, i)->shape->p;
        bool is_new = !points->determining[i] && !is_grid(points, i);
        for (size_t n = 0; n < lines.count && is_new; n++)
            is_new = lines.items[n] != p;
        if (is_new)
            *ARRAY_PUSH(arena, &lines) = p;
    }
    const char *text =
        arena_printf(arena, "%s%s%s%s", lines.count ? "p = " : "",
                     choices_show_ranges(arena, lines.items, lines.count, " .. "),
                     describe_grids(arena, points, 2), describe_grids(arena, points, 3));
    for (size_t v = 0; v < COUNT_OF(more); v++) {
        bool differ = false;
        for (size_t i = 1; i < points->count; i++)
            differ |= fitting_sample(points, i)->point.values[more[v].variable] !=
                      fitting_sample(points, 0)->point.values[more[v].variable];
        if (differ)
            text = arena_printf(arena, "%s%s", text, more[v].words);
    }
    return *text == ';' ? text + 2 : text;
}

enum { MOST_COST_ROWS = 20 };

typedef struct {
    const Query *query;
    SampleQuestion question;
    const ShapeArray *shapes; /* NULL: not given */
    Proposals proposals;
} Report;

static bool read_question(Report *report)
{
    const Query *query = report->query;
    const CommandLine *line = query->line;
    const Algorithm *algorithm = subject_algorithm(&query->study, line->operands.items[0]);
    if (!algorithm || !query_is_collective(query, line->operands.items[0], algorithm->collective) ||
        !query_check_ends(query, algorithm->collective))
        return false;
    bool targeted = algorithm->collective->targeted;
    bool has_root = option_given(line, OPTION_ROOT) || option_given(line, OPTION_FROM);
    bool is_rooted = algorithm->collective->rooted || targeted;
    report->question = (SampleQuestion){algorithm, query->topology, query->study.rules,
                                        has_root && is_rooted ? query->study.root : -1,
                                        targeted ? query->study.target : -1};
    report->question.rules.levels = NULL;
    report->question.rules.level_count = 0;
    report->question.rules.protocols = NULL;
    for (size_t i = 0; i < query->ranks.count; i++)
        if (query->ranks.items[i] > LIMIT_PROPOSED_RANKS)
            return diag_limit(line->diag, NOWHERE, "forms are proposed for at most %d ranks",
                              LIMIT_PROPOSED_RANKS);
    if (!query->ranks.count)
        return true;
    /* The shapes that were asked for: those with sizes, and all with the numbers of ranks. */
    ShapeArray *shapes = ARENA_NEW(line->arena, ShapeArray), all = {0};
    int64_t largest = 0;
    for (size_t i = 0; i < query->ranks.count; i++)
        if (query->shapes.items[i])
            *ARRAY_PUSH(line->arena, shapes) = *query->shapes.items[i];
        else if (query->ranks.items[i] > largest)
            largest = query->ranks.items[i];
    if (largest)
        samples_shapes(line->arena, &report->question, largest, &all);
    for (size_t i = 0; i < all.count; i++) {
        bool is_asked = false;
        for (size_t r = 0; r < query->ranks.count; r++)
            is_asked |= !query->shapes.items[r] && query->ranks.items[r] == all.items[i].p;
        if (is_asked)
            *ARRAY_PUSH(line->arena, shapes) = all.items[i];
    }
    report->shapes = shapes;
    return true;
}

static const char *coefficient_text(Arena *arena, const Proposal *proposal, int parameter)
{
    const FittedForm *fitted = &proposal->coefficients[parameter];
    return fitted->found ? form_text(arena, &fitted->form) : NULL;
}

/* The coefficients that are known, one by one. */
static void write_forms(const Report *report, const Proposal *proposal)
{
    Arena *arena = report->query->study.arena;
    Table *table = query_table(report->query, TABLE_propose_forms);
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        const char *text = coefficient_text(arena, proposal, i);
        put_text(table, KEY_of, parameter_info[i].term);
        put_text(table, KEY_coefficient, text ? text : "no form found");
        table_row(table);
    }
    table_close(table);
}

/* The claim as it stands in a model, and what it rests on. */
static void write_found(const Report *report, const Proposal *proposal)
{
    FILE *out = report->query->line->out;
    Arena *arena = report->query->study.arena;
    const FitPoints *points = &proposal->points;
    size_t fitted = points_count_fitted(points);
    const Topology *topology = report->question.topology;
    Switching switching = report->question.rules.switching;
    fprintf(out, "  - source: fitted by collcost propose\n    on: %s\n", topology->head.name);
    if (!topology->direct && switching != SWITCHING_STARTUPS)
        fprintf(out, "    switching: %s\n", switching_names[switching]);
    if (proposal->when)
        fprintf(out, "    when: %s\n", proposal->when);
    fprintf(out, "    time: %s\n\n", proposal->formula);
    write_forms(report, proposal);
    fprintf(out, "\nagrees with the derived cost at all %zu points\n", points->count);
    const char *determining = "";
    for (size_t i = 0; i < points->count; i++)
        if (points->determining[i])
            determining = arena_printf(arena, "%s%s%s", determining, *determining ? "; " : "",
                                       points_show(arena, points, i));
    line_say(report->query->line, "determined by %zu of them: %s", fitted,
             fitted ? determining : "all costs are 0");
    line_say(report->query->line, "checked on the other %zu: %s", points->count - fitted,
             points_describe_checked(arena, points));
    fputc('\n', out);
}

/* The first costs, for people to look at: for one chunk and for two. */
static void write_costs(const Report *report)
{
    Arena *arena = report->query->study.arena;
    const SampleArray *samples = report->proposals.samples;
    const Collective *collective = report->question.algorithm->collective;
    Table *table = query_table(report->query, TABLE_propose_costs);
    if (!collective->rooted && !collective->targeted)
        table_hide(table, KEY_root);
    if (!collective->targeted)
        table_hide(table, KEY_target);
    if (!report->question.algorithm->free_chunks)
        table_hide(table, KEY_k);
    for (size_t i = 0, rows = 0; i < samples->count && rows < MOST_COST_ROWS; i++) {
        const Sample *sample = &samples->items[i];
        const int64_t *at = sample->point.values;
        /* Does one before it with the same ranks and chunks cost the same? */
        bool is_repeated = false;
        for (size_t n = i; n-- > 0 && samples->items[n].shape == sample->shape && !is_repeated;) {
            is_repeated = samples->items[n].point.values[FORM_K] == at[FORM_K];
            for (int c = 0; c < PARAMETER_COUNT; c++)
                is_repeated &= exact_compare(samples->items[n].costs[c], sample->costs[c]) == 0;
        }
        if (at[FORM_K] > 2 || is_repeated)
            continue;
        put_text(table, KEY_network, sample->name);
        put_number(table, KEY_root, (double)at[FORM_ROOT]);
        put_number(table, KEY_target, (double)at[FORM_TARGET]);
        put_number(table, KEY_k, (double)at[FORM_K]);
        put_text(table, KEY_ts, exact_show(arena, sample->costs[PARAMETER_TS]));
        put_text(table, KEY_th, exact_show(arena, sample->costs[PARAMETER_TH]));
        put_text(table, KEY_m_tw, exact_show(arena, sample->costs[PARAMETER_TW]));
        put_text(table, KEY_m_tc, exact_show(arena, sample->costs[PARAMETER_TC]));
        table_row(table);
        rows++;
    }
    table_close(table);
}

/* Why there is no formula: a largest of several ways, or a form that is not in the family. */
static void explain_nothing(const Report *report, const Proposal *proposal)
{
    FILE *out = report->query->line->out;
    const FitPoints *points = &proposal->points;
    size_t longest = 0, first = 0;
    for (size_t i = points->count; i-- > 0;)
        if (!fitting_sample(points, i)->is_sum)
            longest++, first = i;
    if (longest == 0) {
        /* So many points allow few terms only. */
        size_t most = points->count / SPARSE_ROWS_EACH;
        fprintf(
            out,
            "No form of the family gives the derived costs of all %zu points, nor of those of "
            "any\ncondition that is tried.\n%s\n",
            points->count,
            most >= SPARSE_MOST_COLUMNS
                ? ""
                : arena_printf(report->query->study.arena,
                               "They allow sums of %zu term%s; more terms need %d points each.\n",
                               most, PLURAL_END(most), SPARSE_ROWS_EACH));
    } else
        fprintf(
            out,
            "No sum of terms is the cost: at %zu of %zu points it is the largest of several paths, "
            "and less\nthan the sum of what each parameter alone costs. The first is %s.\n\n",
            longest, points->count, points_show(report->query->study.arena, points, first));
}

static void write_propose_text(const Report *report)
{
    const Query *query = report->query;
    FILE *out = query->line->out;
    const Proposals *proposals = &report->proposals;
    fprintf(out, "%s on %s\n\n",
            algorithm_full_name(query->study.arena, report->question.algorithm),
            report->question.topology->head.name);
    for (size_t i = 0; i < proposals->count && proposals->found; i++)
        write_found(report, &proposals->items[i]);
    if (proposals->found && !proposals->complete)
        fputs("No form was found for the other points.\n", out);
    if (proposals->found) {
        fputs("Beyond these points the formula is unproven: it is the simplest of a family that "
              "fits.\n",
              out);
    } else {
        explain_nothing(report, &proposals->items[0]);
        fputs("Each coefficient alone:\n\n", out);
        write_forms(report, &proposals->items[0]);
        fputs("\nThe derived coefficients of the smallest points:\n\n", out);
        write_costs(report);
        fputc('\n', out);
    }
    fprintf(
        out,
        "family: sums of at most %d terms such as 1, p, p^2, clog2(p), 2^clog2(p), p div 2, each "
        "times a\nfraction, the whole perhaps over k, p or k * p; collcost-verify(1) has all\n",
        SPARSE_MOST_COLUMNS);
    setting_write_rules(query);
    /* What a claim cannot say. */
    if (proposals->found &&
        (!rules_are_usual(&query->study.rules) || query->study.rules.ties != TIES_PLUS ||
         query->study.rules.all_ports || query->study.rules.level_ports))
        fputs("These are not the rules by which claims in models are judged.\n", out);
}

static Status run_propose(const CommandLine *line)
{
    Query query;
    Report report = {.query = &query};
    if (!query_read(line, &query) || !read_question(&report) ||
        !propose_forms(line->arena, &report.question, report.shapes, &report.proposals, line->diag))
        return STATUS_BAD_INPUT;
    if (query.format == FORMAT_TEXT) {
        write_propose_text(&report);
    } else {
        Table *table = query_table(&query, TABLE_propose);
        const Algorithm *algorithm = report.question.algorithm;
        for (size_t i = 0; i < report.proposals.count; i++) {
            const Proposal *proposal = &report.proposals.items[i];
            const FitPoints *points = &proposal->points;
            const size_t fitted = points_count_fitted(points);
            int64_t largest = 0;
            for (size_t n = 0; n < points->count; n++)
                if (fitting_sample(points, n)->shape->p > largest)
                    largest = fitting_sample(points, n)->shape->p;
            put_text(table, KEY_collective, algorithm->collective->head.name);
            put_text(table, KEY_algorithm, algorithm->head.name);
            put_text(table, KEY_topology, report.question.topology->head.name);
            PUT(table, proposal, when, formula);
            put_text(table, KEY_ts, coefficient_text(line->arena, proposal, PARAMETER_TS));
            put_text(table, KEY_th, coefficient_text(line->arena, proposal, PARAMETER_TH));
            put_text(table, KEY_tw, coefficient_text(line->arena, proposal, PARAMETER_TW));
            put_text(table, KEY_tc, coefficient_text(line->arena, proposal, PARAMETER_TC));
            if (proposal->found) {
                put_number(table, KEY_fitted_points, (double)fitted);
                put_number(table, KEY_checked_points, (double)(points->count - fitted));
            }
            put_number(table, KEY_largest_p, (double)largest);
            put_bool(table, KEY_found, proposal->found);
            table_row(table);
        }
        table_close(table);
    }
    return report.proposals.found ? STATUS_FINE : STATUS_CHECK_FAILED;
}

const Command command_propose = {
    .name = "propose",
    .operands = "ALGORITHM",
    .summary = "a closed form fitted exactly to derived costs",
    .description =
        "Looks for a closed form for the time of an algorithm (COLLECTIVE/NAME) on a topology, "
        "in a family of sums of a few terms, that gives the derived cost exactly for every p up "
        "to 64 and some larger ones (or those of -p), on every grid, for several roots and "
        "numbers of chunks. It is unproven beyond. The exit status is 1 if there is none.",
    .examples = "collcost propose allgather/ring -t ring\n"
                "collcost propose broadcast/binomial",
    .options =
        OPTIONS_OF_RULES | OPTIONS(TOPOLOGY, RANKS, TIES, PORTS, ROOT, FROM, TO, MODELS, OUTPUT),
    .spoken = OPTIONS(TOPOLOGY, RANKS),
    .run = run_propose,
};
