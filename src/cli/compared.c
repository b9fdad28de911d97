#include "cli/compared.h"

#include "cli/files.h"
#include "cli/logs.h"
#include "cli/models.h"
#include "cli/setting.h"
#include "exchange/decisions.h"
#include "exchange/tuned_rows.h"
#include "exchange/tuning.h"
#include "format/charts.h"

#include <math.h>
#include <string.h>

enum { LINE_WIDTH = 100, HEAD_WIDTH = 10, LEAST_WIDTH = 7 };

/* One algorithm, measured in one way. */
typedef struct {
    const char *title;
    const ComparedRow *rows; /* their sizes rise */
    size_t count, next;      /* the first that is not written yet */
    int width;
} MatrixColumn;
ARRAY_TYPE(MatrixColumns, MatrixColumn);

typedef struct {
    FILE *out;
    Arena *arena;
    const ComparedRow *rows; /* of one matrix */
    size_t count;
    MatrixColumns columns;
    double limit;
    bool has_colour;
} Matrix;

static void find_columns(Matrix *matrix)
{
    for (size_t from = 0, to; from < matrix->count; from = to) {
        const ComparedRow *first = &matrix->rows[from];
        bool is_predicted = false;
        for (to = from; to < matrix->count; to++) {
            const ComparedRow *next = &matrix->rows[to];
            if (!measurement_is_same_subject(first->row, next->row) ||
                first->row->finish != next->row->finish)
                break;
            is_predicted |= !next->reason;
        }
        if (!is_predicted)
            continue;
        /* Where rows beside these were measured in another way, the title says in which. */
        const Measurement *row = first->row;
        bool says_finish = false;
        for (size_t i = 0; i < matrix->count && !says_finish; i++) {
            const ComparedRow *other = &matrix->rows[i];
            says_finish = !other->reason && other->row->finish != row->finish &&
                          measurement_is_same_subject(other->row, row);
        }
        const char *title = says_finish ? arena_printf(matrix->arena, "%s (%s)", row->algorithm,
                                                       finish_info[row->finish].name)
                                        : row->algorithm;
        int length = (int)strlen(title);
        *ARRAY_PUSH(matrix->arena, &matrix->columns) =
            (MatrixColumn){.title = title,
                           .rows = first,
                           .count = to - from,
                           .width = 2 + (length < LEAST_WIDTH ? LEAST_WIDTH : length)};
    }
}

/* Ratios are yellow beyond the limit, red from twofold on. */
static void write_line(const Matrix *matrix, double bytes, size_t from, size_t to)
{
    fprintf(matrix->out, "%*s", HEAD_WIDTH, quantity_show_bytes(matrix->arena, bytes));
    for (size_t i = from; i < to; i++) {
        MatrixColumn *column = &matrix->columns.items[i];
        while (column->next < column->count && column->rows[column->next].row->bytes < bytes)
            column->next++;
        const ComparedRow *cell = &column->rows[column->next];
        if (column->next == column->count || cell->row->bytes != bytes || cell->reason) {
            fprintf(matrix->out, "%*s", column->width, "-");
            continue;
        }
        const char *colour = !matrix->has_colour || cell->error <= matrix->limit ? ""
                             : cell->error < 1                                   ? "\033[33m"
                                                                                 : "\033[31m";
        int digits = cell->ratio < 10 ? 2 : cell->ratio < 100 ? 1 : 0;
        fprintf(matrix->out, "%s%*.*f%s", colour, column->width, digits, cell->ratio,
                *colour ? "\033[m" : "");
    }
    fputc('\n', matrix->out);
}

/* As many columns beside one another as fit on a line. */
static void write_matrix(Matrix *matrix)
{
    const Measurement *first = matrix->rows[0].row;
    find_columns(matrix);
    if (matrix->columns.count == 0)
        return;
    fprintf(matrix->out, "%s, p = %lld", first->collective, (long long)first->p);
    if (first->ranks_per_node)
        fprintf(matrix->out, ", %lld rank%s a node", (long long)first->ranks_per_node,
                PLURAL_END(first->ranks_per_node));
    if (*first->system)
        fprintf(matrix->out, ", %s", first->system);
    fputs(": predicted / measured\n\n", matrix->out);
    double *sizes = ARENA_ARRAY(matrix->arena, double, matrix->count + 1);
    const MatrixColumn *columns = matrix->columns.items;
    for (size_t from = 0, to; from < matrix->columns.count; from = to) {
        int width = HEAD_WIDTH;
        size_t count = 0;
        for (to = from; to < matrix->columns.count; to++) {
            width += columns[to].width;
            if (width > LINE_WIDTH && to > from)
                break;
            for (size_t row = 0; row < columns[to].count; row++)
                if (!columns[to].rows[row].reason)
                    sizes[count++] = columns[to].rows[row].row->bytes;
        }
        count = sort_doubles_once(sizes, count);
        fprintf(matrix->out, "%*s", HEAD_WIDTH, "size");
        for (size_t i = from; i < to; i++)
            fprintf(matrix->out, "%*s", columns[i].width, columns[i].title);
        fputc('\n', matrix->out);
        for (size_t i = 0; i < count; i++)
            write_line(matrix, sizes[i], from, to);
        fputc('\n', matrix->out);
    }
}

