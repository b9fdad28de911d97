#include "session/repl.h"
#include "session/statements.h"

#include <unistd.h>

static Status run(void *context, const CommandLine *line)
{
    Session *session = context;
    if (session->is_interactive || session->depth > 0) {
        diag_error(line->diag, NOWHERE, "a session runs already");
        return STATUS_BAD_INPUT;
    }
    session_adopt(session, line);
    session->is_interactive = true;
    return repl_run(session, isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
}

const Command command_repl = {
    .name = "repl",
    .operands = "",
    .summary = "a prompt for commands and formulas, with a context that stays",
    .description =
        "Reads commands, formulas and statements about the context, and answers each; so does\n"
        "collcost alone on a terminal. 'help' there lists what there is. From a pipe, each line "
        "is\n"
        "answered before the next is read.",
    .examples = "collcost repl\n"
                "echo 'cost broadcast -p 4 -m 1KiB' | collcost repl",
    .options = OPTION_BIT(TOPOLOGY) | OPTION_BIT(RANKS) | OPTION_BIT(SIZE) | OPTION_BIT(MACHINE) |
               OPTION_BIT(SET) | OPTION_BIT(PORTS) | OPTIONS_OF_RULES,
    .spoken = OPTIONS_ANY,
    .run_in = run,
};
