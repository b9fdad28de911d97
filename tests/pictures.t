#!/bin/sh
# Pictures of every topology of the library and of many schedules, costs and maps: well-formed,
# nothing outside of the view, no two texts over one another (tests/check-picture.c); and the times
# of a space-time diagram, measured in it, are those of the table.
set -u
. "$(dirname "$0")/sandbox.sh"
check=$PWD/tests/check-picture

# drawn COMMAND...: the command draws what passes the checker, and xmllint where there is one; draw_all looks.
pictures=0
: >"$work/lines"
: >"$work/names"
drawn() {
    pictures=$((pictures + 1))
    echo "$* --picture $work/picture-$pictures.svg" >>"$work/lines"
    echo "$*" >>"$work/names"
}

# drawn_if_run OPTIONS COMMAND...: so does the command with these options, if it runs without a picture.
drawn_if_run() {
    options=$1
    shift
    echo "$*" >>"$work/lines"
    drawn "$* $options"
}

# draw_all: draws them in one process.
draw_all() {
    collcost batch "$work/lines" --jobs 1 -o json >"$work/answers" 2>"$work/err"
    test $? -le 2
    result $? "one process draws $pictures pictures: $(head -n 1 "$work/err")"
    "$check" "$work"/picture-*.svg >"$work/faults" 2>&1 &&
        { ! command -v xmllint >/dev/null || xmllint --noout "$work"/picture-*.svg >>"$work/faults" 2>&1; }
    result $? "all are well-formed and nothing is hidden: $(head -n 1 "$work/faults")"
    # status, name and what is wrong: of the lines that say --picture, if no line without one failed just before.
    awk -v work="$work" '
        FILENAME == work "/names" { name[FNR] = $0; next }
        FILENAME == work "/faults" {
            # Each fault begins with the file, and xmllint shows the place on lines of their own.
            if (match($0, /picture-[0-9]+\.svg/)) file = substr($0, RSTART, RLENGTH)
            fault[file] = fault[file] " " $0
            next
        }
        !/^  \{"line": / { next }
        { good = /"status": "ok"/ }
        !/ --picture / { skips = !good; next }
        {
            file = "picture-" ++count ".svg"
            messages = good ? "" : substr($0, index($0, "\"messages\":"))
            if ((getline line <(work "/" file)) <= 0 && good) messages = "nothing is drawn"
            close(work "/" file)
            if (!skips) print (messages fault[file] != "") " " name[count] "\t" messages fault[file]
            skips = 0
        }
    ' "$work/names" "$work/faults" "$work/answers" >"$work/results"
    while IFS= read -r line; do
        name=${line#? }
        result "${line%% *}" "a picture of ${name%%	*}"
        test "${line%% *}" -eq 0 || echo "${line#*	}" | comment
    done <"$work/results"
    test "$(wc -l <"$work/results")" -gt 100
    result $? "there are enough: $(wc -l <"$work/results")"
}

for network in full:1 full:12 full:30 ring:1 ring:2 ring:9 uniring:7 linear:1 linear:10 star:1 \
    star:12 hypercube:1 hypercube:8 hypercube:16 hypercube:64 mesh:5x3 mesh:3x3x3 torus:8x4 \
    torus:4x4x4 torus:2x3x2x3 torus:5x5x5 mesh:3x3x3x2 torus:16x16 tree:2 tree:15 tree:100 cluster:1x4 cluster:2x4 \
    cluster:4x8 cluster:16x8 fat-tree:2x2x2 fat-tree:4x2x4 dragonfly:5x4x2 dragonfly:1x2x2; do
    drawn show "$network"
done
for model in own-network:islands:3x8 own-topology:groups; do
    drawn show "${model#*:}" --models "$srcdir/examples/${model%%:*}.yaml"
done

for algorithm in $(collcost list algorithms | awk 'NR > 1 { print $2 }'); do
    case $algorithm in
    mat* | point-to-point/*) continue ;;
    esac
    sides=$((10 - ${sides:-8})) # 2 and 8 in turn
    drawn_if_run '--set per-hop=300ns' trace "$algorithm" -t "torus:2x$sides" -m 64KiB
done
drawn trace matmul/cannon -t torus:4x4 -n 256
drawn trace alltoall/pairwise -p 64 -m 1
drawn trace reduce/binomial -t linear:65 -m 1 --asynchronous
drawn trace alltoall/pairwise -t cluster:16x8 -m 1MiB --machine $machines/gpu-nodes.yaml
drawn trace allgather/ring -t torus:16x16 -m 1GiB
drawn trace allgather/ring -p 5 -m 1GiB --switching sf --ports 2
for rules in --asynchronous --overlap "--switching sf --contention messages" "--duplex half"; do
    # shellcheck disable=SC2086 # one word for each option
    drawn trace reduce/pipelined-chain -t linear:6 -m 1MiB $rules
done
for switching in ct sf sf-startups; do
    drawn trace point-to-point/direct -t mesh:5x5 -m 4KiB --set per-hop=100ns \
        --switching $switching
done
drawn trace point-to-point/direct -t dragonfly:5x4x2 -m 1MiB --machine slingshot

for collective in reduce allgather alltoall; do
    drawn cost $collective -t full:8
    drawn cost $collective -t ring:7 -m 3B..100MB --machine edr-fat-tree
done
for axis in ratio busbw slowdown speedup speedup=ring; do
    drawn cost allreduce -t cluster:4x8 --machine $machines/gpu-nodes.yaml --axis $axis
done
drawn cost allreduce -t full:8 -m 1MiB..2MiB --axis ratio
drawn switch broadcast -t torus:4x4
drawn switch alltoall -t full:64 --axis time
for network in full:8 ring:9 torus:4x4 mesh:3x3x3 cluster:4x8 fat-tree:2x2x2 dragonfly:5x4x2 tree:15; do
    drawn bound alltoall -t $network --ports all
    drawn bound broadcast -t $network -m 1MiB --duplex half
done
drawn explain allreduce/ring swing -t torus:2x4 -m 64KiB
drawn explain allreduce/ring swing -t torus:8x8 -m 1MiB
drawn explain reduce/binomial pipelined-chain -t linear:6 -m 1MiB --asynchronous
drawn explain broadcast -t full:12 -m 1MiB
for partition in "rows -n 1000 -p 12" "columns -n 7 -p 9" "checkerboard -n 64 -p 16 --cyclic" \
    "checkerboard -n 100 -p 200 --block 2"; do
    # shellcheck disable=SC2086 # one word for each argument
    drawn partition $partition
done
drawn search allreduce -t cluster:4x8 --machine $machines/gpu-nodes.yaml -m 1MiB
drawn search alltoall -t torus:4x4 -m 1KiB --set per-hop=100ns
for axis in speedup efficiency time; do
    drawn scale matmul -p 4..64 -n 1024 --axis $axis
done
drawn scale matvec -p 2..32 -n 1000
drawn scale matmul -t torus -p 4,16,64 --efficiency 0.5
drawn cost broadcast/chain -t full:8 --set ts=0us
drawn cost scan -t full:2 -m 1GiB..2GiB
drawn compare "$srcdir/examples/measured.csv" --map 'ring*=ring'
drawn compare "$srcdir/examples/measured.log" -p 16 --max-error 900%
drawn map reduce -p 2..40
drawn map broadcast -p 4,8 -m 1KiB..64KiB
drawn map alltoall --among pairwise-xor -p 3,4
drawn show cluster:24x16
drawn show torus:4x4
draw_all

# PNG and PDF, where the program has them: whole, and the PNG two pixels for each of the SVG.
png_width() { od -A n -t u1 -j 16 -N 4 "$1" | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }'; }
if grep -q '^#define HAVE_CAIRO 1' config.h; then
    collcost show torus:4x4 --picture "$work/network.svg"
    collcost show torus:4x4 --picture "$work/network.png" 2>"$work/faults" &&
        test "$(head -c 4 "$work/network.png" | tail -c 3)" = PNG &&
        test "$(png_width "$work/network.png")" -eq \
            $((2 * $(sed -n '1s/.* width="\([0-9]*\)".*/\1/p' "$work/network.svg")))
    result $? "a picture as PNG"
    comment "$work/faults"
    collcost show torus:4x4 --picture "$work/network.pdf" 2>"$work/faults" &&
        test "$(head -c 4 "$work/network.pdf")" = %PDF &&
        tail -n 1 "$work/network.pdf" | grep -q '%%EOF'
    result $? "a picture as PDF"
    comment "$work/faults"
    collcost show torus:4x4 --picture "$work/network.png" --width 555 2>"$work/faults" &&
        test "$(png_width "$work/network.png")" -eq 555
    result $? "a PNG of a given width"
    comment "$work/faults"
else
    collcost show torus:4x4 --picture "$work/network.png" 2>&1 | grep -q 'built without cairo'
    result $? "without cairo, a PNG is refused with the reason"
fi

# Bars of receivers in the diagram, against start and length of each message in the table. `begin`
# and `wide` are those of the first rank's line, which is as long as the whole.
measure() {
    awk -F'"' -v table="$work/table" '
        FILENAME == table {
            gsub(/"[^"]*"/, "") # names of blocks may have commas
            split($0, cell, ",")
            if (++line == 1) { for (i in cell) at[cell[i]] = i; next }
            if (cell[at["round"]] != round) { clock += spent; round = cell[at["round"]] }
            spent = cell[at["round_time_s"]]
            start[++messages] = clock; lasts[messages] = cell[at["time_s"]]
            next
        }
        / class="axis"/ && !wide { split($2, place, /[ML ]/); begin = place[2]; wide = place[4] - begin }
        / class="receive"/ && /<title>/ { x[++bars] = $2; long[bars] = $6 }
        END {
            total = clock + spent
            for (i = 1; i <= messages; i++) {
                a = begin + start[i] / total * wide - x[i]; b = lasts[i] / total * wide - long[i]
                if (a * a > 0.0002 || b * b > 0.0002) { print "message", i, a, b; bad = 1 }
            }
            exit bad || messages == 0 || bars != messages
        }' "$work/table" "$work/trace.svg"
}
while read -r arguments; do
    # shellcheck disable=SC2086 # one word for each argument
    collcost trace $arguments -o csv >"$work/table" &&
        collcost trace $arguments --picture "$work/trace.svg"
    measure >"$work/faults" 2>&1
    result $? "times in the picture and in the table: trace $arguments"
    head -n 5 "$work/faults" | comment
done <<END
reduce/binomial -t linear:8 -m 1MiB
allgather/recursive-doubling -t ring:16 -m 4KiB --set per-hop=200ns
alltoall/pairwise -t torus:4x4 -m 1KiB --switching sf --set per-hop=200ns
broadcast/flat -t star:9 -m 8KiB --ports 2 --duplex half
allreduce/ring -t cluster:2x4 -m 256KiB --machine $machines/gpu-nodes.yaml
reduce-scatter/recursive-halving -t hypercube:8 -m 32KiB --contention messages
END

# The busiest link of each round in the heat map, and in the table.
while read -r arguments; do
    # shellcheck disable=SC2086 # one word for each argument
    collcost trace $arguments -o csv >"$work/table" &&
        collcost trace $arguments --picture "$work/trace.svg"
    grep -o '<title>.* to [^<]*\|<title>from [^<]*' "$work/trace.svg" | awk -v table="$work/table" '
        BEGIN {
            unit["B"] = 1; unit["KiB"] = 1024; unit["MiB"] = 1048576; unit["kB"] = 1e3; unit["MB"] = 1e6
            while ((getline line <table) > 0) {
                gsub(/"[^"]*"/, "", line)
                split(line, cell, ",")
                if (++lines == 1) { for (i in cell) at[cell[i]] = i; continue }
                if (cell[at["round_load_bytes"]] > 0) load[cell[at["round"]]] = cell[at["round_load_bytes"]]
            }
        }
        /rounds? [0-9]/ {
            sub(/.*, rounds? /, ""); split($1, ends, /[.:]+/); bytes = $2 * unit[$3]
            for (i = ends[1]; i <= (ends[2] ? ends[2] : ends[1]); i++) if (bytes > seen[i]) seen[i] = bytes
        }
        END {
            for (i in load) if ((d = seen[i] / load[i] - 1) * d > 1e-6) { print "round", i, seen[i], load[i]; bad = 1 }
            exit bad || lines < 2
        }' >"$work/faults" 2>&1
    result $? "the busiest links in the picture and in the table: trace $arguments"
    head -n 5 "$work/faults" | comment
done <<END
allreduce/swing -t torus:8x8 -m 1MiB
allgather/recursive-doubling -t hypercube:32 -m 3KiB
alltoall/pairwise -t cluster:3x8 -m 64KiB --machine $machines/gpu-nodes.yaml
allgather/nccl-nvls -t cluster:4x8 -m 1MiB --machine $machines/gpu-node-switches.yaml
matmul/cannon -t torus:8x8 -n 256
END

# Both ends of a curve, read off the labels of the axis, against the column of the table.
while read -r axis column; do
    subject='cost allreduce/ring -t full:8 --sizes nccl'
    # shellcheck disable=SC2086 # one word for each argument
    collcost $subject -m 1MiB,64MiB --bandwidths -o csv >"$work/table" &&
        collcost $subject -m 1MiB..64MiB --axis "$axis" --picture "$work/costs.svg"
    awk -v column="$column" -v table="$work/table" '
        function scaled(value) { return logarithmic ? log(value) : value }
        function height(y) { return first + (y - low) / (high - low) * (last - first) }
        BEGIN {
            while ((getline line <table) > 0) {
                gsub(/"[^"]*"/, "", line)
                split(line, cell, ",")
                if (++lines == 1) for (i in cell) at[cell[i]] = i
                else wanted[lines - 1] = cell[at[column]]
            }
            logarithmic = column == "ratio"
        }
        /x="-8".*class="small"/ {
            split($0, part, /[<>"]/); split(part[11], label, " ")
            if (label[1] !~ /^[0-9.]+$/) next
            value = scaled(label[1] * (label[2] == "GB/s" ? 1e9 : 1))
            if (!ticks++) { first = value; low = part[5] - 3.85 }
            last = value; high = part[5] - 3.85
        }
        /class="curve0"><title>/ { split($0, part, "\""); last_end = split(part[2], ends, /[ML ]/); begin = ends[3]; end = ends[last_end] }
        END {
            a = height(begin) - scaled(wanted[1]); b = height(end) - scaled(wanted[2])
            most = 0.001 * (scaled(wanted[1]) + scaled(wanted[2]))
            print height(begin), scaled(wanted[1]), height(end), scaled(wanted[2])
            exit !(ticks > 1 && a * a < most * most && b * b < most * most)
        }' "$work/costs.svg" >"$work/faults" 2>&1
    result $? "heights of the axis $axis and the column $column"
    comment "$work/faults"
done <<'END'
busbw bus_bandwidth
ratio ratio
END

# What the whole takes, which without barriers, too, is where the last bar ends.
while read -r arguments; do
    # shellcheck disable=SC2086 # one word for each argument
    collcost trace $arguments >"$work/table" && collcost trace $arguments --picture "$work/trace.svg"
    total=$(sed -n 's/^total: \([^;]*\).*/\1/p' "$work/table")
    grep -q "total: $total<" "$work/trace.svg" && awk -F'"' '
        / class="axis"/ && !end { split($2, place, /[ML ]/); end = place[4] }
        / class="(receive|combine|product)"/ && /<title>/ { if ($2 + $6 > last) last = $2 + $6 }
        END { d = end - last; exit !(last && d * d < 0.0005) }' "$work/trace.svg"
    result $? "the whole time in the picture and in the table: trace $arguments"
done <<'END'
reduce/pipelined-chain -t linear:6 -m 1MiB --asynchronous
reduce/pipelined-chain -t full:6 -m 4MiB --overlap
allreduce/rabenseifner -t hypercube:16 -m 64KiB --asynchronous --set per-hop=100ns
matmul/cannon -t torus:3x3 -n 300
matmul/dns -t full:8 -n 64
scan/hillis-steele -p 11 -m 5KiB
END

plan
