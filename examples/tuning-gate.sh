#!/bin/sh
# A batch file as a regression test of a machine's tuning: for people, as TAP, and on a machine that
# has changed, where it fails.
set -eu

collcost batch tuning-gate.batch

collcost batch tuning-gate.batch -o tap

if collcost batch tuning-gate.batch --set startup=3us 2>/dev/null; then
    echo "the change was not noticed"
else
    echo "status $?"
fi
