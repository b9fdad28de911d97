#!/bin/sh
# Proves that tests/layers.t fails where a rule of LAYERS is broken.
set -u
. "$(dirname "$0")/sandbox.sh"

# tree FILE INCLUDE [FILE INCLUDE]...: a source tree of one-line files, with the layers low and high.
tree() {
    fresh src
    mkdir "$work/src/low" "$work/src/high"
    printf '%s\n' '# rules' low high 'apart high/a high/b*' 'only yaml.h low/reader.c' \
        >"$work/src/LAYERS"
    while test $# -gt 0; do
        echo "#include $2" >>"$work/src/$1"
        shift 2
    done
    "$srcdir/tests/layers.t" "$work/src" >"$work/report"
}

accepts() {
    name=$1
    shift
    tree "$@"
    ! grep -q '^not ok' "$work/report" && grep -q '^1\.\.4' "$work/report"
    result $? "$name is accepted"
    comment "$work/report"
}

# rejects NAME NUMBER ...: test NUMBER of the report, and no other, must have failed.
rejects() {
    name=$1 number=$2
    shift 2
    tree "$@"
    test "$(sed -n 's/^not ok \([0-9]*\).*/\1/p' "$work/report")" = "$number"
    result $? "$name is rejected"
    comment "$work/report"
}

accepts "an include of a lower layer" high/a.c '"low/x.h"' high/b.c '"low/x.h"' low/x.h '<stdio.h>'
accepts "the one file with a foreign header" low/reader.c '<yaml.h>'
accepts "config.h" low/x.c '"config.h"'
rejects "an include that points up" 1 low/x.c '"high/a.h"'
rejects "an include without its layer" 1 low/x.c '"x.h"'
rejects "a ring" 2 low/x.h '"low/y.h"' low/y.h '"low/x.h"'
rejects "an include of another group" 3 high/a.c '"high/b2.h"'
rejects "an include of another group by way of a header" 3 high/b.c '"high/c.h"' high/c.h '"high/a.h"'
rejects "a foreign header elsewhere" 4 low/x.c '<yaml.h>'

plan
