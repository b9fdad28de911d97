#!/bin/sh
# The prompt as it is on a terminal: tests/terminal/terminal.c says what is typed.
set -u
. "$(dirname "$0")/sandbox.sh"

if test -x tests/terminal/terminal; then
    tests/terminal/terminal "$work/bin/collcost"
else
    plan "collcost was built without Readline"
fi
