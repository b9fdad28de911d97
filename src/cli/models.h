/* Which models a line knows: the built-in ones, the user's folders, those that a session has
   loaded, and those of --models, each before the ones named earlier. */
#ifndef COLLCOST_CLI_MODELS_H
#define COLLCOST_CLI_MODELS_H

#include "cli/command.h"
#include "model/library.h"
#include "topology/topology.h"

/* False after a report: "-", the standard input, where that holds the lines of the session. */
bool models_may_read(const Context *context, Text path, Diag *diag);
/* Reads what an operand or an option names, at most `limit` bytes; the source keeps a copy of the
   name. NULL after a report. */
const Source *models_read_source(const Context *context, Arena *arena, Text path, size_t limit,
                                 Diag *diag);
/* Tells of models of the user's data folder that replace built-in ones. */
void models_note_replaced(Arena *arena, const Library *library, Diag *diag);
/* All but those of --models. NULL after reports. `loaded` may be NULL. */
Library *models_open(Arena *arena, const SourceArray *loaded, Diag *diag);
/* What the line knows: the library of its session where the line adds nothing to it. */
Library *models_of_line(const CommandLine *line);
/* The name of a model of a kind where a file of such models, or a description of a network, is
   named; else the text as it is. */
Text models_name_in(const Library *library, Text text, ModelKind kind);
/* What options say of descriptions of networks. False after a report. */
bool models_read_wish(const CommandLine *line, NetworkWish *wish);

#endif
