/* Random lines of a batch file, the same for the same seed: lines SEED [COUNT]

   Most are nearly right: words that mean something, in an order that often does. Some have quotes
   that stay open, bytes that are no text, or brackets without end. No line takes long when it is
   right. */
#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const openings[] = {
    "cost",      "bound",  "switch", "trace",     "eval",  "expect",       "show",
    "list",      "scale",  "use",    "set",       "unset", "let x =",      "machine",
    "help",      "define", "end",    "load",      "reset", "show context", "collcost",
    "(p - 1) *", "x",      "judge",  "partition", "",      "batch",        "verify",
    "best(",     "let",    "#",      "\\",        "repl",  "set size =",
};

static const char *const words[] = {
    "reduce",
    "allgather/ring",
    "broadcast/pipelined-chain",
    "matvec",
    "point-to-point",
    "-p",
    "4",
    "-m",
    "1KiB",
    "-t",
    "full:4",
    "ring",
    "torus:2x2",
    "--ports",
    "2",
    "all",
    "--set",
    "ts=1us",
    "k=3",
    "-o",
    "json",
    "csv",
    "tap",
    "--root",
    "--overlap",
    "--machine",
    "sg2260",
    "=",
    "==",
    "<",
    "within",
    "1%",
    "of",
    "2 us",
    "time(reduce, 8)",
    "best(reduce, 8)",
    "switch(reduce, binomial, chain)",
    "binomial",
    "ts",
    "m",
    "p",
    "d",
    "x",
    "and",
    "not",
    "+",
    "(",
    ")",
    ",",
    "/",
    "'",
    "\"",
    "\\",
    "#",
    "\\\n",
    "''",
    "'a b'",
    "\"a\\\"b\"",
    "--",
    "--help",
    "--sizes nccl",
    "1e999",
    "-1",
    "0",
    "99999999999999999999",
    "1 / 0",
    "\xff\xfe",
    "\xc3\xa9",
    "\x01",
    "\t",
    "\r",
    "%s%n",
    "among",
    "machine: lab",
    "- send: 0",
    "collective: reduce",
    "rows",
    "8",
    "-n",
    "16",
};

enum {
    OPENINGS = sizeof openings / sizeof *openings,
    WORDS = sizeof words / sizeof *words,
    MOST_WORDS = 9,
    COUNT = 60
};

static size_t pick(uint64_t *random, size_t count)
{
    return (size_t)(random_next(random) % count);
}

/* `verify` and `judge` alone would look at everything. */
static void write_line(uint64_t *random)
{
    const char *opening = openings[pick(random, OPENINGS)];
    size_t count = pick(random, MOST_WORDS);
    fputs(opening, stdout);
    if (strcmp(opening, "verify") == 0 || strcmp(opening, "judge") == 0)
        fputs(" reduce/chain -p 3", stdout);
    for (size_t i = 0; i < count; i++)
        printf("%s%s", pick(random, 8) ? " " : "", words[pick(random, WORDS)]);
    if (pick(random, 50) == 0)
        putchar('\0');
    putchar('\n');
}

int main(int count, char **arguments)
{
    if (count < 2)
        return 2;
    uint64_t random = strtoull(arguments[1], NULL, 10);
    long lines = count > 2 ? strtol(arguments[2], NULL, 10) : COUNT;
    for (long i = 0; i < lines; i++)
        write_line(&random);
    return 0;
}
