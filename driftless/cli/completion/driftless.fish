# Completion of driftless for fish. The program itself tells what could stand in place of a word: `driftless complete WORD…`.

function __driftless_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l before (string match -r -- '^-.*?=' "$current"; or echo '') # the option that a path is given to
    set -l path (string replace -- "$before" '' "$current")
    for line in ($words[1] complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :files
                printf '%s\n' $before(__fish_complete_path "$path")
            case :folders
                printf '%s\n' $before(__fish_complete_directories "$path")
            case '*'
                echo $line
        end
    end
end

complete -c driftless -f -a '(__driftless_complete)'
