#!/bin/sh
# Deliberately broken copies of every algorithm must be rejected by `collcost verify`, with a message
# that leads to the fault; the algorithms themselves must be accepted. The lists in tests/broken hold
# the changes of schedules; a change of each claim and of each recorded verdict is made here.
set -u
. "$(dirname "$0")/sandbox.sh"
models=$srcdir/models/algorithms
if ! cd "$models" 2>/dev/null; then
    plan "no algorithms"
    exit
fi
algorithms=$(find . -name '*.yaml' | sed 's,^\./,,; s,\.yaml$,,' | sort)
fresh broken
cd "$work/broken" || exit 1
ranks=1..9
rejected=0

# verify FILE...: the last file is judged; the others are there for it.
verify() {
    options=
    while test $# -gt 1; do
        options="$options --models $1"
        shift
    done
    # shellcheck disable=SC2086 # several words
    collcost verify -p $ranks $options "$1" >out 2>err
    status=$?
}

# shows PLACE FILE ORIGINAL JUDGED: the messages on JUDGED, which is FILE or made from it, lead to
# PLACE. FILE is a changed copy of ORIGINAL: step is the item of a list around the change.
shows() {
    case $1 in
    step)
        changed=$(diff "$3" "$2" | sed -n '1s/^[0-9,]*[acd]\([0-9]*\).*/\1/p')
        awk -v changed="$changed" '
            /^ *- / { if (NR <= changed) first = NR; else if (!end) end = NR }
            END { for (n = first; n < (end ? end : NR + 1); n++) print FILENAME ":" n ":" }
        ' "$2" >places
        grep '^[^ ]*: error: ' err | grep -qFf places ;;
    use) grep -Eq "^$2:[0-9]*:[0-9]*: error: round [0-9]+, [0-9]+ -> [0-9]+, block .*p = [0-9]+" err ;;
    compute) grep -Eq "^$4:[0-9]*:[0-9]*: error: behind round [0-9]+, rank [0-9]+ multiplies .*p = [0-9]+" err ;;
    end) grep -Eq "^$4:.* error: .*(rank [0-9]+ .*block [^ ]+|block [^ ]+ .*rank [0-9]+).*p = [0-9]+" err ;;
    claims) grep -q '^passed [1-9]' out && grep -q 'this claim is recorded to hold' err ;;
    esac
}

# judge NAME PLACE FILE ORIGINAL [DUAL]: one broken copy FILE, or its dual.
judge() {
    if cmp -s "$3" "$4"; then
        result 1 "$1 was changed"
        return
    fi
    # shellcheck disable=SC2086 # no word where there is no dual
    verify "$3" ${5-}
    last=${5-$3}
    if { test $status -eq 1 || test $status -eq 2; } && shows "$2" "$3" "$4" "$last"; then
        rejected=$((rejected + 1))
        result 0 "$1 is rejected: $2"
    else
        result 1 "$1 is rejected: $2"
        echo "status $status" | comment
        comment err
        test $status -ne 0 || diff "$4" "$3" | comment
    fi
}

# Schedules

duals=$(for algorithm in $algorithms; do
    sed -n "s,^dual: ,$algorithm ,p" "$models/$algorithm.yaml"
done)

cat "$srcdir"/tests/broken/*.list | grep -v '^ *\(#\|$\)' >list
while read -r model direct dual change; do
    sed "s/^algorithm: .*/algorithm: base/" "$models/$model.yaml" >original.yaml
    sed "$change" original.yaml >base.yaml
    judge "$model $change" "$direct" base.yaml original.yaml
    for of_dual in $(echo "$duals" | sed -n "s,\(.*\) $model\$,\1,p"); do
        sed "s,^dual: .*,dual: ${model%/*}/base," "$models/$of_dual.yaml" >dual.yaml
        judge "$of_dual, dual of $model $change" "$dual" base.yaml original.yaml dual.yaml
    done
done <list

# Claims

# What claims can be about, as a pattern; those about bounds that are reached or missed have no formula.
quantities=$(sed -n 's/^CLAIM([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$srcdir/src/model/claims.def" |
    grep -Ev '^(reaches|misses|bound)$' | tr '\n' '|' | sed 's/|$//')

