#!/bin/sh
# `make dist` packs the same files to the same bytes: by whom, when and in which order they were written does
# not matter.
set -u
. "$(dirname "$0")/sandbox.sh"
case $(tar --version 2>/dev/null) in
*"GNU tar"*) ;;
*) plan "GNU tar is needed" && exit ;;
esac

# pack FOLDER: collcost-1 in it as `make dist` packs it.
pack() {
    printf 'include Makefile\npack:\n\t@tardir=collcost-1 && $(am__tar)\n' |
        TAR="tar -C $work/$1" "${MAKE-make}" -s -f - pack >"$work/$1.tar" 2>"$work/$1.errors"
}

mkdir -p "$work/one/collcost-1/src" "$work/two/collcost-1"
(cd "$work/one/collcost-1" && umask 022 && echo a >a && echo b >b && echo c >src/c && chmod 755 b)
(umask 077 && cd "$work/two/collcost-1" && mkdir src && echo c >src/c && echo b >b && echo a >a && chmod 700 b &&
    touch -t 200001010000 a src)
pack one
pack two
test -s "$work/one.tar" && cmp "$work/one.tar" "$work/two.tar" >"$work/said" 2>&1
result $? "files of other times, modes and order are packed to the same bytes"
comment "$work"/*.errors

tar tvf "$work/one.tar" 2>&1 | awk '{ print $1, $2, $NF }' >"$work/list"
diff - "$work/list" >"$work/said" <<'END'
drwxr-xr-x 0/0 collcost-1/
-rw-r--r-- 0/0 collcost-1/a
-rwxr-xr-x 0/0 collcost-1/b
drwxr-xr-x 0/0 collcost-1/src/
-rw-r--r-- 0/0 collcost-1/src/c
END
result $? "nobody owns them, and programs stay programs"
comment "$work/said"
plan
