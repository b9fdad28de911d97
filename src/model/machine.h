/* Machines: what a message and a combination cost.

   All values in seconds and bytes. ts: startup of a message; th: per hop; tw: per byte on a link
   (1 / bandwidth); tc: per combined byte (1 / compute). 0: free. Problems have tm besides: per
   multiply-add. */
#ifndef COLLCOST_MODEL_MACHINE_H
#define COLLCOST_MODEL_MACHINE_H

#include "base/buffer.h"
#include "model/fitted.h"
#include "model/reader.h"

typedef enum { PARAMETER_TS, PARAMETER_TH, PARAMETER_TW, PARAMETER_TC, PARAMETER_COUNT } Parameter;

/* Of what a parameter can be. */
typedef enum { OF_MACHINE, OF_LEVEL, OF_PROTOCOL, OWNER_KINDS } OwnerKind;

/* How an owner keeps a parameter, and what stands for none. */
typedef enum {
    KEPT_VALUE,  /* a double; negative: none */
    KEPT_DELAY,  /* a Delay */
    KEPT_PRICES, /* WorkingPrices; an empty list: none */
    KEPT_RATE,   /* a double, the inverse of the value; 0: none */
    KEPT_SIZE,   /* a double; infinite: none */
    KEPT_SHARE,  /* a double; 0: none */
    KEPT_COUNT,  /* an int64_t; 0: none */
    KEPT_WORD,   /* an enumeration; 0: none */
    KEPT_ANSWER, /* a bool */
    KEPT_PORTS,  /* of a machine, with words beside numbers */
} Keeping;

/* A parameter of machines. A file of models and --set spell it by its key, and give it as people
   measure it; inside it is a time where it can be one. */
typedef struct {
    const char *name; /* as a time: "tw"; else the key */
    const char *key;  /* "bandwidth" */
    const char *term; /* what a formula of costs multiplies: "m tw" */
    Dimension dimension, key_dimension;
    bool inverse; /* the key is of the inverse: a bandwidth */
    Keeping keeping;
    size_t places[OWNER_KINDS];  /* in owners of each kind; 0: they have none */
    size_t assumed[OWNER_KINDS]; /* the same of a bool: stated by no source */
    size_t list;                 /* in a machine: WorkingPrices that can stand for the value */
    double least, most;          /* of a count or a share */
    bool is_fitted;              /* beside startups, bandwidths and the like */
    bool is_late;                /* then last: schedules are derived in other, slower ways */
    bool of_products;            /* counts in products of matrices alone */
    const char *what;            /* in messages; NULL: its key */
    const char *const *words;    /* by the enumeration; an empty one cannot be given */
    size_t word_count;
    const char *told[3]; /* in descriptions: the value 1, and what is before and behind others */
} ParameterInfo;
/* All of them, those by Parameter first, in the order of files and descriptions. */
extern const ParameterInfo parameter_info[];
extern const int parameter_info_count;

/* What algorithms do in the memory of a rank beside their messages. */
typedef enum {
#define LOCAL_WORK(id, rate, bytes, words) LOCAL_##id,
#include "model/local_work.def"
#undef LOCAL_WORK
    LOCAL_WORK_COUNT
} LocalWork;

/* The key of its bytes in an algorithm; what it is in words. */
typedef struct {
    const char *bytes, *words;
} LocalWorkInfo;

/* Of a rank, as times m bytes: what it copies, or its buffers. */
typedef struct {
    double all, largest;
} LocalBytes;
extern const LocalWorkInfo local_work_info[LOCAL_WORK_COUNT];

typedef enum {
    SWITCHING_CUT_THROUGH,
    SWITCHING_STORE_AND_FORWARD,
    SWITCHING_STARTUPS, /* store-and-forward with ts paid at every hop */
    SWITCHING_COUNT
} Switching;
/* "cut-through"; and short, "ct". */
extern const char *const switching_names[SWITCHING_COUNT],
    *const switching_letters[SWITCHING_COUNT];

/* How the messages that one rank sends, or receives, in one round share its ports: one after the
   other, or all at once; and then, in a stream, behind those of earlier rounds that are still under
   way. */
typedef enum {
    POSTING_UNSTATED, /* in order */
    POSTING_IN_ORDER,
    POSTING_TOGETHER,
    POSTING_STREAMED,
    POSTING_COUNT
} Posting;
/* "in-order"; "" where nothing is stated. */
extern const char *const posting_names[POSTING_COUNT];

/* Times of a rank beside those of its links: a processor is busy with each message that it sends
   for its `overhead`, with each that it receives as long, or for its `receive-overhead`; the next
   one leaves a `gap` later. A message to a rank other than the last ones costs a `contact` more;
   of several that are posted together, all but the first `contact-posted`. Bytes between two
   ranks that send to each other take by the share `exchange` longer, which is no time. A collective
   costs a `call`. */
