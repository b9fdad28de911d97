/* The functions of collcost.h that are about contexts and studies, and how all of them run. */
#include "study/call.h"

#include <stdlib.h>
#include <string.h>

/* A call that ends half-way may leave a library half read: then the next study gets a new one, and
   the old one stays while it has studies. */
typedef struct OpenLibrary {
    collcost_context *context;
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

const char *collcost_version(void)
{
    return COLLCOST_VERSION;
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

static const Source *make_models(void *given, Arena *arena, const Source *source, Diag *diag)
{
    const collcost_settings *settings = given;
    const char *models = NULL;
    (void)diag;
    settings->network(settings->user, source->name, &models);
    return models ? source_from_text(arena, source->name, arena_copy(arena, models, strlen(models)),
                                     strlen(models))
                  : source;
}

/* NULL after reports. */
static OpenLibrary *open_library(collcost_context *context)
{
    Arena *arena = arena_create(&context->workspace);
    OpenLibrary *library = ARENA_NEW(arena, OpenLibrary);
    *library = (OpenLibrary){.context = context,
                             .arena = arena,
                             .models = library_open(arena),
                             .opened_after = context->interruptions};
    if (context->settings.network)
        library_make_by(library->models, make_models, &context->settings);
    for (size_t i = 0; i < context->settings.model_count; i++)
        library_enter(library->models, context->settings.models[i], &context->diag);
    if (library_read(library->models, &context->diag))
        return library;
    arena_destroy(arena);
    return NULL;
}

static collcost_status open_context(void *arguments)
{
    collcost_context *context = arguments;
    /* They are read again after a call that ended half-way, when the caller's may be gone. */
    collcost_settings *settings = &context->settings;
    Arena *arena = arena_create(&context->workspace);
    const char **models = ARENA_ARRAY(arena, const char *, settings->model_count + 1);
    for (size_t i = 0; i < settings->model_count; i++)
        models[i] = arena_copy(arena, settings->models[i], strlen(settings->models[i]));
    settings->models = models;
    context->library = open_library(context);
    return call_status(context->library != NULL);
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
    opened->workspace.memory_limit = given->memory_limit;
    opened->workspace.progress = given->progress ? tell_progress : NULL;
    opened->workspace.listener = &opened->settings;
    opened->diag = diag_create(hand_over, &opened->settings);
    collcost_status status = call_run(&opened->workspace, open_context, opened);
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
    Study *study;
} CreateCall;

static collcost_status create_study(void *arguments)
{
    CreateCall *call = arguments;
    collcost_context *context = call->context;
    call->library = context->library;
    if (call->library->opened_after < context->interruptions)
        call->library = open_library(context);
    if (!call->library)
        return COLLCOST_BAD_INPUT;
    Study *study =
        study_create(arena_create(&context->workspace), call->library->models, &context->diag);
    if (!study)
        return COLLCOST_BAD_INPUT;
    study->opened = call->library;
    study->interruptions = &context->interruptions;
    study->created_after = context->interruptions;
    call->study = study;
    return COLLCOST_FINE;
}

/* Frees a library that nobody can ask any more. */
static void drop_library(OpenLibrary *library)
{
    if (library != library->context->library && library->studies == 0)
        arena_destroy(library->arena);
}

collcost_status collcost_study_create(collcost_context *context, collcost_study **study)
{
    CreateCall call = {.context = context};
    collcost_status status = call_run(&context->workspace, create_study, &call);
    context->interruptions += call_was_interrupted(status);
    if (status != COLLCOST_FINE)
        return status;
    OpenLibrary *before = context->library;
    context->library = call.library;
    call.library->studies++;
    drop_library(before);
    *study = call.study;
    return COLLCOST_FINE;
}

void collcost_study_free(collcost_study *study)
{
    if (!study)
        return;
    OpenLibrary *library = study->opened;
    arena_destroy(study->arena);
    library->studies--;
    drop_library(library);
}

typedef struct {
    Study *study;
    const char *name, *value;
} SetCall;

/* A value that is refused changes nothing. */
static collcost_status set(void *arguments)
{
    const SetCall *call = arguments;
    Study *study = call->study, before = *study;
    bool good = study_set(study, call_text(study, call->name, call->name),
                          call_text(study, call->name, call->value));
    if (!good)
        *study = before;
    return call_status(good);
}

collcost_status collcost_study_set(collcost_study *study, const char *name, const char *value)
{
    SetCall call = {study, name, value};
    return call_study(study, set, &call);
}

const collcost_machine *collcost_study_machine(const collcost_study *study)
{
    return &study->machine;
}

typedef struct {
    const Study *study;
    const char *rules;
} RulesCall;

static collcost_status describe_rules(void *arguments)
{
    RulesCall *call = arguments;
    const Study *study = call->study;
    call->rules = rules_describe(study->arena, &study->rules);
    if (study->weights.text.length && !study->rules.weights)
        call->rules = arena_printf(study->arena, "%s, weights %s", call->rules,
                                   weights_show(study->arena, &study->weights));
    return COLLCOST_FINE;
}

collcost_status collcost_study_rules(const collcost_study *study, const char **rules)
{
    RulesCall call = {.study = study};
    collcost_status status = call_study(study, describe_rules, &call);
    if (status == COLLCOST_FINE)
        *rules = call.rules;
    return status;
}

typedef struct {
    CallBody *body;
    void *arguments;
    collcost_status status;
} Call;

static void run(void *context)
{
    Call *call = context;
    call->status = call->body(call->arguments);
}

collcost_status call_run(Workspace *workspace, CallBody *body, void *arguments)
{
    Call call = {body, arguments, COLLCOST_FINE};
    switch (workspace_run(workspace, run, &call)) {
    case ENDING_NO_MEMORY:
        return COLLCOST_NO_MEMORY;
    case ENDING_CANCELLED:
        return COLLCOST_CANCELLED;
    case ENDING_TOO_LARGE:
        return COLLCOST_TOO_LARGE;
    case ENDING_DONE:
        break;
    }
    return call.status;
}

collcost_status call_study(const Study *study, CallBody *body, void *arguments)
{
    if (study->interruptions) /* a program asks, which may go on for years */
        diag_renew_limit(study->diag);
    if (study->interruptions && study->created_after != *study->interruptions)
        return call_status(diag_error(study->diag, NOWHERE,
                                      "an earlier call was interrupted: start with a new study"));
    collcost_status status = call_run(arena_workspace(study->arena), body, arguments);
    if (study->interruptions)
        *study->interruptions += call_was_interrupted(status);
    return status;
}

bool call_answered(collcost_status status)
{
    return status == COLLCOST_FINE || status == COLLCOST_CHECK_FAILED;
}

bool call_was_interrupted(collcost_status status)
{
    return status == COLLCOST_NO_MEMORY || status == COLLCOST_CANCELLED ||
           status == COLLCOST_TOO_LARGE;
}

collcost_status call_status(bool good)
{
    return good ? COLLCOST_FINE : COLLCOST_BAD_INPUT;
}

Text call_text(const Study *study, const char *name, const char *value)
{
    return source_argument(study->arena, name, arena_copy(study->arena, value, strlen(value)));
}

bool call_check_size(const Study *study, double bytes, double least)
{
    return (bytes >= least && bytes <= LARGEST_SIZE) ||
           diag_error(study->diag, NOWHERE, "a size is %s and at most 2^53 bytes",
                      least > 0 ? "above 0" : "not negative");
}
