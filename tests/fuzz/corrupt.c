/* corrupt SEED COUNT FOLDER FILE...: writes COUNT copies of each file, with the faults of SEED, of
   SEED + 1 and so on, as FOLDER/SEED-NAME. The same seed makes the same faults. */
#include "base/random.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16, MOST_LINES = 1 << 12, MOST_FAULTS = 3 };

typedef struct {
    char bytes[MOST_BYTES];
    size_t length;
} Buffer;

static uint64_t state;

static size_t below(size_t limit)
{
    return limit ? (size_t)(random_next(&state) % limit) : 0;
}

/* Puts `length` new bytes in the place of `removed` bytes at `at`. */
static void replace(Buffer *buffer, size_t at, size_t removed, const char *bytes, size_t length)
{
    if (buffer->length - removed + length > MOST_BYTES)
        return;
    memmove(buffer->bytes + at + length, buffer->bytes + at + removed,
            buffer->length - at - removed);
    memcpy(buffer->bytes + at, bytes, length);
    buffer->length += length - removed;
}

static void change_byte(Buffer *buffer)
{
    static const char likely[] = "0123456789+-*/^()[]{},:;.<>=!&|?#'\"%@` \t\n\r\0pkrij";
    char byte = below(4) ? likely[below(sizeof likely - 1)] : (char)below(256);
    size_t removed = below(2);
    if (buffer->length)
        replace(buffer, below(buffer->length), removed, &byte, below(3) ? 1 : 1 - removed);
}

static size_t list_lines(const Buffer *buffer, size_t *starts)
{
    size_t count = 0;
    for (size_t i = 0; i < buffer->length && count < MOST_LINES; i++)
        if (i == 0 || buffer->bytes[i - 1] == '\n')
            starts[count++] = i;
    starts[count] = buffer->length;
    return count;
}

/* Deletes a line, writes it twice, or swaps it with another one. */
static void change_lines(Buffer *buffer)
{
    static size_t starts[MOST_LINES + 1];
    static char line[MOST_BYTES];
    size_t count = list_lines(buffer, starts), from = below(count), to = below(count);
    if (count == 0)
        return;
    size_t length = starts[from + 1] - starts[from];
    memcpy(line, buffer->bytes + starts[from], length);
    switch (below(3)) {
    case 0:
        replace(buffer, starts[from], length, "", 0);
        break;
    case 1:
        replace(buffer, starts[to], 0, line, length);
        break;
    default:
        replace(buffer, starts[from], length, "", 0);
        list_lines(buffer, starts);
        replace(buffer, starts[to < count - 1 ? to : 0], 0, line, length);
    }
}

/* The first run of digits, letters or operators behind a random place is replaced. */
static void change_word(Buffer *buffer, int (*belongs)(int), const char *const *words, size_t count)
{
    size_t from = below(buffer->length), to;
    while (from < buffer->length && !belongs((unsigned char)buffer->bytes[from]))
        from++;
    for (to = from; to < buffer->length && belongs((unsigned char)buffer->bytes[to]); to++)
        continue;
    const char *word = words[below(count)];
    replace(buffer, from, to - from, word, strlen(word));
}

static void change_number(Buffer *buffer)
{
    static const char *const numbers[] = {"0",
                                          "7",
                                          "64",
                                          "1000",
                                          "1000000000000",
                                          "2147483648",
                                          "9223372036854775807",
                                          "18446744073709551616",
                                          "1e300",
                                          "0.5",
                                          "-1",
                                          "p",
                                          "k",
                                          "(1 - p)",
                                          "4000000",
                                          "1e-300"};
    change_word(buffer, isdigit, numbers, sizeof numbers / sizeof *numbers);
}

static void change_name(Buffer *buffer)
{
    static const char *const names[] = {"p",
                                        "k",
                                        "r",
                                        "root",
                                        "d",
                                        "m",
                                        "M",
                                        "ts",
                                        "all",
                                        "mod",
                                        "div",
                                        "xor",
                                        "when",
                                        "sum",
                                        "flog2",
                                        "bit",
                                        "power_of_two",
                                        "send",
                                        "move",
                                        "reduce",
                                        "exchange",
                                        "repeat",
                                        "steps",
                                        "if",
                                        "for",
                                        "to",
                                        "dual",
                                        "chunks",
                                        "let",
                                        "down",
                                        "gather",
                                        "linear",
                                        "yes",
                                        "claims"};
    change_word(buffer, isalpha, names, sizeof names / sizeof *names);
}

static void corrupt(Buffer *buffer, uint64_t seed)
{
    state = seed;
    for (size_t faults = 1 + below(MOST_FAULTS); faults-- > 0;)
        switch (below(4)) {
        case 0:
            change_byte(buffer);
            break;
        case 1:
            change_lines(buffer);
            break;
        case 2:
            change_number(buffer);
            break;
        default:
            change_name(buffer);
        }
}

static bool read_from(const char *path, Buffer *buffer)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    buffer->length = fread(buffer->bytes, 1, MOST_BYTES, file);
    return fclose(file) == 0;
}

static bool write_copy(const char *folder, uint64_t seed, const char *path, const Buffer *buffer)
{
    const char *slash = strrchr(path, '/');
    char copy[4096];
    int length =
        snprintf(copy, sizeof copy, "%s/%" PRIu64 "-%s", folder, seed, slash ? slash + 1 : path);
    FILE *file = length > 0 && (size_t)length < sizeof copy ? fopen(copy, "wb") : NULL;
    if (!file)
        return false;
    bool whole = fwrite(buffer->bytes, 1, buffer->length, file) == buffer->length;
    return fclose(file) == 0 && whole;
}

int main(int count, char **arguments)
{
    static Buffer whole, broken;
    if (count < 5) {
        fputs("usage: corrupt SEED COUNT FOLDER FILE...\n", stderr);
        return 2;
    }
    uint64_t first = strtoull(arguments[1], NULL, 10), many = strtoull(arguments[2], NULL, 10);
    for (int i = 4; i < count; i++) {
        if (!read_from(arguments[i], &whole)) {
            perror(arguments[i]);
            return 1;
        }
        for (uint64_t seed = first; seed < first + many; seed++) {
            broken = whole;
            corrupt(&broken, seed);
            if (!write_copy(arguments[3], seed, arguments[i], &broken)) {
                perror(arguments[3]);
                return 1;
            }
        }
    }
    return 0;
}
