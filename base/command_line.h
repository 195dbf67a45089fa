// A command line: its commands, their options, and what each of them does. CLI11 does the work; only command_line.cc
// includes it. Each file that did took ten seconds to compile (GCC 12, -O2), and each of them made all of CLI11's
// validators once more whenever its executable started.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tally {

using Action = std::function<int()>;  // what main returns

// A handle; the option is its command's.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option* option) : option_(option) {}
  CommandOption& Required();
  CommandOption& SplitAt(char delimiter);  // one word may hold several values of a list
  template <class Number>
  CommandOption& Within(Number least, Number most);  // int, unsigned, std::size_t

 private:
  CLI::Option* option_;
};

// A handle; the command is its command line's.
class Command {
 public:
  Command(CLI::App* app, Action* action) : app_(app), action_(action) {}

  // "-t,--time"; a name without dashes is a positional. The value must live until the command has done its work; its
  // types are those at the end of command_line.cc.
  template <class Value>
  CommandOption Option(const std::string& names, Value& value, const std::string& help = "");
  void Flag(const std::string& names, bool& value, const std::string& help);
  void Footer(const std::string& text);
  void PositionalsAtEnd();  // options are not looked for behind the first of them
  void Hide();              // from the help text
  void Does(Action what);   // when it is given

 protected:
  CLI::App* app_;
  Action* action_;
};

// The whole, and itself a command where it has none.
class CommandLine : public Command {
 public:
  CommandLine(const std::string& description, const std::string& name);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;

  void Version(const std::string& text);
  Command Add(const std::string& name, const std::string& description);
  // A command that understands all words behind it itself.
  void AddForwarded(const std::string& name, const std::string& description,
                    const std::function<int(const std::vector<std::string>&)>& does);

  // Reads the words and does what they ask for; its exit status. --help and --version are done here: 0.
  // UserError: what is wrong with them, and `hint`.
  int Run(int argc, char** argv, const std::string& hint);

 private:
  std::unique_ptr<CLI::App> owned_;
  Action chosen_;
};

}  // namespace tally
