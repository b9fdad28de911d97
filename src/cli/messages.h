/* Diagnostics as text:

       models/x.yaml:7:9: error: unknown name 'rot'
           send: rot
                 ^~~
       note: did you mean 'root'? */
#ifndef COLLCOST_CLI_MESSAGES_H
#define COLLCOST_CLI_MESSAGES_H

#include "base/diag.h"

#include <stdio.h>

void messages_write(FILE *stream, const Diagnostic *diagnostic);
/* How the meaning of a word of other programs is written here: cli/foreign.def. */
const char *messages_foreign(ForeignPlace place, Text word);
/* That memory has run out; `wanted`: how many bytes could not be had, 0 where that is not known. */
void messages_write_exhausted(FILE *stream, size_t wanted);
/* A sink that writes each diagnostic to `stream`, which the caller keeps open. */
Diag messages_to(FILE *stream);

#endif
