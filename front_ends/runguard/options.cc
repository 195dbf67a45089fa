#include "front_ends/runguard/options.h"

#include <fmt/format.h>
#include <getopt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/error.h"

namespace tally::runguard {
namespace {

constexpr double kLongestSeconds = 365 * 24 * 3600.0;

[[noreturn]] void Invalid(const char* what, std::string_view word) { throw UserError(fmt::format("invalid {} specified: `{}'", what, word)); }

Nanoseconds Seconds(const char* what, const std::string& word, std::string_view all) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seconds);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(seconds) || seconds <= 0) Invalid(what, all);
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(std::min(seconds, kLongestSeconds)));
}

// SOFT, or SOFT:HARD.
TimeLimits Times(const char* what, const std::string& word) {
  const std::size_t colon = word.find(':');
  TimeLimits limits;
  limits.soft = limits.hard = Seconds(what, word.substr(0, colon), word);
  if (colon != std::string::npos) limits.hard = Seconds(what, word.substr(colon + 1), word);
  if (limits.hard < limits.soft) throw UserError(fmt::format("invalid {} specified: hard limit is lower than soft limit", what));
  return limits;
}

std::uint64_t Number(const char* what, std::string_view word, std::uint64_t least) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number < least || number > std::numeric_limits<std::int64_t>::max()) Invalid(what, word);
  return number;
}

// More than there is of anything is no limit.
std::optional<Bytes> Kib(const char* what, std::string_view word, std::uint64_t least) {
  constexpr std::uint64_t kLargestKib = 1ULL << 40;
  const std::uint64_t kib = Number(what, word, least);
  return kib > kLargestKib ? std::nullopt : std::optional(Bytes::KiB(kib));
}

// "0,2-3"
std::vector<unsigned> Processors(std::string_view word) {
  constexpr std::uint64_t kMost = 4096;
  std::vector<unsigned> found;
  for (std::string_view rest = word; !rest.empty();) {
    const std::string_view range = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(range.size() + 1, rest.size()));
    const std::size_t dash = range.find('-');
    const std::uint64_t first = Number("cpuset", range.substr(0, dash), 0), last = dash == std::string_view::npos ? first : Number("cpuset", range.substr(dash + 1), 0);
    if (last >= kMost || first > last) Invalid("cpuset", word);
    for (std::uint64_t i = first; i <= last; ++i) found.push_back(static_cast<unsigned>(i));
  }
  return found;
}

// The program is a user of its own, no matter who is named. But what can be nobody's name is a mistake.
void RequireName(const char* what, std::string_view word) {
  constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  if (word.empty() || word.starts_with('-') || word.find_first_not_of(kAllowed) != std::string_view::npos) throw UserError(fmt::format("invalid {} specified: `{}'", what, word));
}

void AddVariables(std::string_view word, std::vector<std::string>* environment) {
  while (!word.empty()) {
    const std::string_view one = word.substr(0, word.find(';'));
    word.remove_prefix(std::min(one.size() + 1, word.size()));
    if (one.find('=') != std::string_view::npos) environment->emplace_back(one);
  }
}

enum LongOnly { kHelp = 256, kVersion };

constexpr option kLong[] = {{"root", required_argument, nullptr, 'r'},      {"user", required_argument, nullptr, 'u'},       {"group", required_argument, nullptr, 'g'},
                            {"chdir", required_argument, nullptr, 'd'},     {"walltime", required_argument, nullptr, 't'},   {"cputime", required_argument, nullptr, 'C'},
                            {"memsize", required_argument, nullptr, 'm'},   {"filesize", required_argument, nullptr, 'f'},   {"nproc", required_argument, nullptr, 'p'},
                            {"cpuset", required_argument, nullptr, 'P'},    {"no-core", no_argument, nullptr, 'c'},          {"stdout", required_argument, nullptr, 'o'},
                            {"stderr", required_argument, nullptr, 'e'},    {"streamsize", required_argument, nullptr, 's'}, {"environment", no_argument, nullptr, 'E'},
                            {"variable", required_argument, nullptr, 'V'},  {"outmeta", required_argument, nullptr, 'M'},    {"runpipepid", required_argument, nullptr, 'U'},
                            {"verbose", no_argument, nullptr, 'v'},         {"quiet", no_argument, nullptr, 'q'},            {"help", no_argument, nullptr, kHelp},
                            {"version", no_argument, nullptr, kVersion},    {nullptr, 0, nullptr, 0}};

