#!/bin/sh
# Proves that tests/layers.t fails where a rule of LAYERS is broken.
set -u
. "$(dirname "$0")/sandbox.sh"

# Stands in for nm: an object file is the list of its symbols, one SYMBOL TYPE a line.
cat >"$work/nm" <<'END'
#!/bin/sh
for file; do
    case $file in
    -*) ;;
    *) sed "s,^,$file: ," "$file" ;;
    esac
done
END
chmod +x "$work/nm"

# tree [FILE TEXT]...: a source tree with the layers low and high, and objects, of one-line files. TEXT
# is what a source includes, or "SYMBOL TYPE" of an object. Of what FILE LAYERS gets, the line is a rule.
tree() {
    fresh src
    fresh objects
    mkdir "$work/src/low" "$work/src/high" "$work/objects/low" "$work/objects/high"
    printf '%s\n' '# rules' low high 'apart high/a+high/d high/b*' 'only yaml.h low/reader.c' \
        'public low_api_ low low high/asker' \
        >"$work/src/LAYERS"
    # Two objects of which one needs the other, as in every build.
    touch "$work/src/low/base.c" "$work/src/high/top.c"
    echo >"$work/src/high/asker.c"
    echo base T >"$work/objects/low/base.o"
    echo base U >"$work/objects/high/top.o"
    while test $# -gt 0; do
        case $1 in
        LAYERS) echo "$2" >>"$work/src/LAYERS" ;;
        *.o)
            touch "$work/src/${1%.o}.c"
            echo "$2" >>"$work/objects/$1"
            ;;
        *) echo "#include $2" >>"$work/src/$1" ;;
        esac
        shift 2
    done
    "$srcdir/tests/layers.t" "$work/src" "$work/objects" >"$work/report"
}
NM=$work/nm
export NM

accepts() {
    name=$1
    shift
    tree "$@"
    ! grep -q '^not ok' "$work/report" && grep -q '^1\.\.[67]' "$work/report"
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
rejects "a rule that is none" 1 LAYERS 'apart-from high/a high/b'

accepts "a symbol of a lower layer" high/a.o 'low_x U' low/x.o 'low_x T'
accepts "a symbol that no object defines" low/x.o 'malloc U'
accepts "a symbol of the file itself" low/x.o 'low_x U' low/x.o 'low_x D'
rejects "a symbol of a higher layer" 2 low/x.o 'high_a U' high/a.o 'high_a T'
rejects "a table of a higher layer" 2 low/x.o 'high_a U' high/a.o 'high_a R'

accepts "the public symbol for one that asks" high/asker.o 'low_api_x U' low/x.o 'low_api_x T'
accepts "another symbol for others" high/a.o 'low_x U' low/x.o 'low_x T'
rejects "another symbol for one that asks" 6 high/asker.o 'low_x U' low/x.o 'low_x T'
rejects "a header of such a layer for one that asks" 6 high/asker.c '"low/x.h"' low/x.h '<stdio.h>'
rejects "one that asks and is not there" 7 LAYERS 'public low_api_ low low high/nobody'
rejects "a header for one of many that ask" 7 LAYERS 'public low_api_ low low high/b*' high/b2.c '"low/x.h"' \
    low/x.h '<stdio.h>'
accepts "a header for one that is left out" LAYERS 'public low_api_ low low high/b* !high/b2' high/b2.c '"low/x.h"' \
    low/x.h '<stdio.h>'
rejects "one that is left out and is not there" 7 LAYERS 'public low_api_ low low high/b* !high/nobody' \
    high/b2.c '"high/b.h"' high/b.h '<stdio.h>'

rejects "a ring of headers" 3 low/x.h '"low/y.h"' low/y.h '"low/x.h"'
rejects "a ring of objects" 3 low/x.o 'low_y U' low/x.o 'low_x T' low/y.o 'low_x U' low/y.o 'low_y T'
rejects "a ring of three objects" 3 low/x.o 'low_y U' low/x.o 'low_x T' low/y.o 'low_z U' \
    low/y.o 'low_y T' low/z.o 'low_x U' low/z.o 'low_z T'
rejects "a ring by an include and a symbol" 3 low/x.h '"low/y.h"' low/y.o 'low_x U' low/x.o 'low_x T'

accepts "a ring that is named" low/x.h '"low/y.h"' low/y.h '"low/x.h"' \
    LAYERS 'cycle low/x low/y # they call one another'
rejects "a ring that is named without a reason" 1 low/x.h '"low/y.h"' low/y.h '"low/x.h"' \
    LAYERS 'cycle low/x low/y'
rejects "a ring larger than the one that is named" 3 low/x.h '"low/y.h"' low/y.h '"low/x.h"' \
    low/x.h '"low/z.h"' low/z.h '"low/x.h"' LAYERS 'cycle low/x low/y # they call one another'
rejects "a name for more than the ring" 3 low/x.h '"low/y.h"' low/y.h '"low/x.h"' \
    LAYERS 'cycle low/x low/y low/z # no ring'
rejects "a name for a ring that is none" 3 LAYERS 'cycle low/x low/y # no ring'

rejects "an include of another group" 4 high/a.c '"high/b2.h"'
rejects "an include of another group by way of a header" 4 high/b.c '"high/c.h"' high/c.h '"high/a.h"'
rejects "a symbol of another group" 4 high/a.o 'b U' high/b.o 'b T'
rejects "a symbol of a group's second file" 4 high/b.o 'd U' high/d.o 'd T'
accepts "a symbol of the same group" high/a.o 'd U' high/d.o 'd T'
rejects "a symbol of another group by way of an object" 4 high/a.o 'c U' high/c.o 'c T' \
    high/c.o 'b U' high/b.o 'b T'
rejects "a foreign header elsewhere" 5 low/x.c '<yaml.h>'

tree
echo other U >"$work/objects/high/top.o"
"$srcdir/tests/layers.t" "$work/src" "$work/objects" >"$work/report"
grep -q '^not ok 2' "$work/report"
result $? "objects that need nothing of one another are rejected: their symbols were not read"
comment "$work/report"

# What is left of a file that is no more counts for nothing.
tree low/x.o 'high_a U' high/a.o 'high_a T'
rm "$work/src/low/x.c"
"$srcdir/tests/layers.t" "$work/src" "$work/objects" >"$work/report"
! grep -q '^not ok' "$work/report"
result $? "an object without its source is left out"
comment "$work/report"

# skips REASON: symbols were not read, which the report says, and a ring of headers was found.
skips() {
    grep -q "^ok 2 .*# SKIP $1" "$work/report" && grep -q '^not ok 3 .*by includes alone' "$work/report"
    result $? "'$1' is a reason to skip symbols, not includes"
    comment "$work/report"
}
tree low/x.h '"low/y.h"' low/y.h '"low/x.h"'
NM=$work/no-nm "$srcdir/tests/layers.t" "$work/src" "$work/objects" >"$work/report"
skips "$work/no-nm is not installed"
"$srcdir/tests/layers.t" "$work/src" "$work/nowhere" >"$work/report"
skips "there are no object files"

plan
