# Completion of collcost's command line for fish. The program itself says how a line can go on.

function __collcost_complete
    set -l line (string join ' ' -- (commandline -opc) (commandline -ct))
    set -l token (commandline -ct)
    # what fish has in its word, and the program not
    set -l before (string match -r '^.*[ =(,<>+*^]' -- $token)
    set -l found (collcost --complete "$line" 2>/dev/null)
    if test "$found" = '*'
        __fish_complete_path $token
    else
        for word in $found
            echo "$before$word"
        end
    end
end

complete -c collcost -f -a '(__collcost_complete)'
