#include "session/commands.h"

#define COMMAND(id) extern const Command command_##id;
#include "session/commands.def"
#undef COMMAND

static const Command *const commands[] = {
#define COMMAND(id) &command_##id,
#include "session/commands.def"
#undef COMMAND
};

const CommandTable command_table = {commands, sizeof commands / sizeof *commands};
