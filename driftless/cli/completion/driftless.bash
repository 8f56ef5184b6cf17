# Completion of driftless for bash. The program itself tells what could stand in place of a word: `driftless complete WORD…`.

_driftless() {
  local -a words=()
  local word attach=
  # Bash ends words at =, the program does not.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ( $word == "=" || $attach ) ]]; then words[-1]+=$word; else words+=("$word"); fi
    if [[ $word == "=" ]]; then attach=1; else attach=; fi
  done
  local current=${words[-1]}
  local before=  # of the current word, what bash takes for other words
  [[ $current == *=* ]] && before=${current%"${current##*=}"}

  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    case $word in
      :files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${current#"$before"}"); compopt -o filenames 2>/dev/null ;;
      :folders) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "${current#"$before"}"); compopt -o filenames 2>/dev/null ;;
      *=) COMPREPLY+=("$word"); compopt -o nospace 2>/dev/null ;;
      *) COMPREPLY+=("${word#"$before"}") ;;
    esac
  done < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
  return 0
}

complete -F _driftless driftless