void compared_write_matrices(FILE *out, Arena *arena, const ComparedRows *rows, double limit,
                             bool has_colour)
{
    for (size_t from = 0, to; from < rows->count; from = to) {
        for (to = from + 1; to < rows->count; to++)
            if (measurement_compare_places(rows->items[from].row, rows->items[to].row) != 0)
                break;
        Matrix matrix = {.out = out,
                         .arena = arena,
                         .rows = &rows->items[from],
                         .count = to - from,
                         .limit = limit,
                         .has_colour = has_colour};
        write_matrix(&matrix);
    }
}

void compared_put_place(Table *table, const Measurement *row)
{
    if (row->ranks_per_node)
        PUT(table, row, ranks_per_node);
    if (*row->system)
        PUT(table, row, system);
}

static void put_decision(Table *table, const Decision *decision)
{
    const Measurement *fastest = decision->fastest;
    PUT(table, fastest, collective, p);
    compared_put_place(table, fastest);
    put_number(table, KEY_m_bytes, fastest->bytes);
    put_text(table, KEY_chosen, decision->chosen->algorithm);
    put_number(table, KEY_chosen_s, decision->chosen->seconds);
    put_text(table, KEY_fastest_measured, fastest->algorithm);
    put_number(table, KEY_fastest_s, fastest->seconds);
    if (decision->library)
        put_number(table, KEY_library_s, decision->library->seconds);
    if (decision->tuned) {
        put_text(table, KEY_tuned, decision->tuned->algorithm);
        put_number(table, KEY_tuned_s, decision->tuned->seconds);
    }
    PUT(table, decision, chosen_loss, library_loss, tuned_loss);
    put_text(table, KEY_finish, finish_info[fastest->finish].name);
    table_row(table);
}

/* --tuned LIBRARY[@VERSION]=FILE: which rows are of what runs with it. False after a report. */
static bool find_tuned(const Query *query, const MeasurementArray *rows, const Naming *naming,
                       bool **is_tuned)
{
    const Study *study = &query->study;
    Diag *diag = study->diag;
    Text library, path, name, version = {0};
    *is_tuned = NULL;
    if (!option_given(query->line, OPTION_TUNED))
        return true;
    const Text given = option_value(query->line, OPTION_TUNED);
    if (!text_split(given, '=', &library, &path))
        return diag_error(diag, given.span,
                          "the library that reads the file: open-mpi@4.1=rules.conf");
    name = library;
    text_split(library, '@', &name, &version);
    TunedRows tuned = {.library = library_implementation(study->library, name, diag),
                       .models = study->library,
                       .naming = naming,
                       .element = study->element};
    tuned.version = tuned.library ? implementation_version(tuned.library, version, diag) : NULL;
    if (!tuned.version)
        return false;
    tuned.format = tuning_format(tuned.library->head.name, tuned.version);
    if (!tuned.format)
        return diag_error(diag, library.span, "tuning files of %s cannot be read",
                          tuned.library->head.name);
    const Source *source =
        models_read_source(query->line->context, study->arena, path, LIMIT_FILE_BYTES, diag);
    if (!source)
        return false;
    const TuningFile file =
        tuning_read(tuned.format, study->arena, source, tuned.library, tuned.version);
    tuned.file = &file;
    if (tuning_defects(&file))
        diag_warning(diag, path.span, "the file has defects: see 'check --for %.*s'",
                     TEXT_ARGS(library));
    *is_tuned = tuned_rows_find(study->arena, &tuned, rows, diag);
    return true;
}

