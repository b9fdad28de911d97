/* Lines of a batch file of which commands are read, with all their words and options, and not run;
   a line can say nothing to the files of the machine then. Statements and definitions take effect.
 */
#include "fuzz.h"
#include "session/report.h"
#include "session/session.h"
#include "session/state.h"

#include <string.h>

enum { MOST_COMMANDS = 64 };

/* What a command begins with: names in options are looked up when it runs. */
static Status run_nothing(const CommandLine *line)
{
    for (int option = 0; option < OPTION_COUNT; option++)
        if (option_given(line, option) && !option_is_flag(option) &&
            !option_value(line, option).chars)
            fuzz_fail("an option without its value", option_name(option));
    return STATUS_FINE;
}

static CommandTable read_only(void)
{
    static Command commands[MOST_COMMANDS];
    static const Command *items[MOST_COMMANDS];
    for (size_t i = 0; i < command_table.count && i < MOST_COMMANDS; i++) {
        commands[i] = *command_table.items[i];
        commands[i].run = run_nothing;
        commands[i].run_in = NULL;
        items[i] = &commands[i];
    }
    return (CommandTable){items, command_table.titles, command_table.count};
}

void fuzz_options(FuzzInput *input)
{
    static FILE *nowhere;
    static CommandTable table;
    if (!nowhere) {
        nowhere = fopen("/dev/null", "w");
        table = read_only();
    }
    if (!nowhere || table.count > MOST_COMMANDS ||
        memmem(input->text.chars, input->text.length, "load", 4))
        return;
    Session *session = session_open(&table, input->workspace, nowhere, nowhere);
    batch_run(session, input->source, &(BatchOptions){.format = REPORT_TEXT, .jobs = 1});
    session_close(session);
}
