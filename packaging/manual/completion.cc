#include "packaging/manual/completion.h"

namespace tally {
namespace {

std::string Joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : separator) + word;
  return out;
}

void Replace(const std::string& place, const std::string& with, std::string* text) {
  text->replace(text->find(place), place.size(), with);
}

// Of which description the option's value is the name, as `tally --names` calls these.
std::string KindOf(const OptionText& option) {
  if (option.value == "COMPILER") return "compilers";
  if (option.value == "SANDBOX") return "sandboxes";
  return option.value == "STACK" ? "stacks" : "";
}

std::vector<std::string> NamesOf(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options) {
    if (option.kind != OptionText::Kind::kPositional) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// In single quotes of a shell; ":" and "[" are zsh's own in what _arguments and _describe read.
std::string Quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

constexpr const char* kBashHead = R"sh(# Completion of tally(1) for bash, made from its commands' definitions.
_tally() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
)sh";

constexpr const char* kBashTail = R"sh(  esac
  # bash has a job's KEY=VALUE as three words.
  local key=
  if [ "$previous" = = ]; then key=${COMP_WORDS[COMP_CWORD - 2]}; elif [ "$word" = = ]; then key=$previous word=; fi
  case $key in
    compiler) words=$("${COMP_WORDS[0]}" --names compilers 2>/dev/null) ;;
    sandbox) words=$("${COMP_WORDS[0]}" --names sandboxes 2>/dev/null) ;;
  esac
  if [ -z "$words" ] && [[ $word == -* ]]; then
    case $command in
@OPTIONS@    esac
  elif [ -z "$words" ] && [[ $word != *=* ]]; then
    case $command in
@KEYS@    esac
  fi
  [ -z "$words" ] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "${word#*=}")
}
complete -o filenames -F _tally tally
)sh";

constexpr const char* kZshHead = R"sh(#compdef tally
# Completion of tally(1) for zsh, made from its commands' definitions.
# The names of descriptions: compilers, sandboxes, stacks. _arguments has the words begin with the command.
_tally_names() {
  local -a names
  names=(${(f)"$(_call_program names tally --names $1 2>/dev/null)"})
  compadd -a names
}

# Keys of a job, and behind one of them a file.
_tally_keys() {
  if compset -P 'compiler='; then
    _tally_names compilers
  elif compset -P 'sandbox='; then
    _tally_names sandboxes
  elif compset -P '*='; then
    _files
  else
    compadd -S '' -- "$@" || _files
  fi
}

_tally() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
)sh";

constexpr const char* kZshMiddle = R"sh(  )
  _arguments -C '(- *)--help[Say what there is]' '(- *)--version[Say which Tally this is]' '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
)sh";

constexpr const char* kZshTail = R"sh(      esac
      ;;
  esac
}
_tally "$@"
)sh";

std::string ZshValue(const OptionText& option) {
  if (const std::string kind = KindOf(option); !kind.empty()) return ":name:{_tally_names " + kind + "}";
  if (const auto words = option.Words(); !words.empty()) return ":word:(" + Joined(words, " ") + ")";
  return ":value:_files";
}

// "(-t --time)'{-t,--time}'[...]:..." as _arguments wants it; one that can be repeated begins with *.
std::string ZshOption(const OptionText& option) {
  const std::string rest = "[" + Quoted(option.help) + "]" + (option.kind == OptionText::Kind::kFlag ? "" : ZshValue(option)) + "'";
  if (option.names.size() == 1) return std::string("'") + (option.many ? "*" : "") + option.names.front() + rest;
  const std::string others = option.many ? "*" : "(" + Joined(option.names, " ") + ")";
  return "'" + others + "'{" + Joined(option.names, ",") + "}'" + rest;
}

}  // namespace

std::string BashCompletion(const std::vector<CommandText>& commands) {
  std::vector<std::string> names;
  std::string values, options, keys;
  for (const CommandText& command : commands) {
    names.push_back(command.name);
    options += "      " + command.name + ") words='" + Joined(NamesOf(command), " ") + "' ;;\n";
    if (!command.words.empty()) {
      keys += "      " + command.name + ") words='" + Joined(command.words, " ") + "' && compopt -o nospace ;;\n";
    }
    for (const OptionText& option : command.options) {
      const std::string kind = KindOf(option);
      const auto words = option.Words();
      if (words.empty() && kind.empty()) continue;
      // At every key: so nothing is read but names.
      const std::string value = kind.empty() ? "'" + Joined(words, " ") + "'" : "$(\"${COMP_WORDS[0]}\" --names " + kind + " 2>/dev/null)";
      for (const std::string& name : option.names) values += "    " + command.name + name + ") words=" + value + " ;;\n";
    }
  }
  std::string tail = kBashTail;
  Replace("@OPTIONS@", options, &tail);
  Replace("@KEYS@", keys, &tail);
  const std::string all = Joined(names, " ");
  return kBashHead + ("    words='" + all + " --help --version'\n  elif [ \"$command\" = help ]; then\n    words='" + all + "'\n  fi\n  case $command$previous in\n") + values + tail;
}

std::string ZshCompletion(const std::vector<CommandText>& commands) {
  std::string list, arguments;
  for (const CommandText& command : commands) {
    list += "    '" + command.name + ":" + Quoted(command.help) + "'\n";
    arguments += "        " + command.name + ")\n          _arguments -S";
    for (const OptionText& option : command.options) {
      if (option.kind != OptionText::Kind::kPositional) arguments += " \\\n            " + ZshOption(option);
    }
    if (command.name == "help") {
      arguments += " \\\n            '1:command:{_describe command commands}'\n          ;;\n";
      continue;
    }
    arguments += command.words.empty() ? " \\\n            '*:file:_files'" : " \\\n            '*: :_tally_keys " + Joined(command.words, " ") + "'";
    arguments += "\n          ;;\n";
  }
  return kZshHead + list + kZshMiddle + arguments + kZshTail;
}

}  // namespace tally
