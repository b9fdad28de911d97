#!/bin/sh
# The messages of one butterfly in several ways, and of trees whose ranks post all messages at once.
#
# On 8 ranks a message takes 10 us, one more that is posted with it 1 us, and bytes next to nothing:
#   by-blocks  1, 2 and 4 messages in a round: 10 + 11 + 13 us;
#   sent       a round more, of single messages: 4 times 10 us;
#   in-two     only in the last round the blocks of some ranks go round the end: 10 + 10 + 11 us;
#   typed      3 times 10 us, and 8 MB that are copied at 1 TB/s.
set -eu
collcost verify bine-messages.yaml posted-together.yaml -p 1..16
for variant in by-blocks sent in-two typed; do
    collcost cost allgather/bine-$variant --models bine-messages.yaml -t full:8 -m 1MB --set ts=10us --set overhead=1us \
        --set bandwidth=1e9GB/s --set copy=1TB/s -o csv |
        awk -F, 'NR == 2 { printf "%s %.4g us\n", $2, 1e6 * $12 }'
done
