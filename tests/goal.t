#!/bin/sh
# The schedules of the library as GOAL, run by tests/simulate-goal by the rules of LogGOPSim: each ends when
# its cost without barriers says, to the nanosecond, but those in tests/goal.differences, which take just as
# long as that file says. BLESS=1 writes it anew.
set -u
. "$(dirname "$0")/sandbox.sh"

set -- --set startup=1us --set bandwidth=1GB/s --set compute=0.5GB/s --set per-hop=0s --asynchronous -m 1680

# costs P: algorithm and nanoseconds of all that run on so many ranks.
costs() {
    ranks=$1
    shift
    for collective in $(collcost list collectives -o csv | cut -d, -f2 | sed 1d); do
        collcost cost "$collective" -t "full:$ranks" "$@" --compose none -o csv 2>/dev/null |
            awk -F, -v about="$collective" '
                NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
                { printf "%s/%s %.9g\n", about, $column["algorithm"], $column["total_s"] * 1e9 }'
    done
}

{
    echo '# Algorithm, ranks, nanoseconds of the cost, nanoseconds by the rules of LogGOPSim.'
    echo '# Of algorithms that post messages together the startups overlap here, and not there. All others'
    echo '# differ since a message waits for its receiver here, and there holds the adapter when it comes;'
    echo '# doc/RULES.md says why that is no rule.'
} >"$work/differences"
same=0
: >"$work/misread"
for p in 4 7 8; do
    costs "$p" "$@" >"$work/costs"
    while read -r algorithm cost; do
        collcost export "$algorithm" -t "full:$p" "$@" --format goal >"$work/schedule.goal" 2>"$work/err" &&
            time=$(tests/simulate-goal 1000 1000 1 <"$work/schedule.goal" 2>>"$work/err")
        status=$?
        test $status -eq 0 || result 1 "exported and simulated: $algorithm, p = $p: $(head -n 1 "$work/err")"
        read=$(collcost cost "$work/schedule.goal" --set startup=1us --set bandwidth=1GB/s --set per-hop=0s \
            -o csv 2>>"$work/err" | awk -F, 'NR == 2 { printf "%.9g", $10 * 1e9 }')
        test "$read" = "$time" || echo "$algorithm, p = $p: $read, not $time" >>"$work/misread"
        if test "$time" = "$cost"; then
            same=$((same + 1))
        else
            echo "$algorithm $p $cost $time" >>"$work/differences"
        fi
    done <"$work/costs"
done
if test -n "${BLESS-}"; then cp "$work/differences" "$srcdir/tests/goal.differences"; fi
cmp -s "$work/differences" "$srcdir/tests/goal.differences"
result $? "all but the known ones take what they cost: $same do"
test ! -s "$work/misread"
result $? "read again, each costs what the simulator says: $(wc -l <"$work/misread") do not, $(head -n 1 "$work/misread")"
test "$same" -gt 300
result $? "most of the library does"

# The simulator, where the answer is known by hand: two messages to one rank, 100 bytes each, startup 1000.
printf 'num_ranks 3\nrank 0 {\nl1: recv 101b from 1 tag 0\nl2: recv 101b from 2 tag 0\n}\nrank 1 {\nl1: send 101b to 0 tag 0\n}\nrank 2 {\nl1: send 101b to 0 tag 0\n}\n' >"$work/two"
test "$(tests/simulate-goal 1000 1000 1 <"$work/two")" = 2200
result $? "two messages share an adapter"
printf 'num_ranks 2\nrank 0 {\nl1: recv 1b from 1 tag 0\n}\nrank 1 {\n}\n' >"$work/none"
tests/simulate-goal 1000 1000 1 <"$work/none" >"$work/out" 2>&1
test $? -eq 1
result $? "a receive without a message never ends"
plan "no GOAL"
