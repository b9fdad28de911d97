/* The functions of collcost.h: each runs its work in the context's workspace, so that memory that
   runs out and cancellation become a status. */
#include "collcost.h"

#include "base/source.h"
#include "bound/kinds.h"
#include "choose/margin.h"
#include "study/settings.h"
#include "study/switch_points.h"
#include "study/symbols.h"
#include "study/verify_models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A call that ends half-way may leave a library half read: then the next study gets a new one, and
   the old one stays while it has studies. */
typedef struct {
    Arena *arena; /* where it lives itself */
    Library *models;
    int opened_after; /* interruptions */
    int studies;
} OpenLibrary;

struct collcost_context {
    Workspace workspace;
    collcost_settings settings;
    Diag diag;
    OpenLibrary *library; /* the last one that was opened */
    int interruptions;    /* calls that ended half-way */
};

struct collcost_study {
    collcost_context *context;
    OpenLibrary *library;
    Arena *arena;
    Study *study;
    int created_after; /* interruptions */
};

const char *collcost_version(void)
{
    return COLLCOST_VERSION;
}

/* ### Running in a workspace */

typedef struct {
    bool (*body)(void *arguments); /* false after a report */
    void *arguments;
    bool good;
} Call;

static void run_call(void *context)
{
    Call *call = context;
    call->good = call->body(call->arguments);
}

static collcost_status guard(Workspace *workspace, bool (*body)(void *arguments), void *arguments)
{
    Call call = {body, arguments, false};
    switch (workspace_run(workspace, run_call, &call)) {
    case ENDING_NO_MEMORY:
        return COLLCOST_NO_MEMORY;
    case ENDING_CANCELLED:
        return COLLCOST_CANCELLED;
    case ENDING_DONE:
        break;
    }
    return call.good ? COLLCOST_FINE : COLLCOST_BAD_INPUT;
}

/* Did the call end half-way? */
static bool is_interruption(collcost_status status)
{
    return status == COLLCOST_NO_MEMORY || status == COLLCOST_CANCELLED;
}

static Text text_of(Arena *arena, const char *name, const char *value)
{
    return source_argument(arena, name, arena_copy(arena, value, strlen(value)));
}

/* ### Contexts */

static void hand_over(void *user, const Diagnostic *diagnostic)
{
    const collcost_settings *settings = user;
    static const collcost_severity severities[] = {
        [SEVERITY_ERROR] = COLLCOST_ERROR,
        [SEVERITY_WARNING] = COLLCOST_WARNING,
        [SEVERITY_NOTE] = COLLCOST_NOTE,
    };
    const collcost_diagnostic handed = {
        .severity = severities[diagnostic->severity],
        .message = diagnostic->message,
        .source = diagnostic->source ? diagnostic->source->name : NULL,
        .line = diagnostic->position.line,
        .column = diagnostic->position.column,
        .text = diagnostic->line,
        .text_length = diagnostic->line_length,
        .caret = diagnostic->caret,
        .caret_length = diagnostic->caret_length,
    };
    if (settings->diagnostic)
        settings->diagnostic(settings->user, &handed);
}

static void tell_progress(void *listener, const WorkStep *step)
{
    const collcost_settings *settings = listener;
    settings->progress(settings->user, step ? step->what : NULL, step ? step->number : 0,
                       step ? step->total : 0);
}

/* They are read again after a call that ended half-way, when the caller's may be gone. */
static void copy_models(collcost_context *context)
{
    collcost_settings *settings = &context->settings;
    Arena *arena = arena_create(&context->workspace);
    const char **models = ARENA_ARRAY(arena, const char *, settings->model_count + 1);
    for (size_t i = 0; i < settings->model_count; i++)
        models[i] = arena_copy(arena, settings->models[i], strlen(settings->models[i]));
    settings->models = models;
}

/* NULL after reports. */
static OpenLibrary *open_library(collcost_context *context)
{
    Arena *arena = arena_create(&context->workspace);
    OpenLibrary *library = ARENA_NEW(arena, OpenLibrary);
    *library = (OpenLibrary){
        .arena = arena, .models = library_open(arena), .opened_after = context->interruptions};
    for (size_t i = 0; i < context->settings.model_count; i++)
        library_enter(library->models, context->settings.models[i], &context->diag);
    if (library_read(library->models, &context->diag))
        return library;
    arena_destroy(arena);
    return NULL;
}

