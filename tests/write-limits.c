/* Prints src/base/limits.def: as the table in doc/LIMITS.md, or with an argument as lines
   "IDENTIFIER MOST WORDS OF THE REFUSAL" for tests/limits.t. */
#include "base/limits.h"

#include <stdio.h>

static const struct {
    const char *name;
    int64_t most;
    const char *what, *refusal;
} limits[] = {
#define LIMIT(id, most, what, refusal) {#id, most, what, refusal},
#define LARGE_LIMIT(id, most, what, refusal) {#id, most, what, refusal},
#include "base/limits.def"
};

/* 16,777,216 */
static void write_number(int64_t number)
{
    if (number >= 1000) {
        write_number(number / 1000);
        printf(",%03lld", (long long)(number % 1000));
    } else {
        printf("%lld", (long long)number);
    }
}

int main(int count, char **arguments)
{
    (void)arguments;
    if (count == 1)
        puts("| at most | of what | the refusal says |\n|---:|---|---|");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (count > 1) {
            printf("%s %lld %s\n", limits[i].name, (long long)limits[i].most, limits[i].refusal);
            continue;
        }
        fputs("| ", stdout);
        write_number(limits[i].most);
        printf(" | %s | %s |\n", limits[i].what, limits[i].refusal);
    }
    return 0;
}
