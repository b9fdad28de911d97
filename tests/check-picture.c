/* check-picture FILE...: checks SVG files that collcost has written, and knows nothing of how.

   The file must be well-formed XML; all texts, rectangles, circles and paths must lie within the
   view box; and no two texts may overlap. The width of a text is taken as that of DejaVu Sans, from
   the font's own tables, so the layout's estimate is checked as well. A word for each fault. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 24, MOST_DEPTH = 32, MOST_CLASSES = 64, MOST_TEXTS = 1 << 14 };

typedef struct {
    double left, top, right, bottom;
    char words[64];
} Box;

typedef struct {
    char name[32];
    double size;
    bool bold;
} Class;

typedef struct {
    const char *file, *at;
    char open[MOST_DEPTH][32];
    int depth, faults;
    Class classes[MOST_CLASSES];
    int class_count;
    Box view, texts[MOST_TEXTS];
    int text_count, shape_count;
} Checker;

/* Thousandths of the size of letters, of DejaVu Sans from the blank to the tilde. */
static const int widths[95] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

static void fault(Checker *checker, const char *what, const char *detail)
{
    printf("%s: %s: %.60s\n", checker->file, what, detail);
    checker->faults++;
}

/* The number or word behind ` name="` in a tag. */
static const char *attribute(const char *tag, const char *name)
{
    char key[32];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *end = strchr(tag, '>'), *found = strstr(tag, key);
    return found && found < end ? found + strlen(key) : NULL;
}

static double number(const char *tag, const char *name)
{
    const char *text = attribute(tag, name);
    return text ? strtod(text, NULL) : 0;
}

static void read_class(Checker *checker, const char *rule)
{
    Class *class = &checker->classes[checker->class_count];
    double size;
    if (checker->class_count == MOST_CLASSES ||
        sscanf(rule, ".%31[a-z0-9]{font-size:%lf", class->name, &size) != 2)
        return;
    const char *end = strchr(rule, '}'), *bold = strstr(rule, "font-weight:bold");
    class->size = size;
    class->bold = bold && bold < end;
    checker->class_count++;
}

static void read_style(Checker *checker)
{
    const char *end = strstr(checker->at, "</style>");
    for (const char *line = checker->at; line && line < end; line = strchr(line + 1, '\n'))
        read_class(checker, line + 1);
}

static const Class *class_of(const Checker *checker, const char *tag)
{
    const char *name = attribute(tag, "class");
    for (int i = 0; name && i < checker->class_count; i++) {
        size_t length = strlen(checker->classes[i].name);
        if (strncmp(name, checker->classes[i].name, length) == 0 && name[length] == '"')
            return &checker->classes[i];
    }
    return NULL;
}

static double width_of(const char *text, const char *end)
{
    double width = 0;
    for (; text < end; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter == '&') { /* an entity is one character: the widest of those there are */
            width += 0.838;
            text += strcspn(text, ";");
        } else if ((letter & 0xC0) != 0x80) {
            width += letter >= ' ' && letter <= '~' ? widths[letter - ' '] / 1000. : 0.6;
        }
    }
    return width;
}

static void check_inside(Checker *checker, Box box, const char *detail)
{
    const Box *view = &checker->view;
    checker->shape_count++;
    if (!(box.left >= view->left && box.top >= view->top && box.right <= view->right &&
          box.bottom <= view->bottom))
        fault(checker, "outside of the view", detail);
}

static void check_text(Checker *checker, const char *tag)
{
    const Class *class = class_of(checker, tag);
    const char *text = strchr(tag, '>') + 1, *anchor = attribute(tag, "text-anchor");
    if (!class || checker->text_count == MOST_TEXTS) {
        fault(checker, "a text without a size", tag);
        return;
    }
    double width = width_of(text, strchr(text, '<')) * class->size * (class->bold ? 1.1 : 1);
    double x = number(tag, "x") - (!anchor                          ? 0
                                   : strncmp(anchor, "end", 3) == 0 ? width
                                                                    : width / 2);
    double y = number(tag, "y"), tall = class->size;
    Box box = {x, y - 0.76 * tall, x + width, y + 0.24 * tall, ""};
    snprintf(box.words, sizeof box.words, "%.*s", (int)(strchr(text, '<') - text), text);
    check_inside(checker, box, box.words);
    for (int i = 0; i < checker->text_count; i++) {
        const Box *other = &checker->texts[i];
        if (box.left < other->right && other->left < box.right && box.top < other->bottom &&
            other->top < box.bottom) {
            fault(checker, "two texts overlap", box.words);
            fault(checker, "this is the other", other->words);
        }
    }
    checker->texts[checker->text_count++] = box;
}

