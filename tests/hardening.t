#!/bin/sh
# The program has what configure says of its hardening.
set -u
. "$(dirname "$0")/sandbox.sh"

hardening=" $(sed -n 's/^HARDENING = //p' Makefile) "
if ! readelf -h collcost >/dev/null 2>&1; then
    echo "1..0 # SKIP readelf of the GNU binutils is needed"
    exit
fi
{
    readelf -h collcost
    readelf -W -l collcost
    readelf -W -d collcost
    readelf -W --dyn-syms collcost
} >"$work/program"

# has WORD NAME PATTERN...: where configure says WORD, readelf shows each PATTERN.
has() {
    word=$1 name=$2
    shift 2
    case $hardening in
    *" $word"*) ;;
    *) return ;;
    esac
    status=0
    for pattern in "$@"; do
        grep -Eq "$pattern" "$work/program" || status=1
    done
    result $status "$name"
}

has _FORTIFY_SOURCE "calls of the C library are checked" '__(v?s?n?|f)printf_chk'
has -fstack-protector "stack frames are guarded" __stack_chk_fail
has PIE "the program can be loaded anywhere" 'Type: *DYN'
has RELRO "what the loader has written cannot be written again" GNU_RELRO 'BIND_NOW|FLAGS.*NOW'
plan "configured without hardening"