void Take(int option, Options* o) {
  const std::string word = optarg == nullptr ? "" : optarg;
  switch (option) {
    case 'r': o->root = word; break;
    case 'u': RequireName("username or ID", word); break;
    case 'g': RequireName("groupname or ID", word); break;
    case 'd': o->directory = word; break;
    case 't':
      o->wall_time = Times("walltime", word);
      o->reports_wall_time = true;
      break;
    case 'C':
      o->cpu_time = Times("cputime", word);
      o->reports_wall_time = false;
      break;
    case 'm': o->memory = Kib("memory limit", word, 1); break;
    case 'f': o->file_size = Kib("filesize limit", word, 1); break;
    case 'p': o->processes = static_cast<std::uint32_t>(std::min<std::uint64_t>(Number("process limit", word, 1), std::numeric_limits<std::uint32_t>::max())); break;
    case 'P': o->processors = Processors(word); break;
    case 'c': break;  // no program leaves a core
    case 'o': o->out = word; break;
    case 'e': o->error = word; break;
    case 's': o->stream_size = Kib("streamsize limit", word, 0); break;
    case 'E': o->full_environment = true; break;
    case 'V': AddVariables(word, &o->environment); break;
    case 'M': o->meta = word; break;
    case 'U': o->runpipe = static_cast<int>(Number("process ID", word, 1)); break;
    case 'v': o->verbose = true; break;
    case 'q': o->quiet = true; break;
    case kHelp: o->help = true; break;
    case kVersion: o->version = true; break;
    default: throw UserError(fmt::format("unknown option or missing argument `{}'", optopt == 0 ? std::string("--") : std::string(1, static_cast<char>(optopt))));
  }
}

}  // namespace

void ParseOptions(int argc, char** argv, Options* options) {
  ::opterr = 0;
  for (int option = 0; (option = ::getopt_long(argc, argv, "+r:u:g:d:t:C:m:f:p:P:co:e:s:EV:M:vqU:", kLong, nullptr)) != -1;) Take(option, options);
  options->command.assign(argv + ::optind, argv + argc);
  if (options->command.empty() && !options->help && !options->version) throw UserError("no command specified");
}

const char* Help() {
  return "Usage: runguard [OPTION]... COMMAND...\n"
         "Runs COMMAND within limits, as DOMjudge's runguard does, in a sandbox of Tally's (docs/runguard.md).\n\n"
         "  -r, --root=ROOT        COMMAND's root is the folder ROOT\n"
         "  -u, --user=USER        accepted; COMMAND is a user of its own in any case\n"
         "  -g, --group=GROUP      the same\n"
         "  -d, --chdir=DIR        where it begins in ROOT\n"
         "  -t, --walltime=TIME    real time in seconds, SOFT or SOFT:HARD\n"
         "  -C, --cputime=TIME     CPU time in seconds, SOFT or SOFT:HARD\n"
         "  -m, --memsize=SIZE     memory in kB\n"
         "  -f, --filesize=SIZE    size of a file in kB\n"
         "  -p, --nproc=N          processes and threads at one time\n"
         "  -P, --cpuset=ID        processors, as \"0,2-3\"\n"
         "  -c, --no-core          as it is anyhow\n"
         "  -o, --stdout=FILE      where its stdout goes\n"
         "  -e, --stderr=FILE      where its stderr goes\n"
         "  -s, --streamsize=SIZE  what is kept of each of these, in kB\n"
         "  -E, --environment      the caller's variables, where it has PATH alone\n"
         "  -V, --variable=K=V;... further ones\n"
         "  -M, --outmeta=FILE     figures\n"
         "  -U, --runpipepid=PID   is sent SIGUSR1 at the limit on real time\n"
         "  -v, --verbose\n"
         "  -q, --quiet\n"
         "      --help\n"
         "      --version\n";
}

}  // namespace tally::runguard
