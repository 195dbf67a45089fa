#include "front_ends/sio2jail/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <limits>
#include <string_view>

#include "base/command_line.h"
#include "base/error.h"

namespace tally::sio2jail {
namespace {

// Callers compare the beginning of this line with the version that they were made for (sinol-make: "SIO2jail v1.5.3 ").
constexpr const char* kVersion = "SIO2jail v1.5.3 (Tally " TALLY_VERSION ", compatible; docs/sio2jail.md)";

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};
constexpr std::array kSizes{Unit{"b", 1}, Unit{"k", 1 << 10}, Unit{"m", 1 << 20}, Unit{"g", 1 << 30}};
constexpr std::array kCounts{Unit{"", 1}, Unit{"k", 1'000}, Unit{"m", 1'000'000}, Unit{"g", 1'000'000'000}};
// In nanoseconds.
constexpr std::array kTimes{Unit{"u", 1'000}, Unit{"ms", 1'000'000}, Unit{"s", 1'000'000'000}, Unit{"m", 60'000'000'000},
                            Unit{"h", 3'600'000'000'000}, Unit{"d", 86'400'000'000'000}};

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// "512", "64M": a whole number, and behind it a unit, or `default_unit`. 0 is no limit.
template <std::size_t n>
std::optional<std::uint64_t> Limit(const char* option, const std::string& text, const std::array<Unit, n>& units, std::string_view default_unit) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit = Lower(std::string_view(end, static_cast<std::size_t>(text.data() + text.size() - end)));
  if (unit.empty()) unit = default_unit;
  const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& one) { return one.name == unit; });
  if (error != std::errc() || found == units.end()) {
    std::string names;
    for (const Unit& one : units) names += one.name.empty() ? "" : fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
    throw UserError(fmt::format("{}: \"{}\": expected a whole number and a unit, {} (none: {})", option, text, names,
                                default_unit.empty() ? "as it is" : default_unit));
  }
  // Signed, as durations are.
  if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / found->factor) {
    throw UserError(fmt::format("{}: \"{}\": too large", option, text));
  }
  return number == 0 ? std::nullopt : std::optional(number * found->factor);
}

bool Switch(const char* option, const std::string& text) {
  const std::string word = Lower(text);
  if (word == "on" || word == "yes" || word == "1") return true;
  if (word == "off" || word == "no" || word == "0") return false;
  throw UserError(fmt::format("{}: \"{}\": expected on or off", option, text));
}

template <class Enum, std::size_t n>
Enum OneOf(const char* option, const std::string& text, const std::array<std::string_view, n>& words) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) throw UserError(fmt::format("{}: \"{}\": expected one of {}", option, text, fmt::join(words, ", ")));
  return static_cast<Enum>(found - words.begin());
}

std::vector<std::string> Split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(at, start), text.size());
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

BindOption ParseBind(const std::string& text) {
  const std::vector<std::string> parts = Split(text, ':');
  if (parts.size() < 2 || parts.size() > 3 || !parts[0].starts_with('/') || !parts[1].starts_with('/')) {
    throw UserError(fmt::format("--bind: \"{}\": expected OUTSIDE:INSIDE[:ro|rw[,dev]], both absolute paths", text));
  }
  BindOption bind{.outside = parts[0], .inside = parts[1]};
  for (const std::string& flag : parts.size() == 3 ? Split(parts[2], ',') : std::vector<std::string>()) {
    if (flag == "rw") {
      bind.writable = true;
    } else if (flag == "dev") {
      bind.devices = true;
    } else if (flag != "ro") {
      throw UserError(fmt::format("--bind: \"{}\": \"{}\" is none of ro, rw, dev", text, flag));
    }
  }
  return bind;
}

// As they are given.
struct Words {
  std::string format = "oitt", memory = "0", output = "0", instructions = "0";
  std::string real = "0", user = "0", system = "0", cpu = "0";
  std::string policy = "default", fake_time = "off";
  std::vector<std::string> binds;
  std::string oversampling = "2";
  std::string ptrace = "on", perf = "on", seccomp = "on", pid = "on", net = "on", ipc = "on", uts = "on", user_namespace = "on", mounts = "on",
              capabilities = "on", proc = "off";
  bool no_default_binds = false, version = false;
};

