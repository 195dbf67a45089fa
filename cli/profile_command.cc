// `tally profile FILE`: a source over inputs of growing size; a table and the growth for people, JSON for machines.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/json_output.h"
#include "base/log_level.h"
#include "base/sys.h"
#include "base/wrapped_text.h"
#include "cli/commands.h"
#include "cli/option_values.h"
#include "cli/series_metrics.h"
#include "cli/terminal.h"
#include "jobs/exec_options.h"
#include "jobs/profile_series.h"
#include "profile/html/html_report.h"
#include "profile/text.h"

namespace tally {
namespace {

struct ProfileArguments {
  std::string file;
  std::optional<std::string> n_max, seed, seeds, generator, checker, checker_protocol, hint, language, timeout, memory, expect, log_level;
  std::vector<std::string> sizes, corner_cases;
  bool no_corner_cases = false, debug = false;
  std::string compare, json, html, metrics, isolation = "full";
};

// Sizes as people write them: "100000", "1e5", "100k".
std::uint64_t ParseSize(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double times = unit.empty() ? 1 : unit == "k" || unit == "K" ? 1e3 : unit == "m" || unit == "M" ? 1e6 : 0;
  number *= times;
  if (error != std::errc() || times == 0 || !(number >= 0) || number > 1e18 || std::floor(number) != number) {
    throw UserError(fmt::format("\"{}\" is no size; expected a whole number like 100000, 1e5 or 100k", text));
  }
  return static_cast<std::uint64_t>(number);
}

std::vector<std::uint64_t> ParseSizes(const char* option, const std::vector<std::string>& words) {
  std::vector<std::uint64_t> sizes;
  for (const std::string& word : words) sizes.push_back(*Given(option, std::optional(word), ParseSize));
  if (sizes.size() > kMostSizes) throw UserError(fmt::format("{}: at most {} sizes", option, kMostSizes));
  return sizes;
}

CodeMessage ReadMessageFile(const std::string& path) {
  std::string text;
  try {
    text = sys::ReadFile(path);
  } catch (const SystemError& error) {
    throw UserError(fmt::format("{}: {}", path, ErrnoText(error.error())));
  }
  const Environ environ = Environ::Parse(text, path);
  try {
    return ReadCodeMessage(environ.object());
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", path, error.what()));
  }
}

ProgramText FileProgram(const char* option, const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) throw UserError(fmt::format("{}{}: no such file", option, path));
  return {"", "", path};
}

// A word is a shape unless it is a file.
void SetGenerator(const std::string& word, CodeMessage* message) {
  if (std::filesystem::is_regular_file(word)) {
    message->generator = FileProgram("--generator: ", word);
  } else if (word.find('.') != std::string::npos || word.find('/') != std::string::npos) {
    throw UserError(fmt::format("--generator: {}: no such file", word));
  } else {
    message->shape = ParseShape("--generator", word);
    message->generator.reset();
  }
}

void SetLimits(const ProfileArguments& a, CodeMessage* message) {
  if (const auto time = Given("--timeout", a.timeout, ParseTimeLimit)) {
    message->timeout = std::chrono::duration_cast<Milliseconds>(*time);
    if (message->timeout.count() == 0) throw UserError("--timeout: less than a millisecond leaves no time to run");
  }
  if (const auto memory = Given("--memory", a.memory, ParseMemoryLimit)) message->memory = *memory;
}

CodeMessage MessageFor(const ProfileArguments& a) {
  CodeMessage message;
  if (std::filesystem::path(a.file).extension() == ".json") {
    message = ReadMessageFile(a.file);
  } else {
    message.program = FileProgram("", a.file);
  }
  if (a.language) message.program.language = *a.language;
  if (const auto n = Given("--n-max", a.n_max, ParseSize)) message.sizes.n_max = *n;
  if (!a.sizes.empty()) message.sizes.scales = ParseSizes("--sizes", a.sizes);
  if (!a.corner_cases.empty()) message.sizes.corner_cases = ParseSizes("--corner-cases", a.corner_cases);
  if (a.no_corner_cases) message.sizes.corner_cases.clear();
  if (const auto seed = Given("--seed", a.seed, ParseSize)) message.seed = *seed;
  if (const auto seeds = Given("--seeds", a.seeds, ParseSize)) message.seeds = *seeds;
  if (message.seeds && (*message.seeds == 0 || *message.seeds > kMostSeeds)) {
    throw UserError(fmt::format("--seeds: {} is not 1 to {}", *message.seeds, kMostSeeds));
  }
  if (a.generator) SetGenerator(*a.generator, &message);
  if (a.checker) message.checker = FileProgram("--checker: ", *a.checker);
  if (a.checker_protocol) message.checker_protocol = *a.checker_protocol;
  if (a.hint) message.hint = FileProgram("--hint: ", *a.hint);
  SetLimits(a, &message);
  if (a.expect) message.expect = ParseGrowthModel("--expect", *a.expect);
  message.debug = message.debug || a.debug || !a.html.empty();  // the page shows the hot lines
  message.timeline = !a.html.empty();
  const std::vector<std::uint64_t> sizes = InputSizes(message.sizes);
  if (sizes.empty()) throw UserError("--sizes: there is no size left to run");
  const auto fitted = std::count_if(sizes.begin(), sizes.end(), [](std::uint64_t n) { return n >= 2; });
  if (message.expect && static_cast<std::size_t>(fitted) < kFewestSizes) {
    throw UserError(fmt::format("--expect: growth is told from {} sizes of 2 or more, and here are {}; --sizes gives more",
                                kFewestSizes, fitted));
  }
  return message;
}

bool TerminalHasUnicode() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);
    return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos;
  }
  return false;
}