/* Control points are not on the curve, so of a curve only the ends are looked at. */
static void check_path(Checker *checker, const char *tag)
{
    const char *at = attribute(tag, "d");
    bool curve = strchr(at, 'Q') && strchr(at, 'Q') < strchr(at, '"');
    for (int i = 0; *at != '"'; i++) {
        char *end;
        at += strspn(at, "MLQ ");
        double x = strtod(at, &end), y = strtod(end, &end);
        if (end == at) {
            fault(checker, "a path of something else than numbers", tag);
            return;
        }
        at = end;
        if (!curve || i != 1)
            check_inside(checker, (Box){x, y, x, y, ""}, tag);
    }
}

static void check_shape(Checker *checker, const char *name, const char *tag)
{
    double x = number(tag, "x"), y = number(tag, "y"), r = number(tag, "r");
    double cx = number(tag, "cx"), cy = number(tag, "cy");
    if (strcmp(name, "rect") == 0) {
        double width = number(tag, "width"), height = number(tag, "height");
        if (width < 0 || height < 0)
            fault(checker, "a rectangle inside out", tag);
        check_inside(checker, (Box){x, y, x + width, y + height, ""}, tag);
    } else if (strcmp(name, "circle") == 0) {
        check_inside(checker, (Box){cx - r, cy - r, cx + r, cy + r, ""}, tag);
    } else if (strcmp(name, "path") == 0 && !strstr(attribute(tag, "class"), "-lines\"")) {
        check_path(checker, tag);
    } else if (strcmp(name, "text") == 0) {
        check_text(checker, tag);
    }
}

/* From '<' to behind '>': balance, and quotes around what attributes say. */
static void check_tag(Checker *checker)
{
    char name[32] = "";
    const char *tag = checker->at;
    bool closes = tag[1] == '/', quoted = false, empty = false;
    sscanf(tag + 1 + closes, "%31[a-z]", name);
    for (checker->at++; *checker->at && (quoted || *checker->at != '>'); checker->at++) {
        empty = *checker->at == '/';
        quoted ^= *checker->at == '"';
        if (*checker->at == '<')
            fault(checker, "a < within a tag", tag);
    }
    if (!*name || !*checker->at)
        fault(checker, "no tag", tag);
    if (*checker->at)
        checker->at++;
    if (closes) {
        if (checker->depth == 0 || strcmp(checker->open[--checker->depth], name) != 0)
            fault(checker, "closes what is not open", tag);
    } else {
        if (strcmp(name, "svg") == 0)
            sscanf(attribute(tag, "viewBox"), "%lf %lf %lf %lf", &checker->view.left,
                   &checker->view.top, &checker->view.right, &checker->view.bottom),
                checker->view.right += checker->view.left,
                checker->view.bottom += checker->view.top;
        if (strcmp(name, "style") == 0)
            read_style(checker);
        check_shape(checker, name, tag);
        if (!empty && checker->depth < MOST_DEPTH)
            strcpy(checker->open[checker->depth++], name);
    }
}

static void check_characters(Checker *checker)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (; *checker->at && *checker->at != '<'; checker->at++) {
        bool known = *checker->at != '&';
        for (int i = 0; i < 4; i++)
            known |= strncmp(checker->at, entities[i], strlen(entities[i])) == 0;
        if (!known || (iscntrl((unsigned char)*checker->at) && *checker->at != '\n'))
            fault(checker, "no character of XML", checker->at);
    }
}

static int check_file(const char *name, char *text)
{
    static Checker checker;
    FILE *file = fopen(name, "rb");
    size_t length = file ? fread(text, 1, MOST_BYTES - 1, file) : 0;
    text[length] = '\0';
    checker = (Checker){.file = name, .at = text};
    if (file)
        fclose(file);
    while (*checker.at) {
        check_characters(&checker);
        if (*checker.at)
            check_tag(&checker);
    }
    if (checker.depth || checker.shape_count < 3 || strlen(text) != length)
        fault(&checker, "not whole", name);
    return checker.faults;
}

int main(int count, char **arguments)
{
    int faults = 0;
    char *text = malloc(MOST_BYTES);
    for (int i = 1; i < count && text; i++)
        faults += check_file(arguments[i], text);
    free(text);
    return faults || count < 2 || !text;
}
