# What gcov --branch-probabilities --no-output says, as a line for each source, the least covered first in
# branches, and the sums of all.
function share(part, all) { return all ? sprintf("%5.1f %% of %6d", 100 * part / all, all) : "        of      0" }
function counted(  percent, number) {
    split($0, number, " of ")
    percent = $0
    sub(/.*:/, "", percent)
    sub(/%.*/, "", percent)
    total = number[2]
    return int(percent * total / 100 + 0.5)
}
function finish() {
    if (file ~ /^src\// && lines) {
        print sprintf("%7.2f", branches ? 100 * taken / branches : 100), "lines", share(run, lines),
            " branches", share(taken, branches), " " file | "sort -n | cut -c 9-"
        all_lines += lines; all_run += run; all_branches += branches; all_taken += taken
    }
    file = ""; lines = run = branches = taken = 0
}
/^File / { finish(); file = substr($0, 7, length($0) - 7); sub(/^(\.\.\/)+/, "", file) }
/^Lines executed:/ && file && !lines { # behind the last file, those of all come again
    run = counted(); lines = total
}
/^Taken at least once:/ && file { taken = counted(); branches = total }
END {
    finish()
    close("sort -n | cut -c 9-")
    print "lines", share(all_run, all_lines), " branches", share(all_taken, all_branches), " in all"
}
