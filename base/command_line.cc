#include "base/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.h"

namespace tally {

CommandOption& CommandOption::Required() {
  option_->required();
  return *this;
}

CommandOption& CommandOption::SplitAt(char delimiter) {
  option_->delimiter(delimiter);
  return *this;
}

template <class Number>
CommandOption& CommandOption::Within(Number least, Number most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

template <class Value>
CommandOption Command::Option(const std::string& names, Value& value, const std::string& help) {
  return CommandOption(app_->add_option(names, value, help));
}

void Command::Flag(const std::string& names, bool& value, const std::string& help) { app_->add_flag(names, value, help); }

void Command::Footer(const std::string& text) { app_->footer(text); }

void Command::PositionalsAtEnd() { app_->positionals_at_end(); }

void Command::Hide() { app_->group(""); }

void Command::Does(Action what) {
  app_->callback([action = action_, what = std::move(what)] { *action = what; });
}

CommandLine::CommandLine(const std::string& description, const std::string& name)
    : Command(nullptr, &chosen_), owned_(std::make_unique<CLI::App>(description, name)) {
  app_ = owned_.get();
}

CommandLine::~CommandLine() = default;

void CommandLine::Version(const std::string& text) { app_->set_version_flag("--version", text); }

Command CommandLine::Add(const std::string& name, const std::string& description) {
  app_->require_subcommand(1);
  return {app_->add_subcommand(name, description), action_};
}

void CommandLine::AddForwarded(const std::string& name, const std::string& description,
                               const std::function<int(const std::vector<std::string>&)>& does) {
  app_->require_subcommand(1);
  CLI::App* const command = app_->add_subcommand(name, description);
  command->set_help_flag();
  command->prefix_command();
  command->callback([this, command, does] { chosen_ = [does, words = command->remaining()] { return does(words); }; });
}

int CommandLine::Run(int argc, char** argv, const std::string& hint) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app_->exit(error);
    throw UserError(fmt::format("{} ({})", error.what(), hint));
  }
  return chosen_();
}

template CommandOption& CommandOption::Within(int, int);
template CommandOption& CommandOption::Within(unsigned, unsigned);
template CommandOption& CommandOption::Within(std::size_t, std::size_t);

using std::optional, std::string, std::uint64_t, std::vector;
template CommandOption Command::Option(const string&, int&, const string&);
template CommandOption Command::Option(const string&, unsigned&, const string&);
template CommandOption Command::Option(const string&, uint64_t&, const string&);
template CommandOption Command::Option(const string&, string&, const string&);
template CommandOption Command::Option(const string&, optional<string>&, const string&);
template CommandOption Command::Option(const string&, optional<uint64_t>&, const string&);
template CommandOption Command::Option(const string&, vector<string>&, const string&);

}  // namespace tally
