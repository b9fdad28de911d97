#include "session/session.h"

#define COMMAND(id) extern const Command command_##id;
#include "session/commands.def"
#undef COMMAND

static const Command *const commands[] = {
#define COMMAND(id) &command_##id,
#include "session/commands.def"
#undef COMMAND
};

enum {
#define COMMAND(id) PLACE_##id,
#include "session/commands.def"
#undef COMMAND
};

static const char *const titles[COUNT_OF(commands)] = {
#define COMMAND(id)
#define COMMAND_GROUP(first, title) [PLACE_##first] = title,
#include "session/commands.def"
};

const CommandTable command_table = {commands, titles, COUNT_OF(commands)};
