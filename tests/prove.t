#!/bin/sh
# Proofs for all numbers of ranks. Without a solver: what is recorded in models/proofs.yaml is about the models and
# the obligations as they are now. With those that are installed: some algorithms are proved, wrong ones are not, and
# a formula that can be satisfied comes back as such.
set -u
. "$(dirname "$0")/sandbox.sh"

program=$(command -v collcost)
PATH=/nowhere "$program" verify --all-p -o csv >"$work/recorded" 2>"$work/err"
result $? "without a solver the record answers: $(head -n 1 "$work/err")"
sed -n '/it is not recorded as it is now/s/^algorithm,\([^,]*\),.*/- algorithm: \1/p' "$work/recorded" >"$work/missing"
! grep -Fxf "$work/missing" "$srcdir/models/proofs.yaml" >"$work/stale"
result $? "what is recorded is about algorithms as they are now (else: make prove)"
comment "$work/stale"
test "$(grep -c '^algorithm,[^,]*,"\{0,1\}proved for ' "$work/recorded")" -ge 120 && ! grep -q ',wrong,' "$work/recorded"
result $? "at least 120 are proved, none is wrong"
test "$(grep -c '^claim,[^,]*,proved for all p,' "$work/recorded")" -ge 200
result $? "at least 200 claims are proved for all p"
PATH=/nowhere "$program" verify --all-p --solver none -o csv >"$work/anew" 2>"$work/err"
result $? "all obligations are made anew: $(head -n 1 "$work/err")"
cmp "$work/recorded" "$work/anew"
result $? "they are those that were proved (else: make prove)"

# Another schedule of the same name, or another contract, is not what was proved.
sed 's/p - 1$/p - 2/' "$srcdir/models/algorithms/allgather/ring.yaml" >"$work/changed.yaml"
PATH=/nowhere "$program" verify --all-p --models "$work/changed.yaml" allgather/ring reduce-scatter/ring allgather/bruck -o csv >"$work/out"
test "$(grep -c 'ring,not proved,0,"\{0,1\}its present text is not recorded' "$work/out")" -eq 2 &&
    grep -q 'bruck,proved for all p' "$work/out"
result $? "a changed schedule is not proved, nor what is made of it"
comment "$work/out"
sed 's/^after: .*/after: 0 .. p - 2/' "$srcdir/models/collectives/allgather.yaml" >"$work/changed.yaml"
PATH=/nowhere "$program" verify --all-p --models "$work/changed.yaml" allgather/ring -o csv >"$work/out"
grep -q 'ring,not proved' "$work/out"
result $? "nor with another contract"
comment "$work/out"

command -v z3 >/dev/null || {
    plan "no proofs"
    exit 0
}

collcost verify --all-p --solver z3 allgather/ring allgather/bruck broadcast/binomial reduce/binomial allreduce/ring \
    allreduce/recursive-doubling scan/hillis-steele alltoall/pairwise -o csv --save "$work/formulas" >"$work/out" 2>"$work/err"
result $? "algorithms are tried: $(head -n 1 "$work/err")"
test "$(grep -c '^algorithm,[^,]*,proved for all p,' "$work/out")" -eq 8
result $? "all are proved"
grep '^algorithm,' "$work/out" | comment

