/* What the readers of tuning files share: how faults are found, rules added, and words read. */
#ifndef COLLCOST_EXCHANGE_TUNING_READER_H
#define COLLCOST_EXCHANGE_TUNING_READER_H

#include "exchange/tuning.h"

#include <inttypes.h>

/* Comparing each rule with so many others keeps reading linear. */
enum { MOST_COMPARED = 1024 };

/* A file that is read as a version of a library does. */
typedef struct TuningReader {
    Arena *arena;
    const Source *source;
    const TuningFormat *format;
    const Implementation *library;
    const char *version;
    TuningFile *file;
} TuningReader;

/* tuning_fault(in, FAULT(OCTAL), span, value): what the library makes of a place. False. */
#define TUNING_FAULT(id, effect, sentence)                                                         \
    static const TuningEffect fault_of_##id = TUNING_##effect;                                     \
    static const char fault_text_##id[] = sentence;
#include "exchange/tuning_faults.def"
#define FAULT(id) fault_of_##id, fault_text_##id
bool tuning_fault(TuningReader *in, TuningEffect effect, const char *sentence, Span span, ...)
    __attribute__((format(printf, 3, 5)));

/* Makes it a rule that applies to no call. */
void tuning_empty(TuningRule *rule);
/* Do calls get to a rule behind those of the file, the first of which that applies counts? A fault
   says that its ranges are empty, or which one takes all its calls, of the first thousand from
   place `first` on; with an algorithm above 0, of those that name it. */
bool tuning_is_reached(TuningReader *in, const TuningRule *rule, Span place, size_t first,
                       int64_t algorithm);
/* Are they for some of the same ranks and sizes of a collective? */
bool tuning_overlap(const TuningRule *a, const TuningRule *b);

/* All of a file. */
Text whole_of(const Source *source);
/* The next part of *rest between delimiters; empty ones are passed over. */
bool next_part(Text *rest, char delimiter, Text *part);
/* The next line with something in it, without blanks at both ends. */
bool next_line(Text *rest, Text *line);
/* Digits and nothing else; too large is the largest. */
bool is_number(Text text, int64_t *value);
/* "4096", "0-4096", "8193-max": numbers from the first to below the second one, which is one above
   what stands there, or the largest for the word `endless`. They need not rise. */
bool take_span(Text text, const char *endless, int64_t *from, int64_t *below);
/* Without the characters of a set at both ends. */
Text strip(Text text, const char *set);
/* Reads what scripts and files of settings say, where they set variables of the library and its
   tuning files are of another kind. False: they set none. */
bool tuning_read_settings(TuningReader *in);
/* The next NAME=VALUE of a line from *at on, as shells, `mpirun -x`, YAML, JSON and files of
   settings write it; after setenv, -genv and --mca without =. A comment ends the line. */
bool next_assignment(Text line, size_t *at, Text *name, Text *value);
/* Variables of a library, by what their names begin with, as settings.def has them; of any other
   name NULL. */
typedef struct {
    const char *start, *library, *after;
    enum { SETTING_OPTION, SETTING_CHOICE, SETTING_RULES } use;
} SettingFamily;
const SettingFamily *setting_family(Text name);
/* What NCCL calls its algorithms and protocols, by their numbers; NULL ends them. */
extern const char *const nccl_algorithms[], *const nccl_protocols[];
/* The collective of that name; their count: none. */
int tuned_collective(const TunedCollective *collectives, int count, Text name);
/* The next algorithm of a collective, from place *at of the library on; the one of a name, or of a
   number. NULL: there is none. */
const LibraryAlgorithm *tuned_next(const TuningReader *in, int collective, size_t *at);
const LibraryAlgorithm *tuned_named(const TuningReader *in, int collective, Text name);
const LibraryAlgorithm *tuned_numbered(const TuningReader *in, int collective, int64_t number);

#endif
