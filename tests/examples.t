#!/bin/sh
# Runs every examples/*.sh in a copy of that folder. It must succeed and, where there is a file
# NAME.expected, print just that; and pictures NAME-*.svg must be those that it writes. BLESS=1
# rewrites these files with what was printed and written.
set -u
. "$(dirname "$0")/sandbox.sh"

for script in "$srcdir"/examples/*.sh; do
    test -f "$script" || continue
    name=$(basename "$script")
    expected=${script%.sh}.expected
    fresh run "$srcdir/examples"
    rm -f "$work/run/${name%.sh}"-*.svg
    (cd "$work/run" && sh "./$name") </dev/null >"$work/out" 2>"$work/err"
    result $? "examples/$name succeeds"
    comment "$work/err"
    if test -f "$expected"; then
        diff -u "$expected" "$work/out" >"$work/diff"
        result $? "examples/$name prints what is expected"
        sed 1,2d "$work/diff" | comment
        test -z "${BLESS-}" || test ! -s "$work/diff" || cat "$work/out" >"$expected"
    fi
    for picture in "${script%.sh}"-*.svg; do
        test -f "$picture" || continue
        seen=$work/run/$(basename "$picture")
        cmp "$picture" "$seen" >"$work/diff" 2>&1
        result $? "examples/$name writes $(basename "$picture")"
        comment "$work/diff"
        test -z "${BLESS-}" || test ! -f "$seen" || cp "$seen" "$picture"
    done
done

plan "no examples"