ProfileReport RunWithBar(const CodeMessage& message, const std::string& name, Isolation isolation, LogLevel least, JudgeObserver* observer) {
  const ProgressBar bar(SeriesSteps(message), name);
  const SeriesEvents events{
      [&bar](std::size_t done, std::size_t, const std::string& what) { bar.Show(done, what); },
      [&bar, least](LogLevel level, const std::string& sentence) {
        if (level < least) return;
        bar.Clear();
        WriteLog(level, sentence);
      },
      observer};
  ProfileReport report = RunSeries(message, isolation, events);
  bar.Clear();
  return report;
}

std::string Head(const CodeMessage& message, const std::string& name, const ProfileReport& report, bool colour) {
  const std::string line = fmt::format("{}{}: {}, {} and {} each\n\n", Bold(name, colour), report.language.empty() ? "" : " (" + report.language + ")",
                                       CountOf(InputSizes(message.sizes).size(), "size"), FormatDuration(message.timeout), FormatBytes(message.memory));
  return WrappedText(line, TerminalColumns(STDOUT_FILENO));
}

// For the page; none where the program is an executable.
HtmlSeries PageSeries(const CodeMessage& message, const std::string& name, const ProfileReport& report) {
  const ProgramText& program = message.program;
  std::vector<HtmlSource> sources;
  if (program.file.empty()) {
    sources.push_back({"", program.code});
  } else if (report.compiler != "executable") {
    sources.push_back({std::filesystem::path(program.file).filename(), sys::ReadFile(program.file)});
  }
  HtmlSeries series = SeriesOf(report, name, std::move(sources));
  if (!report.timeline.empty()) series.timeline = nlohmann::json::parse(report.timeline, nullptr, false);
  if (!report.timeline_absent.empty()) series.timeline = {{"absent", report.timeline_absent}};
  return series;
}

