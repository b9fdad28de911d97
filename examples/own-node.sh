#!/bin/sh
# What bus bandwidth should nccl-tests show on my nodes? From files that these write themselves:
#
#   own-node.xml   8 A100 as NCCL_TOPO_DUMP_FILE has them: NVLink at 12 x 20 GB/s, as programs reach it, and a
#                  200 Gbit/s adapter for each GPU
#   own-node.txt   8 H100 as nvidia-smi topo -m prints them. Of the 25 GB/s of a link programs reach 20.6, so
#                  nvlink.bandwidth is set to 18 x 20.6 GB/s; rates of adapters are not in the table, and 400 Gbit/s
#                  is what is assumed.
#
# With --nodes 2 two such nodes are joined by rails. Beside the fastest of the library is what was measured: on
# Azure's ND A100 v4 (Azure/AI-benchmarking-guide; Azure/aks-rdma-infiniband), 8 GiB, and in Meta's table for nodes of 8
# H100, 4 GiB. A ratio of 0.9 to 1 is what to expect; at 0.5 a rail or a link is missing, which --without shows.
set -eu

# row FILE COLLECTIVE SIZE MEASURED OPTION...: SIZE is the largest buffer, as nccl-tests has it
row() {
    file=$1 collective=$2 size=$3 measured=$4
    shift 4
    collcost cost "$collective" -t "$file" --sizes nccl -m "$size" --bandwidths "$@" -o csv 2>log |
        awk -F, -v file="$file" -v measured="$measured" '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bus_bandwidth") at = i }
            NR == 2 { printf "%-13s %-11s %-10s %7.1f %9.1f %6.2f\n", file, $3, $1, $at / 1e9, measured, measured * 1e9 / $at }' ||
        cat log >&2
}

echo "busbw, GB/s   network     collective   model  measured  ratio"
row own-node.xml allreduce 8GiB 231.6
row own-node.xml allreduce 8GiB 187.2 --nodes 2
h100='--set nvlink.bandwidth=370.8GB/s'
row own-node.txt allgather 4GiB 337.9 $h100
row own-node.txt alltoall 4GiB 327.6 $h100
h100='--set device.bandwidth=370.8GB/s --nodes 2'
row own-node.txt alltoall 4GiB 77.35 $h100

echo
echo "Two nodes of A100, and GPU 3 of the first without its adapter:"
collcost diff allreduce -t own-node.xml --nodes 2 --without 3-21 -m 1GB 2>log
