#include "script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

ARRAY_TYPE(CellArray, const char *);

static const char *const names_of_files[] = {"lines", "answers", "output"};

const char *script_folder(Arena *arena)
{
    const char *place = getenv("TMPDIR");
    char *folder = arena_printf(arena, "%s/commands-XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(folder))
        return NULL;
    unsetenv("COLLCOST_MODELS");
    unsetenv("COLUMNS");
    setenv("HOME", folder, 1);
    setenv("XDG_DATA_HOME", folder, 1);
    setenv("LC_ALL", "C", 1);
    return folder;
}

void script_remove_folder(const char *folder)
{
    char path[4096];
    for (size_t i = 0; i < sizeof names_of_files / sizeof *names_of_files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names_of_files[i]);
        unlink(path);
    }
    rmdir(folder);
}

size_t script_ask(Script *script, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *line = arena_vprintf(script->arena, format, arguments);
    va_end(arguments);
    *ARRAY_PUSH(script->arena, &script->answers) = (Answer){line, ANSWER_MISSING, "", ""};
    return script->answers.count - 1;
}

static const char *path_of(const Script *script, int file)
{
    return arena_printf(script->arena, "%s/%s", script->folder, names_of_files[file]);
}

static const char *read_all(Arena *arena, const char *path)
{
    FILE *stream = fopen(path, "r");
    Buffer text = {.arena = arena};
    char bytes[1 << 16];
    if (!stream)
        return NULL;
    buffer_add(&text, "", 0);
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, stream)) > 0;)
        buffer_add(&text, bytes, count);
    fclose(stream);
    return text.items ? text.items : "";
}

static int hex_digit(char digit)
{
    return digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
}

/* A string from behind its first quote to the last. Code points are those of control characters. */
static const char *unescape(Arena *arena, const char *from)
{
    char *text = arena_room(arena, strlen(from) + 1), *to = text;
    for (; *from && *from != '"'; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        from++;
        if (*from != 'u') {
            *to++ = *from == 'n' ? '\n' : *from == 't' ? '\t' : *from;
            continue;
        }
        *to++ = (char)(hex_digit(from[3]) * 16 + hex_digit(from[4]));
        from += 4;
    }
    *to = '\0';
    return text;
}

const char *json_value(Arena *arena, const char *json, const char *key)
{
    const char *name = arena_printf(arena, "\"%s\": ", key), *found = strstr(json, name);
    if (!found)
        return NULL;
    found += strlen(name);
    return *found == '"' ? unescape(arena, found + 1)
                         : arena_copy(arena, found, strcspn(found, ",}\n"));
}

/* Each line has its object on a line of its own. */
static void take_answers(Script *script, const char *report)
{
    static const char start[] = "  {\"line\": ";
    while (*report) {
        size_t length = strcspn(report, "\n");
        if (strncmp(report, start, sizeof start - 1) == 0) {
            const char *object = arena_copy(script->arena, report, length);
            size_t number = strtoul(object + sizeof start - 1, NULL, 10);
            Answer *answer = &script->answers.items[number - 1];
            const char *status = json_value(script->arena, object, "status");
            answer->status = strcmp(status, "ok") == 0       ? ANSWER_GOOD
                             : strcmp(status, "failed") == 0 ? ANSWER_FAILED
                                                             : ANSWER_WRONG;
            answer->output = json_value(script->arena, object, "output");
            answer->messages = json_value(script->arena, object, "messages");
        }
        report += length + (report[length] == '\n');
    }
}

static const char *run(const Script *script, const char *arguments, int file)
{
    const char *path = path_of(script, file);
    int status = system(arena_printf(script->arena, "%s %s >%s 2>/dev/null </dev/null",
                                     script->program, arguments, path));
    return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) <= 2
               ? read_all(script->arena, path)
               : NULL;
}

bool script_run(Script *script)
{
    const char *path = path_of(script, 0);
    FILE *stream = fopen(path, "w");
    if (!stream)
        return false;
    for (size_t i = 0; i < script->answers.count; i++)
        fprintf(stream, "%s\n", script->answers.items[i].line);
    fclose(stream);
    const char *report = run(script, arena_printf(script->arena, "batch %s -o json", path), 1);
    if (report)
        take_answers(script, report);
    return report != NULL;
}

const char *script_run_alone(const Script *script, const char *line)
{
    return run(script, line, 2);
}

/* A cell from *csv on, which is moved behind it. */
static const char *read_cell(Arena *arena, const char **csv)
{
    const char *from = *csv;
    if (*from != '"') {
        size_t length = strcspn(from, ",\n");
        *csv += length;
        return arena_copy(arena, from, length);
    }
    Buffer cell = {.arena = arena};
    for (from++; *from && !(from[0] == '"' && from[1] != '"'); from++) {
        from += *from == '"';
        buffer_add(&cell, from, 1);
    }
    *csv = from + (*from == '"');
    return cell.items ? cell.items : "";
}

Rows rows_read(Arena *arena, const char *csv)
{
    CellArray cells = {0};
    size_t columns = 0;
    while (*csv) {
        *ARRAY_PUSH(arena, &cells) = read_cell(arena, &csv);
        columns += columns == 0 && *csv != ',' ? cells.count : 0;
        csv += *csv != '\0';
    }
    return (Rows){cells.items, columns, columns ? cells.count / columns - 1 : 0};
}

const char *rows_text(const Rows *rows, size_t row, const char *key)
{
    for (size_t i = 0; i < rows->columns && row < rows->rows; i++)
        if (strcmp(rows->cells[i], key) == 0)
            return rows->cells[(row + 1) * rows->columns + i];
    return "";
}

double rows_number(const Rows *rows, size_t row, const char *key)
{
    const char *cell = rows_text(rows, row, key);
    return *cell ? strtod(cell, NULL) : NAN;
}
