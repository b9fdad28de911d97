#!/bin/sh
# What fuzzing has found once (tests/fuzz/findings) must go well for ever.
set -u
. "$(dirname "$0")/sandbox.sh"
replay=$PWD/tests/fuzz/replay
if test ! -x "$replay"; then
    plan "the replay program is not built"
    exit
fi
cd "$work" && "$replay" "$srcdir/tests/fuzz/findings" 2>errors
