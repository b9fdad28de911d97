#include "cli/files.h"

#include "format/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* Pixels. */
enum { LEAST_WIDTH = 100, MOST_WIDTH = 10000 };

enum { MOST_NAMES = 100, ANYBODY = 0666, NOBODY_ELSE = 0600 }; /* the user's umask says who */
enum { LONGEST_NAME = PATH_MAX + 64 }; /* one that is cut is too long to be opened */

/* A NUL stands behind the text, for which there is always room. */
static bool reserve(Kept *kept, size_t length)
{
    size_t capacity = kept->capacity ? kept->capacity : 1 << 12;
    while (capacity <= length)
        capacity = capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * capacity;
    if (capacity == kept->capacity)
        return true;
    char *text = realloc(kept->text, capacity);
    if (!text)
        return false;
    kept->text = text;
    kept->capacity = capacity;
    return true;
}

/* The stream's way to memory. It must not end the work, since the stream is in the middle of its
   own. */
static ssize_t add(void *cookie, const char *bytes, size_t length)
{
    Kept *kept = cookie;
    kept->is_cut |= !reserve(kept, kept->length + length);
    if (kept->is_cut)
        return 0;
    memcpy(kept->text + kept->length, bytes, length);
    kept->length += length;
    kept->text[kept->length] = '\0';
    return (ssize_t)length;
}

static void end(Resource *resource)
{
    Kept *kept = (Kept *)(void *)resource; /* its first member */
    if (kept->stream)
        fclose(kept->stream);
    free(kept->text);
}

bool kept_open(Kept *kept, Workspace *workspace)
{
    *kept = (Kept){.length = 0};
    if (!reserve(kept, 0))
        return false;
    kept->text[0] = '\0';
    kept->stream = fopencookie(kept, "w", (cookie_io_functions_t){.write = add});
    if (!kept->stream) {
        free(kept->text);
        return false;
    }
    workspace_hold(workspace, &kept->resource, end);
    return true;
}

bool kept_close(Kept *kept)
{
    kept->is_cut |= ferror(kept->stream) != 0;
    kept->is_cut |= fclose(kept->stream) != 0;
    kept->stream = NULL;
    return !kept->is_cut;
}

void kept_free(Kept *kept)
{
    workspace_drop(&kept->resource);
    end(&kept->resource);
}

void kept_begin(Kept *kept, Workspace *workspace)
{
    if (!kept_open(kept, workspace))
        workspace_fail(workspace, 0);
}

void kept_end(Kept *kept, Workspace *workspace)
{
    if (!kept_close(kept))
        workspace_fail(workspace, kept->length);
}

static bool write_bytes(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            text += written, length -= (size_t)written;
    }
    return true;
}

/* Complete and on the disk before it takes the place of `path`, with the rights of the old file;
   nobody else may read it before it has them. Nothing is left behind if that fails, and signals
   such as Ctrl-C wait for the end. */
static bool replace(const char *path, const struct stat *old, const char *text, size_t length)
{
    char beside[LONGEST_NAME];
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    /* A new file in the folder of `path`. What a process that was killed has left behind is not
       touched. */
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0, file = -1;
    for (int i = 0; i < MOST_NAMES && file < 0 && (i == 0 || errno == EEXIST); i++) {
        snprintf(beside, sizeof beside, "%.*s.collcost-%ld-%d", folder, path, (long)getpid(), i);
        file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, old ? NOBODY_ELSE : ANYBODY);
    }
    bool good = file >= 0 && write_bytes(file, text, length) &&
                (!old || fchmod(file, old->st_mode & ~(mode_t)S_IFMT) == 0) && fsync(file) == 0;
    int fault = errno;
    if (file >= 0 && close(file) != 0 && good)
        good = false, fault = errno;
    if (good && rename(beside, path) != 0)
        good = false, fault = errno;
    if (file >= 0 && !good)
        unlink(beside);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = fault;
    return good;
}

Status file_write(const CommandLine *line, Text name, const char *text, size_t length)
{
    char target[PATH_MAX];
    struct stat old;
    const char *path = text_string(line->arena, name);
    bool exists = stat(path, &old) == 0;
    bool is_file = exists ? S_ISREG(old.st_mode) : lstat(path, &old) != 0;
    bool good;
    if (is_file) {
        const char *place = exists && realpath(path, target) ? target : path;
        good = replace(place, exists ? &old : NULL, text, length);
    } else {
        /* A pipe, a device, or a link to what is yet to be made: nothing can take its place. */
        const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, ANYBODY);
        good = file >= 0 && write_bytes(file, text, length);
        good = file >= 0 && close(file) == 0 && good;
    }
    if (good)
        return STATUS_FINE;
    diag_error(line->diag, name.span, "cannot write %s: %s", path, strerror(errno));
    return STATUS_SYSTEM;
}

bool picture_check(const CommandLine *line)
{
    int64_t width;
    const OptionId of_pictures = option_among(line, OPTIONS(AXIS, TITLE, WIDTH));
    if (!option_given(line, OPTION_PICTURE))
        return of_pictures == OPTION_COUNT ||
               diag_error(line->diag, option_value(line, of_pictures).span,
                          "--%s belongs to a picture: give --picture FILE too",
                          option_name(of_pictures));
    if (!option_integer(line, OPTION_WIDTH, LEAST_WIDTH, MOST_WIDTH, &width))
        return false;
    if (option_given(line, OPTION_OUTPUT))
        diag_error(line->diag, option_value(line, OPTION_OUTPUT).span,
                   "-o and --picture cannot be combined");
    return !option_given(line, OPTION_OUTPUT) &&
           picture_writer(option_value(line, OPTION_PICTURE), line->diag);
}

Status picture_write(const CommandLine *line, Drawing *drawing)
{
    Text name = option_value(line, OPTION_PICTURE);
    Workspace *workspace = arena_workspace(line->arena);
    PictureWriter write = picture_writer(name, line->diag);
    Kept picture;
    if (!write)
        return STATUS_BAD_INPUT;
    int64_t width = 0; /* it is not given */
    if (option_given(line, OPTION_TITLE)) {
        Text title = option_value(line, OPTION_TITLE);
        drawing_retitle(drawing, text_string(line->arena, title));
    }
    if (option_integer(line, OPTION_WIDTH, LEAST_WIDTH, MOST_WIDTH, &width))
        drawing->width = (double)width;
    kept_begin(&picture, workspace);
    const char *fault = write(picture.stream, drawing);
    kept_end(&picture, workspace);
    Status status = fault ? STATUS_SYSTEM : STATUS_FINE;
    if (fault)
        diag_error(line->diag, name.span, "cannot write the picture: %s", fault);
    else if (text_equals(name, "-"))
        fwrite(picture.text, 1, picture.length, line->out);
    else
        status = file_write(line, name, picture.text, picture.length);
    kept_free(&picture);
    return status;
}
