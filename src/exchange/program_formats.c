#include "exchange/program_readers.h"

#include <string.h>

typedef struct {
    const char *ending;
    char first;
    bool (*read)(Arena *arena, const Source *source, GpuProgram *program, Diag *diag);
} ProgramFormat;

static const ProgramFormat formats[] = {
#define PROGRAM_FORMAT(name, ending, first, what) {ending, first, read_##name},
#include "exchange/program_formats.def"
#undef PROGRAM_FORMAT
};
enum { FORMATS = COUNT_OF(formats) };

bool program_has_ending(Text name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (text_ends(name, formats[i].ending))
            return true;
    return false;
}

bool program_read(Arena *arena, const Source *source, GpuProgram *program, Diag *diag)
{
    size_t at = source_mark(source);
    while (at < source->length && strchr(" \t\r\n", source->text[at]) && source->text[at])
        at++;
    for (size_t i = 0; i < FORMATS; i++)
        if (at < source->length && source->text[at] == formats[i].first)
            return formats[i].read(arena, source, program, diag);
    diag_error(diag, (Span){source, 0, 0},
               "this is no schedule or network in a format that is known:");
#define PROGRAM_FORMAT(name, ending, first, what) diag_note(diag, NOWHERE, "%s", what);
#include "exchange/program_formats.def"
    diag_note(diag, NOWHERE, "GOAL of LogGOPSim, which begins with num_ranks");
    return diag_note(diag, NOWHERE,
                     "networks: 'help import'; models are for 'verify', logs for 'fit'");
}
