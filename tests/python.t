#!/bin/sh
# The Python package: made of the header, installed by pip without a network, with the answers of the program.
set -u
. "$(dirname "$0")/sandbox.sh"

if ! command -v python3 >/dev/null; then
    plan "python3 is not there"
    exit
fi
python3 "$srcdir/build-aux/write-binding" "$srcdir/include/collcost.h" >"$work/binding"
cmp -s "$work/binding" "$srcdir/python/collcost/_binding.py"
result $? "python/collcost/_binding.py is what the header declares"
test -z "${BLESS-}" || cp "$work/binding" "$srcdir/python/collcost/_binding.py"

instrumented=$(sed -n 's/^AM_LDFLAGS = //p' Makefile | grep -o -e '-fsanitize=[^ ]*' -e '--coverage')
if test ! -f libcollcost.so.0 || test -n "$instrumented" || test -n "${COLLCOST_RUN-}"; then
    plan "there is no shared library that Python could load"
    exit
fi
COLLCOST_LIBRARY=$PWD/libcollcost.so.0
PYTHONPATH=$work/packages
PYTHONDONTWRITEBYTECODE=1
export srcdir COLLCOST_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE

fresh packages
fresh source "$srcdir/python"
(cd "$work/source" && python3 -c '
import sys, zipfile
sys.path.insert(0, ".")
import backend
zipfile.ZipFile(backend.build_wheel(".")).extractall(sys.argv[1])' "$work/packages") >"$work/log" 2>&1
result $? "the wheel is built and unpacked"
comment "$work/log"

# asks NAME CODE: the code succeeds.
asks() {
    printf 'import collcost\n%s\n' "$2" >"$work/ask.py"
    python3 "$work/ask.py" >"$work/log" 2>&1
    result $? "$1"
    comment "$work/log"
}

asks 'cost answers as the program does' '
rows = collcost.cost("allreduce", "cluster:2x4", ["1KiB", 1 << 20], ports="all")
asked = collcost.run("cost", "allreduce", topology="cluster:2x4", size="1KiB,1MiB", ports="all")
assert len(rows) > 10 and [(r["algorithm"], r["total_s"]) for r in rows] == [
    (r["algorithm"], r["total_s"]) for r in asked]'
asks 'so do switch_points and bound' '
pieces = collcost.switch_points("broadcast", "torus:4x4", to_size="1GiB")
asked = collcost.run("switch", "broadcast", topology="torus:4x4", size="1..1GiB")
assert [p["algorithm"] for p in pieces] == [p["algorithm"] for p in asked]
(most,) = [b for b in collcost.bound("reduce", "star:8", "1MiB") if b["binds"]]
assert most["kind"] == "node" and most["m_bytes"] == 1 << 20'
asks 'verify names what is wrong' '
import pathlib
wrong = pathlib.Path(collcost.__file__).parent / "wrong.yaml"
wrong.write_text("""
algorithm: lazy
collective: broadcast
summary: sends nothing
schedule: []
""")
(row,) = collcost.verify("allreduce/ring", most=5)
assert row["hold"] > 0 and not row["failures"]
import warnings
warnings.simplefilter("ignore")
with collcost.Session(models=[wrong]) as session:
    (row,) = session.verify("broadcast/lazy", most=3)
    assert row["wrong_runs"] and row["failures"]'
asks 'networks that other programs describe are read by the program' '
import os
with collcost.Session(models=[os.environ["srcdir"] + "/examples/own-node.xml"]) as session:
    (most,) = [b for b in session.bound("allreduce", "own-node", "1GB", machine="own-node") if b["binds"]]
    assert abs(most["seconds"] - 14 / 8 / 240) < 1e-9'
asks 'errors are exceptions that say what is meant' '
for ask in (lambda: collcost.cost("allreduc", "full:8", 1), lambda: collcost.cost("reduce", "full:8", "1 foo"),
            lambda: collcost.cost("reduce", "full:8", 1, ports=-1), lambda: collcost.run("cost", "nothing")):
    try:
        ask()
    except collcost.Error as error:
        assert str(error)
    else:
        raise AssertionError
assert collcost.cost("reduce", "full:8", 1)'
asks 'fit and synthesize run the program' '
import os
parameters = collcost.fit(os.environ["srcdir"] + "/examples/fitted.log", algorithm="open-mpi:3")
assert parameters
assert collcost.synthesize("allgather", "torus:2x2", "1MiB")'
plan
