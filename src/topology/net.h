/* A network while it is read from another program's description: nodes, cables, levels. */
#ifndef COLLCOST_TOPOLOGY_NET_H
#define COLLCOST_TOPOLOGY_NET_H

#include "base/buffer.h"
#include "base/limits.h"
#include "base/quantity.h"
#include "topology/topology.h"

enum { MOST_NET_DIMENSIONS = 4, MOST_NET_NODES = 1 << 20 };

typedef struct {
    const char *name;
    bool is_rank, is_left_out; /* the latter by readers, and where hosts are chosen */
    int64_t place;             /* among ranks: they are numbered by rising places */
    int32_t number;            /* in the file that is written; ranks first */
} NetNode;
ARRAY_TYPE(NetNodeArray, NetNode);

/* One cable, or several that are alike, both ways or from a to b. */
typedef struct {
    int32_t a, b;
    int level;
    double rate;    /* bytes/s; 0: the file does not say it */
    double latency; /* seconds; negative: the file does not say it */
    int64_t lanes;
    Span span;
    bool is_one_way;
} NetLink;
ARRAY_TYPE(NetLinkArray, NetLink);

/* Links of one kind; what they have where the file says nothing. */
typedef struct {
    const char *name;
    double rate, startup;
    double latency;  /* that of most of its links; negative: none */
    bool is_assumed; /* the rate is that of no file */
    bool forwards;   /* ranks pass on messages of others over such links */
    double capacity;
    int64_t ports; /* most links of the level that a rank has */
} NetLevel;

typedef struct {
    const char *name;
    int64_t size;
} NetDimension;

ARRAY_TYPE(NetNoteArray, const char *);

/* What joins a node to other nodes. */
typedef struct {
    int32_t at;  /* the node above it, or the rank next to it */
    double rate; /* bytes/s; 0: the file does not say it */
    const char *name;
} NetAdapter;
ARRAY_TYPE(NetAdapterArray, NetAdapter);

typedef struct Net {
    Arena *arena;
    Diag *diag;
    const Source *source;
    const NetworkWish *wish;
    const char *format; /* "nvidia-smi topo -m" */
    NetNodeArray nodes;
    NetLinkArray links;
    NetLevel levels[LIMIT_LEVELS];
    int level_count;
    NetDimension dimensions[MOST_NET_DIMENSIONS]; /* the slowest first; as many ranks in all */
    int dimension_count;
    const char *order;    /* that of the ranks, in words */
    const char *like;     /* "star:8": the same network, once that is known */
    const char *startups; /* where the startups of the levels come from; NULL: there are none */
    NetNoteArray notes;   /* what was assumed or left out */
    NetAdapterArray adapters;
    bool is_disconnected; /* known, and said */
    bool is_half_duplex;
    bool has_failed;
    struct NetNames *names;
} Net;

