# Completion of tally(1) for bash; zsh reads it after `autoload bashcompinit && bashcompinit`.
_tally() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='judge profile run trace exec vcpu-exec unsafe-exec compile verify-counts metrics-sink check-host evaluate worker submit --help --version'
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    return
  fi
  case $previous in
    --counter) words='auto perf translator step none' ;;
    --cpu) words='x86-64-v3 x86-64-v2' ;;
    --virtual-off) words='addresses cpu random system time' ;;
    --memory-by) words='auto cgroup address-space resident' ;;
    --syscalls) words='auto tracepoint trace off' ;;
    --isolation) words='full reduced' ;;
    --checker-protocol) words='sio testlib kattis' ;;
    -g | --generator) words='number array sorted reverse permutation string tree graph grid' ;;
    --stack) words=$("${COMP_WORDS[0]}" evaluate --stacks 2>/dev/null | awk '/^[a-z]/ { print $1 }') ;;
    --metrics | --database | --show | --config | --out | --solution | --tests | --include | --root) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    *) words= ;;
  esac
  if [ -z "$words" ] && [[ $word == -* ]]; then
    # The options are those the command itself tells of.
    words=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | grep -oE -- '(^| |,)--[a-z-]+' | tr -d ' ,' | sort -u)
  elif [ -z "$words" ]; then
    case $command in
      exec | vcpu-exec | unsafe-exec)
        words='exe_file= in_file= out_file= exec_time_limit= exec_mem_limit= exec_out_limit= exec_et_limit=
          check_output=true hint_file= chk_file= checker_protocol= counter= use_filetracker='
        [[ $word == *=* ]] && words=
        compopt -o nospace
        ;;
      compile)
        words='source_file= out_file= compiler= extra_compilation_args= use_filetracker='
        [[ $word == *=* ]] && words=
        compopt -o nospace
        ;;
    esac
  fi
  if [ -n "$words" ]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"); fi
  [ ${#COMPREPLY[@]} -eq 0 ] && mapfile -t COMPREPLY < <(compgen -f -- "${word#*=}")
}
complete -o filenames -F _tally tally