# What is wrong of costs is never proved: claims with another number, logarithm or sign, beside what comparing says.
# CLAIMS=all tries those of all models that are proved.
cat >"$work/rules" <<'EOF'
s/clog2(p)/flog2(p)/g
s/clog2(p)/(clog2(p) + 1)/
s/(p - 1)/(p - 2)/
s/(p - 1)/p/
s/m \* tw/2 * m * tw/
s/min(/max(/g
s/ts + th/ts + 2 * th/
s/2^i/2^(i+1)/
s/tw + tc/tw + 2 * tc/
s/ div 2/ \/ 2/
s/peak: p/peak: 1 + p/
s/when: power_of_two(p)/when: p > 0/
EOF
models='allgather/bruck barrier/recursive-doubling'
test "${CLAIMS:-}" != all ||
    models=$(sed -n 's/^algorithm,\([^,]*\),"\{0,1\}proved .*/\1/p' "$work/recorded")
for model in $models; do
    file=$srcdir/models/algorithms/$model.yaml
    while read -r rule; do
        sed "/^claims:/,/^schedule:/$rule" "$file" >"$work/claims.yaml"
        cmp -s "$file" "$work/claims.yaml" && continue
        collcost verify "$work/claims.yaml" -p 1..9 -o csv 2>"$work/err" | sed '1,/^model,source/d;s/"[^"]*"/Q/g' |
            cut -d, -f4 >"$work/compared"
        collcost verify --all-p "$work/claims.yaml" -o csv 2>"$work/err" |
            sed -n 's/^claim,[^,]*,"\{0,1\}\([a-z]*\).*/\1/p' >"$work/tried"
        paste -d ' ' "$work/compared" "$work/tried" | sed "s|$| $model $rule|"
    done <"$work/rules"
done >"$work/claims"
test "$(grep -c '^wrong ' "$work/claims")" -ge 20 && ! grep '^wrong proved' "$work/claims" >"$work/proved"
result $? "no wrong claim is proved: $(grep -c '^wrong ' "$work/claims") tried, and $(grep -cE '^(holds|proved) proved' "$work/claims") that hold are"
comment "$work/proved"

# A planted error: without the last line that is asserted, which is the contrary of what is proved, nothing is
# contradicted.
file=$(ls "$work"/formulas/allgather-ring-03.smt2)
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
cat >"$work/refused.yaml" <<'EOF'
algorithm: no-neighbour
collective: broadcast
let:
  v: when(power_of_two(p), r xor root, (r - root) mod p)
schedule:
  - repeat: i in clog2(p) - 1 down to 0
    steps:
      - send: 0
        to: when(power_of_two(p), r + 2^i, (r + 2^i) mod p)
        if: v mod 2^(i+1) == 0 and v + 2^i < p
---
algorithm: other-root
collective: scatter
let:
  v: when(power_of_two(p), r xor root, (r - root) mod p)
  rank_of(x): when(power_of_two(p), x + root, (x + root) mod p)
schedule:
  - repeat: i in clog2(p) - 1 down to 0
    steps:
      - move: rank_of(v + j) for j in 2^i .. min(2^(i+1), p - v) - 1
        to: rank_of(v + 2^i)
        if: v mod 2^(i+1) == 0 and v + 2^i < p
---
algorithm: no-such-rank
collective: alltoall
schedule:
  - repeat: i in 1 .. p - 1
    steps:
      - round:
          - move: (r - i + 1, t) for t in r + 1 .. p - 1
            to: r + 1
            if: r >= i - 1
          - move: (r + i - 1, t) for t in 0 .. r - 1
            to: r - 1
            if: r > 0 and r + i - 1 < p
---
algorithm: too-few-rounds
collective: allgather
let:
  rounds: sum(j, 0, clog2(p) div flog2(d + 3), when((d + 1)^j < p, 1, 0))
schedule:
  - repeat: i in 0 .. rounds - 1
    let:
      n: (d + 1)^i
    steps:
      - send: (r + j) mod p for j in 0 .. min(n, p - c * n) - 1
        to: (r - c * n) mod p
        for: c in 1 .. d
        if: c * n < p
---
algorithm: twice
collective: reduce-scatter
schedule:
  - repeat: i in 1 .. p - 1
    steps:
      - exchange: (r - i) mod p
        to: (r + 1) mod p
---
algorithm: nested
collective: allgather
schedule:
  - repeat: s in 0 .. p - 1
    steps:
      - repeat: i in 0 .. p - 2
        steps:
          - send: s
            to: (r + 1) mod p
            if: (r - s) mod p == i + 1
EOF
collcost verify --all-p "$work/refused.yaml" -o csv >"$work/out" 2>"$work/err"
test "$(grep -c '^algorithm,' "$work/out")" -eq 6 && ! grep -q ',proved' "$work/out"
result $? "what is wrong is not proved"
comment "$work/out" "$work/err"
collcost verify --all-p "$work/wrong.yaml" -o csv >"$work/out" 2>"$work/err"
test $? -eq 1 && grep -q '^algorithm,allgather/short,wrong,' "$work/out"
result $? "a wrong algorithm is found wrong"
comment "$work/out"
# Wrong mutants of what is proved; one of so many.
mutants=$PWD/tests/property/mutants
if test -x "$mutants"; then
    fresh mutants
    "$mutants" --write "$work/mutants" "${MUTANTS:-400}"
    collcost verify --all-p --solver z3 --jobs 2 "$work"/mutants/*.yaml -o csv >"$work/out" 2>"$work/err"
    test "$(grep -c '^algorithm,' "$work/out")" -ge 3 &&
        ! grep -E 'proved for (all p|1 port|1, |radix 2|fanout 1)' "$work/out" >"$work/proved"
    result $? "no wrong mutant is proved: $(grep -c '^algorithm,' "$work/out") tried, $(grep -c ',wrong,' "$work/out") found wrong"
    comment "$work/proved"
    test -z "${MUTANTS_KEEP:-}" || cp "$work/out" "$MUTANTS_KEEP"
fi
plan "no proofs"
