#!/bin/sh
# Real commands of which one allocation, or one write, fails: tests/faults/faults.c says what must come of
# it, tests/faults/commands which they are. FAULTS=N lets N allocations of each command fail in turn, 0 all of
# them (make faults).
set -u
. "$(dirname "$0")/sandbox.sh"

cc=$(sed -n 's/^CC = //p' Makefile)
if grep -Eq '^AM_LDFLAGS = .*(sanitize|coverage)' Makefile; then
    echo "1..0 # SKIP the instrumented program has an allocator of its own"
    exit
fi
# shellcheck disable=SC2086 # the compiler with its options
if ! $cc -shared -fPIC -O1 -o "$work/preload.so" "$srcdir/tests/faults/preload.c" -ldl 2>"$work/log"; then
    echo "1..0 # SKIP no library can be built that is loaded before others"
    exit
fi
if ! LD_PRELOAD=$work/preload.so COLLCOST_FAULT=empty=1 ./collcost list 2>&1 | grep -q 'out of memory'; then
    echo "1..0 # SKIP this system loads no library before others"
    exit
fi

mkdir -p "$work/faults/run/models"
cd "$work/faults/run" || exit 1
cp "$srcdir/examples/own-network.yaml" own.yaml
cp "$srcdir/examples/own-network.yaml" models/network.yaml
cp "$srcdir/examples/two-ports.yaml" models/
cp "$srcdir/examples/fitted.log" .
collcost fit fitted.log -p 16 --algorithm recursive-doubling --save nodes.yaml >/dev/null
cat >osu.log <<'END'
# OSU MPI Latency Test v7.4
# Size          Latency (us)
1                       1.25
1024                    1.50
1048576                20.00
# OSU MPI Allreduce Latency Test v7.4
# Size       Avg Latency(us)
8                       2.00
65536                   8.00
END
cat >wrong.yaml <<'END'
algorithm: lazy
collective: broadcast
schedule:
  - send: 0
    to: r + 1
    if: r == 0 and p > 1
END
cat >lines.batch <<'END'
use full:8
machine sg2260
set m = 1MiB
let x = 3 us
expect best(reduce) == best(reduce, 1MiB)
cost reduce --among chain,binomial
load own.yaml
define
machine: slow
startup: 1 ms
bandwidth: 1 MB/s

machine slow
cost reduce --among chain,binomial -o csv
expect time(reduce/chain) > 1 us
expect x < 1 us
cost borders --models models -t islands:4x4
END
cd - >/dev/null || exit 1
tests/faults/faults "$PWD/collcost" "$work/preload.so" "$work/faults/run" "$srcdir/tests/faults/commands" \
    "${FAULTS-2}"
