// A command line: its commands, their options, and what each of them does. CLI11 does the work; only command_line.cc
// includes it. Each file that did took ten seconds to compile (GCC 12, -O2), and each of them made all of CLI11's
// validators once more whenever its executable started.
//
// Theory of operation. CLI11 takes microseconds to be told of an option, and a command has dozens, most of which nobody gives:
// to describe them all was a twentieth of a cold `tally run`. So the words come first, and an option that none of them can
// mean is never described, unless they ask for help, which shows all.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tally {

using Action = std::function<int()>;  // what main returns

// What the user gave.
class GivenWords {
 public:
  explicit GivenWords(std::span<const char* const> words) : words_(words) {}
  // Could one of them be an option with one of these names ("-t,--time"), or ask for help? True is a guess.
  [[nodiscard]] bool MayMean(std::string_view names) const;

 private:
  std::span<const char* const> words_;
};

// A handle; the option is its command's. nullptr: it was not given.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option* option) : option_(option) {}
  CommandOption& Required();        // a positional
  CommandOption& Hidden();          // from the help text
  CommandOption& OneEach();         // of a list: one value behind each name, where the words behind it are others'
  CommandOption& SplitAt(char delimiter);  // one word may hold several values of a list
  // What may be given, "auto|full|reduced", or what it is, "COMPILER" (packaging/manual/completion.cc): for the help text and for completion.
  // The value's reader decides.
  CommandOption& OneOf(const std::string& words);
  template <class Number>
  CommandOption& Within(Number least, Number most);  // int, unsigned, std::size_t

 private:
  CLI::Option* option_;
};

// A handle; the command is its command line's.
class Command {
 public:
  // What all commands of a line have in common.
  struct Shared {
    Action chosen;
    std::map<const CLI::App*, std::function<std::vector<std::string>()>> beginnings;  // of words, when completion is made
    std::map<const CLI::App*, std::vector<std::string_view>> names;                   // of all options, the undescribed as well
  };
  Command(CLI::App* app, Shared* shared, GivenWords words) : app_(app), shared_(shared), words_(words) {}

  // "-t,--time", a literal; a name without dashes is a positional. The value must live until the command has done its work; its
  // types are those at the end of command_line.cc.
  template <class Value>
  CommandOption Option(std::string_view names, Value& value, std::string_view help = "");
  void Flag(std::string_view names, bool& value, std::string_view help);
  // --json[=FILE], the same in every command: what it prints, for machines. `target` is for JsonOutput.
  void JsonOption(std::string& target, std::string_view what);
  void Footer(const std::string& text);
  void Footer(std::function<std::string()> text);  // made when it is asked for
  void WordsBeginWith(std::function<std::vector<std::string>()> beginnings);  // "exe_file=": for completion
  void PositionalsAtEnd();  // options are not looked for behind the first of them
  void Hide();              // from the help text
  void Does(Action what);   // when it is given

 protected:
  CLI::App* app_;
  Shared* shared_;
  GivenWords words_;
};

// The whole, and itself a command where it has none.
class CommandLine : public Command {
 public:
  // The words are main's, and stay where they are.
  CommandLine(const std::string& description, const std::string& name, int argc, const char* const* argv);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;

  void Version(const std::string& text);
  Command Add(const std::string& name, const std::string& description);
  // A command that understands all words behind it itself.
  void AddForwarded(const std::string& name, const std::string& description,
                    const std::function<int(const std::vector<std::string>&)>& does);

  // Reads the words and does what they ask for; its exit status. --help and --version are done here: 0. So is
  // --help-for-tools, which prints all that is not hidden, for manual pages and completion (packaging/manual).
  // UserError: what is wrong with them, what may have been meant, and whose help tells more, `name`'s or the command's.
  int Run(const std::string& name);

 private:
  [[nodiscard]] std::string DescriptionForTools() const;
  [[nodiscard]] std::string UnknownOptionOr(const std::string& what) const;

  int argc_;
  const char* const* argv_;
  std::unique_ptr<CLI::App> owned_;
  Shared all_;
};

}  // namespace tally
