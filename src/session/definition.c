#include "session/state.h"

#include "base/buffer.h"
#include "base/utf8.h"
#include "cli/files.h"
#include "cli/models.h"
#include "cli/verify_parts.h"
#include "session/phrase.h"
#include "study/study.h"

#include <string.h>

/* A list of sources with one more; of the same name it takes the place of the old one. */
static SourceArray with_source(Arena *arena, const SourceArray *before, const Source *source,
                               bool *replaces)
{
    SourceArray models = {0};
    *replaces = false;
    for (size_t i = 0; i < before->count; i++) {
        bool same = strcmp(before->items[i]->name, source->name) == 0;
        *ARRAY_PUSH(arena, &models) = same ? source : before->items[i];
        *replaces |= same;
    }
    if (!*replaces)
        *ARRAY_PUSH(arena, &models) = source;
    return models;
}

static Status admit(Run *run, const Source *source)
{
    Session *session = run->session;
    bool replaces;
    Context context = session->context;
    context.models = with_source(session->arena, &session->context.models, source, &replaces);
    Arena *shelf = arena_create(session->workspace);
    context.library = models_open(shelf, &context.models, run->diag);
    collcost_verification found;
    Status status = STATUS_BAD_INPUT;
    if (context.library) {
        /* `verify` for what the source brings. Nobody sees its report; what is wrong is in the
           messages. */
        Kept report;
        kept_begin(&report, session->workspace);
        const CommandLine line = {.arena = run->arena,
                                  .diag = run->diag,
                                  .out = report.stream,
                                  .context = &context,
                                  .effects = &(Effects){0}};
        status = verify_source(&line, source, &found);
        kept_free(&report);
    }
    if (status == STATUS_FINE) {
        session->context.models = context.models;
        session_put_library(session, shelf, context.library);
        fprintf(run->out, "%s: ", utf8_clean_line(run->arena, source->name));
        const char *comma = "";
        for (size_t i = 0; i < library_entry_count(context.library); i++) {
            const ModelEntry *entry = library_entry(context.library, i);
            if (entry->source != source)
                continue;
            bool is_run = false;
            for (size_t m = 0; m < found.model_count; m++)
                is_run |=
                    strcmp(found.models[m].model, entry->name) == 0 && found.models[m].runs > 0;
            fprintf(run->out, "%s%s %s%s", comma, kind_keys[entry->kind], entry->name,
                    entry->kind != KIND_ALGORITHM ? ""
                    : is_run                      ? " (verified)"
                                                  : " (not run)");
            comma = ", ";
        }
        fputc('\n', run->out);
        return STATUS_FINE;
    }
    diag_note(run->diag, NOWHERE, "%s",
              replaces ? "models loaded before remain in use" : "nothing was loaded");
    arena_destroy(shelf);
    return status;
}

Status definition_load(Run *run)
{
    TextArray paths = {0};
    Status status = STATUS_FINE;
    if (!phrase_words(run->arena, run->operand, &paths, run->diag))
        return STATUS_BAD_INPUT;
    for (size_t i = 0; i < paths.count && status == STATUS_FINE; i++) {
        Session *session = run->session;
        const Source *source = models_read_source(&session->context, session->arena, paths.items[i],
                                                  LIMIT_FILE_BYTES, run->diag);
        status = source ? admit(run, source) : STATUS_BAD_INPUT;
    }
    if (paths.count > 0)
        return status;
    return BAD_INPUT(run->diag, run->line.span, "usage: load FILE");
}

Status definition_start(Run *run)
{
    Session *session = run->session;
    if (run->operand.length > 0)
        return BAD_INPUT(run->diag, run->operand.span,
                         "write the model in the lines that follow, up to a blank line or 'end'");
    session->definition = (TextArray){0};
    session->is_defining = true;
    return STATUS_FINE;
}

Status definition_continue(Run *run)
{
    Session *session = run->session;
    Text trimmed = phrase_trim(run->raw);
    if (trimmed.length > 0 && !text_equals(trimmed, "end")) {
        Text line = run->raw;
        line.chars = text_string(session->arena, line);
        *ARRAY_PUSH(session->arena, &session->definition) = line;
        return STATUS_FINE;
    }
    session->is_defining = false;
    /* The lines so far as one source. */
    const TextArray *lines = &session->definition;
    Buffer text = {.arena = session->arena};
    for (size_t i = 0; i < lines->count; i++) {
        buffer_add(&text, lines->items[i].chars, lines->items[i].length);
        buffer_add(&text, "\n", 1);
    }
    const char *name = arena_printf(session->arena, "definition %d", ++session->definitions);
    return admit(run,
                 source_from_text(session->arena, name, text.count ? text.items : "", text.count));
}