typedef enum {
    DELAY_OVERHEAD,
    DELAY_GAP,
    DELAY_RECEIVE,
    DELAY_CONTACT,
    DELAY_CONTACT_POSTED,
    DELAY_EXCHANGE,
    DELAY_CALL,
    DELAY_COUNT
} DelayKind;
enum { DELAYS_OF_LEVELS = DELAY_CALL }; /* the first so many are */
/* Ranks with which a rank keeps in contact, where a machine does not say it; and at most. */
enum { USUAL_CONTACTS = 8, MOST_CONTACTS = 64 };

typedef struct {
    bool is_given, is_assumed; /* not given: of a level, as the machine's; else as rules.h says */
    double seconds;
} Delay;

typedef enum { DUPLEX_FULL, DUPLEX_HALF, DUPLEX_COUNT } Duplex;
extern const char *const duplex_names[DUPLEX_COUNT];

/* What switches can do beside passing messages on: copy one that comes in once to several ranks,
   and combine several for one rank. */
typedef enum { MERGING_MULTICASTS, MERGING_COMBINES, MERGING_COUNT } MergingKind;

/* What links of one level ("node") cost where they differ from the machine's own. */
typedef struct {
    Text name;
    double parameters[PARAMETER_COUNT]; /* negative: the machine's */
    int64_t ports;                      /* 0: the machine's */
    Delay delays[DELAYS_OF_LEVELS];
    bool is_set;     /* by --set, not by the file */
    double capacity; /* bytes/s through a switch of the level, or a node's
                        memory, shared by all its messages; 0: endless */
    double merging;  /* the share of the bandwidth that messages have which switches of the level
                        copy or combine; 0: all of it */
    int64_t devices_per_adapter; /* on networks of devices with adapters of their own: so many share
                                    one; 0: none have any */
    int64_t passes; /* times that a message between links of the level counts there; 0: once */
    bool merges[MERGING_COUNT];    /* switches of the level do that */
    bool assumed[PARAMETER_COUNT]; /* as those of the machine */
    double
        link_scales[PARAMETER_COUNT];   /* times what links of the topology state themselves; 0: as
                                           they state it; negative: the level's, which --set gave */
    int first_protocol, protocol_count; /* of the machine's array; 0: it has no list of its own */
} Level;

#define LEAST_MERGING 0.01
enum { MOST_LISTED_PROTOCOLS = 16 };

/* What messages up to some size cost: eager, rendezvous. The last one of a list has no end; none
   has one where messages take the fastest. */
typedef struct {
    Text name;    /* empty: it has none */
    int number;   /* in all lists of a machine the same for the same name */
    double up_to; /* bytes; INFINITY */
    bool waits;   /* in order with a gap, the next message begins at its end */
    double parameters[PARAMETER_COUNT]; /* ts and tw; negative, and all others: the machine's */
    bool assumed[PARAMETER_COUNT];
} Protocol;

/* What a byte takes in collectives of which a rank holds up to so many bytes at a time, at most;
   the last one has no end. */
typedef struct {
    double up_to, price;
} WorkingPrice;

enum { MOST_WORKING_PRICES = 8 };

typedef struct {
    WorkingPrice items[MOST_WORKING_PRICES]; /* by rising size */
    int count;                               /* 0: sizes make no difference */
} WorkingPrices;

/* What libraries ask about the hardware before they choose, by names of theirs: "channels". */
typedef struct {
    Text name;
    double value;
} HardwareFact;

enum { MOST_HARDWARE_FACTS = 8 };

typedef struct collcost_machine {
    Head head;
    double parameters[PARAMETER_COUNT];
    int64_t ports; /* messages that a rank can send, and receive, at the same time */
    bool assumed[PARAMETER_COUNT]; /* not stated by the source, chosen by the model's author */
    Delay multiply;                /* tm */
    bool all_ports;                /* as many as the rank has links */
    bool level_ports;              /* one for each level of them */
    Switching switching;
    Duplex duplex;
    Posting posting; /* of algorithms that do not state theirs */
    Delay delays[DELAY_COUNT];
    int64_t contacts;           /* the last so many ranks that one sent to; 0: USUAL_CONTACTS */
    Level levels[LIMIT_LEVELS]; /* in any order: the topology ranks them */
    int level_count;
    Protocol protocols[LIMIT_PROTOCOLS]; /* each list by rising size: the machine's, then levels' */
    int protocol_count;                  /* of the machine's list; 0: it has none */
    int listed_count;                    /* of all lists; 0: all messages cost the same */
    bool select_fastest;                 /* a message has the protocol that is the fastest for it */
    WorkingPrices compute;               /* tc by what a rank holds; else the parameter */
    WorkingPrices local[LOCAL_WORK_COUNT]; /* by what a rank holds; none: it is free */
    const Fitted *fitted;                  /* NULL: it is not said to be */
    HardwareFact hardware[MOST_HARDWARE_FACTS];
    int hardware_count;
} Machine;

