#!/bin/sh
# Every row of `collcost literature` that has an answer: the answer is a command that works.
set -u
. "$(dirname "$0")/sandbox.sh"
fresh literature
cd "$work/literature" || exit 1
collcost literature -o csv | sed '1d; s/.*,"\(.*\)"$/\1/; t
    s/.*,//' >answers
collcost literature -o csv | sed 1d | grep -c . >all
grep -v '^$' answers | sort -u >commands
while read -r command; do
    rm -f route.svg
    # shellcheck disable=SC2086 # several words
    collcost $command >out 2>err
    status=$?
    test $status -eq 0 && { test -s out || test -s route.svg; }
    result $? "collcost $command"
    test $status -eq 0 || comment err
done <commands
echo "# $(grep -vc '^$' answers) of $(cat all) rows are answered, by $(grep -c . commands) commands"
plan ""
