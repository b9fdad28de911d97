#!/bin/sh
# The bound of flows: its values on networks where they are known, and its certificates, confirmed by
# tests/check-certificate; the same with one thing changed must be refused. Without GLPK only that
# --flow is refused.
set -u
. "$(dirname "$0")/sandbox.sh"

if ! grep -q '^#define HAVE_GLPK' config.h; then
    collcost bound alltoall -t ring:8 --flow >"$work/out" 2>"$work/err"
    test $? -eq 2 && test ! -s "$work/out" && grep -q "needs GLPK" "$work/err"
    result $? "--flow is refused where there is no GLPK"
    echo "ok 2 - values # SKIP built without GLPK"
    echo "1..2"
    exit
fi

# A library that is there no longer is missed by this question alone.
library=$(sed -n 's/^#define GLPK_LIBRARY "\(.*\)"/\1/p' config.h)
mkdir "$work/empty"
: >"$work/empty/${library##*/}"
LD_LIBRARY_PATH=$work/empty collcost bound alltoall -t ring:8 --flow >"$work/out" 2>"$work/err"
test $? -eq 2 && test ! -s "$work/out" && grep -q "needs GLPK" "$work/err" &&
    LD_LIBRARY_PATH=$work/empty collcost bound alltoall -t ring:8 >"$work/out"
result $? "--flow is refused where GLPK cannot be loaded"

# Two ranks next to three others: no cut proves as much as the length of all ways.
cat >"$work/networks.yaml" <<END
topology: k23
ranks: 5
links: [{for: [i in 0 .. 1, j in 2 .. 4], from: i, to: j, both: yes}]
routing: shortest
---
topology: petersen
ranks: 10
links:
  - {for: i in 0 .. 4, from: i, to: (i + 1) mod 5, both: yes}
  - {for: i in 0 .. 4, from: i, to: i + 5, both: yes}
  - {for: i in 0 .. 4, from: i + 5, to: 5 + (i + 2) mod 5, both: yes}
routing: shortest
---
topology: slow-third
ranks: 5
links:
  - {for: [i in 0 .. 1, j in 2 .. 3], from: i, to: j, both: yes, bandwidth: 4 GB/s}
  - {for: i in 0 .. 1, from: i, to: 4, both: yes, bandwidth: 3.5 GB/s}
routing: shortest
---
topology: far-apart
ranks: 4
links:
  - {from: 0, to: 1, both: yes, bandwidth: 1 B/s}
  - {from: 1, to: 2, both: yes, bandwidth: 900000 GB/s}
  - {from: 2, to: 3, both: yes, bandwidth: 1234567.891 B/s}
  - {from: 3, to: 0, bandwidth: 12345678901 B/s}
routing: shortest
END

# proves VALUE WORD...: the formula of flow, of a bound with these options. Its certificate holds.
proves() {
    value=$1
    shift
    collcost bound "$@" --models "$work/networks.yaml" --flow --certificate "$work/proof" \
        -o csv >"$work/out" 2>"$work/err" &&
        grep -Fq ",flow,$value," "$work/out" && tests/check-certificate <"$work/proof" >"$work/verdict"
    result $? "$value: $*"
    comment "$work/err"
}

# refused NAME SED: the last certificate, changed so, must not hold.
refused() {
    sed "$2" "$work/proof" >"$work/changed"
    cmp -s "$work/proof" "$work/changed"
    test $? -eq 1 && ! tests/check-certificate <"$work/changed" >"$work/verdict"
    result $? "refused: $1"
}

proves '7/3 m tw' alltoall -t k23:5 --ports all
refused 'a block less' '/^block 1 /d'
refused 'a block that is nearer' 's/^block 2 at 0 to 2$/block 2 at 0 2 to 2/'
refused 'a lighter link' 's/^arc 5 7 1 1$/arc 5 7 1/'
refused 'a wider link' 's/^arc 5 7 1 1$/arc 5 7 2 1/'
refused 'one link more' 's/^arc 5 7 1 1$/&\narc 5 6 1/'
refused 'a larger bound' 's/^bound 7/bound 8/'
refused 'more that is crossed' 's/^crossed 28/crossed 29/'
proves '14/3 m tw' alltoall -t k23:5 --ports all --duplex half
refused 'directions that do not share' 's/^edge \(.*\) \(.*\) 1 1$/arc \1 \2 1 1\narc \2 \1 1 1/'
proves '5 m tw' alltoall -t petersen:10 --ports all
proves 'm / (1.643 GB/s)' alltoall -t slow-third:5 --ports all
proves 'm / (0.3333 B/s)' alltoall -t far-apart:4
proves '7/3 m tw' alltoall -t k23:5
proves '30 m tw' alltoall -t torus:5x7 --ports all
proves '16 m tw' alltoall -t mesh:4x4
proves '128 m tw' alltoall -t mesh:8x8 --ports all
proves '56 m tw' alltoall -t tree:15
proves '4 m tw' scatter -t ring:9 --ports all
proves 'm tw' gather -t full:8
proves 'm / (1.958 GB/s)' alltoall -t cluster:4x8 --machine $machines/gpu-nodes.yaml
proves '0' broadcast -t ring:8
proves '0' alltoall -t ring:8 --asynchronous
proves '0' alltoall -t torus:32x32

plan
