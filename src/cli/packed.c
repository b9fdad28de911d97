#include "cli/packed.h"

#include <string.h>

void pack_int(Buffer *bytes, int64_t value)
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

int64_t unpack_int(Packed *packed)
{
    int64_t value = 0;
    if ((size_t)(packed->end - packed->next) < sizeof value)
        return 0;
    memcpy(&value, packed->next, sizeof value);
    packed->next += sizeof value;
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

void carry_int(Carrier carrier, int64_t *value)
{
    if (carrier.to)
        pack_int(carrier.to, *value);
    else
        *value = unpack_int(carrier.from);
}

void carry_flag(Carrier carrier, bool *value)
{
    int64_t number = carrier.to ? *value : 0;
    carry_int(carrier, &number);
    *value = number != 0;
}

void carry_double(Carrier carrier, double *value)
{
    int64_t bits;
    memcpy(&bits, value, sizeof bits);
    carry_int(carrier, &bits);
    memcpy(value, &bits, sizeof bits);
}

void carry_text(Carrier carrier, const char **value)
{
    if (carrier.to)
        pack_text(carrier.to, *value);
    else
        *value = unpack_text(carrier.from);
}

void carry_list(Carrier carrier, const char *const **texts, size_t *count)
{
    int64_t number = carrier.to ? (int64_t)*count : 0;
    carry_int(carrier, &number);
    *count = (size_t)number;
    const char **own =
        ARENA_ARRAY(carrier.to ? carrier.to->arena : carrier.from->arena, const char *, *count);
    for (size_t i = 0; i < *count; i++) {
        own[i] = carrier.to ? (*texts)[i] : NULL;
        carry_text(carrier, &own[i]);
    }
    *texts = own;
}