void Describe(CommandLine* line, Words* w, Options* o) {
  line->PositionalsAtEnd();
  line->Flag("-v,--version", w->version, "The version, and no run");
  line->Option("-l,--log", o->log, "File for what is said about the run; - is stderr");
  line->Option("-f,--resultsfd", o->results_fd, "Descriptor that the report is written to (default 2)");
  line->Option("-c,--chdir", o->work_dir, "The program's working directory, as it sees it");
  line->Flag("-s,--stderr", o->pass_stderr, "The program's stderr is ours; without it, /dev/null");
  line->Option("-o,--output", w->format, "The report's format (default oitt)").OneOf("oitt|oiaug|oiuser|oireal|human");
  line->Option("-m,--memory-limit", w->memory, "Memory: N[b|k|m|g], of KiB; 0 for none");
  line->Option("--output-limit", w->output, "Output: N[b|k|m|g], of KiB; 0 for none");
  line->Option("--instruction-count-limit", w->instructions, "Instructions: N[k|m|g], decimal; 0 for none");
  line->Option("--rtimelimit", w->real, "Real time: N[u|ms|s|m|h|d], of microseconds; 0 for none");
  line->Option("--utimelimit", w->user, "User CPU time, the same");
  line->Option("--stimelimit", w->system, "System CPU time, the same");
  line->Option("--ustimelimit", w->cpu, "User and system CPU time together, the same");
  line->Option("-t,--threads", o->threads, "Threads beside the first; -1 (default): none may be made");
  line->Option("-w,--perf-oversampling-factor", w->oversampling, "Accepted: limits on instructions are exact");
  line->Option("-p,--policy", w->policy, "System calls: default, or permissive").OneOf("default|permissive");
  line->Option("-b,--bind", w->binds, "OUTSIDE:INSIDE[:ro|rw[,dev]], repeatable; the first is the root's").OneEach();
  line->Flag("-B,--no-default-binds", w->no_default_binds, "The executable is not shown as /exe");
  line->Option("--fake-time", w->fake_time, "What all clocks tell the program (default off)").OneOf("off|random|zero");
  const std::pair<const char*, std::string*> switches[] = {{"--perf", &w->perf}, {"--mount-namespace", &w->mounts}, {"--procfs", &w->proc}};
  for (const auto& [name, value] : switches) line->Option(name, *value, "").OneOf("on|off");
  const std::pair<const char*, std::string*> ours[] = {{"--ptrace", &w->ptrace}, {"--seccomp", &w->seccomp}, {"--pid-namespace", &w->pid},
      {"--net-namespace", &w->net}, {"--ipc-namespace", &w->ipc}, {"--uts-namespace", &w->uts}, {"--user-namespace", &w->user_namespace},
      {"--capability-drop", &w->capabilities}};
  for (const auto& [name, value] : ours) line->Option(name, *value, "Accepted: a program is always confined").OneOf("on|off");
  line->Option("command", o->command, "The program, and its arguments");
}

}  // namespace

Options ParseOptions(int argc, const char* const* argv, std::optional<int>* status) {
  Words words;
  Options options;
  CommandLine line("Runs one program as sio2jail does, by Tally.", "sio2jail", argc, argv);
  Describe(&line, &words, &options);
  bool has_parsed = false;
  line.Does([&has_parsed] { has_parsed = true; return 0; });
  const int shown = line.Run("sio2jail");
  if (words.version) fmt::print("{}\n", kVersion);
  if (!has_parsed || words.version) {
    *status = shown;
    return options;
  }
  const auto time = [](const char* option, const std::string& text) -> std::optional<Nanoseconds> {
    const auto limit = Limit(option, text, kTimes, "u");
    return limit ? std::optional(Nanoseconds(static_cast<std::int64_t>(*limit))) : std::nullopt;
  };
  const auto size = [](const char* option, const std::string& text) -> std::optional<Bytes> {
    const auto limit = Limit(option, text, kSizes, "k");
    return limit ? std::optional(Bytes{*limit}) : std::nullopt;
  };
  options.memory = size("--memory-limit", words.memory);
  options.output = size("--output-limit", words.output);
  if (const auto limit = Limit("--instruction-count-limit", words.instructions, kCounts, "")) options.instructions = Instructions{*limit};
  options.real_time = time("--rtimelimit", words.real);
  options.user_time = time("--utimelimit", words.user);
  options.system_time = time("--stimelimit", words.system);
  options.cpu_time = time("--ustimelimit", words.cpu);
  options.format = OneOf<Format>("--output", words.format, std::to_array<std::string_view>({"oitt", "oiaug", "oiuser", "oireal", "human"}));
  options.policy = OneOf<Policy>("--policy", words.policy, std::to_array<std::string_view>({"default", "permissive"}));
  options.fake_time = OneOf<FakeTime>("--fake-time", words.fake_time, std::to_array<std::string_view>({"off", "random", "zero"}));
  for (const std::string& bind : words.binds) options.binds.push_back(ParseBind(bind));
  options.default_binds = !words.no_default_binds;
  options.perf = Switch("--perf", words.perf);
  options.mounts = Switch("--mount-namespace", words.mounts);
  options.proc = Switch("--procfs", words.proc);
  Switch("--ptrace", words.ptrace);
  Switch("--seccomp", words.seccomp);
  Switch("--capability-drop", words.capabilities);
  const bool others[] = {Switch("--pid-namespace", words.pid), Switch("--net-namespace", words.net), Switch("--ipc-namespace", words.ipc),
                         Switch("--uts-namespace", words.uts), Switch("--user-namespace", words.user_namespace)};
  options.namespaces = std::any_of(std::begin(others), std::end(others), [](bool on) { return on; });
  if (!Limit("--perf-oversampling-factor", words.oversampling, kCounts, "")) throw UserError("--perf-oversampling-factor: expected a number above 0");
  if (options.command.empty()) throw UserError("no program to run");
  constexpr int kMostThreads = 4096;
  if (options.threads < -1 || options.threads > kMostThreads) {
    throw UserError(fmt::format("--threads: {}: expected -1 (none) to {}", options.threads, kMostThreads));
  }
  return options;
}

}  // namespace tally::sio2jail
