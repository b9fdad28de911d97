#!/bin/sh
# JSON output is valid (no NaN, no Infinity, no key twice) and has just the keys that programs rely on.
set -u
. "$(dirname "$0")/sandbox.sh"
cd "$work" || exit 1

# keys FILE: prints the keys of the rows in FILE, a line for each kind of row: NAME[].KEY KEY...
cat >"keys.py" <<'END'
import json, sys

def refuse(word):
    raise ValueError(word)

def pairs(found):
    keys = [key for key, value in found]
    if len(set(keys)) < len(keys):
        refuse("a key twice: %s" % keys)
    return dict(found)

def tell(name, value):
    if isinstance(value, dict):
        print(name + ":", *value)
        for key, inner in value.items():
            if isinstance(inner, list) and inner and isinstance(inner[0], dict):
                tell(key, inner)
    elif isinstance(value, list):
        kinds = {tuple(row) for row in value}
        if not kinds:
            print(name + "[]: no rows")
        for kind in sorted(kinds):
            print(name + "[]:", *kind)
    else:
        refuse("neither an object nor an array")

tell("", json.load(open(sys.argv[1], encoding="utf-8"), parse_constant=refuse, object_pairs_hook=pairs))
END
cat >"keys.jq" <<'END'
def line(name): name + ": " + (keys_unsorted | join(" "));
def rows(name): if length == 0 then name + "[]: no rows" else map(line(name + "[]")) | unique[] end;
if type == "array" then rows("")
else line(""), (to_entries[] | select(.value | type == "array" and length > 0) | .key as $key | .value | rows($key)) end
END
if python3 -c 'import json' 2>/dev/null; then
    keys() { python3 "keys.py" "$1"; }
elif command -v jq >/dev/null; then
    keys() { jq -r -f "keys.jq" "$1"; }
else
    plan "neither python3 nor jq"
    exit
fi

# gives COMMAND...: the keys which its JSON has are those on standard input.
gives() {
    cat >"want"
    collcost "$@" -o json >"out" 2>"err"
    status=$?
    keys "out" >"seen" 2>"bad"
    test $status -le 1 && test ! -s "bad" && cmp -s "want" "seen"
    result $? "collcost $* -o json"
    diff "want" "seen" | comment
    comment "bad"
}