# rewritten CHANGE FIRST LAST: prints the file on standard input with claims FIRST .. LAST changed:
#   formula   another formula in each that holds: twice as much, and one more of what is a number;
#             where something is said to be at most so much, a tenth of it
#   verdict   the other verdict
rewritten() {
    awk -v quantities="^ *($quantities): " -v change="$1" -v first="$2" -v last="$3" '
        function factor_of(line) { return line ~ /^ *at-most:/ ? "0.1" : "2" }
        function other_formula(n,  plain, factor) {
            if (text[n - 1] ~ (quantities ">-")) sub(/^ */, "&" factor_of(text[n - 1]) " * ", text[n])
            if (text[n] !~ quantities || text[n] ~ />-$/) return
            plain = text[n] ~ /^ *(rounds|hops|load|to|links|diameter|mean|total|pairs|distance|next):/
            factor = factor_of(text[n])
            sub(/: /, ": " factor " * (", text[n])
            text[n] = text[n] (plain ? ") + 1" : ")")
        }
        function flush(  n, picked) {
            picked = claim >= first && claim <= last
            for (n = 1; n <= lines; n++) {
                if (picked && change == "formula" && !refuted && n > 1) other_formula(n)
                if (!picked || change != "verdict" || text[n] !~ /^ *recorded: refuted/) print text[n]
                if (picked && change == "verdict" && n == 1 && !refuted) print "    recorded: refuted"
            }
            lines = refuted = 0
        }
        /^claims:/ { inside = 1 }
        inside && /^  - / { flush(); claim++ }
        inside && /^ *recorded: refuted/ { refuted = 1 }
        { text[++lines] = $0 }
        !inside { flush() }
        END { flush() }'
}

# list_claims FILE: for each claim its number, whether it is recorded as refuted, and its quantity.
list_claims() {
    awk -v quantities="^ *($quantities):" '
        function tell() { if (claim) print claim, verdict, quantity }
        /^claims:/ { inside = 1; next }
        !inside { next }
        /^  - / { tell(); claim++; verdict = "holds"; quantity = "" }
        /^ *recorded: refuted/ { verdict = "refuted" }
        $0 ~ quantities || /^ *(reaches|misses):/ { quantity = $1; sub(/:/, "", quantity) }
        END { tell() }' "$1"
}

# told NAME NUMBER: the messages on changed.yaml name that claim.
told() {
    line=$(awk -v number="$2" '
        /^claims:/ { inside = 1 }
        inside && /^  - / && ++claim == number { print NR }' changed.yaml)
    if test $status -eq 1 && grep -q "^changed.yaml:$line:.* error: this claim is recorded" err; then
        rejected=$((rejected + 1))
        result 0 "$1 is rejected"
    else
        result 1 "$1 is rejected"
        comment err
    fi
}

# rewrite_all CHANGE: changes each claim of original.yaml, some at once (messages stop after 20), and
# each must be told.
rewrite_all() {
    first=1
    while test $first -le "$(grep -c . claims)"; do
        rewritten "$1" $first $((first + 14)) <original.yaml >changed.yaml
        verify changed.yaml
        sed -n "$first,$((first + 14))p" claims >picked
        while read -r number verdict quantity; do
            if test "$1" = verdict || { test "$verdict" = holds && test "$quantity" != reaches && test "$quantity" != misses; }; then
                told "$name, claim $number ($quantity, $verdict), with another $1," "$number"
            fi
        done <picked
        first=$((first + 15))
    done
}

# Claims are judged up to the largest p: one speaks of a torus of 4x4.
ranks=1..3,16
for file in $(cd "$srcdir/models" && grep -l '^claims:' algorithms/*/*.yaml collectives/*.yaml topologies/*.yaml); do
    name=${file#*/}
    name=${name%.yaml}
    cp "$srcdir/models/$file" original.yaml
    verify original.yaml
    result $status "$name itself is accepted"
    list_claims original.yaml >claims
    rewrite_all formula
    rewrite_all verdict
done

echo "# $rejected broken copies were rejected"
plan
