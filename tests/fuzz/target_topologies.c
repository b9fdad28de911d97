/* A topology with sizes: laid out and measured where it is small; its name must mean the same
   network. */
#include "fuzz.h"
#include "net/measure.h"
#include "study/study.h"

#include <string.h>

enum { MOST_RANKS = 64 };

static const Topology *read(Library *library, Text text, Shape *shape, Diag *diag)
{
    Text name = text, sizes = {0};
    bool has_sizes = text_split(text, ':', &name, &sizes);
    const Topology *topology = library_topology(library, name, diag);
    return topology && has_sizes && topology_parse_shape(topology, sizes, shape, diag) ? topology
                                                                                       : NULL;
}

void fuzz_topologies(FuzzInput *input)
{
    Library *library = fuzz_library();
    Shape shape, again;
    Network network;
    int64_t from = -1, to = -1;
    const Topology *topology = read(library, input->text, &shape, &input->diag);
    if (!topology || shape.p > MOST_RANKS ||
        !network_create(input->arena, topology, &shape, (Ties)0, &network, &input->diag))
        return;
    network_farthest(&network, &from, &to);
    Text name = source_argument(input->arena, "", network.name);
    if (read(library, name, &again, &input->diag) != topology || again.p != shape.p ||
        again.count != shape.count ||
        memcmp(again.sizes, shape.sizes, (size_t)shape.count * sizeof *shape.sizes) != 0)
        fuzz_fail("a name means another network", network.name);
}
