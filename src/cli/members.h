/* Some ranks of a network as a network of their own. The other ranks are left out of it, or become
   switches where the members need them to reach one another. */
#ifndef COLLCOST_CLI_MEMBERS_H
#define COLLCOST_CLI_MEMBERS_H

#include "base/buffer.h"
#include "cli/query.h"

/* Where the line says --members 0,4..7, makes them the ranks 0, 1, ... of the network of the query,
   which must be one; messages take shortest ways. Its topology is appended to `text`, and part of
   the library of the query. False after a report. */
bool members_become_network(Query *query, Buffer *text);

#endif
