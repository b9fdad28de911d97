/* What all readers of models share: the head of a model, expressions, block sets. */
#ifndef COLLCOST_MODEL_READER_H
#define COLLCOST_MODEL_READER_H

#include "lang/lanes.h"
#include "model/node.h"

/* The keys that every model may have beside its own: its kind, summary, source. */
typedef struct {
    const char *name;
    const char *summary;     /* "" if none */
    const char *source;      /* "" if none */
    const char *const *also; /* other names that people type; not of sources */
    size_t also_count;
    Span span;            /* of the name */
    const Node *map;      /* all of the document */
    Workspace *workspace; /* of the library that the model belongs to; or NULL */
} Head;

/* A condition or bound with the text that the user wrote. */
typedef struct {
    Program *program; /* NULL: not given */
    Text text;
} Formula;

typedef struct {
    Formula *items;
    size_t count;
} FormulaList;

typedef struct {
    CompiledSet *items;
    size_t count;
} SetList;

/* The value of a key, which messages call `what`; "" without it. False after a report. */
bool read_key_string(Arena *arena, const Node *map, const char *key, const char *what,
                     const char **string, Diag *diag);
/* The same, called by its key. */
bool read_text(Arena *arena, const Node *map, const char *key, const char **text, Diag *diag);
/* Is the value of a key the second of two words? Without the key it is the first. False after a
   report that it is neither. */
bool read_either(const Node *map, const char *key, const char *what, const char *const words[2],
                 bool *is_second, Diag *diag);
/* Is it yes, and not no? */
bool read_answer(const Node *map, const char *key, bool *answer, Diag *diag);
/* Letters, digits, '-', '_' and '.', beginning with one of the first two: names are typed on the
   command line. */
bool is_model_name(Text text);
/* Reads the head; `kind` is the key that holds the name. */
bool read_head(Arena *arena, const Node *map, const char *kind, Head *head, Diag *diag);
/* Is that its name, or another one, when case, '-' and '_' do not count? */
bool head_is_called(const Head *head, Text name);
static inline bool head_is_builtin(const Head *head)
{
    return head->span.source && head->span.source->is_builtin;
}
/* Compiles what was checked, and stands at `text`; false where it was not right (NULL). */
bool formula_compile(Arena *arena, const Expr *checked, Text text, const Scope *scope,
                     Formula *formula);
/* Is it, if it is given, the same for all ranks? False after a report. */
bool formula_is_uniform(const Formula *formula, Diag *diag);
/* Where formulas are: a map, and the names that they see. */
typedef struct {
    Arena *arena;
    const Node *map; /* NULL where expressions are read alone */
    Scope *scope;
    Diag *diag;
} FormulaMap;
/* Parses, checks and compiles it. */
bool read_expression(FormulaMap in, Text text, Type type, Dimension dimension, Formula *formula);
/* The value of a key that is there: "1 .. p", whole numbers. */
bool read_whole_range(FormulaMap in, const char *key, const char *what, Formula *from, Formula *to);
/* Reads the expression below `key`. True, with program NULL, where the key is missing. */
bool read_formula(FormulaMap in, const char *key, Type type, Dimension dimension, Formula *formula);
/* Notes the expression below `key`, which is known to be right, as one of this type that is
   compiled when it is first needed. Program NULL where the key is missing. */
void defer_formula(FormulaMap in, const char *key, Type type, Dimension dimension,
                   Formula *formula);
/* read_formula for an expression that must be the same for all ranks. */
bool read_uniform_formula(FormulaMap in, const char *key, Type type, Formula *formula);
/* The same for a scalar or a list of scalars; none where the key is not there. */
bool read_uniform_formulas(FormulaMap in, const char *key, Type type, FormulaList *formulas);
/* Adds the names of `let` as functions, most without parameters: each is written out, and checked,
   where a formula uses it. True where `lets` is NULL or no map. */
bool read_functions(Arena *arena, const Node *lets, Scope *scope, Diag *diag);
/* The value of a key that is there: one block set, or a list of them. */
bool read_sets(FormulaMap in, const char *key, const char *what, SetList *sets);
/* Every set must have `count` indices (`all` has any number), one more in an array with a size of
   its own. `sizes` are those of the arrays behind the main one; NULL: no array has any. */
bool check_index_counts(const SetList *sets, int count, const Formula *sizes,
                        const char *collective, Diag *diag);
/* A scalar out of a fixed list of words; its index, or -1 after a report. */
int read_word(const Node *node, const char *what, const char *const *words, size_t count,
              Diag *diag);
/* The same for a list of words: flags[i] becomes true of each that is there. False after a report.
 */
bool read_flags(const Node *list, const char *what, const char *const *words, size_t count,
                bool *flags, Diag *diag);
/* The same below a key; *word is 0 where it is missing. False after a report, as all that follow.
 */
bool read_keyword(const Node *map, const char *key, const char *what, const char *const *words,
                  size_t count, int *word, Diag *diag);
/* A scalar below a key, a quantity, and a whole number; they stay as they are where the key is
   missing. */
bool read_key_text(const Node *map, const char *key, const char *what, Text *text, Diag *diag);
bool read_key_quantity(const Node *map, const char *key, const char *what, Dimension dimension,
                       double *value, Diag *diag);
bool read_key_whole(const Node *map, const char *key, const char *what, int64_t least, int64_t most,
                    int64_t *value, Diag *diag);
/* "'KEY' WORDS", of the first of these keys that is there. */
bool refuse_keys(const Node *map, const char *const *keys, size_t count, const char *words,
                 Diag *diag);
/* A map with no other keys than these. */
bool read_map(const Node *map, const char *what, const char *const *keys, size_t count, Diag *diag);
/* A scalar, or a list of scalars, as strings; NULL after a report. */
const char *const *read_names(Arena *arena, const Node *node, const char *what, size_t *count,
                              Diag *diag);

#endif
