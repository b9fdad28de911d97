#include "model/shape.h"

#include <string.h>

static const char *const usual_names[MOST_DIMENSIONS] = {
    "x",   "y",   "z",   "w",   "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
    "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
    "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "x31"};

Shape shape_line(int64_t p)
{
    Shape shape = {.p = 1};
    shape_add(&shape, NULL, p);
    return shape;
}

bool shape_add(Shape *shape, const char *name, int64_t size)
{
    if (shape->count == MOST_DIMENSIONS || __builtin_mul_overflow(shape->p, size, &shape->p))
        return false;
    shape->names[shape->count] = name ? name : usual_names[shape->count];
    shape->sizes[shape->count++] = size;
    return true;
}

int shape_find(const Shape *shape, Text name)
{
    for (int i = 0; i < shape->count; i++)
        if (text_equals(name, shape->names[i]))
            return i;
    if (shape->count == 2 && text_equals(name, "row"))
        return 0;
    return shape->count == 2 && text_equals(name, "column") ? 1 : -1;
}

bool shape_has_levels(const Shape *shape)
{
    for (int i = 0; i < shape->count; i++)
        if (strcmp(shape->names[i], usual_names[i]) == 0)
            return false;
    return true;
}

int64_t shape_node_count(const Shape *shape)
{
    for (int i = 0; i < shape->count; i++)
        if (shape->names[i] && strcmp(shape->names[i], "device") == 0)
            return shape->p / shape->sizes[i];
    return 1;
}

int64_t shape_stride(const Shape *shape, int dimension)
{
    int64_t stride = 1;
    for (int i = 0; i < dimension; i++)
        stride *= shape->sizes[i];
    return stride;
}

int64_t shape_coordinate(const Shape *shape, int64_t rank, int dimension)
{
    return rank / shape_stride(shape, dimension) % shape->sizes[dimension];
}
