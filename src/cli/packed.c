#include "cli/packed.h"

#include <string.h>

void pack_int(Buffer *bytes, int64_t value)
{
    buffer_add(bytes, (const char *)&value, sizeof value);
}

void pack_double(Buffer *bytes, double value)
{
    buffer_add(bytes, (const char *)&value, sizeof value);
}

/* Its length with the NUL, which is 0 for none, then the text. */
void pack_text(Buffer *bytes, const char *text)
{
    size_t length = text ? strlen(text) + 1 : 0;
    pack_int(bytes, (int64_t)length);
    buffer_add(bytes, text, length);
}

void pack_list(Buffer *bytes, const char *const *texts, size_t count)
{
    pack_int(bytes, (int64_t)count);
    for (size_t i = 0; i < count; i++)
        pack_text(bytes, texts[i]);
}

static void read_bytes(Packed *packed, void *value, size_t size)
{
    memset(value, 0, size);
    if ((size_t)(packed->end - packed->next) < size)
        return;
    memcpy(value, packed->next, size);
    packed->next += size;
}

int64_t unpack_int(Packed *packed)
{
    int64_t value;
    read_bytes(packed, &value, sizeof value);
    return value;
}

double unpack_double(Packed *packed)
{
    double value;
    read_bytes(packed, &value, sizeof value);
    return value;
}

const char *unpack_text(Packed *packed)
{
    const char *text = NULL;
    int64_t length = unpack_int(packed);
    if (length > 0 && length <= packed->end - packed->next) {
        text = packed->next;
        packed->next += length;
    }
    return text;
}

const char *const *unpack_list(Packed *packed, size_t *count)
{
    *count = (size_t)unpack_int(packed);
    const char **texts = ARENA_ARRAY(packed->arena, const char *, *count);
    for (size_t i = 0; i < *count; i++)
        texts[i] = unpack_text(packed);
    return texts;
}
