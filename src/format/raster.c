#include "format/drawing.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

static const double pixels = 2;        /* of a PNG, for each of the drawing */
static const double points = 72. / 96; /* of a PDF */

static const double hatch_step = 5.66; /* along x; 4 across the lines */

/* The library's functions, and what is painted on. */
typedef struct {
    void *library;
    cairo_surface_t *surface;
    cairo_t *context;
#define CAIRO(name) __typeof__(&cairo_##name) name;
#include "format/cairo.def"
#undef CAIRO
} Cairo;

static cairo_status_t write_bytes(void *stream, const unsigned char *bytes, unsigned int length)
{
    return fwrite(bytes, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                      : CAIRO_STATUS_WRITE_ERROR;
}

/* "#rrggbb" */
static void set_colour(const Cairo *cairo, const char *colour)
{
    long value = strtol(colour + 1, NULL, 16);
    cairo->set_source_rgb(cairo->context, (double)(value >> 16) / 255,
                          (double)(value >> 8 & 255) / 255, (double)(value & 255) / 255);
}

static void set_dashes(const Cairo *cairo, const char *dashes)
{
    double lengths[8];
    int count = 0;
    for (char *end; dashes && *dashes && count < 8; dashes = end)
        lengths[count++] = strtod(dashes, &end);
    cairo->set_dash(cairo->context, lengths, count, 0);
}

static void paint_text(const Cairo *cairo, const Mark *mark)
{
    const StyleInfo *style = &style_info[mark->style];
    cairo_text_extents_t extents;
    cairo->select_font_face(cairo->context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                            style->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo->set_font_size(cairo->context, style->size);
    cairo->text_extents(cairo->context, mark->text, &extents);
    double room = text_width(mark->style, mark->text), width = fmin(extents.x_advance, room);
    double anchor = mark->anchor == ANCHOR_MIDDLE ? 0.5 : mark->anchor == ANCHOR_END ? 1 : 0;
    cairo->save(cairo->context);
    cairo->translate(cairo->context, mark->points->x - anchor * width,
                     mark->points->y + 0.35 * style->size);
    if (extents.x_advance > room)
        cairo->scale(cairo->context, room / extents.x_advance, 1);
    cairo->move_to(cairo->context, 0, 0);
    cairo->text_path(cairo->context, mark->text);
    if (style->stroke[0]) {
        set_colour(cairo, style->stroke[0]);
        set_dashes(cairo, NULL);
        cairo->set_line_width(cairo->context, 3);
        cairo->stroke(cairo->context);
    }
    cairo->move_to(cairo->context, 0, 0);
    set_colour(cairo, style->fill[0]);
    cairo->show_text(cairo->context, mark->text);
    cairo->restore(cairo->context);
    cairo->new_path(cairo->context);
}

static void paint_mark(const Cairo *cairo, const Mark *mark)
{
    const Point *at = mark->points;
    switch (mark->kind) {
    case MARK_TEXT:
        paint_text(cairo, mark);
        return;
    case MARK_RECTANGLE:
        cairo->rectangle(cairo->context, at[0].x, at[0].y, at[1].x - at[0].x, at[1].y - at[0].y);
        break;
    case MARK_CIRCLE:
        cairo->arc(cairo->context, at[0].x, at[0].y, at[1].x - at[0].x, 0, 2 * M_PI);
        break;
    default:
        cairo->move_to(cairo->context, at[0].x, at[0].y);
        if (mark->kind == MARK_CURVE) /* a quadratic curve as a cubic one */
            cairo->curve_to(cairo->context, (at[0].x + 2 * at[1].x) / 3,
                            (at[0].y + 2 * at[1].y) / 3, (at[2].x + 2 * at[1].x) / 3,
                            (at[2].y + 2 * at[1].y) / 3, at[2].x, at[2].y);
        for (size_t i = 1; i < mark->count && mark->kind == MARK_PATH; i++)
            cairo->line_to(cairo->context, at[i].x, at[i].y);
    }
    const StyleInfo *style = &style_info[mark->style];
    if (style->is_hatched) {
        /* Slanting lines within the outline, which remains the path. */
        Box box = mark_box(mark);
        double height = box.most.y - box.least.y;
        cairo->save(cairo->context);
        cairo->clip_preserve(cairo->context);
        cairo_path_t *outline = cairo->copy_path(cairo->context);
        cairo->new_path(cairo->context);
        for (double x = box.least.x; x < box.most.x + height; x += hatch_step) {
            cairo->move_to(cairo->context, x, box.least.y);
            cairo->line_to(cairo->context, x - height, box.most.y);
        }
        set_colour(cairo, style->stroke[0]);
        cairo->set_line_width(cairo->context, style->width);
        cairo->stroke(cairo->context);
        cairo->append_path(cairo->context, outline);
        cairo->path_destroy(outline);
        cairo->restore(cairo->context);
    }
    if (style->fill[0]) {
        set_colour(cairo, style->fill[0]);
        cairo->fill_preserve(cairo->context);
    }
    if (style->stroke[0]) {
        set_colour(cairo, style->stroke[0]);
        set_dashes(cairo, style->dashes);
        cairo->set_line_width(cairo->context, style->width);
        cairo->stroke_preserve(cairo->context);
    }
    cairo->new_path(cairo->context);
}

static void paint(Cairo *cairo, const Drawing *drawing, Box box, double scale)
{
    cairo->context = cairo->create(cairo->surface);
    cairo->scale(cairo->context, scale, scale);
    cairo->translate(cairo->context, -box.least.x, -box.least.y);
    set_colour(cairo, style_info[STYLE_PAPER].fill[0]);
    cairo->paint(cairo->context);
    cairo->set_line_join(cairo->context, CAIRO_LINE_JOIN_ROUND);
    for (size_t i = 0; i < drawing->marks.count; i++)
        paint_mark(cairo, &drawing->marks.items[i]);
    cairo->destroy(cairo->context);
}

/* The library is not linked, since every start of the program would wait for it and all that it
   needs. NULL, or what is wrong. */
static const char *load(Cairo *cairo, const Drawing *drawing)
{
    *cairo = (Cairo){.library = dlopen(CAIRO_LIBRARY, RTLD_NOW | RTLD_LOCAL)};
    bool good = cairo->library != NULL;
#define CAIRO(name) good = good && (*(void **)&cairo->name = dlsym(cairo->library, "cairo_" #name));
#include "format/cairo.def"
#undef CAIRO
    return good ? NULL
                : arena_printf(drawing->arena, "the library cairo cannot be loaded: %s", dlerror());
}

/* Every object of the library remembers its first fault. */
static const char *close_surface(Cairo *cairo)
{
    cairo->surface_finish(cairo->surface);
    cairo_status_t status = cairo->surface_status(cairo->surface);
    cairo->surface_destroy(cairo->surface);
    return status == CAIRO_STATUS_SUCCESS ? NULL : cairo->status_to_string(status);
}

const char *raster_write_png(FILE *stream, const Drawing *drawing)
{
    Box box = drawing_box(drawing);
    double scale = drawing->width > 0 ? drawing_scale(drawing) : pixels;
    Cairo cairo;
    const char *fault = load(&cairo, drawing);
    if (fault)
        return fault;
    cairo.surface = cairo.image_surface_create(CAIRO_FORMAT_RGB24,
                                               (int)round(scale * (box.most.x - box.least.x)),
                                               (int)round(scale * (box.most.y - box.least.y)));
    paint(&cairo, drawing, box, scale);
    cairo_status_t status = cairo.surface_write_to_png_stream(cairo.surface, write_bytes, stream);
    fault = close_surface(&cairo);
    return fault || status == CAIRO_STATUS_SUCCESS ? fault : cairo.status_to_string(status);
}

const char *raster_write_pdf(FILE *stream, const Drawing *drawing)
{
    Box box = drawing_box(drawing);
    double scale = points * drawing_scale(drawing);
    Cairo cairo;
    const char *fault = load(&cairo, drawing);
    if (fault)
        return fault;
    cairo.surface =
        cairo.pdf_surface_create_for_stream(write_bytes, stream, scale * (box.most.x - box.least.x),
                                            scale * (box.most.y - box.least.y));
    cairo.pdf_surface_set_metadata(cairo.surface, CAIRO_PDF_METADATA_TITLE, drawing->title);
    paint(&cairo, drawing, box, scale);
    return close_surface(&cairo);
}
