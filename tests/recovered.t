#!/bin/sh
# Formulas that are lost in the sources: `propose` finds a form for each time of a whole procedure,
# `judge` says that it holds, and so does every claim by which `errata` calls the formula recovered.
set -u
. "$(dirname "$0")/sandbox.sh"
fresh recovered
cd "$work/recovered" || exit 1

# source, place, algorithm, topology
cat >lost <<'END'
S2|ring, formula|allgather/ring|ring
S2|torus, formula|allgather/dimension-by-dimension|torus
S2|hypercube, formula|allgather/recursive-doubling|hypercube
S2|reduction, formula|allreduce/recursive-doubling|hypercube
S4|slide All-to-All Broadcast (SF, ring)|allgather/ring|ring
S4|slide All-to-All Broadcast (SF, hypercube)|allgather/recursive-doubling|hypercube
END
while IFS='|' read -r source place algorithm topology; do
    collcost propose "$algorithm" -t "$topology" --switching sf -o json >found.json 2>err
    formula=$(sed -n 's/.*"formula": "\([^"]*\)".*/\1/p' found.json)
    test -n "$formula" && collcost judge "$formula" "$algorithm" -t "$topology" --switching sf >verdict 2>>err
    result $? "$source, $place: $algorithm on $topology takes $formula"
    test -s err && comment err
done <lost

# Each of S2's lost formulas is recovered, that of the combined reduction but for the time of combining, and none that
# is lost elsewhere is forgotten above.
neglects='"place": "reduction, formula", .*"verdict": "holds neglecting terms", .*"neglects": \["th", "tc"\]'
for source in S2 S4; do
    collcost errata $source -o json | grep -e '"verdict": "lost, recovered"' -e "$neglects" >all
    grep "^$source" lost | cut -d'|' -f2 >places
    missing=$(while read -r place; do grep -qF "\"place\": \"$place\"" all || echo "$place"; done <places)
    test -s all && test -z "$missing"
    result $? "errata $source recovers what propose found"
done
collcost errata S2 -o json >all
test "$(grep -c '"verdict": "lost, recovered"' all)" -eq 6 && test "$(grep -c "$neglects" all)" -eq 1
result $? "all seven lost formulas of S2 about costs are recovered"
plan
