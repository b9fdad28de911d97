/* Topologies: which nodes are linked, and which way a message goes.

   Rules that hold for every size: a rule gives links (from -> to) for every rank r, for the values
   of its own indices, or for one pair. `next` is the neighbour to which a node passes a message;
   without it messages take the shortest or fastest ways, through ranks that pass them on. A product
   has a grid of ranks, in which every line is a network of another topology. */
#ifndef COLLCOST_MODEL_TOPOLOGY_H
#define COLLCOST_MODEL_TOPOLOGY_H

#include "model/claim.h"
#include "model/shape.h"

/* The variables of a topology's expressions; those for the sizes of named dimensions follow. */
enum {
    TOPOLOGY_P,
    TOPOLOGY_R,
    TOPOLOGY_TO,
    TOPOLOGY_UP,
    TOPOLOGY_UPLINKS,
    TOPOLOGY_ADAPTERS,
    TOPOLOGY_SIZES
};

typedef enum {
    DIMENSIONS_ONE,
    DIMENSIONS_ANY,   /* written 4x8x2 */
    DIMENSIONS_TWOS,  /* as many of size 2 as give p */
    DIMENSIONS_NAMED, /* a fixed number, each with its name */
} DimensionRule;

/* What is special about a link. */
typedef struct {
    const char *level; /* a machine may have other parameters for it ("node"); NULL: none */
    int64_t lanes;     /* messages that cross it side by side at full speed; 0: as many as its level
                          has ports, which is 1 without a level */
    double tw, th;     /* its own time per byte, and per hop; negative: as level or machine say */
} LinkClass;

typedef struct {
    CompiledSet ends; /* indices: from, to and, if given, lanes */
    bool of_ranks;    /* it mentions r, and holds for every rank */
    bool both;        /* the link back too */
    const char *level;
    double tw, th; /* negative: not given */
} LinkRule;

typedef struct {
    const char *name, *size; /* "node", and the variable "N" */
} NamedDimension;

typedef struct Topology {
    Head head;
    const struct Topology *const *factors; /* of a product: the topology of all its lines, or one
                                              for each dimension, in written order */
    int factor_count;                      /* 0: it is no product */
    DimensionRule dimensions;
    NamedDimension named[MOST_DIMENSIONS]; /* in written order */
    int named_count;
    const char *uplinks;  /* the variable for the size of a dimension over the taper; NULL: none */
    int tapered;          /* that dimension, in written order */
    const char *adapters; /* the variable for the adapters of a node; NULL: none */
    int adapted;          /* the dimension whose devices have them, in written order */
    bool last_is_fastest; /* the written dimension that varies fastest: the last, not the first */
    int64_t ranks;        /* 0: any number */
    Shape fixed;          /* the only one, where the model gives its sizes; p 0: it does not */
    const char *const *names; /* of nodes, ranks before switches; NULL: they have none */
    size_t name_count;
    const char *const *levels;
    size_t level_count;
    Formula switches;
    LinkRule *rules;
    size_t rule_count;
    Formula next;    /* absent: shortest ways */
    bool is_by_rate; /* those that take a byte the least time, not those of the fewest links */
    uint32_t held;   /* bit network_level of links over which ranks pass on no messages of others */
    Citation citation; /* of the head's source */
    ModelClaims claims;
    bool direct; /* all ranks are neighbours and `next` is `to`: nothing has to be laid out */
} Topology;

/* Ranks that any topology can have at most: 2^53. */
extern const int64_t topology_most_ranks;

/* NULL after reports. */
Topology *topology_read(const Resolver *resolver, const Node *map);

/* Is there any shape of p ranks? */
bool topology_has_shape(const Topology *topology, int64_t p);
/* Is the topology defined for p ranks where nothing else is known about its shape? If not, the
   report stands at `span`. */
bool topology_allows(const Topology *topology, int64_t p, Span span, Diag *diag);
/* The same without a report. */
bool topology_takes(const Topology *topology, int64_t p);
/* Of a product: what its lines along a dimension of the shape are. */
const Topology *topology_factor(const Topology *topology, const Shape *shape, int dimension);
/* A shape of p ranks, if there is one: a grid as square as p lets it be, the larger dimension
   first. For named dimensions too, which topology_allows refuses because nobody means these sizes;
   tests of claims want just any. */
Shape topology_shape(const Topology *topology, int64_t p);
/* The shape with these sizes, in written order. False if there are too many dimensions or ranks. */
bool topology_make_shape(const Topology *topology, const int64_t *sizes, int count, Shape *shape);
/* The same where dimensions have names, and the topology has no other sizes or ranks of its own. */
bool topology_try_named(const Topology *topology, const int64_t *sizes, int count, Shape *shape);
/* Reads "8", or "4x8" if the topology has dimensions, or "4x8:taper=2" if it can be tapered. */
bool topology_parse_shape(const Topology *topology, Text text, Shape *shape, Diag *diag);
/* "torus:4x8", "cluster:4x8:taper=2": what topology_parse_shape reads, behind the name. */
const char *topology_name(Arena *arena, const Topology *topology, const Shape *shape);

#endif
