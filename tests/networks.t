#!/bin/sh
# Corrupted descriptions of networks: each is refused, or becomes models that can be read and laid out.
# tests/fuzz/corrupt makes the same corruptions each time, of the files in tests/golden/described.test.
set -u
. "$(dirname "$0")/sandbox.sh"
corrupt=$PWD/tests/fuzz/corrupt replay=$PWD/tests/fuzz/replay
if test ! -x "$corrupt" || test ! -x "$replay"; then
    plan "no corrupted networks"
    exit
fi
mkdir "$work/files" "$work/junk"
awk -v folder="$work/files" '/^end file/ { file = "" } file { print >file }
    /^file: / { file = folder "/" $2 }' "$srcdir/tests/golden/described.test"
"$corrupt" 1 70 "$work/junk" "$work"/files/*
result $? "$(ls "$work/files" | wc -l) descriptions are corrupted"
"$replay" networks "$work"/junk/* >"$work/log" 2>&1
result $? "$(ls "$work/junk" | wc -l) corrupted ones are refused, or can be laid out"
tail -n 5 "$work/log" | comment
plan "no corrupted networks"
