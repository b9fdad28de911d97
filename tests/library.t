#!/bin/sh
# The library as a program finds it: installed, found by pkg-config, with nothing visible but collcost_*.
set -u
make=${MAKE:-make}
. "$(dirname "$0")/sandbox.sh"

cc=$(sed -n 's/^CC = //p' Makefile)
cflags=$(sed -n 's/^CFLAGS = //p' Makefile)
instrumented=$(sed -n 's/^AM_LDFLAGS = //p' Makefile | grep -o -e '-fsanitize=[^ ]*' -e '--coverage')
config=$(sed -n 's/^PKG_CONFIG = //p' Makefile)
root=$work/root

MAKEFLAGS= $make install-includeHEADERS install-nodist_libraryDATA install-nodist_pkgconfigDATA install-data-hook \
    includedir="$root/include" libdir="$root/lib" >"$work/log" 2>&1
status=$?
result $status "header, library and collcost.pc are installed"
test $status -eq 0 || comment "$work/log"
sed "s|^libdir=.*|libdir=$root/lib|; s|^includedir=.*|includedir=$root/include|" collcost.pc \
    >"$root/lib/pkgconfig/collcost.pc"

nm -g --defined-only "$root/lib/libcollcost.a" >"$work/symbols" &&
    awk 'NF == 3 && $3 !~ /^collcost_/ { print; bad = 1 } NF == 3 { any = 1 } END { exit bad || !any }' \
        "$work/symbols" >"$work/strangers"
result $? "only collcost_* can be seen"
comment "$work/strangers"

sed -n 's/.*[ *]\(collcost_[a-z_]*\)(.*/\1/p' "$srcdir/include/collcost.h" | grep -v '^collcost_.*_handler$' |
    sort -u >"$work/declared"
awk 'NF == 3 { print $3 }' "$work/symbols" | sort -u >"$work/defined"
diff "$work/declared" "$work/defined" >"$work/diff"
result $? "the library defines what the header declares, and no more"
comment "$work/diff"

LD_LIBRARY_PATH=$root/lib # of the shared library, which is taken where both are there
export LD_LIBRARY_PATH
flags=$(PKG_CONFIG_PATH=$root/lib/pkgconfig:${PKG_CONFIG_PATH-} $config --cflags --libs collcost)
# shellcheck disable=SC2086 # words
$cc $cflags $instrumented -std=c99 -Wall -Wextra -Werror -pedantic "$srcdir/examples/embed.c" -o "$work/embed" \
    $flags >"$work/log" 2>&1
result $? "examples/embed.c is built against it, as strict C99"
comment "$work/log"

"$work/embed" >"$work/out" 2>&1
result $? "it runs"
if test -n "${BLESS-}"; then cp "$work/out" "$srcdir/examples/embed.expected"; fi
diff "$srcdir/examples/embed.expected" "$work/out" >"$work/diff"
result $? "it prints what is expected"
comment "$work/diff"

# The static library, by its name, without the shared one.
others=$(printf '%s\n' "$flags" | sed 's/-lcollcost//')
# shellcheck disable=SC2086 # words
$cc $cflags $instrumented -I"$root/include" "$srcdir/examples/embed.c" -o "$work/static" "$root/lib/libcollcost.a" \
    $others >"$work/log" 2>&1 && LD_LIBRARY_PATH='' "$work/static" | cmp -s - "$work/out"
result $? "the static library answers the same"
comment "$work/log"

# The same question to the program has the same answer.
collcost cost allreduce -t cluster:4x8 --machine h100-ndr --set 'startup=3 us' -m 1MiB -o csv |
    awk -F, 'NR > 1 { print $2 }' >"$work/program"
awk '/^algorithm/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' "$work/out" >"$work/library"
cmp -s "$work/program" "$work/library"
result $? "cost lists the same algorithms in the same order"

plan
