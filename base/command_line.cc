#include "base/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <utility>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/terminal.h"
#include "base/wrapped_text.h"

namespace tally {
namespace {

// "--time", "--time=1s"; "-t", "-t1s", and behind another letter, "-qt".
bool MayBe(std::string_view word, std::string_view name) {
  if (name.starts_with("--")) return word.starts_with(name);
  return word.starts_with('-') && !word.starts_with("--") && word.find(name.back()) != std::string_view::npos;
}

bool AsksForHelp(std::string_view word) { return MayBe(word, "-h") || MayBe(word, "--help"); }

// Asks for help, too, as MayBe reads it: so all options are described.
constexpr std::string_view kHelpForTools = "--help-for-tools";

// Nothing in them is a tab or an end of line but the ends of lines of a footer, which are lines of their own.
void DescribeOption(const CLI::Option& option, std::string* out) {
  if (option.get_group().empty()) return;  // hidden
  const std::string kind = option.get_positional() ? "positional" : option.get_items_expected_max() == 0 ? "flag" : "option";
  std::string names;
  for (const std::string& name : option.get_snames()) names += fmt::format("{}-{}", names.empty() ? "" : ",", name);
  for (const std::string& name : option.get_lnames()) names += fmt::format("{}--{}", names.empty() ? "" : ",", name);
  if (option.get_positional()) names = option.get_name(true);
  const char* const count = option.get_items_expected_max() > 1 ? "many" : "one";
  *out += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", kind, names, option.get_type_name(), count,
                      option.get_required() ? "required" : "", option.get_description());
}

void DescribeApp(const CLI::App& app, std::string* out) {
  for (const CLI::Option* option : app.get_options()) DescribeOption(*option, out);
  const std::string text = app.get_footer();
  std::string_view footer = text;
  while (!footer.empty()) {
    const std::size_t end = std::min(footer.find('\n'), footer.size());
    *out += fmt::format("footer\t{}\n", footer.substr(0, end));
    footer.remove_prefix(std::min(end + 1, footer.size()));
  }
}

bool IsPositional(std::string_view names) { return !names.starts_with('-'); }

void AddNames(std::string_view names, std::vector<std::string_view>* all) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    all->push_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

}  // namespace

bool GivenWords::MayMean(std::string_view names) const {
  const auto any = [this](auto is) { return std::any_of(words_.begin(), words_.end(), is); };
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    const std::string_view name = names.substr(0, comma);
    if (any([name](std::string_view word) { return MayBe(word, name); })) return true;
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return any(AsksForHelp);
}

CommandOption& CommandOption::Required() {
  if (option_ != nullptr) option_->required();
  return *this;
}

CommandOption& CommandOption::Hidden() {
  if (option_ != nullptr) option_->group("");
  return *this;
}

CommandOption& CommandOption::OneEach() {
  if (option_ != nullptr) option_->allow_extra_args(false);
  return *this;
}

CommandOption& CommandOption::SplitAt(char delimiter) {
  if (option_ != nullptr) option_->delimiter(delimiter);
  return *this;
}

CommandOption& CommandOption::OneOf(const std::string& words) {
  if (option_ != nullptr) option_->type_name(words);
  return *this;
}

template <class Number>
CommandOption& CommandOption::Within(Number least, Number most) {
  if (option_ != nullptr) option_->check(CLI::Range(least, most));
  return *this;
}

template <class Value>
CommandOption Command::Option(std::string_view names, Value& value, std::string_view help) {
  if (!IsPositional(names)) AddNames(names, &shared_->names[app_]);
  if (!IsPositional(names) && !words_.MayMean(names)) return CommandOption(nullptr);
  return CommandOption(app_->add_option(std::string(names), value, std::string(help)));
}

void Command::Flag(std::string_view names, bool& value, std::string_view help) {
  AddNames(names, &shared_->names[app_]);
  if (words_.MayMean(names)) app_->add_flag(std::string(names), value, std::string(help));
}

void Command::JsonOption(std::string& target, std::string_view what) {
  AddNames("--json", &shared_->names[app_]);
  if (!words_.MayMean("--json")) return;
  // A flag may have a value behind "=", and else says "true" to a text (CLI11). A word of its own behind it would be a positional's.
  CLI::Option* const option = app_->add_flag("--json", target, fmt::format("{} as JSON on stdout, in place of the text; --json=FILE into a file, beside it", what));
  option->transform([](const std::string& word) { return word == "true" ? std::string("-") : word; })->option_text("[=FILE]");
}

void Command::Footer(const std::string& text) { app_->footer(text); }

void Command::Footer(std::function<std::string()> text) {
  app_->footer("");  // it has its line's
  app_->footer(std::move(text));
}

