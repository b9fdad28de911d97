#include "model/origin.h"

Origin *origin_read(Arena *arena, const Node *map, Diag *diag)
{
    static const char *const keys[] = {"source", "summary", "parameters"};
    Origin *origin = ARENA_NEW(arena, Origin);
    if (!node_check_keys(map, "a source", keys, sizeof keys / sizeof *keys, diag) ||
        !read_head(arena, map, "source", &origin->head, diag))
        return NULL;
    const Node *parameters = node_get(map, "parameters");
    if (!parameters) {
        diag_error(diag, origin->head.span, "a source needs 'parameters', such as [ts, tw]");
        return NULL;
    }
    const char *names[PARAMETER_COUNT];
    for (int i = 0; i < PARAMETER_COUNT; i++)
        names[i] = parameter_info[i].name;
    for (size_t i = 0; i < node_item_count(parameters); i++) {
        int parameter = read_word(node_item(parameters, i), "a parameter of a source", names,
                                  PARAMETER_COUNT, diag);
        if (parameter < 0)
            return NULL;
        origin->counts[parameter] = true;
    }
    return origin;
}
