#!/bin/sh
# The engine, all layers below `exchange` and `format`, can be embedded: its object files hold nothing
# that can be written, so that two threads can use it, and call nothing that belongs to the process. Its
# headers need no config.h.
set -u
LC_ALL=C
export LC_ALL
srcdir=${srcdir:-$(dirname "$0")/..}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cc=$(sed -n 's/^CC = //p' Makefile)

if ! nm -f sysv src/base/arena.o 2>/dev/null | grep -q '|\.text'; then
    echo "1..0 # SKIP nm of the GNU binutils is needed"
    exit
fi
if nm src/base/arena.o | grep -Eq '__asan|__ubsan|__tsan|__gcov|mcount'; then
    echo "1..0 # SKIP instrumented object files have data of their own"
    exit
fi

# Constant tables with addresses in them stand in .data.rel.ro: the loader fills them, then nobody.
written='^[.](data|bss|tdata|tbss|sdata|sbss)([.]|$)|^[*]COM[*]$'
constant='^[.]data[.]rel[.]ro'

# The process's: its end, its streams, its signals, its children, its environment and locale, its
# terminal, its folder, hidden state of the C library, GSL's error handler. Files are opened and read by
# path, and closed; text is formatted into memory.
process='^(exit|_exit|_Exit|quick_exit|atexit|on_exit|abort|assert_fail|assert|error|err|warn|errx|warnx'
process="$process|v?f?printf|v?dprintf|puts|putchar|fputs|fputc|putc|_IO_putc|fwrite|fflush|perror|write"
process="$process|stdin|stdout|stderr|getchar|gets|scanf|read"
process="$process|signal|sigaction|sigprocmask|pthread_sigmask|raise|kill|alarm|setitimer|sleep|usleep|nanosleep"
process="$process|v?fork|exec[lv]p?e?|posix_spawn.*|system|popen|wait|waitpid"
process="$process|getenv|secure_getenv|setenv|unsetenv|putenv|environ|setlocale|localeconv|isatty|ttyname|chdir|umask"
process="$process|rand|srand|random|srandom|drand48|strtok|asctime|ctime|localtime|gmtime|tmpnam"
process="$process|gsl_set_error_handler.*|gsl_error.*|dlopen)\$"

# GLPK is loaded by the only file that uses it, once and for good, as the loader would at the start.
loads='bound/linear_program[.]o: dlopen '

# faults FILE...: what in these object files breaks the rules.
faults() {
    nm -A -f sysv "$@" | awk -F'|' -v written="$written" -v constant="$constant" -v process="$process" '
        NF >= 7 {
            split($1, place, ":")
            name = place[2]
            gsub(/ /, "", name)
            section = $NF
            gsub(/[ \t]/, "", section)
            plain = name
            sub(/^__/, "", plain)
            sub(/_chk$/, "", plain)
            if (section ~ written && section !~ constant)
                print "# " place[1] ": " name " can be written (" section ")"
            else if (section ~ /UND/ && plain ~ process)
                print "# " place[1] ": " name " belongs to the process"
        }' | grep -v "$loads"
}

cat >"$work/bad.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
int shared;
static _Thread_local int own;
static const char *name = "a";
static const char *const table[] = {"a", "b"};
const char *f(int i);
const char *f(int i)
{
    static int calls = 7;
    if (i < 0)
        exit(1);
    own += i;
    name = getenv("X");
    printf("%d", ++calls + ++shared + own);
    return i ? table[i] : name;
}
END
# shellcheck disable=SC2086 # the compiler with its options
if $cc -c -o "$work/bad.o" "$work/bad.c"; then
    faults "$work/bad.o" >"$work/found"
fi
test "$(grep -c 'can be written' "$work/found")" = 4 &&
    test "$(grep -c 'process$' "$work/found")" = 3 || printf 'not '
echo "ok 1 - writable data and calls that concern the process are noticed"
sed 's/^/# /' "$work/found"

layers=$(sed 's/#.*//' "$srcdir/src/LAYERS" |
    awk 'NF == 1 { if ($1 == "exchange" || $1 == "format") exit; print $1 }')
number=1
for layer in $layers; do
    set -- src/"$layer"/*.o
    test -f "$1" || continue
    number=$((number + 1))
    faults "$@" >"$work/found"
    test -s "$work/found" && printf 'not '
    echo "ok $number - $layer: $# object files"
    cat "$work/found"
done
test "$number" -ge 10 || printf 'not '
echo "ok $((number + 1)) - all layers of the engine were seen"

# The compiler takes each file for itself, as many as it is given.
for layer in $layers; do
    set -- "$srcdir/src/$layer"/*.h
    # shellcheck disable=SC2086
    test ! -f "$1" || $cc -std=c11 -fsyntax-only -I"$srcdir/include" -I"$srcdir/src" -x c "$@"
done 2>"$work/found"
test -s "$work/found" && printf 'not '
echo "ok $((number + 2)) - each header can be included alone, without config.h"
sed 's/^/# /' "$work/found" | head -20
echo "1..$((number + 2))"
