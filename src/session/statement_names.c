#include "session/statement_names.h"

#include "session/phrase.h"

#include <string.h>

const StatementInfo statement_info[STATEMENT_COUNT] = {
#define STATEMENT(id, name, operands, summary) {name, operands, summary},
#include "session/statement_names.def"
#undef STATEMENT
};

/* `show context` is one, `show ring` is a command; "set = 3" is neither. */
static bool matches(const char *name, Text line, Text *operand)
{
    Text rest;
    Text first = phrase_first(line, &rest);
    size_t length = strlen(name);
    const char *blank = strchr(name, ' ');
    if (!blank) {
        *operand = rest;
        return text_equals(first, name);
    }
    Text second = phrase_first(rest, operand);
    return text_equals(first, "show") && text_equals(second, name + length - strlen(blank) + 1);
}

int statement_find(Text line, Text *operand)
{
    for (int i = 0; i < STATEMENT_COUNT; i++)
        if (matches(statement_info[i].name, line, operand))
            return i;
    return -1;
}
