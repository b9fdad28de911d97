/* Lines of a batch file, or typed ones: where each ends, and its words.

   A line ends with a newline that has no backslash before it. `#` at the start of a word begins a
   comment. Words are as in a shell: 'all as it stands', "with \" and \\", and a backslash before a
   single character. A text keeps its places in the source, so that messages point there. */
#ifndef COLLCOST_SESSION_PHRASE_H
#define COLLCOST_SESSION_PHRASE_H

#include "base/source.h"
#include "cli/command.h"

/* Does this text end with a backslash that asks for another line? */
bool phrase_is_open(const char *text, size_t length);

/* The logical line that begins at *offset, which moves behind it; false at the end. Comments are
   cut off, and backslashes at ends of lines are blanks. `*raw` is the line as it stands. */
bool phrase_next(Arena *arena, const Source *source, size_t *offset, Text *line, Text *raw);
/* Without blanks at both ends. */
Text phrase_trim(Text text);
/* The first word as it stands, and what follows it, trimmed. */
Text phrase_first(Text line, Text *rest);
/* All words; false after a report: a quote is open, or a character cannot be in a word. */
bool phrase_words(Arena *arena, Text line, TextArray *words, Diag *diag);
/* The text as one word of a line, in quotes if it needs them. */
const char *phrase_quote(Arena *arena, const char *word);

/* Statements: lines of a session that are no commands. */

typedef enum {
#define STATEMENT(id, name, operands, summary) STATEMENT_##id,
#include "session/statement_names.def"
#undef STATEMENT
    STATEMENT_COUNT
} StatementId;

typedef struct {
    const char *name, *operands, *summary;
} StatementInfo;
extern const StatementInfo statement_info[STATEMENT_COUNT];

/* The statement that the line is, or -1; its operand. */
int statement_find(Text line, Text *operand);

#endif