bool compared_write_decisions(const Query *query, const MeasurementArray *rows,
                              const ComparedRows *compared, const Naming *naming)
{
    Arena *arena = query->study.arena;
    double *predicted = ARENA_ARRAY(arena, double, rows->count + 1);
    for (size_t i = 0; i < rows->count; i++)
        predicted[i] =
            compared->items[i].reason ? NAN : compared->items[i].prediction.cost->total_s;
    bool *is_tuned;
    if (!find_tuned(query, rows, naming, &is_tuned))
        return false;
    const DecisionBasis basis = {.predicted = predicted, .is_tuned = is_tuned};
    const DecisionArray decisions = decisions_find(arena, rows, &basis);
    if (decisions.count == 0) {
        diag_error(query->study.diag, rows->items[0].place,
                   "there is nothing to decide: no size of these logs has two algorithms of the "
                   "library");
        return diag_note(query->study.diag, NOWHERE,
                         "--map NAME=MODEL says which model an algorithm is");
    }
    setting_begin(query);
    Table *table = query_table(query, TABLE_compare_decisions);
    bool has_system = query->format != FORMAT_TEXT, has_kinds = has_system;
    for (size_t i = 0; i < decisions.count; i++) {
        has_system |= *decisions.items[i].fastest->system != '\0';
        has_kinds |= decisions.items[i].fastest->finish != decisions.items[0].fastest->finish;
    }
    if (!has_system)
        table_hide(table, KEY_system);
    if (!has_kinds)
        table_hide(table, KEY_finish);
    if (!is_tuned && query->format == FORMAT_TEXT) {
        table_hide(table, KEY_tuned);
        table_hide(table, KEY_tuned_s);
        table_hide(table, KEY_tuned_loss);
    }
    setting_put(table, query, false, setting_rules(query));
    for (size_t i = 0; i < decisions.count; i++)
        put_decision(table, &decisions.items[i]);
    table_close(table);
    if (query->format != FORMAT_TEXT)
        return true;
    /* "mean loss: 12% by the model (32 sizes), 86% by the library (30 sizes)" */
    FILE *out = query->line->out;
    const MeanLoss mean = decisions_mean(&decisions);
    fprintf(out, "\nmean loss: %s by the model (%zu size%s)",
            quantity_show_share(arena, mean.chosen), mean.sizes, PLURAL_END(mean.sizes));
    if (mean.known)
        fprintf(out, ", %s by the library (%zu size%s)", quantity_show_share(arena, mean.library),
                mean.known, PLURAL_END(mean.known));
    fputc('\n', out);
    if (mean.tuned_sizes)
        fprintf(out,
                "with the tuning file: %s, where without it the library loses %s (%zu size%s)\n",
                quantity_show_share(arena, mean.tuned), quantity_show_share(arena, mean.untuned),
                mean.tuned_sizes, PLURAL_END(mean.tuned_sizes));
    return true;
}

enum { SIZES_PER_OCTAVE = 4 };

static const double gap = 40; /* between plots */

/* The rows of one collective on so many ranks of one system, with the sizes of its curves. */
typedef struct {
    const Query *query;
    const ComparedRow *rows;
    size_t count;
    SizeArray sizes;
    CostCurve *curves;
    size_t curve_count;
    CostPoint *points;
    size_t point_count;
} Plan;

/* Both axes are logarithmic. */
static bool is_drawn(const ComparedRow *row)
{
    return !row->reason && row->row->bytes > 0;
}

/* Those of measurements, and many between them. */
static bool choose_sizes(Plan *plan)
{
    Arena *arena = plan->query->study.arena;
    SizeArray *sizes = &plan->sizes;
    ARRAY_RESERVE(arena, sizes, plan->count);
    for (size_t i = 0; i < plan->count; i++)
        if (is_drawn(&plan->rows[i]))
            *ARRAY_PUSH(arena, sizes) = plan->rows[i].row->bytes;
    sizes->count = sort_doubles_once(sizes->items, sizes->count);
    if (sizes->count < 2)
        return false;
    const double from = sizes->items[0], to = sizes->items[sizes->count - 1];
    const int steps = (int)ceil(log2(to / from) * SIZES_PER_OCTAVE) + 1;
    for (int i = 1; i < steps; i++)
        *ARRAY_PUSH(arena, sizes) = from * pow(to / from, (double)i / steps);
    sizes->count = sort_doubles_once(sizes->items, sizes->count);
    return true;
}

