#include "base/utf8.h"
#include "model/library.h"
#include "topology/net.h"

#include <ctype.h>
#include <string.h>

static const NetFormat formats[] = {
#define NET_FORMAT(name, what) {what, is_##name, read_##name},
#include "topology/formats.def"
#undef NET_FORMAT
};
enum { FORMATS = COUNT_OF(formats) };

/* Does a model of this program begin somewhere in it? */
static bool holds_models(const Source *source)
{
    static const char *const keys[] = {
        "machine:", "algorithm:", "collective:", "problem:", "source:", "library:", "topology:"};
    size_t offset = 0;
    Text line, rest;
    while (net_line(source, &offset, &line))
        for (size_t i = 0; i < COUNT_OF(keys); i++)
            if (text_begins(line, keys[i])) {
                rest = text_trim(text_behind(line, strlen(keys[i])));
                if (rest.length && rest.chars[0] != '[')
                    return true;
            }
    return false;
}

/* How much launchers and services put before each line, in which digits may differ:
   "[1,0]<stdout>:", "worker-0 |", "2024-05-01T10:11:12.123Z". 0: nothing. */
static size_t prefix_length(const Source *source)
{
    enum { FEWEST_LINES = 3 };
    Text line, first = {.chars = ""};
    size_t offset = 0, lines = 0, common = 0, end, after;
    while (net_line(source, &offset, &line)) {
        if (!line.length)
            continue;
        if (!lines++)
            first = line, common = line.length;
        for (size_t i = 0; i < common; i++)
            if (i == line.length ||
                (line.chars[i] != first.chars[i] && !(isdigit((unsigned char)line.chars[i]) &&
                                                      isdigit((unsigned char)first.chars[i]))))
                common = i;
    }
    for (end = common; end && !strchr(":>|", first.chars[end - 1]);)
        end--;
    /* what is left of a time: the seconds, and where the clock stands */
    for (after = end; end && after < common && strchr("0123456789.Z", first.chars[after]);)
        after++;
    return lines < FEWEST_LINES ? 0 : after == common || first.chars[after] == ' ' ? after : end;
}

/* Without what pages, terminals and launchers put round a text: quotes, fences of code, colours,
   prefixes, for which there are blanks. All that is left stays in its line. */
static const Source *unwrap(Arena *arena, const Source *source)
{
    const size_t prefix = prefix_length(source);
    const bool is_fenced = source_holds(source, "```"), is_coloured = source_holds(source, "\033[");
    const bool is_cut = !is_coloured && source_holds(source, "[4mGPU0"); /* the same without ESC */
    const bool is_quoted = net_has_line(source, ">") && !net_has_line(source, "<");
    const bool is_shown = source_holds(source, "\n<system "); /* below what a shell printed */
    if (!prefix && !is_fenced && !is_coloured && !is_cut && !is_quoted && !is_shown)
        return source;
    char *text = arena_copy(arena, source->text, source->length);
    bool is_inside = !is_fenced && !is_shown;
    size_t offset = 0, kept = 0;
    for (Text line; net_line(source, &offset, &line); text[kept++] = '\n') {
        for (size_t i = 0; i < prefix && line.length && !is_quoted; i++) {
            line = text_behind(line, 1);
            text[kept++] = ' ';
        }
        while (is_quoted && line.length && strchr("> ", line.chars[0]))
            line = text_behind(line, 1);
        const bool is_fence = text_begins(text_trim(line), "```");
        is_inside = is_inside != is_fence || (is_shown && text_begins(line, "<"));
        for (size_t i = 0; is_inside && !is_fence && i < line.length; i++)
            if (line.chars[i] != '\033' && !(is_cut && line.chars[i] == '['))
                text[kept++] = line.chars[i];
            else
                while (i + 1 < line.length && !isalpha((unsigned char)line.chars[++i]))
                    ;
    }
    return source_from_text(arena, source->name, arena_copy(arena, text, kept), kept);
}

static const NetFormat *find_format(const Source *source)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].is(source))
            return &formats[i];
    return NULL;
}

bool network_is_described(Arena *arena, const Source *source)
{
    return (is_astra(source) || !holds_models(source)) && find_format(unwrap(arena, source));
}

/* "node" of "dir/node.xml", spelled as names of models are. */
static const char *name_models(Arena *arena, const struct Library *library, const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    char *name =
        arena_copy(arena, start, dot && dot > start ? (size_t)(dot - start) : strlen(start));
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", *c))
            *c = '-';
    const char *found = strchr("-_.", *name) ? arena_printf(arena, "net%s", name) : name;
    const ModelEntry *taken = library ? library_find(library, text_plain(found)) : NULL;
    return taken && !taken->is_users ? arena_printf(arena, "%s-net", found) : found;
}

static bool read_net(Net *net)
{
    net->source = unwrap(net->arena, net->source);
    const NetFormat *format = find_format(net->source);
    net->format = format->name;
    return format->read(net) && !net->has_failed;
}

const Source *network_as_models(Arena *arena, const Source *source, const NetworkWish *wish,
                                Diag *diag)
{
    const NetworkWish none = {0};
    Net net = {.arena = arena, .diag = diag, .source = source, .wish = wish};
    Net node = {.arena = arena, .diag = diag, .source = wish->node, .wish = &none};
    Buffer out = {.arena = arena};
    if (!read_net(&net))
        return NULL;
    if (wish->node && !network_is_described(arena, wish->node))
        return DIAG_NULL(diag, (Span){wish->node, 0, 0}, "this is no description of a node");
    if ((wish->node && !read_net(&node)) || !net_compose(&net, &node))
        return NULL;
    net_settle(&net);
    net_recognise(&net);
    net_write(&net, name_models(arena, wish->library, source->name), &out);
    if (net.has_failed)
        return NULL;
    const char *text = utf8_clean(arena, out.items, out.count); /* names may be no UTF-8 */
    return source_from_text(arena, source->name, text, strlen(text));
}
