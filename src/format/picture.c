#include "format/picture.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const char fonts[] = "Verdana, 'DejaVu Sans', Helvetica, Arial, sans-serif";

/* A hundredth of a pixel is enough, and "12.5" shorter than "12.50". */
static void write_length(FILE *stream, double length)
{
    double rounded = round(length * 100) / 100;
    fprintf(stream, "%.10g", rounded == 0 ? 0 : rounded);
}

static void write_attribute(FILE *stream, const char *name, double length)
{
    fprintf(stream, " %s=\"", name);
    write_length(stream, length);
    fputc('"', stream);
}

static void write_styles(FILE *stream, const bool *used)
{
    fputs("<style>\n", stream);
    for (int i = 0; i < STYLE_COUNT; i++) {
        /* What is the same in light and dark. */
        const StyleInfo *style = &style_info[i];
        if (!used[i])
            continue;
        if (style->size)
            fprintf(stream, ".%s{font-size:%gpx%s%s}\n", style->class, style->size,
                    style->is_bold ? ";font-weight:bold" : "",
                    style->stroke[0] ? ";paint-order:stroke;stroke-width:3px;stroke-linejoin:round"
                                     : "");
        if (style->width)
            fprintf(stream, ".%s{stroke-width:%g%s%s}\n", style->class, style->width,
                    style->dashes ? ";stroke-dasharray:" : "", style->dashes ? style->dashes : "");
        if (!style->size && !style->stroke[0]) /* areas side by side: no seam between them */
            fprintf(stream, ".%s{shape-rendering:crispEdges}\n", style->class);
        if (style->is_hatched)
            fprintf(stream, ".%s{fill:url(#%s)}\n", style->class, style->class);
    }
    for (int scheme = 0; scheme < 2; scheme++) {
        fputs(scheme ? "@media (prefers-color-scheme:dark){\n" : "", stream);
        for (int i = 0; i < STYLE_COUNT; i++) {
            const StyleInfo *style = &style_info[i];
            const char *fill = style->fill[scheme], *stroke = style->stroke[scheme];
            if (used[i] && style->is_hatched)
                fprintf(stream, ".%s{stroke:%s}.%s-lines{stroke:%s}\n", style->class, stroke,
                        style->class, stroke);
            else if (used[i])
                fprintf(stream, ".%s{fill:%s%s%s}\n", style->class, fill ? fill : "none",
                        stroke ? ";stroke:" : "", stroke ? stroke : "");
        }
    }
    fputs("}\n</style>\n", stream);
}

static const char *open_mark(FILE *stream, const Mark *mark)
{
    static const char *const anchors[] = {NULL, "middle", "end"};
    const Point *points = mark->points;
    switch (mark->kind) {
    case MARK_RECTANGLE:
        fputs("<rect", stream);
        write_attribute(stream, "x", points[0].x);
        write_attribute(stream, "y", points[0].y);
        write_attribute(stream, "width", points[1].x - points[0].x);
        write_attribute(stream, "height", points[1].y - points[0].y);
        return "rect";
    case MARK_CIRCLE:
        fputs("<circle", stream);
        write_attribute(stream, "cx", points[0].x);
        write_attribute(stream, "cy", points[0].y);
        write_attribute(stream, "r", points[1].x - points[0].x);
        return "circle";
    case MARK_TEXT:
        fputs("<text", stream);
        write_attribute(stream, "x", points->x);
        write_attribute(stream, "y", points->y + 0.35 * style_info[mark->style].size);
        if (anchors[mark->anchor])
            fprintf(stream, " text-anchor=\"%s\"", anchors[mark->anchor]);
        return "text";
    default:
        fputs("<path d=\"M", stream);
        for (size_t i = 0; i < mark->count; i++) {
            if (i)
                fputc(i > 1 ? ' ' : mark->kind == MARK_CURVE ? 'Q' : 'L', stream);
            write_length(stream, points[i].x);
            fputc(' ', stream);
            write_length(stream, points[i].y);
        }
        fputc('"', stream);
        return "path";
    }
}

static void write_mark(FILE *stream, const Mark *mark)
{
    const char *element = open_mark(stream, mark);
    fprintf(stream, " class=\"%s\"", style_info[mark->style].class);
    if (!mark->tip && !mark->text) {
        fputs("/>\n", stream);
        return;
    }
    fputc('>', stream);
    if (mark->tip) {
        fputs("<title>", stream);
        xml_write(stream, mark->tip);
        fputs("</title>", stream);
    }
    if (mark->text)
        xml_write(stream, mark->text);
    fprintf(stream, "</%s>\n", element);
}

const char *svg_write(FILE *stream, const Drawing *drawing)
{
    bool used[STYLE_COUNT] = {[STYLE_PAPER] = true};
    Box box = drawing_box(drawing);
    for (size_t i = 0; i < drawing->marks.count; i++)
        used[drawing->marks.items[i].style] = true;
    double width = box.most.x - box.least.x, height = box.most.y - box.least.y;
    double scale = drawing_scale(drawing);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.10g\" height=\"%.10g\" "
            "viewBox=\"%.10g %.10g %.10g %.10g\" role=\"img\" font-family=\"%s\">\n<title>",
            width * scale, height * scale, box.least.x, box.least.y, width, height, fonts);
    xml_write(stream, drawing->title);
    fputs("</title>\n", stream);
    write_styles(stream, used);
    for (int i = 0; i < STYLE_COUNT; i++)
        if (used[i] && style_info[i].is_hatched)
            fprintf(stream,
                    "<pattern id=\"%s\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" "
                    "patternTransform=\"rotate(45)\"><path class=\"%s-lines\" d=\"M0 0V4\" "
                    "stroke-width=\"2.4\"/></pattern>\n",
                    style_info[i].class, style_info[i].class);
    Mark paper = {MARK_RECTANGLE, STYLE_PAPER, (Point[]){box.least, box.most}, 2, NULL,
                  ANCHOR_START,   NULL};
    write_mark(stream, &paper);
    for (size_t i = 0; i < drawing->marks.count; i++)
        write_mark(stream, &drawing->marks.items[i]);
    fputs("</svg>\n", stream);
    return ferror(stream) ? "it cannot be written" : NULL;
}

typedef struct {
    const char *ending;
    PictureWriter write;
} Carrier;

static const Carrier carriers[] = {
#define CARRIER(ending, writer) {#ending, writer},
#include "format/carriers.def"
#undef CARRIER
};
enum { CARRIER_COUNT = COUNT_OF(carriers) };

#ifdef HAVE_CAIRO
static const char endings[] = ".svg, .png or .pdf";
#else
static const char endings[] =
    ".svg (this program was built without cairo, which writes .png and .pdf)";
#endif

PictureWriter picture_writer(Text name, Diag *diag)
{
    if (text_equals(name, "-"))
        return carriers[0].write;
    const char *point = memrchr(name.chars, '.', name.length);
    size_t length = point ? name.length - (size_t)(point + 1 - name.chars) : 0;
    for (size_t i = 0; i < CARRIER_COUNT; i++)
        if (point && length == strlen(carriers[i].ending) &&
            strncasecmp(point + 1, carriers[i].ending, length) == 0)
            return carriers[i].write;
    return DIAG_NULL(diag, name.span, "the name of a picture must end in %s, or be -", endings);
}

void xml_write(FILE *stream, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            fputs(entity, stream);
        else
            fputc(*text, stream);
    }
}
