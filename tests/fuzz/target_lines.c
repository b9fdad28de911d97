/* Lines of a batch file, with a report for programs where the first byte is odd. */
#include "fuzz.h"
#include "session/report.h"
#include "session/session.h"
#include "session/state.h"

#include <string.h>

/* Lines must not touch files of the machine on which fuzzing runs. */
static bool touches_files(Text text)
{
    static const char *const words[] = {"--pic", "--cert", "--models", "load",
                                        "batch", "repl",   "save",     "history"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(text.chars, text.length, words[i], strlen(words[i])))
            return true;
    return false;
}

void fuzz_lines(FuzzInput *input)
{
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    if (!nowhere || touches_files(input->text))
        return;
    bool is_report = input->text.length && (unsigned char)input->text.chars[0] % 2;
    Session *session = session_open(&command_table, input->workspace, nowhere, nowhere);
    batch_run(session, input->source,
              &(BatchOptions){.format = is_report ? REPORT_JSON : REPORT_TEXT, .jobs = 1});
    session_close(session);
}