gives cost reduce -p 1,7,8 -m 1,1MiB <<'END'
[]: collective algorithm topology p m_bytes k rounds startup_s hop_s transfer_s compute_s total_s bound_s ratio from rules peak_bytes optimal optimal_in
END
gives cost reduce -p 8 -m 1MiB --real-k <<'END'
[]: collective algorithm topology p m_bytes k rounds startup_s hop_s transfer_s compute_s total_s bound_s ratio from rules peak_bytes optimal optimal_in
END
gives cost reduce -p 1000000000 -m 8 --set k=1 <<'END'
[]: collective algorithm topology p m_bytes k rounds startup_s hop_s transfer_s compute_s total_s bound_s ratio from rules peak_bytes optimal optimal_in
END
gives bound gather -p 1,8 -m 8,1KiB <<'END'
[]: collective topology p m_bytes kind bound_s binding reason
END
gives bound reduce -t linear:5 -m 0 --ports 2 --root 1 <<'END'
[]: collective topology p m_bytes kind bound_s binding reason
END
gives switch reduce -p 1,2,8 <<'END'
[]: collective topology p from_bytes to_bytes algorithm k total_at_from_s tied to_k total_at_to_s second second_slower_by second_slower_at_bytes
END
gives switch gather -t linear:8 -m 1KiB..1MiB <<'END'
[]: collective topology p from_bytes to_bytes algorithm k total_at_from_s tied to_k total_at_to_s second second_slower_by second_slower_at_bytes
END
gives switch reduce -p 1,2,8 --tolerance 5% --sizes nccl <<'END'
[]: collective topology p sizes from_bytes to_bytes algorithm k total_at_from_s tied to_k total_at_to_s excess second second_slower_by second_slower_at_bytes
END
gives explain allreduce/ring swing -t torus:4x4 -m 64KiB <<'END'
: collective topology p m_bytes faster rules costs rounds break_even
costs[]: algorithm k rounds startup_s hop_s transfer_s contention_s compute_s total_s from
rounds[]: which algorithm round time_s from to bytes link_from link_to link_messages link_bytes
break_even[]: parameter unit value break_even_below break_even_above factor_below factor_above faster_below faster_above complete
END
gives explain allgather/ring bruck -p 8 -m 1MiB --asynchronous <<'END'
: collective topology p m_bytes faster rules costs rounds break_even
costs[]: algorithm k rounds startup_s hop_s transfer_s contention_s compute_s total_s from
break_even[]: parameter unit value break_even_below break_even_above factor_below factor_above faster_below faster_above complete
END
gives switch reduce -p 1,8 --vary bandwidth=20% <<'END'
[]: collective topology p parameter share before after switch_bytes less_bytes more_bytes
END
gives switch reduce -p 1,8 --rules all <<'END'
[]: collective topology p rule choice changes from_bytes to_bytes algorithm k total_at_from_s
END
gives switch reduce -p 1..9 --over p -m 1MiB <<'END'
[]: collective topology m_bytes from_p to_p algorithm k to_k total_at_from_s total_at_to_s second second_slower_by second_slower_at_p tied covers
END
gives map reduce -p 1,2,8 <<'END'
[]: collective topology p from_bytes algorithm k total_at_from_s to_bytes tied to_k total_at_to_s second second_slower_by second_slower_at_bytes
END
gives verify reduce scatter/flat -p 1..4 <<'END'
: runs claims passed failed
runs[]: model topology p root data detail
claims[]: model source on verdict recorded counterexample
END
gives judge '(p-1)(ts + m tw)' allgather/ring -p 8 <<'END'
: algorithm formula read_as readings claimed_for topology verdict cases counterexample place claimed derived left_out right_terms wrong_terms condition condition_readings otherwise upper_bound
END
gives judge '(p-1)/p m/B' allgather/ring -p 8 <<'END'
: algorithm formula read_as readings claimed_for topology verdict cases counterexample place claimed derived left_out right_terms wrong_terms condition condition_readings otherwise upper_bound
END
gives trace reduce/pipelined-chain -p 4 -m 1KiB --set k=3 <<'END'
[]: round from to verb blocks bytes hops load_bytes load_messages time_s round_load_bytes round_load_messages round_time_s
END
gives trace gather/binomial -t linear:5 <<'END'
[]: round from to verb blocks bytes hops load_bytes load_messages time_s round_load_bytes round_load_messages round_time_s
END
gives trace gather/binomial -p 1 <<'END'
[]: no rows
END
gives cost matmul -p 4,16 -n 5,8 <<'END'
[]: problem algorithm topology n p rounds startup_s hop_s transfer_s compute_s total_s peak_bytes from rules
END
gives scale matmul -p 1,4,65536 -n 5,1024 --among cannon <<'END'
[]: problem algorithm topology n p total_s speedup efficiency cost_s overhead_s overhead_work peak_bytes peak_total_bytes from work_power work_order
END
gives scale matvec/striped -p 1,4 --efficiency 0.5 <<'END'
[]: problem algorithm topology n p total_s speedup efficiency cost_s overhead_s overhead_work peak_bytes peak_total_bytes from work_power work_order
END
gives switch matmul -p 4,16 -n 1..64 <<'END'
[]: problem topology p from_n to_n algorithm total_at_from_s
END
gives partition rows -n 5 -p 2 <<'END'
[]: rank rows columns elements share
END
gives trace matmul/cannon -p 4 -n 5 <<'END'
[]: round from to verb blocks bytes hops load_bytes load_messages multiply_adds time_s round_load_bytes round_load_messages round_time_s
END
gives eval '1 us + 64 kB * tw' <<'END'
: value unit
END
gives eval '1 < 2' <<'END'
: value unit
END
gives list <<'END'
[]: kind name summary
END

# A quote, a backslash and a tab in a text do no harm.
cat >quoted.yaml <<'END'
machine: quoted
summary: "say \"yes\", \\ and \t"
startup: 1 us
bandwidth: 1 GB/s
END
gives list machines --models quoted.yaml <<'END'
[]: kind name summary
END

# A wrong algorithm is reported in JSON too.
cat >wrong.yaml <<'END'
algorithm: wrong
collective: gather
schedule: []
END
gives verify wrong.yaml <<'END'
: runs claims passed failed
runs[]: model topology p root data detail
END

plan
