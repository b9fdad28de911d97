#!/bin/sh
# The answers at a glance: five pictures, as SVG files that any browser shows, in light and dark.
#
#   pictures-costs.svg    when another algorithm takes over, and how far all are from the bound
#   pictures-map.svg      the same for every number of ranks
#   pictures-trace.svg    where the time of a schedule goes: on a ring, recursive doubling has more
#                         and more messages share a link
#   pictures-message.svg  one message, with both kinds of switching
#   pictures-network.svg  a network with its levels of links
#
# The end of the file's name chooses the format: .png and .pdf where built with cairo.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
}

run cost allreduce -t cluster:4x8 --machine h100-ndr --without segmented-ring \
    --picture pictures-costs.svg
run map broadcast -t full -p 2..24 -m 1KiB..64MiB --picture pictures-map.svg
run trace allgather/recursive-doubling -t ring:8 -m 64KiB --set per-hop=500ns \
    --picture pictures-trace.svg
run trace point-to-point/direct -t ring:8 -m 64KiB --set per-hop=500ns --switching sf \
    --picture pictures-message.svg
run show cluster:4x8 --picture pictures-network.svg