static bool open_context(void *arguments)
{
    collcost_context *context = arguments;
    copy_models(context);
    context->library = open_library(context);
    return context->library != NULL;
}

collcost_status collcost_open(const collcost_settings *settings, collcost_context **context)
{
    const collcost_settings none = {0}, *given = settings ? settings : &none;
    Workspace source = {
        .allocate = given->allocate, .release = given->release, .allocator = given->user};
    size_t size =
        (sizeof(collcost_context) + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    collcost_context *opened = given->allocate
                                   ? given->allocate(given->user, _Alignof(max_align_t), size)
                                   : aligned_alloc(_Alignof(max_align_t), size);
    if (!opened)
        return COLLCOST_NO_MEMORY;
    *opened = (collcost_context){.settings = *given};
    opened->workspace.allocate = source.allocate;
    opened->workspace.release = source.release;
    opened->workspace.allocator = source.allocator;
    opened->workspace.progress = given->progress ? tell_progress : NULL;
    opened->workspace.listener = &opened->settings;
    opened->diag = diag_create(hand_over, &opened->settings);
    collcost_status status = guard(&opened->workspace, open_context, opened);
    if (status == COLLCOST_FINE)
        *context = opened;
    else
        collcost_close(opened);
    return status;
}

void collcost_close(collcost_context *context)
{
    if (!context)
        return;
    while (context->workspace.newest) {
        Resource *newest = context->workspace.newest;
        workspace_drop(newest);
        newest->end(newest);
    }
    if (context->settings.release)
        context->settings.release(context->settings.user, context);
    else
        free(context);
}

void collcost_cancel(collcost_context *context)
{
    workspace_cancel(&context->workspace);
}

/* ### Studies */

typedef struct {
    collcost_context *context;
    OpenLibrary *library;
    collcost_study *study;
} CreateCall;

static bool create_study(void *arguments)
{
    CreateCall *call = arguments;
    collcost_context *context = call->context;
    call->library = context->library;
    if (call->library->opened_after < context->interruptions)
        call->library = open_library(context);
    if (!call->library)
        return false;
    Arena *arena = arena_create(&context->workspace);
    collcost_study *study = ARENA_NEW(arena, collcost_study);
    study->context = context;
    study->library = call->library;
    study->arena = arena;
    study->created_after = context->interruptions;
    study->study = study_create(arena, call->library->models, &context->diag);
    call->study = study;
    return study->study != NULL;
}

static collcost_status guard_context(collcost_context *context, bool (*body)(void *arguments),
                                     void *arguments)
{
    collcost_status status = guard(&context->workspace, body, arguments);
    context->interruptions += is_interruption(status);
    return status;
}

static bool report_interrupted(Diag *diag)
{
    diag_error(diag, NOWHERE, "an earlier call was interrupted: start with a new study");
    return false;
}

/* Frees a library that nobody can ask any more. */
static void drop_library(const collcost_context *context, OpenLibrary *library)
{
    if (library != context->library && library->studies == 0)
        arena_destroy(library->arena);
}

collcost_status collcost_study_create(collcost_context *context, collcost_study **study)
{
    CreateCall call = {.context = context};
    collcost_status status = guard_context(context, create_study, &call);
    if (status != COLLCOST_FINE)
        return status;
    OpenLibrary *before = context->library;
    context->library = call.library;
    call.library->studies++;
    drop_library(context, before);
    *study = call.study;
    return COLLCOST_FINE;
}

void collcost_study_free(collcost_study *study)
{
    if (!study)
        return;
    collcost_context *context = study->context;
    OpenLibrary *library = study->library;
    arena_destroy(study->arena);
    library->studies--;
    drop_library(context, library);
}

typedef struct {
    collcost_study *study;
    const char *name, *value;
} SetCall;

static bool is_usable(const collcost_study *study)
{
    return study->created_after == study->context->interruptions ||
           report_interrupted(&study->context->diag);
}

/* A value that is refused changes nothing. */
static bool set(void *arguments)
{
    const SetCall *call = arguments;
    Study *study = call->study->study, before = *study;
    if (!is_usable(call->study))
        return false;
    Text name = text_of(study->arena, call->name, call->name);
    bool good = study_set(study, name, text_of(study->arena, call->name, call->value));
    if (!good)
        *study = before;
    return good;
}

collcost_status collcost_study_set(collcost_study *study, const char *name, const char *value)
{
    SetCall call = {study, name, value};
    return guard_context(study->context, set, &call);
}

/* ### Cases */

typedef struct {
    collcost_study *study;
    const char *subject, *topology;
    collcost_case *opened;
} OpenCall;

static bool read_subject(const Study *study, Text text, const Collective **collective,
                         const Algorithm **only)
{
    Text before, after;
    *only = NULL;
    if (library_is_typed(text)) {
        const ModelEntry *entry = library_add_typed(study->library, text, study->diag);
        *only = entry ? library_load(study->library, entry, study->diag) : NULL;
    } else if (text_split(text, '/', &before, &after)) {
        *only = library_algorithm(study->library, text, study->diag);
    } else {
        *collective = library_collective(study->library, text, study->diag);
        return *collective != NULL;
    }
    if (*only)
        *collective = (*only)->collective;
    return *only != NULL;
}

/* "torus:4x4"; a topology of a user may have a number of ranks of its own. */
static const Topology *read_topology(const Study *study, Text text, Shape *shape)
{
    Text name = text, sizes = {0};
    bool has_sizes = text_split(text, ':', &name, &sizes);
    const Topology *topology = library_topology(study->library, name, study->diag);
    if (!topology)
        return NULL;
    if (has_sizes)
        return topology_parse_shape(topology, sizes, shape, study->diag) ? topology : NULL;
    if (!topology->ranks) {
        diag_error(study->diag, text.span, "the number of ranks is missing: %s:8",
                   topology->head.name);
        return NULL;
    }
    *shape = topology_shape(topology, topology->ranks);
    return topology;
}

static bool open_case(void *arguments)
{
    OpenCall *call = arguments;
    const Study *study = call->study->study;
    const Collective *collective = NULL;
    const Algorithm *only;
    Shape shape;
    if (!is_usable(call->study))
        return false;
    Text subject = text_of(study->arena, "subject", call->subject);
    if (!read_subject(study, subject, &collective, &only))
        return false;
    if (collective->problem) {
        diag_error(study->diag, subject.span, "%s is a product of matrices, not a collective",
                   collective->head.name);
        return false;
    }
    const Topology *topology =
        read_topology(study, text_of(study->arena, "topology", call->topology), &shape);
    if (topology)
        call->opened = case_open(study, collective, only, topology, &shape);
    if (!call->opened)
        return false;
    call->opened->interruptions = &call->study->context->interruptions;
    call->opened->opened_after = call->study->created_after;
    return true;
}

collcost_status collcost_case_open(collcost_study *study, const char *subject, const char *topology,
                                   collcost_case **opened)
{
    OpenCall call = {study, subject, topology, NULL};
    collcost_status status = guard_context(study->context, open_case, &call);
    if (status == COLLCOST_FINE)
        *opened = call.opened;
    return status;
}

int64_t collcost_case_ranks(const collcost_case *opened)
{
    return opened->network.p;
}

const char *collcost_case_network(const collcost_case *opened)
{
    return opened->network.name;
}

/* What an answer about a case works on. */
typedef struct {
    collcost_case *opened;
    double bytes, to, tolerance;
    unsigned wanted;
    const void *list;
    size_t count;
    bool is_wrong; /* a check has failed */
} Question;

/* Hands out the list of an answer. */
static collcost_status answer(Question *question, bool (*find)(void *question), const void **list,
                              size_t *count)
{
    const Case *opened = question->opened;
    if (opened->interruptions && opened->opened_after != *opened->interruptions) {
        report_interrupted(opened->study.diag);
        return COLLCOST_BAD_INPUT;
    }
    collcost_status status = guard(arena_workspace(opened->study.arena), find, question);
    if (opened->interruptions)
        *opened->interruptions += is_interruption(status);
    if (status != COLLCOST_FINE)
        return status;
    *list = question->list;
    *count = question->count;
    return question->is_wrong ? COLLCOST_CHECK_FAILED : COLLCOST_FINE;
}

static bool check_size(const Study *study, double bytes, double least)
{
    if (bytes >= least && bytes <= LARGEST_SIZE)
        return true;
    diag_error(study->diag, NOWHERE, "a size is %s and at most 2^53 bytes",
               least > 0 ? "above 0" : "not negative");
    return false;
}

static bool find_rules(void *arguments)
{
    Question *question = arguments;
    const Case *opened = question->opened;
    question->list = rules_describe_on(opened->study.arena, &opened->study.rules, &opened->network);
    return true;
}

collcost_status collcost_case_rules(collcost_case *opened, const char **rules)
{
    Question question = {.opened = opened};
    const void *list;
    size_t count;
    collcost_status status = answer(&question, find_rules, &list, &count);
    if (status == COLLCOST_FINE)
        *rules = list;
    return status;
}

static bool find_left_out(void *arguments)
{
    Question *question = arguments;
    const LeftOutArray *found = &question->opened->candidates.left_out;
    collcost_left_out *list =
        ARENA_ARRAY(question->opened->study.arena, collcost_left_out, found->count + 1);
    for (size_t i = 0; i < found->count; i++)
        list[i] = (collcost_left_out){found->items[i].algorithm->head.name, found->items[i].reason};
    question->list = list;
    question->count = found->count;
    return true;
}

collcost_status collcost_case_left_out(collcost_case *opened, const collcost_left_out **list,
                                       size_t *count)
{
    Question question = {.opened = opened};
    return answer(&question, find_left_out, (const void **)list, count);
}

static void fill_cost(Case *opened, double bytes, const CaseCost *found, collcost_cost *cost)
{
    const Algorithm *algorithm = case_algorithm(opened, found->candidate);
    const LowerBound *bound = case_bound(opened);
    const CurveCost *of = &found->cost;
    double block = bytes / (double)of->chunks;
    *cost = (collcost_cost){
        .algorithm = algorithm->head.name,
        .has_chunks = algorithm->free_chunks,
        .k = of->k,
        .rounds = of->rounds,
        .startup_s = of->parts.startup,
        .hop_s = of->parts.hop,
        .transfer_s = of->parts.transfer,
        .compute_s = of->parts.compute,
        .total_s = of->total,
        .from_closed_form = of->closed != NULL,
        .peak_bytes = of->peak_blocks >= 0 ? (double)of->peak_blocks * block : -1,
        .bound_s = bound->known ? lower_bound_seconds(bound, bytes) : -1,
        .check = COLLCOST_NOT_VERIFIED,
    };
    if (!bound->known)
        return;
    Attained attained = attained_find(&bound->bounds, bound->least, of->parts, bytes);
    cost->is_optimal = attained.whole;
    cost->optimal_in_count = attained.count;
    memcpy(cost->optimal_in, attained.parts, sizeof cost->optimal_in);
}

static const collcost_check checks[] = {[COST_GOOD] = COLLCOST_VERIFIED,
                                        [COST_WRONG] = COLLCOST_WRONG,
                                        [COST_TOO_LARGE] = COLLCOST_NOT_VERIFIED};

static bool find_costs(void *arguments)
{
    Question *question = arguments;
    Case *opened = question->opened;
    Arena *arena = opened->study.arena;
    size_t count = opened->candidates.algorithms.count;
    CaseCost *found = ARENA_ARRAY(arena, CaseCost, count + 1);
    collcost_cost *costs = ARENA_ARRAY(arena, collcost_cost, count + 1);
    if (!check_size(&opened->study, question->bytes, 0) ||
        !case_costs(opened, question->bytes, found))
        return false;
    for (size_t i = 0; i < count; i++) {
        fill_cost(opened, question->bytes, &found[i], &costs[i]);
        costs[i].check =
            checks[case_check(opened, found[i].candidate, found[i].cost.k, question->bytes)];
        question->is_wrong |= costs[i].check == COLLCOST_WRONG;
    }
    question->list = costs;
    question->count = count;
    return true;
}

collcost_status collcost_case_costs(collcost_case *opened, double bytes,
                                    const collcost_cost **costs, size_t *count)
{
    Question question = {.opened = opened, .bytes = bytes};
    return answer(&question, find_costs, (const void **)costs, count);
}

static bool find_best(void *arguments)
{
    Question *question = arguments;
    Case *opened = question->opened;
    CaseCost winner;
    collcost_cost *cost = ARENA_NEW(opened->study.arena, collcost_cost);
    if (!check_size(&opened->study, question->bytes, 0) ||
        !case_winner(opened, question->bytes, &winner))
        return false;
    fill_cost(opened, question->bytes, &winner, cost);
    question->list = cost;
    return true;
}

collcost_status collcost_case_best(collcost_case *opened, double bytes, const collcost_cost **best)
{
    Question question = {.opened = opened, .bytes = bytes};
    size_t count;
    return answer(&question, find_best, (const void **)best, &count);
}

static bool find_symbols(void *arguments)
{
    Question *question = arguments;
    Case *opened = question->opened;
    size_t count = opened->candidates.algorithms.count;
    collcost_symbols *list = ARENA_ARRAY(opened->study.arena, collcost_symbols, count + 1);
    for (size_t i = 0; i < count; i++) {
        const Algorithm *algorithm = case_algorithm(opened, i);
        CostSymbols found;
        if (!case_symbols(opened, i, &found))
            return false;
        list[i] = (collcost_symbols){.algorithm = algorithm->head.name,
                                     .has_chunks = algorithm->free_chunks,
                                     .k = found.k,
                                     .rounds = found.rounds,
                                     .formula = found.formula,
                                     .from_closed_form = found.from_closed_form,
                                     .closed_form = found.closed_form,
                                     .check = checks[found.check]};
        question->is_wrong |= found.check == COST_WRONG;
    }
    question->list = list;
    question->count = count;
    return true;
}

collcost_status collcost_case_symbols(collcost_case *opened, const collcost_symbols **symbols,
                                      size_t *count)
{
    Question question = {.opened = opened};
    return answer(&question, find_symbols, (const void **)symbols, count);
}

static bool find_bounds(void *arguments)
{
    Question *question = arguments;
    Case *opened = question->opened;
    const LowerBound *found = case_bound(opened);
    double bytes = question->bytes;
    if (!check_size(&opened->study, bytes, 0))
        return false;
    if (!found->known) {
        diag_limit(opened->study.diag, NOWHERE, "the bounds of %s would take too much memory",
                   opened->network.name);
        return false;
    }
    BoundKind binding = bounds_binding(&found->bounds, found->least, bytes);
    collcost_bound *bounds = ARENA_ARRAY(opened->study.arena, collcost_bound, BOUND_KIND_COUNT);
    for (int kind = 0; kind < BOUND_KIND_COUNT; kind++) {
        const Bound *bound = &found->bounds.items[kind];
        if (kind == BOUND_FLOW) /* costs a linear program */
            continue;
        bounds[question->count++] =
            (collcost_bound){.kind = bound_names[kind],
                             .formula = bound_formula(opened->study.arena, bound),
                             .reason = bound->reason,
                             .seconds = bound_seconds(bound, found->least, bytes),
                             .binds = kind == (int)binding};
    }
    question->list = bounds;
    return true;
}

collcost_status collcost_case_bounds(collcost_case *opened, double bytes,
                                     const collcost_bound **bounds, size_t *count)
{
    Question question = {.opened = opened, .bytes = bytes};
    return answer(&question, find_bounds, (const void **)bounds, count);
}

static bool fill_piece(const Case *opened, const Piece *piece, bool wants_details,
                       collcost_piece *filled)
{
    const Candidates *candidates = &opened->candidates;
    PieceDetails details = {0};
    if (wants_details &&
        !piece_details(opened->study.arena, candidates->curves, candidates->algorithms.count, piece,
                       &details, opened->study.diag))
        return false;
    const Margin *second = &details.second;
    bool has_second = details.second_name != NULL;
    *filled = (collcost_piece){
        .from_bytes = piece->from,
        .to_bytes = piece->to,
        .algorithm = case_algorithm(opened, piece->curve)->head.name,
        .has_chunks = case_algorithm(opened, piece->curve)->free_chunks,
        .from_k = piece->start.k,
        .to_k = details.end.k,
        .total_at_from_s = piece->start.total,
        .total_at_to_s = details.end.total,
        .tied = details.tied,
        .tied_count = details.tied_count,
        .second = details.second_name,
        .second_slower_by = has_second ? second->loss : 0,
        .second_slower_at_bytes = has_second ? second->at : 0,
    };
    return true;
}

static bool find_pieces(void *arguments)
{
    Question *question = arguments;
    Case *opened = question->opened;
    SwitchPoints points;
    if (!check_size(&opened->study, question->bytes, 0x1p-20) ||
        !check_size(&opened->study, question->to, question->bytes) ||
        !switch_points_find(opened, question->bytes, question->to, question->tolerance, &points))
        return false;
    question->is_wrong =
        question->wanted & COLLCOST_CHECKED && !switch_points_check(opened, &points);
    question->count = points.shown.count;
    collcost_piece *pieces = ARENA_ARRAY(opened->study.arena, collcost_piece, question->count + 1);
    for (size_t i = 0; i < question->count; i++)
        if (!fill_piece(opened, &points.shown.items[i], question->wanted & COLLCOST_DETAILS,
                        &pieces[i]))
            return false;
    question->list = pieces;
    return true;
}

collcost_status collcost_case_switch_points(collcost_case *opened, double from, double to,
                                            double tolerance, unsigned wanted,
                                            const collcost_piece **pieces, size_t *count)
{
    Question question = {
        .opened = opened, .bytes = from, .to = to, .tolerance = tolerance, .wanted = wanted};
    Diag silent = diag_silent(), *diag = opened->study.diag;
    if (wanted & COLLCOST_QUIET)
        opened->study.diag = &silent;
    collcost_status status = answer(&question, find_pieces, (const void **)pieces, count);
    opened->study.diag = diag;
    return status;
}

/* ### Verification */

typedef struct {
    collcost_study *study;
    const char *model;
    int64_t most;
    collcost_verification result;
    bool is_wrong;
} VerifyCall;

/* The entry of that name, and those below it: "allreduce" and "allreduce/ring", ... */
static bool list_entries(const Study *study, Text model, ModelEntries *entries)
{
    for (size_t i = 0; i < library_entry_count(study->library); i++) {
        const ModelEntry *entry = library_entry(study->library, i);
        bool is_below = strncmp(entry->name, model.chars, model.length) == 0 &&
                        entry->name[model.length] == '/';
        if (is_below || text_equals(model, entry->name))
            *ARRAY_PUSH(study->arena, entries) = entry;
    }
    if (entries->count == 0)
        diag_error(study->diag, model.span, "unknown model '%s'", model.chars);
    return entries->count > 0;
}

static bool verify(void *arguments)
{
    VerifyCall *call = arguments;
    const Study *study = call->study->study;
    VerifyTask task = {0};
    VerifyReport report;
    if (!is_usable(call->study))
        return false;
    if (call->most < 1 || call->most > topology_most_ranks) {
        diag_error(study->diag, NOWHERE, "ranks are between 1 and %lld",
                   (long long)topology_most_ranks);
        return false;
    }
    for (int64_t p = 1; p <= call->most; p++)
        *ARRAY_PUSH(study->arena, &task.ranks) = p;
    if (!list_entries(study, text_of(study->arena, "model", call->model), &task.entries) ||
        !verify_models(study, &task, &report))
        return false;
    collcost_verification *result = &call->result;
    for (size_t i = 0; i < report.runs.count; i++)
        result->wrong_runs += !report.runs.items[i].right;
    for (size_t i = 0; i < report.claims.count; i++) {
        const ModelClaim *claim = &report.claims.items[i];
        result->wrong_claims += claim->verdict.holds == claim->claim->recorded_refuted;
    }
    result->runs = (int64_t)report.runs.count;
    result->claims = (int64_t)report.claims.count;
    call->is_wrong = report.failed > 0;
    return true;
}

collcost_status collcost_verify(collcost_study *study, const char *model, int64_t most,
                                collcost_verification *result)
{
    VerifyCall call = {.study = study, .model = model, .most = most};
    collcost_status status = guard_context(study->context, verify, &call);
    if (status != COLLCOST_FINE)
        return status;
    *result = call.result;
    return call.is_wrong ? COLLCOST_CHECK_FAILED : COLLCOST_FINE;
}
