# Sourced by tests that start more ranks than processors, in the folder of the build. $polite goes in front of mpirun:
# ranks that wait leave the processor to others (yield.c). Where that library cannot be loaded, as beside a sanitizer,
# it is empty, and tests take longer.
polite=
if $(sed -n 's/^CC = //p' Makefile) -shared -fPIC -o "$work/yield.so" "$srcdir/tests/ran/yield.c" 2>"$work/log" &&
    LD_PRELOAD=$work/yield.so ./collcost --version >"$work/log" 2>&1; then
    polite="env LD_PRELOAD=$work/yield.so"
fi
