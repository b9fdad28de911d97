#include "cli/kept.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

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
