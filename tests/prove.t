#!/bin/sh
# Proofs for all numbers of ranks with the solvers that are installed: some algorithms are proved, wrong ones are
# not, and a formula that can be satisfied comes back as such.
set -u
. "$(dirname "$0")/sandbox.sh"

command -v z3 >/dev/null || {
    echo "1..0 # SKIP z3 is not installed"
    exit 0
}

collcost verify --all-p allgather/ring allgather/bruck broadcast/binomial reduce/binomial allreduce/ring \
    allreduce/recursive-doubling scan/hillis-steele alltoall/pairwise -o csv --save "$work/formulas" >"$work/out" 2>"$work/err"
result $? "algorithms are tried: $(head -n 1 "$work/err")"
test "$(grep -c ',proved for all p,' "$work/out")" -eq 8
result $? "all are proved"
comment "$work/out"

# A planted error: without the last line that is asserted, which is the contrary of what is proved, nothing is
# contradicted.
file=$(ls "$work"/formulas/allgather-ring-*-03.smt2)
sed '/^; refute/,/^(assert/d' "$file" >"$work/planted.smt2"
test "$(z3 "$work/planted.smt2")" = sat
result $? "a formula that can be satisfied is found so"
if command -v cvc5 >/dev/null; then
    for file in "$work"/formulas/*.smt2; do
        test "$(cvc5 --lang=smt2 "$file")" = unsat || echo "$file"
    done >"$work/open"
    test ! -s "$work/open"
    result $? "cvc5 agrees"
    comment "$work/open"
fi

cat >"$work/wrong.yaml" <<'EOF'
algorithm: short
collective: allgather
schedule:
  - repeat: i in 1 .. p - 2
    steps:
      - send: (r - i + 1) mod p
        to: (r + 1) mod p
EOF
collcost verify --all-p "$work/wrong.yaml" -o csv >"$work/out" 2>"$work/err"
test $? -eq 1 && grep -q '^algorithm,allgather/short,wrong,' "$work/out"
result $? "a wrong algorithm is found wrong"
comment "$work/out"
plan "no proofs"