/* False always: what was wrong was reported, and nothing is written. */
bool net_fail(Net *net, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A remark for the file that is written, and for who imports it. */
void net_note(Net *net, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A warning with its place, which is a remark as well. */
void net_warn(Net *net, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Where the file begins: the place of what is wrong with all of it. */
Span net_start(const Net *net);
/* A new node, of this name. */
int32_t net_add(Net *net, bool is_rank, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The node that is known by this key, which is added if there is none; is_new may be NULL. */
int32_t net_node(Net *net, const char *key, const char *name, bool is_rank, bool *is_new);
/* Is this key, of a cable or the like, asked for the first time? Nodes have other keys. */
bool net_is_new(Net *net, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* -1: no node is known by it. */
int32_t net_find(const Net *net, const char *key);
/* The level of that name, which is added if there is none. */
int net_level(Net *net, const char *given, double rate, double startup, bool forwards);
/* Have both links the same level, rate, latency, lanes and ways? */
bool net_alike(const NetLink *a, const NetLink *b);
NetLink *net_link(Net *net, int32_t a, int32_t b, int level, double rate, Span span);
/* Where every link has one in the opposite direction, both are one cable. */
void net_join_mirrors(Net *net);
void net_dimension(Net *net, const char *name, int64_t size);
int64_t net_rank_count(const Net *net);
/* Ranks by their places. */
void net_list_ranks(const Net *net, int32_t *ranks);
void net_adapter(Net *net, int32_t at, double rate, const char *name);
/* Leaves out all links but those of one level, if these join all ranks: what is sent goes over them
   then. Adapters are then next to ranks. */
void net_drop_other_levels(Net *net, int level);
/* group[n]: the lowest node that n reaches over links that count; net_joins_all: those of a level,
   or with a negative one all. */
typedef bool NetJoins(const Net *net, const NetLink *link, int level);
bool net_joins_all(const Net *net, const NetLink *link, int level);
int32_t *net_groups(const Net *net, NetJoins *joins, int level);
/* The first rank that is not in the group of the lowest one; -1: there is none. */
int32_t net_apart(const Net *net, const int32_t *group);
/* Leaves out switches that lead nowhere. */
void net_prune(Net *net);
/* Which ranks have no link of that level, where others have some? */
void net_warn_of_lonely(Net *net, int level, Span span);

/* One tier of a fat tree, as in extended generalised ones: how many nodes are below each of its
   switches, how many switches above each of these, and by how many cables. */
typedef struct {
    int64_t down, up, cables;
    const char *name; /* of its switches; a number stands behind it */
    int level;
    double rate, latency;
} NetTier;
/* Switches above hosts, which are the nodes from `first` on; there must be as many as the tiers
   have. False after a report. */
bool net_add_tiers(Net *net, int32_t first, int64_t hosts, const NetTier *tiers, int count,
                   Span span);

/* NCCL's startups of one step, protocol Simple, ring (hwLat in its tuning.cc). */
#define NCCL_NVLINK_STARTUP 3.4e-6
#define NCCL_PCI_STARTUP 5.7e-6
#define NCCL_NET_STARTUP 14e-6
extern const char nccl_startups[];
#define PCIE_4_RATE 24e9 /* x16, as NCCL counts it */

/* The next line of a source from *offset on, without its end; false behind the last one. */
bool net_line(const Source *source, size_t *offset, Text *line);
/* The next one that holds more than blanks and a remark behind #, without blanks around it. */
bool net_next(const Source *source, size_t *offset, Text *line);
/* The next word of a line, between blanks, which is taken from it; false: there is none. */
bool net_word(Text *line, Text *word);
bool source_holds(const Source *source, const char *what);
/* Is it a whole number, with nothing else? Up to 2^53; then that is in *value. */
bool text_whole(Text text, int64_t *value);
/* Units as other programs write them besides: 400Gbps, 125MBps, 100Gb/s. False after a report. */
bool net_rate(Net *net, Text text, double *rate);
bool net_time(Net *net, Text text, double *seconds);

uint64_t net_hash(const char *key);

/* The first document of YAML or JSON; NULL after a report. */
const struct Node *net_yaml(Net *net);
/* What a map has there; NULL, or an empty text: nothing, or it is no map. */
const struct Node *net_child(const struct Node *map, const char *key);
Text net_text(const struct Node *map, const char *key);
/* Does a line begin like that, but for blanks? */
bool net_has_line(const Source *source, const char *with);

/* "a[1-3,07-10]x[0-1],b5": names of hosts as Slurm writes them. False after a report. */
ARRAY_TYPE(NetHosts, const char *);
bool net_list_hosts(Net *net, Text list, NetHosts *hosts);

/* CPUs, GPUs or other things of one node, and links of a GPU. */
enum { MOST_DEVICES = 1024, MOST_LINKS_OF_GPU = 18 };

/* GPUs of one node by what lies between each two of them: as nvidia-smi and rocm-smi print it. */
typedef enum { NEAR_SELF, NEAR_PIX, NEAR_PXB, NEAR_PHB, NEAR_NODE, NEAR_SYS } Nearness;
typedef struct {
    int gpus, devices;          /* adapters behind the GPUs */
    const char **names;         /* of devices */
    int *bonds;                 /* of i and j at i * devices + j: direct links; 0: none */
    Nearness *near;             /* by PCI; the same places */
    const char *direct;         /* the level of direct links */
    double bond_rate;           /* of one direct link; assumed, unless */
    bool is_told;               /* the file says it */
    double pcie_rate, sys_rate; /* assumed */
    Span span;
} GpuMatrix;
void gpu_matrix_create(Arena *arena, int gpus, int devices, GpuMatrix *matrix);
bool gpu_matrix_build(Net *net, const GpuMatrix *matrix);

/* Chooses and orders ranks, copies a node, joins it to a fabric, as the wish says. */
bool net_compose(Net *net, const Net *node);
/* Numbers nodes, ranks first, and joins parallel cables; from then on links have numbers of nodes
   at their ends, the lower one first but for one way, and are sorted. Levels know what most of
   their links have. */
void net_settle(Net *net);
int64_t net_count(const Net *net); /* of nodes, then */
/* The models, as a text. */
void net_write(Net *net, const char *name, Buffer *out);
/* Says which library topology the network is, if it is one. */
void net_recognise(Net *net);

/* What each kind of file is read by; `is` looks at its contents. */
typedef struct {
    const char *name;
    bool (*is)(const Source *source);
    bool (*read)(Net *net);
} NetFormat;
#define NET_FORMAT(name, what) bool is_##name(const Source *source), read_##name(Net *net);
#include "topology/formats.def"
#undef NET_FORMAT

#endif
