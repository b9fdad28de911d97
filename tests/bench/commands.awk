# awk -v seed=SEED -v drawn=N -f commands.awk NAMES COMMANDS: a line for each command that COMMANDS
# (tests/bench/commands) says, then for each of N that are drawn. NAMES is what `collcost list -o csv` says.
BEGIN {
    FS = ","
    state = seed % 2147483646 + 1
    for (i = 0; i < 10; i++) draw(1)
}
FNR == 1 { file++ }
file == 1 && $1 == "collective" { add_alternative("COLLECTIVE", $2) }
file == 1 && $1 == "machine" { add_alternative("MACHINE", $2) }
file == 1 && $1 == "problem" { is_problem[$2] = 1 }
file == 1 && $1 == "algorithm" { algorithms[++algorithm_count] = $2 }
file == 1 || /^(#|$)/ { next }
/^    / { stands_for[name] = stands_for[name] $0; next }
/^[A-Z]+ = / {
    name = $0
    sub(/ = .*/, "", name)
    stands_for[name] = substr($0, length(name) + 4)
    next
}
/^run / { runs[++run_count] = substr($0, 5); next }
/^draw / { draws[++draw_count] = substr($0, 6); next }
{ printf "%s:%d: this is no command and no word\n", FILENAME, FNR >"/dev/stderr"; is_wrong = 1 }
END {
    if (is_wrong) exit 2
    for (i = 1; i <= algorithm_count; i++) {
        collective = algorithms[i]
        sub("/.*", "", collective)
        add_alternative(collective in is_problem ? "PRODUCT" : "ALGORITHM", algorithms[i])
    }
    for (i = 1; i <= run_count; i++) write_all(runs[i])
    for (i = 0; i < drawn; i++) write_drawn(draws[draw(draw_count)])
}

function add_alternative(word, alternative) {
    if (word in stands_for) alternative = stands_for[word] "|" alternative
    stands_for[word] = alternative
}

# The same numbers from every awk, 1 .. most (Park and Miller, CACM 31, 1988).
function draw(most) {
    state = state * 16807 % 2147483647
    return int(state / 2147483647 * most) + 1
}

# Finds the first word in capitals that stands for others, or [A|B]: what is before and behind it, and the
# alternatives.
function find_choice(text,    from, i, depth, sign) {
    for (from = 1; match(substr(text, from), /\[|[A-Z][A-Z][A-Z]+/); from += RSTART + RLENGTH - 1) {
        before = substr(text, 1, from + RSTART - 2)
        choice = substr(text, from + RSTART - 1, RLENGTH)
        behind = substr(text, from + RSTART - 1 + RLENGTH)
        if (choice in stands_for) {
            split_choice(stands_for[choice])
            return 1
        }
        if (choice != "[") continue
        for (i = depth = 1; depth; i++) {
            sign = substr(behind, i, 1)
            if (sign == "") break
            depth += (sign == "[") - (sign == "]")
        }
        split_choice(substr(behind, 1, i - 2))
        behind = substr(behind, i)
        return 1
    }
    return 0
}

function split_choice(text,    i, depth, sign) {
    delete alternatives
    count = 1
    for (i = 1; i <= length(text); i++) {
        sign = substr(text, i, 1)
        depth += (sign == "[") - (sign == "]")
        if (sign == "|" && !depth) count++
        else alternatives[count] = alternatives[count] sign
    }
    for (i = 1; i <= count; i++) gsub(/^ +| +$/, "", alternatives[i])
}

function write_command(text) {
    gsub(/ +/, " ", text)
    sub(/ $/, "", text)
    print text
}

function write_all(text,    choices, chosen, i) {
    if (!find_choice(text)) {
        write_command(text)
        return
    }
    choices = count
    for (i = 1; i <= choices; i++) chosen[i] = before alternatives[i] behind
    for (i = 1; i <= choices; i++) write_all(chosen[i])
}

function write_drawn(text,    ends, number) {
    while (find_choice(text)) text = before alternatives[draw(count)] behind
    while (match(text, /\{[0-9]+\.\.[0-9]+\}/)) {
        split(substr(text, RSTART + 1, RLENGTH - 2), ends, /\.\./)
        number = ends[1] - 1 + draw(ends[2] - ends[1] + 1)
        text = substr(text, 1, RSTART - 1) number substr(text, RSTART + RLENGTH)
    }
    write_command(text)
}
