/* What `show` and `import` say of a network: its links by kind, what is irregular, its paths. */
#ifndef COLLCOST_CLI_NETWORK_FACTS_H
#define COLLCOST_CLI_NETWORK_FACTS_H

#include "cli/query.h"
#include "net/measure.h"

typedef struct {
    const Query *query;
    const Network *network;
    bool knows_machine; /* it was named, or stands beside the network */
} NetworkFacts;

/* Fields as `show` has them, or tables and JSON. */
void facts_write_fields(const NetworkFacts *facts);
void facts_write(const NetworkFacts *facts, Format format);
/* Of a description that was read to be kept: with what was assumed, which stands in its models. */
void facts_write_import(const NetworkFacts *facts, Text path, const Source *models);
/* False after a report. */
bool facts_write_pairs(const NetworkFacts *facts, Format format);
bool facts_write_route(const NetworkFacts *facts, Text ends, Format format);

#endif
