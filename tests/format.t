#!/bin/sh
# All C files are laid out as .clang-format says; skipped without the clang-format of that version.
set -u
. "$(dirname "$0")/sandbox.sh"

"$srcdir/build-aux/format" --check >"$work/differing"
status=$?
if test $status -eq 77; then
    plan "$(cat "$work/differing")"
    exit
fi
result $status "all C files are laid out as .clang-format says (make format)"
comment "$work/differing"
plan
