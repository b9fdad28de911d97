#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void buffer_printf(Buffer *buffer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length > 0) {
        ARRAY_RESERVE(buffer->arena, buffer, (size_t)length + 1);
        vsnprintf(buffer->items + buffer->count, (size_t)length + 1, format, again);
        buffer->count += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void buffer_add(Buffer *buffer, const char *bytes, size_t length)
{
    if (length == 0)
        return;
    ARRAY_RESERVE(buffer->arena, buffer, length + 1);
    memcpy(buffer->items + buffer->count, bytes, length);
    buffer->count += length;
    buffer->items[buffer->count] = '\0';
}

void buffer_cut(Buffer *buffer, size_t count)
{
    buffer->count = count;
    if (buffer->items)
        buffer->items[count] = '\0';
}
