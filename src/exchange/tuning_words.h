/* Words of tuning files and of variables of the environment. Spans have characters of their source.
 */
#ifndef COLLCOST_EXCHANGE_TUNING_WORDS_H
#define COLLCOST_EXCHANGE_TUNING_WORDS_H

#include "exchange/tuning.h"

const char *chars_of(Span span);
/* The next part between delimiters from *at on; empty ones are passed over. */
bool next_part(Span whole, char delimiter, size_t *at, Span *part);
/* The word in lower case, however the span spells it. */
bool is_word(Span span, const char *word);
/* Digits and nothing else; too large is the largest. */
bool is_number(Span span, int64_t *value);
/* "4096", "0-4096", "8193-max": numbers from the first to below the second one, which is one above
   what stands there, or the largest for the word `endless`. They need not rise. */
bool take_span(Span text, const char *endless, int64_t *from, int64_t *below);
/* Without the characters of a set at both ends. */
Span trim_span(Span span, const char *set);
/* `export NAME="VALUE"`, a line of a shell or of an environment. False where there is no `=`. */
bool split_assignment(Span line, Span *name, Span *value);

bool ends_with(Span name, const char *end);
/* An algorithm of a collective by its number or name. NULL: there is none. */
const LibraryAlgorithm *find_named(const Implementation *library, const char *version,
                                   const TunedCollective *collective, LibraryBlocks blocks,
                                   Span word);

#endif
