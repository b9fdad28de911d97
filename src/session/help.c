#include "session/help.h"

#include "session/phrase.h"

static void list_commands(FILE *out)
{
    fputs("Commands:\n", out);
    for (const Command *const *command = command_table; *command; command++)
        fprintf(out, "  %-12s %s\n", (*command)->name, (*command)->summary);
    fputs("\nThe context of what follows:\n", out);
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        const StatementInfo *info = &statement_info[i];
        int width =
            fprintf(out, "  %s%s%s", info->name, *info->operands ? " " : "", info->operands);
        fprintf(out, "%*s%s\n", width < 26 ? 26 - width : 1, "", info->summary);
    }
    fputs("\nAnything else is a formula: (p - 1) * (ts + 1MiB * tw)\n"
          "'help COMMAND' tells more about a command.\n",
          out);
}

Status help_write(Run *run)
{
    list_commands(run->out);
    return STATUS_FINE;
}
