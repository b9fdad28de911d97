#!/bin/sh
# What a batch prints is what its lines print one by one. The lines are those of the golden tests, which
# run them one by one: all without files that end well and say nothing else.
set -u
. "$(dirname "$0")/sandbox.sh"

for test_file in "$srcdir"/tests/golden/*.test; do
    : >"$work/lines"
    : >"$work/want"
    awk -v lines="$work/lines" -v want="$work/want" '
        /^test collcost / && !/[|;&$`<>]|yaml|xml|\.json|\.goal|\.conf|--models|^test collcost (compare|fit) / { command = substr($0, 15); output = ""; good = 1; next }
        command == "" { next }
        /^stderr:$|^status: |^no newline$|^\\/ { good = 0 }
        /^end test$/ {
            if (good && command !~ /^(batch|repl|expect|help|--)/) {
                print command >lines
                printf "%s", output >want
            }
            command = ""
            next
        }
        { output = output $0 "\n" }
    ' "$test_file"
    test -s "$work/lines" || continue
    fresh case
    (cd "$work/case" && collcost batch - <"$work/lines") >"$work/out" 2>"$work/err"
    status=$?
    cmp -s "$work/want" "$work/out" && test $status -eq 0 && test ! -s "$work/err"
    result $? "$(wc -l <"$work/lines") lines of $(basename "$test_file") in one batch"
    diff "$work/want" "$work/out" | head -n 20 | comment
    comment "$work/err"
done

plan "no golden tests"
