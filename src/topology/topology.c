#include "topology/net.h"

#include <string.h>

static const NetFormat formats[] = {
#define NET_FORMAT(name, what) {what, is_##name, read_##name},
#include "topology/formats.def"
#undef NET_FORMAT
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const NetFormat *find_format(const Source *source)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].is(source))
            return &formats[i];
    return NULL;
}

bool network_is_described(const Source *source)
{
    return find_format(source) != NULL;
}

/* "node" of "dir/node.xml", spelled as names of models are. */
static const char *name_models(Arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    char *name =
        arena_copy(arena, start, dot && dot > start ? (size_t)(dot - start) : strlen(start));
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", *c))
            *c = '-';
    return strchr("-_.", *name) ? arena_printf(arena, "net%s", name) : name;
}

static bool read_net(Net *net)
{
    const NetFormat *format = find_format(net->source);
    net->format = format->name;
    return format->read(net) && !net->has_failed;
}

bool net_read_other(const Net *net, const Source *source, Net *other)
{
    const NetworkWish none = {0};
    *other = (Net){.arena = net->arena,
                   .diag = net->diag,
                   .source = source,
                   .wish = ARENA_COPY(net->arena, NetworkWish, &none, 1)};
    if (!find_format(source)) {
        diag_error(net->diag, (Span){source, 0, 0}, "this is no description of a node");
        return false;
    }
    return read_net(other);
}

const Source *network_as_models(Arena *arena, const Source *source, const NetworkWish *wish,
                                Diag *diag)
{
    Net net = {.arena = arena, .diag = diag, .source = source, .wish = wish};
    Buffer out = {.arena = arena};
    if (!read_net(&net) || !net_compose(&net))
        return NULL;
    net_settle(&net);
    net_recognise(&net);
    net_write(&net, name_models(arena, source->name), &out);
    return net.has_failed ? NULL : source_from_text(arena, source->name, out.items, out.count);
}
