#include "session/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What is narrower is no terminal to read tables on, or says nothing. */
enum { NARROWEST = 40, WIDEST = 10000 };

static size_t check_width(long width)
{
    return width >= NARROWEST && width <= WIDEST ? (size_t)width : 0;
}

size_t terminal_width(FILE *stream)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    if (columns && *columns)
        return check_width(strtol(columns, NULL, 10));
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? check_width(size.ws_col) : 0;
}

bool terminal_has_styles(FILE *stream)
{
    const char *none = getenv("NO_COLOR"), *kind = getenv("TERM");
    return !(none && *none) && kind && strcmp(kind, "dumb") != 0 && isatty(fileno(stream));
}