int Profile(const ProfileArguments& a) {
  CodeMessage message = MessageFor(a);
  const Isolation isolation = ParseIsolation("--isolation", a.isolation);
  const LogLevel least = a.log_level ? ParseLogLevel("--log-level", *a.log_level) : LogLevelOfEnvironment();
  if (!a.compare.empty()) FileProgram("--compare: ", a.compare);
  // Now, so that a path where nothing can be written is told before the series and not after it.
  std::optional<AtomicFile> page_file;
  if (!a.html.empty()) page_file.emplace(a.html, "--html");
  const JsonOutput json(a.json);
  const bool to_stdout = json.to_stdout();
  const TextStyle style{WantsColour(STDOUT_FILENO), TerminalHasUnicode(), TerminalColumns(STDOUT_FILENO)};
  const std::string name = std::filesystem::path(a.file).filename();

  SeriesMetrics metrics(a.metrics);
  const ProfileReport report = RunWithBar(message, name, isolation, least, metrics.observer());
  nlohmann::json object = ReportObject(report);
  HtmlInput page;
  if (page_file) page.series.push_back(PageSeries(message, name, report));
  if (!to_stdout) fmt::print("{}{}", Head(message, name, report, style.colour), FormatReport(report, style));
  bool met = !report.expect || report.expect->met;
  if (!a.compare.empty()) {
    message.program = FileProgram("--compare: ", a.compare);
    const std::string other_name = std::filesystem::path(a.compare).filename();
    const ProfileReport other = RunWithBar(message, other_name, isolation, least, metrics.observer());
    if (!to_stdout) {
      fmt::print("\n{}{}\n", Head(message, other_name, other, style.colour), FormatReport(other, style));
      fmt::print("{}", FormatComparison(name, report, other_name, other, style));
    }
    object["compared_with"] = ReportObject(other);
    if (page_file) page.series.push_back(PageSeries(message, other_name, other));
  }
  json.Write(object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  if (json.wanted() && !to_stdout) fmt::print("{}\n", Dim("report: " + json.file(), style.colour));
  metrics.End();
  if (page_file) {
    page.metrics = metrics.Deliveries();
    page_file->Write(HtmlReport(page));
    page_file->Commit();
    if (!to_stdout) fmt::print("{}\n", Dim("page: " + a.html, style.colour));
  }
  return met ? kExitJobRan : kExitNotAsExpected;
}

constexpr const char* kFooter =
    "FILE is a source, by its extension, an executable, or a CodeMessage (.json). It reads n, or what the generator\n"
    "makes of n, on stdin. Exit status 3: growth is worse than --expect. docs/profile.md tells more. Examples:\n"
    "  tally profile examples/profile/merge_sort.cpp --generator array --expect 'n log n'\n"
    "  tally profile slow.py --sizes 100,200,400,800 --generator tree\n"
    "  tally profile subsets.c --sizes 8,10,12,14,16,18        2^n needs small sizes\n"
    "  tally profile message.json --json=report.json\n"
    "  tally profile sort.cpp -g array --html report.html      a page with charts and the hot lines";

}  // namespace

void AddProfileCommand(CommandLine* line) {
  Command command = line->Add("profile", "Run a program over growing inputs and tell how it grows");
  auto a = std::make_shared<ProfileArguments>();
  command.Footer(kFooter);
  command.Option("file", a->file, "A source, an executable, or a CodeMessage (.json)").Required();
  command.Option("--n-max", a->n_max, "The bound on n: sizes of the series go up to it");
  command.Option("--sizes", a->sizes, "The sizes (default 1e3,5e3,1e4,5e4,1e5)").SplitAt(',');
  command.Option("--corner-cases", a->corner_cases, "Sizes that come first (default 0,1)").SplitAt(',');
  command.Flag("--no-corner-cases", a->no_corner_cases, "None of these");
  command.Option("-g,--generator", a->generator,
                      "What makes inputs, or a program called with n and the seed")
      .OneOf("number|array|sorted|reverse|permutation|string|tree|graph|grid|PROGRAM");
  command.Option("--seed", a->seed, "Of the generator (default 0)");
  command.Option("--seeds", a->seeds, "Inputs of each size that are counted, with as many seeds (default 3)");
  command.Option("--hint", a->hint, "The model solution: what it prints is the answer");
  command.Option("--checker", a->checker, "Checks each output");
  command.Option("--checker-protocol", a->checker_protocol, "How it is called, and how it answers").OneOf("sio|testlib|kattis");
  command.Option("-c,--compiler", a->language, "Compiler by name (see tally check-host)").OneOf("COMPILER");
  command.Option("-t,--timeout", a->timeout, "Real time of one run (default 2s)");
  command.Option("-m,--memory", a->memory, "Memory of one run (default 512M)");
  command.Option("--expect", a->expect,
                      "Fail when growth is worse for certain: 1, log n, sqrt n, n, n log n, n sqrt n, n^2, n^2 log n, n^3, 2^n");
  command.Flag("--debug", a->debug, "Instructions by function and by source line");
  command.Option("--compare", a->compare, "Another source, side by side on the same inputs");
  command.JsonOption(a->json, "The report");
  command.Option("--html", a->html, "Where the report goes as one page with charts and the hot lines (as with --debug)");
  command.Option("--metrics", a->metrics, "Sample this machine meanwhile, as this YAML file says (docs/metrics.md)");
  command.Option("--isolation", a->isolation, "reduced is without namespaces; auto: full where it can be had").OneOf("full|reduced|auto");
  command.Option("--log-level", a->log_level, "What stderr tells: INFO each size's figures, DEBUG each run's (default LOG_LEVEL, or WARNING)").OneOf("DEBUG|INFO|WARNING|ERROR");
  command.Does([a] { return Profile(*a); });
}

}  // namespace tally