/* "ring, median error 4.1%" */
static const char *describe_curve(const Plan *plan, const ComparedRow *first)
{
    Arena *arena = plan->query->study.arena;
    const ComparedRow *end = plan->rows + plan->count;
    double *errors = ARENA_ARRAY(arena, double, plan->count);
    size_t count = 0;
    for (const ComparedRow *row = first;
         row < end && measurement_is_same_subject(first->row, row->row); row++)
        if (!row->reason)
            errors[count++] = row->error;
    sort_doubles(errors, count);
    return arena_printf(arena, "%s, median error %s", first->row->algorithm,
                        quantity_show_share(arena, logs_quantile(errors, count, 0.5)));
}

static const char *title_of(const Plan *plan)
{
    const ComparedRow *first = plan->rows;
    for (size_t i = 0; i < plan->count && !is_drawn(first); i++)
        first = &plan->rows[i];
    return arena_printf(plan->query->study.arena,
                        "%s on %s%s%s: predicted (lines), measured (circles)",
                        first->row->collective, collcost_case_network(first->prediction.of),
                        *first->row->system ? ", " : "", first->row->system);
}

/* NULL where fewer than two sizes can be drawn. */
static Drawing *draw_plot(Plan *plan)
{
    const Query *query = plan->query;
    Arena *arena = query->study.arena;
    const ComparedRow *last = NULL;
    if (!choose_sizes(plan))
        return NULL;
    plan->curves = ARENA_ARRAY(arena, CostCurve, plan->count + 1);
    plan->points = ARENA_ARRAY(arena, CostPoint, plan->count + 1);
    for (size_t i = 0; i < plan->count; i++) {
        const ComparedRow *row = &plan->rows[i];
        if (!is_drawn(row))
            continue;
        if (!last || !measurement_is_same_subject(last->row, row->row)) {
            double *seconds = ARENA_ARRAY(arena, double, plan->sizes.count);
            for (size_t j = 0; j < plan->sizes.count; j++) {
                /* Of many among which the library may have chosen, the least. */
                const collcost_cost *best;
                collcost_case *of = row->prediction.of;
                seconds[j] =
                    query_answered(query, collcost_case_best(of, plan->sizes.items[j], &best))
                        ? best->total_s
                        : NAN;
            }
            int style = plan->curve_count < CURVE_STYLES ? (int)plan->curve_count : -1;
            plan->curves[plan->curve_count++] =
                (CostCurve){.name = describe_curve(plan, row), .values = seconds, .style = style};
        }
        last = row;
        plan->points[plan->point_count++] =
            (CostPoint){.size = row->row->bytes,
                        .value = row->row->seconds,
                        .curve = plan->curve_count - 1,
                        .tip = arena_printf(
                            arena, "%s, %s: %s measured, %s predicted (x %.2f)",
                            row->row->algorithm, quantity_show_bytes(arena, row->row->bytes),
                            quantity_show_time(arena, row->row->seconds),
                            quantity_show_time(arena, row->prediction.cost->total_s), row->ratio)};
    }
    const size_t others = plan->curve_count > CURVE_STYLES ? plan->curve_count - CURVE_STYLES : 0;
    const CostCurves data = {
        .heading = {title_of(plan),
                    {setting_machine(query), arena_printf(arena, "rules: %s", setting_rules(query)),
                     cost_curves_note_others(arena, others)}},
        .size_title = "message size m",
        .size_count = plan->sizes.count,
        .sizes = plan->sizes.items,
        .curve_count = plan->curve_count,
        .curves = plan->curves,
        .point_count = plan->point_count,
        .points = plan->points,
    };
    return cost_curves_draw(arena, &data);
}

Status compared_draw(const Query *query, const ComparedRows *rows)
{
    Drawing *all = NULL;
    for (size_t from = 0, to; from < rows->count; from = to) {
        for (to = from + 1; to < rows->count; to++)
            if (measurement_compare_places(rows->items[from].row, rows->items[to].row) != 0)
                break;
        Plan plan = {.query = query, .rows = &rows->items[from], .count = to - from};
        const Drawing *plot = draw_plot(&plan);
        if (!plot)
            continue;
        if (!all)
            all = drawing_create(query->study.arena, plot->title);
        double below = all->marks.count ? drawing_box(all).most.y + gap : 0;
        drawing_append(all, plot,
                       (Point){0, all->marks.count ? below - drawing_box(plot).least.y : 0});
    }
    if (all)
        return picture_write(query->line, all);
    return BAD_INPUT(query->study.diag, rows->items[0].row->place,
                     "there is nothing to draw: a picture needs two sizes above 0");
}
