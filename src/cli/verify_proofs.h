/* `verify --all-p`. */
#ifndef COLLCOST_CLI_VERIFY_PROOFS_H
#define COLLCOST_CLI_VERIFY_PROOFS_H

#include "cli/command.h"

Status verify_proofs(const CommandLine *line);

#endif
