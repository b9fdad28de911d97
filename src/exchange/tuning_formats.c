#include "exchange/tuning_reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const TuningFormat *const formats[] = {
#define TUNING_FORMAT(name) &tuning_format_##name,
#include "exchange/tuning_libraries.def"
#undef TUNING_FORMAT
};

const TuningFormat *tuning_format(const char *library, const char *version)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (strcmp(formats[i]->library, library) == 0 &&
            (!formats[i]->versions ||
             strncmp(version, formats[i]->versions, strlen(formats[i]->versions)) == 0))
            return formats[i];
    return NULL;
}

static int compare_findings(const void *first, const void *second)
{
    const TuningFinding *a = first, *b = second;
    return a->span.offset != b->span.offset ? (a->span.offset > b->span.offset) * 2 - 1
                                            : (a->order > b->order) - (a->order < b->order);
}

/* The library of which a line sets a rule next, from *at on; NULL: it sets none. Few of MPICH's
   variables choose. */
static const char *sets_variable_of(Text line, size_t *at, Text *name)
{
    Text value;
    while (next_assignment(line, at, name, &value)) {
        const SettingFamily *family = setting_family(*name);
        if (family && family->use == SETTING_RULES &&
            (strcmp(family->library, "mpich") != 0 || text_holds(*name, family->after) ||
             text_ends(*name, "_MSG_SIZE")))
            return family->library;
    }
    return NULL;
}

/* Of each library once that it sets variables of another one, too. */
static void tell_others(TuningReader *in)
{
    bool is_told[COUNT_OF(formats)] = {false};
    const char *library, *own = in->format->library;
    const bool is_nccl = strcmp(own, "rccl") == 0 || strcmp(own, "ncclx") == 0;
    Text rest = whole_of(in->source), line, name;
    while (next_line(&rest, &line))
        for (size_t at = 0; (library = sets_variable_of(line, &at, &name));) {
            size_t i = 0;
            while (strcmp(formats[i]->library, library) != 0)
                i++;
            if (!is_told[i] && strcmp(library, is_nccl ? "nccl" : own) != 0)
                tuning_fault(in, FAULT(OTHER_LIBRARY), name.span, library, library);
            is_told[i] = true;
        }
}

TuningFile tuning_read(const TuningFormat *format, Arena *arena, const Source *source,
                       const Implementation *library, const char *version)
{
    TuningFile file = {0};
    TuningReader in = {arena, source, format, library, version, &file};
    const bool is_script = source->length > 1 && memcmp(source->text, "#!", 2) == 0;
    const bool is_set = tuning_read_settings(&in);
    if (!is_set && is_script)
        tuning_fault(&in, FAULT(UNSET), (Span){source, source->length, 0},
                     arena_printf(arena, "a variable by which %s chooses", format->library));
    else if (!is_set)
        format->read(&in);
    tell_others(&in);
    if (file.findings.count)
        qsort(file.findings.items, file.findings.count, sizeof *file.findings.items,
              compare_findings);
    return file;
}

static const char *line_is_for(Text line)
{
    size_t letters = 0;
    while (letters < line.length && ((line.chars[letters] >= 'a' && line.chars[letters] <= 'z') ||
                                     line.chars[letters] == '_'))
        letters++;
    if (text_holds(line, ":") && (text_holds(line, "@") || text_holds(line, "inf")))
        return letters ? "ucc" : NULL;
    if (letters == 0 || letters + 1 >= line.length || line.chars[letters] != ',')
        return NULL;
    /* sizes of NCCLX are one field, before the algorithm */
    const Text sizes = text_behind(line, letters + 1);
    const char *comma = memchr(sizes.chars, ',', sizes.length);
    const bool is_one = comma && isdigit((unsigned char)*sizes.chars) &&
                        comma + 1 < sizes.chars + sizes.length && isalpha((unsigned char)comma[1]);
    return is_one || strchr("*[(", *sizes.chars) ? "ncclx" : "nccl";
}

const char *tuning_recognise(Arena *arena, const Source *source)
{
    enum { LINES_OF_HEAD = 8 };
    static const char by_tune[] = ", by collcost ";
    const Text all = {.chars = source->text, .length = source->length};
    const char *written = NULL, *sets = NULL, *looks_like = NULL;
    Text name;
    bool has_numbers = false; /* at the start of a line, behind a mark of UTF-8 */
    bool is_measured = text_holds(all, "(us)") || text_holds(all, "[usec]");
    for (size_t i = 0; i < source->line_count && !written; i++) {
        size_t length;
        const char *start = source_line(source, source->line_starts[i], &length);
        const Text line = text_trim((Text){.chars = start, .length = length});
        if (sets && i >= LINES_OF_HEAD)
            break;
        /* "# Rules for open-mpi@4.1, by collcost 0.1.0", in the comments of any format. */
        const char *end =
            i < LINES_OF_HEAD ? memmem(line.chars, line.length, by_tune, strlen(by_tune)) : NULL;
        for (written = end; written && written > line.chars && written[-1] != ' ';)
            written--;
        if (written)
            written = arena_copy(arena, written, (size_t)(end - written));
        const bool is_number = isdigit((unsigned char)start[strspn(start, "\357\273\277 \t")]);
        Text rule = line, remark;
        text_split(line, '#', &rule, &remark);
        const char *point = is_number ? memchr(rule.chars, '.', rule.length) : NULL;
        has_numbers |= is_number;
        is_measured |= point && isdigit((unsigned char)point[-1]); /* rules have whole numbers */
        if (!sets && line.length)
            sets = sets_variable_of(text_slice(whole_of(source), source->line_starts[i], length),
                                    &(size_t){0}, &name);
        if (!looks_like && line.length)
            looks_like = *line.chars != '{'               ? line_is_for(line)
                         : text_holds(all, "collective=") ? "mpich"
                                                          : "open-mpi@6.0";
    }
    return written                       ? written
           : sets                        ? sets
           : looks_like                  ? looks_like
           : has_numbers && !is_measured ? "open-mpi"
                                         : NULL;
}
