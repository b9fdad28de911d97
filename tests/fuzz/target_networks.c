/* A description of a network: what is made of it can be read, and is laid out where it is small. */
#include "fuzz.h"
#include "net/network.h"
#include "topology/topology.h"

enum { MOST_RANKS = 64 };

static const Source *make(void *wish, Arena *arena, const Source *source, Diag *diag)
{
    return network_is_described(arena, source) ? network_as_models(arena, source, wish, diag)
                                               : source;
}

void fuzz_networks(FuzzInput *input)
{
    NetworkWish wish = {0};
    Diag silent = diag_silent();
    Network network;
    if (!network_is_described(input->arena, input->source))
        return;
    const Source *models = make(&wish, input->arena, input->source, &input->diag);
    if (!models)
        return;
    Library *library = library_open(input->arena);
    if (!library_add_source(library, models, &input->diag))
        fuzz_fail("models of a network cannot be read", models->text);
    const char *name = library_first_of(library, text_plain(models->name), KIND_TOPOLOGY);
    const Topology *topology = library_topology(library, text_plain(name), &input->diag);
    const Shape shape = topology_shape(topology, topology->ranks);
    if (shape.p <= MOST_RANKS &&
        !network_create(input->arena, topology, &shape, TIES_PLUS, &network, &silent))
        fuzz_fail("a network cannot be laid out", models->text);
}
