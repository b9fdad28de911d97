#!/bin/sh
# The schedules of the library as GOAL, run by tests/simulate-goal by the rules of LogGOPSim: each ends when
# its cost without barriers says, to the nanosecond, but those in tests/goal.differences, which take just as
# long as that file says. BLESS=1 writes it anew.
set -u
. "$(dirname "$0")/sandbox.sh"

machine='--set startup=1us --set bandwidth=1GB/s --set per-hop=0s'
costing="$machine --set compute=0.5GB/s --asynchronous -m 1680"

# Algorithm, ranks and nanoseconds of all that run.
collcost list collectives -o csv | awk -F, -v options="$costing --compose none -o csv" '
    NR > 1 { collective[NR] = $2 }
    END {
        split("4 7 8", ranks, " ")
        for (i = 1; i in ranks; i++)
            for (n = 2; n <= NR; n++) print "cost " collective[n] " -t full:" ranks[i] " " options
    }' >"$work/questions"
collcost batch "$work/questions" --jobs 1 2>/dev/null | awk -F, '
    /^collective,/ { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $3 ~ /^full:/ { printf "%s/%s %s %.9g\n", $1, $2, $4, $column["total_s"] * 1e9 }' >"$work/costs"

# Each is exported, simulated, and read again.
awk -v options="$costing --format goal" -v work="$work" '
    { print "export " $1 " -t full:" $2 " " options " --save " work "/" NR ".goal" }' "$work/costs" >"$work/exports"
collcost batch "$work/exports" --jobs 1 -o tap >"$work/out" 2>"$work/err"
result $? "all are exported: $(head -n 1 "$work/err")"
grep '^not ok' "$work/out" | comment -
number=0
: >"$work/err"
while read -r algorithm p _; do
    number=$((number + 1))
    tests/simulate-goal 1000 1000 1 2>>"$work/err" <"$work/$number.goal" || {
        echo never
        echo "$algorithm, p = $p" >>"$work/unsimulated"
    }
done <"$work/costs" >"$work/times"
test ! -s "$work/unsimulated"
result $? "all are simulated: $(test ! -s "$work/unsimulated" || head -n 1 "$work/unsimulated") $(head -n 1 "$work/err")"
awk -v options="$machine -o csv" -v work="$work" '
    { print "cost " work "/" NR ".goal " options }' "$work/costs" >"$work/readings"
collcost batch "$work/readings" --jobs 1 2>"$work/err" | awk -F, '
    /^file,/ { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $1 ~ /\.goal$/ { printf "%s %.9g\n", $1, $column["total_s"] * 1e9 }' >"$work/read"

{
    echo '# Algorithm, ranks, nanoseconds of the cost, nanoseconds by the rules of LogGOPSim.'
    echo '# Of algorithms that post messages together the startups overlap here, and not there. All others'
    echo '# differ since a message waits for its receiver here, and there holds the adapter when it comes;'
    echo '# doc/RULES.md says why that is no rule.'
} >"$work/differences"
awk -v work="$work" '
    FILENAME == work "/read" { read[$1] = $2; next }
    FILENAME == work "/times" { time[FNR] = $1; next }
    { reading = read[work "/" FNR ".goal"] }
    reading != time[FNR] || reading == "" { print $1 ", p = " $2 ": " reading ", not " time[FNR] >(work "/misread") }
    time[FNR] != $3 { print $0, time[FNR]; next }
    { print $1, $2 >(work "/same") }
' "$work/read" "$work/times" "$work/costs" >>"$work/differences"
touch "$work/misread" "$work/same"
same=$(wc -l <"$work/same")
if test -n "${BLESS-}"; then cp "$work/differences" "$srcdir/tests/goal.differences"; fi
cmp -s "$work/differences" "$srcdir/tests/goal.differences"
result $? "all but the known ones take what they cost: $same do"
test ! -s "$work/misread"
result $? "read again, each costs what the simulator says: $(wc -l <"$work/misread") do not, $(head -n 1 "$work/misread") $(head -n 1 "$work/err")"
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
