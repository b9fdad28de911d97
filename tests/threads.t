#!/bin/sh
# Threads with contexts of their own work beside one another; that the engine has nothing that they could share is seen
# in tests/state.t. With RACES=1, as in `make races`, the engine is built once more with tests/threads/threads.c, all
# under -fsanitize=thread: nothing that is written may be shared.
set -u
srcdir=${srcdir:-$(dirname "$0")/..}
if test -z "${RACES-}"; then
    tests/threads/threads
    echo "1..4"
    exit
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# make_variable NAME: as configure has set it.
make_variable() { sed -n "s/^$1 = //p" Makefile; }

cc=$(make_variable CC)
flags="-O0 -fsanitize=thread $(make_variable STD_CFLAGS) -include config.h -I. -I$srcdir/include -I$srcdir/src -Isrc
    $(make_variable CPPFLAGS) $(make_variable YAML_CFLAGS) $(make_variable GSL_CFLAGS)"
libraries="$(make_variable LDFLAGS) $(make_variable YAML_LIBS) $(make_variable GSL_LIBS)
    $(make_variable LIBS) -lpthread"

# The sanitizer must be there, work on this system, and see a race.
cat >"$work/race.c" <<'END'
#include <pthread.h>
static int shared;
static void *work(void *unused)
{
    for (int i = 0; i < 1000; i++)
        shared++;
    return unused;
}
int main(int count, char **arguments)
{
    pthread_t thread;
    (void)arguments;
    pthread_create(&thread, 0, work, 0);
    if (count > 1)
        work(0);
    pthread_join(thread, 0);
    return 0;
}
END
TSAN_OPTIONS=exitcode=66
export TSAN_OPTIONS
# shellcheck disable=SC2086 # commands with their options
if ! $cc $flags -o "$work/race" "$work/race.c" $libraries >/dev/null 2>&1 || ! "$work/race" >/dev/null 2>&1; then
    tests/threads/threads
    echo "ok 5 - no race # SKIP $cc has no -fsanitize=thread that works here"
    echo "1..5"
    exit
fi
"$work/race" twice >/dev/null 2>&1
seen=$?

layers=$(sed 's/#.*//' "$srcdir/src/LAYERS" |
    awk 'NF == 1 { if ($1 == "exchange" || $1 == "format") exit; print $1 }')
for layer in $layers; do
    find "$srcdir/src/$layer" -name '*.c' ! -name builtin.c
done >"$work/sources"
printf '%s\n' src/model/builtin.c "$srcdir/tests/threads/threads.c" >>"$work/sources"

# As many compilers at a time as there are processors.
compile="$cc $flags"
export compile work
# shellcheck disable=SC2016 # expanded by the inner shell
xargs -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" -n 8 sh -c 'for source; do
    $compile -c -o "$work/$(echo "$source" | sed "s,^[./]*,,; s,/,_,g; s,c\$,o,")" "$source" || exit 255
done' compile <"$work/sources" 2>"$work/errors"
# shellcheck disable=SC2086
if ! $cc $flags -o "$work/threads" "$work"/*.o $libraries 2>>"$work/errors"; then
    echo "not ok 1 - the engine is built under -fsanitize=thread"
    sed 's/^/# /' "$work/errors" | head -40
    echo "1..1"
    exit
fi
"$work/threads" 2>"$work/messages"
status=$?
test "$seen" = 66 || printf 'not '
echo "ok 5 - the sanitizer sees a race"
test "$status" = 0 || printf 'not '
echo "ok 6 - no race between threads with contexts of their own (status $status)"
sed 's/^/# /' "$work/messages" | head -100
echo "1..6"