/* NULL after reports. */
Machine *machine_read(Arena *arena, const Node *map, Diag *diag);
/* Sets a parameter by either of its names ("tw=15us/B" or "bandwidth=64GB/s"), for all protocols;
   or one of a level ("node.bandwidth=50GB/s", "node.ports=8") or of a protocol
   ("eager.startup=1us", "eager.up-to=16KiB"). "x2" multiplies, as machine_scale does. False after a
   report. */
bool machine_set(Machine *machine, Text name, Text value, Diag *diag);
/* Is it a factor, "x2.5"? A word that begins with x is none. */
bool setting_multiplies(Text value);
/* Multiplies a parameter, by either of its names and so in the sense of that name ("bandwidth",
   "tw"), in all protocols; or one of a level, also where links of the topology state it themselves,
   or of a protocol; what these do not have of their own is the machine's, and is multiplied for
   them alone. False after a report, also where it is zero. */
bool machine_scale(Machine *machine, Text name, double factor, Diag *diag);
/* The same without a report. */
bool machine_try_scale(Machine *machine, Text name, double factor);
/* What a parameter that --set names is now, in SI units: "bandwidth=64000000000B/s",
   "eager.up-to=16384B". NULL where that is not one value: it differs by protocols, or is a factor
   of what links of the topology state. */
const char *machine_setting(Arena *arena, const Machine *machine, Text name);
/* What the machine says of its hardware under that name; NULL: nothing. */
const double *machine_hardware(const Machine *machine, Text name);
/* "startup 1 us (assumed), bandwidth 64 GB/s, compute 512 GB/s": zero parameters are left out. */
const char *machine_describe(Arena *arena, const Machine *machine);

/* "multiply-add 1 ps (assumed)" */
const char *machine_describe_multiply(Arena *arena, const Machine *machine);

/* The protocols of the machine, and those of its levels; NULL: there are none. */
const Protocol *machine_protocols(const Machine *machine);
/* All messages take the protocol of that name or its variant (LL-few of LL), whatever their size,
   but those of algorithms that name another one; case does not matter. False: a list of protocols
   has none of that name, or there are no lists. */
bool machine_keep_protocol(Machine *machine, const char *name);
/* The protocol of a message of that many bytes, in a list that ends with one for all sizes. */
const Protocol *protocol_for(const Protocol *protocols, double bytes);
/* "to-8KiB", "over-8KiB": of what counts up to the size with that number of `count` rising ones,
   the last of which has no end. */
Text machine_range_name(Arena *arena, const double *sizes, int count, int number);
/* For so many bytes of a rank; negative: not known, which counts as too many for all but the last.
 */
double working_price(const WorkingPrices *prices, double bytes);
double working_price_least(const WorkingPrices *prices);
/* The level of that name, or NULL. */
const Level *level_find(const Level *levels, int count, const char *name);
/* "ct" or "cut-through"; -1 if it is neither. */
int switching_find(Text word);
/* A number, `all` or `levels`; where it is no number, `ports` is 1. False after a report. */
bool ports_parse(Text text, int64_t *ports, bool *all, bool *by_level, Diag *diag);

enum { LARGEST_PORTS = 1 << 20 };

/* Levels, protocols and facts about the hardware of a machine. */

/* A new level has nothing of its own. NULL after a report. */
Level *machine_add_level(Machine *machine, Text name, Diag *diag);
/* NULL where there is none. */
Level *machine_find_level(Machine *machine, Text name);
/* "eager", and of a level "node.eager". */
Protocol *machine_find_protocol(Machine *machine, Text name);
/* Of `count` protocols from number `first` of all on; NULL: none has that name, or it is empty. */
Protocol *machine_find_listed(Machine *machine, int first, int count, Text name);
/* The sizes up to which protocols count must rise. False after a report. */
bool machine_check_rising(const Machine *machine, Span span, Diag *diag);

/* `hardware: {channels: 8}`. False after a report. */
bool machine_read_hardware(const Node *map, Machine *machine, Diag *diag);
/* Sets one of these facts, which the machine need not have stated. False after a report. */
bool machine_set_hardware(Machine *machine, Text name, Text value, Diag *diag);
/* The owner of these facts in the names of --set: "hardware.channels". */
#define HARDWARE_KEY "hardware"

/* A machine as the text of its model file; machine.h has the text for people. */

/* Appends what stands behind `source:` in the file of a machine; machine_read makes the same
   machine of it, values to 14 digits. False after a report: no file can say something of this
   machine, such as a bandwidth without end. What --set multiplied in links of the topology belongs
   to the topology, and is not written. */
bool machine_write(Buffer *out, const Machine *machine, Diag *diag);
/* A text as YAML, in single quotes where it needs them. */
void machine_write_word(Buffer *out, Text text);
/* As people read it where that is as good as exact, else with all digits. */
const char *machine_show_time(Arena *arena, double seconds);
const char *machine_show_bandwidth(Arena *arena, double rate);

#endif
