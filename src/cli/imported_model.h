/* Schedules of other programs where an algorithm is named: files that become models of the line. */
#ifndef COLLCOST_CLI_IMPORTED_MODEL_H
#define COLLCOST_CLI_IMPORTED_MODEL_H

#include "cli/command.h"

/* What `imported_models` hands out. */
typedef struct {
    CommandLine line; /* with names of algorithms in place of files */
    Context context;  /* with their models */
} ImportedModels;

/* The line with all files of schedules among its operands run on names, as `import` does, and named
   as algorithms: by file, `ring.xml` is `allreduce/ring-xml`. The ranks of the file, and its root,
   hold where the line says none. Not STATUS_FINE after reports. Lives as long as the line; is not
   to be moved. */
Status imported_models(const CommandLine *line, ImportedModels *models);

#endif