void Command::WordsBeginWith(std::function<std::vector<std::string>()> beginnings) {
  shared_->beginnings[app_] = std::move(beginnings);
}

void Command::PositionalsAtEnd() { app_->positionals_at_end(); }

void Command::Hide() { app_->group(""); }

void Command::Does(Action what) {
  app_->callback([shared = shared_, what = std::move(what)] { shared->chosen = what; });
}

CommandLine::CommandLine(const std::string& description, const std::string& name, int argc, const char* const* argv)
    : Command(nullptr, &all_, GivenWords({argv, static_cast<std::size_t>(argc)})),
      argc_(argc),
      argv_(argv),
      owned_(std::make_unique<CLI::App>(description, name)) {
  app_ = owned_.get();
}

CommandLine::~CommandLine() = default;

void CommandLine::Version(const std::string& text) { app_->set_version_flag("--version", text); }

Command CommandLine::Add(const std::string& name, const std::string& description) {
  app_->require_subcommand(1);
  return {app_->add_subcommand(name, description), shared_, words_};
}

void CommandLine::AddForwarded(const std::string& name, const std::string& description,
                               const std::function<int(const std::vector<std::string>&)>& does) {
  app_->require_subcommand(1);
  CLI::App* const command = app_->add_subcommand(name, description);
  command->set_help_flag();
  command->prefix_command();
  command->callback([this, command, does] { all_.chosen = [does, words = command->remaining()] { return does(words); }; });
}

std::string CommandLine::DescriptionForTools() const {
  const std::vector<CLI::App*> commands = app_->get_subcommands([](const CLI::App*) { return true; });
  std::string out;
  // `tally-serve` is all of the command serve.
  if (commands.empty()) out += fmt::format("command\t{}\t{}\n", app_->get_name().substr(app_->get_name().find('-') + 1), app_->get_description());
  DescribeApp(*app_, &out);
  for (const CLI::App* command : commands) {
    if (command->get_group().empty()) continue;
    out += fmt::format("command\t{}\t{}\n", command->get_name(), command->get_description());
    DescribeApp(*command, &out);
    if (const auto found = all_.beginnings.find(command); found != all_.beginnings.end()) {
      for (const std::string& word : found->second()) out += fmt::format("word\t{}\n", word);
    }
  }
  return out;
}

// CLI11 may miss a value that is needed because of an option that it does not know: that option is the mistake.
std::string CommandLine::UnknownOptionOr(const std::string& what) const {
  const std::vector<CLI::App*> commands = app_->get_subcommands();
  const CLI::App* const app = commands.empty() ? app_ : commands.front();
  for (const std::string& word : app_->remaining(true)) {
    if (!word.starts_with('-') || word == "-" || word == "--") continue;
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known{"--help"};
    if (const auto found = all_.names.find(app); found != all_.names.end()) known.insert(known.end(), found->second.begin(), found->second.end());
    return fmt::format("unknown option {}{}", name, DidYouMean(name, known));
  }
  return what;
}

int CommandLine::Run(const std::string& name) {
  if (argc_ > 1 && argv_[1] == kHelpForTools) {
    fmt::print("{}", DescriptionForTools());
    return 0;
  }
  try {
    app_->parse(argc_, argv_);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      std::ostringstream text;
      const int status = app_->exit(error, text, text);
      fmt::print("{}", WrappedHelp(text.str(), TerminalColumns(STDOUT_FILENO)));
      return status;
    }
    const std::vector<CLI::App*> commands = app_->get_subcommands();
    const std::string command = commands.empty() ? "" : commands.front()->get_name() + " ";
    std::string mistake = error.what();
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError)) mistake = UnknownOptionOr(mistake);
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) mistake = UnknownOptionOr(fmt::format("unexpected word \"{}\"", app_->remaining(true).front()));
    throw UserError(fmt::format("{}; `{} {}--help` tells more", mistake, name, command));
  }
  return all_.chosen();
}

template CommandOption& CommandOption::Within(int, int);
template CommandOption& CommandOption::Within(unsigned, unsigned);
template CommandOption& CommandOption::Within(std::size_t, std::size_t);

using std::optional, std::string, std::string_view, std::uint64_t, std::vector;
template CommandOption Command::Option(string_view, int&, string_view);
template CommandOption Command::Option(string_view, unsigned&, string_view);
template CommandOption Command::Option(string_view, uint64_t&, string_view);
template CommandOption Command::Option(string_view, string&, string_view);
template CommandOption Command::Option(string_view, optional<string>&, string_view);
template CommandOption Command::Option(string_view, optional<uint64_t>&, string_view);
template CommandOption Command::Option(string_view, vector<string>&, string_view);

}  // namespace tally
