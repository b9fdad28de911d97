#include "cli/files.h"

#include "format/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool file_write(const CommandLine *line, Text name, const char *text, size_t length)
{
    const char *path = arena_copy(line->arena, name.chars, name.length);
    FILE *file = fopen(path, "w");
    bool written = file && fwrite(text, 1, length, file) == length;
    bool closed = file && fclose(file) == 0;
    if (!written || !closed)
        diag_error(line->diag, name.span, "cannot write %s: %s", path, strerror(errno));
    return written && closed;
}

bool picture_check(const CommandLine *line)
{
    if (!option_given(line, OPTION_PICTURE))
        return true;
    if (option_given(line, OPTION_OUTPUT))
        diag_error(line->diag, option_value(line, OPTION_OUTPUT).span,
                   "-o and --picture cannot be combined");
    return !option_given(line, OPTION_OUTPUT) &&
           picture_writer(option_value(line, OPTION_PICTURE), line->diag);
}

Status picture_write(const CommandLine *line, const Drawing *drawing)
{
    Text name = option_value(line, OPTION_PICTURE);
    PictureWriter write = picture_writer(name, line->diag);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = write ? open_memstream(&text, &length) : NULL;
    const char *fault = stream ? write(stream, drawing) : "out of memory";
    bool complete = stream && fclose(stream) == 0 && !fault;
    if (!complete)
        diag_error(line->diag, name.span, "cannot write the picture: %s",
                   fault ? fault : "out of memory");
    else if (text_equals(name, "-"))
        fwrite(text, 1, length, line->out);
    else
        complete = file_write(line, name, text, length);
    free(text);
    return complete ? STATUS_FINE : write ? STATUS_SYSTEM : STATUS_BAD_INPUT;
}
