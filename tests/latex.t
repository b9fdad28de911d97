#!/bin/sh
# What `-o latex` writes is a document for pdflatex: tables, and every algorithm of the library. Skipped
# where there is no pdflatex.
set -u
. "$(dirname "$0")/sandbox.sh"
command -v pdflatex >/dev/null || { echo "1..0 # SKIP no pdflatex"; exit 0; }

# compiles NAME: a document of what stands in $work/body.
compiles() {
    {
        printf '%s\n' '\documentclass{article}\usepackage{amsmath}\usepackage{booktabs}\begin{document}'
        cat "$work/body"
        printf '%s\n' '\end{document}'
    } >"$work/$1.tex"
    (cd "$work" && pdflatex -interaction=nonstopmode "$1.tex" >"$1.out" 2>&1)
    result $? "$1"
    grep -a -A 3 '^!' "$work/$1.out" | head -n 12 | comment
}

{
    collcost cost reduce -t full:8 -m 1MiB -o latex
    printf '%s\n' '\par'
    collcost cost broadcast -t torus:4x4 -o latex
    printf '%s\n' '\par'
    collcost switch allreduce -t torus:4x4 -o latex
    printf '%s\n' '\par'
    collcost bound alltoall -t torus:4x4 -o latex
} >"$work/body"
compiles tables
for collective in $(collcost list collectives | awk 'NR > 1 { print $2 }') matmul matvec; do
    for algorithm in $(collcost list algorithms | awk -v of="$collective/" 'index($2, of) == 1 { print $2 }'); do
        collcost show "$algorithm" -o latex
        printf '%s\n' '\clearpage'
    done >"$work/body"
    compiles "$collective"
done
plan
