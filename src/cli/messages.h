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
/* A sink that writes each diagnostic to `stream`, which the caller keeps open. */
Diag messages_to(FILE *stream);

#endif
