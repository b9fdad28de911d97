#!/bin/sh
# build-aux/gdb.py prints what doc/HACKING.md says, in gdb on the built collcost.
set -u
. "$(dirname "$0")/sandbox.sh"

# A sanitizer cannot look for leaks in a process that is traced.
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS

# stops FUNCTION PRINT COMMAND...: what gdb prints where the command first calls the function.
stops() {
    function=$1 print=$2
    shift 2
    gdb -batch -nx -ex 'set debuginfod enabled off' -x "$srcdir/build-aux/gdb.py" \
        -ex "break $function" -ex run -ex "$print" -ex kill --args ./collcost "$@" </dev/null >"$work/out" 2>&1
}

# prints PATTERN...: each is in what gdb printed there.
prints() {
    for pattern in "$@"; do
        grep -Eq -e "$pattern" "$work/out"
        result $? "$function, $print: $pattern"
        grep -Eq -e "$pattern" "$work/out" || tail -n 5 "$work/out" | comment
    done
}

if ! stops main 'print count' list || ! grep -q '^\$1 = 2$' "$work/out"; then
    plan "gdb is not there, or cannot run collcost, or there is no debugging information"
    exit
fi
if ! gdb -batch -nx -ex 'python print(6 * 7)' 2>&1 | grep -qx 42; then
    plan "gdb has no Python"
    exit
fi

printf 'machine: mine\nstartup: soon\n' >"$work/mine.yaml"
stops diag_error 'print span' cost reduce -p 8 --models "$work/mine.yaml"
prints '^\$1 = .*/mine.yaml:2:10: "soon"$'
stops diag_error 'print span.source->name' cost redcue -p 8
prints '^\$1 = .* "cost"$'
stops command_parse 'print words->items[0]' list machines
prints '^\$1 = "list" at nowhere$'
stops profile_cost 'print *profile' cost reduce/binomial -t linear:8 -m 1MiB
prints '3 startups, 7 transfers, 1 chunks' '\[1\] = 1 x: combined 1, message 1, paths \(startups 1, hops 2, load 1'
stops library_open 'arena arena' cost reduce/binomial -p 8 -m 1MiB
prints '^chunk 0x[0-9a-f]*: [0-9]+ of [0-9]+ bytes$' '^used: [1-9][0-9]* of [1-9][0-9]* bytes$'

plan
