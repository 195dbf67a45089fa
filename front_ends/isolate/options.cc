#include "front_ends/isolate/options.h"

#include <fmt/format.h>
#include <getopt.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>

#include "base/error.h"

namespace tally::isolate {
namespace {

// Options without a letter of their own.
enum LongOption : int {
  kFirst = 256,
  kInit, kRun, kCleanup, kPrintCgRoot, kVersion, kHelp,
  kCg, kCgMemory, kCgTiming, kShareNetwork, kInheritDescriptors, kErrorToOut, kTtyHack, kCore, kSpecialFiles, kWait, kAsUser, kAsGroup,
  kSyscalls, kCheckConfig, kCounter,
};

constexpr const char* kLetters = ":b:c:d:DeE:f:i:k:m:M:n:o:p::q:r:st:vw:x:h";
constexpr option kNames[] = {
    {"init", no_argument, nullptr, kInit},
    {"run", no_argument, nullptr, kRun},
    {"cleanup", no_argument, nullptr, kCleanup},
    {"print-cg-root", no_argument, nullptr, kPrintCgRoot},
    {"version", no_argument, nullptr, kVersion},
    {"help", no_argument, nullptr, 'h'},
    {"box-id", required_argument, nullptr, 'b'},
    {"cg", no_argument, nullptr, kCg},
    {"cg-mem", required_argument, nullptr, kCgMemory},
    {"cg-timing", no_argument, nullptr, kCgTiming},
    {"no-cg-timing", no_argument, nullptr, kCgTiming},
    {"meta", required_argument, nullptr, 'M'},
    {"stdin", required_argument, nullptr, 'i'},
    {"stdout", required_argument, nullptr, 'o'},
    {"stderr", required_argument, nullptr, 'r'},
    {"stderr-to-stdout", no_argument, nullptr, kErrorToOut},
    {"chdir", required_argument, nullptr, 'c'},
    {"time", required_argument, nullptr, 't'},
    {"wall-time", required_argument, nullptr, 'w'},
    {"extra-time", required_argument, nullptr, 'x'},
    {"mem", required_argument, nullptr, 'm'},
    {"stack", required_argument, nullptr, 'k'},
    {"fsize", required_argument, nullptr, 'f'},
    {"quota", required_argument, nullptr, 'q'},
    {"core", required_argument, nullptr, kCore},
    {"open-files", required_argument, nullptr, 'n'},
    {"processes", optional_argument, nullptr, 'p'},
    {"env", required_argument, nullptr, 'E'},
    {"full-env", no_argument, nullptr, 'e'},
    {"dir", required_argument, nullptr, 'd'},
    {"no-default-dirs", no_argument, nullptr, 'D'},
    {"share-net", no_argument, nullptr, kShareNetwork},
    {"inherit-fds", no_argument, nullptr, kInheritDescriptors},
    {"tty-hack", no_argument, nullptr, kTtyHack},
    {"special-files", no_argument, nullptr, kSpecialFiles},
    {"wait", no_argument, nullptr, kWait},
    {"as-uid", required_argument, nullptr, kAsUser},
    {"as-gid", required_argument, nullptr, kAsGroup},
    {"syscalls", required_argument, nullptr, kSyscalls},
    {"check-config", no_argument, nullptr, kCheckConfig},
    {"silent", no_argument, nullptr, 's'},
    {"verbose", no_argument, nullptr, 'v'},
    {"counter", required_argument, nullptr, kCounter},
    {nullptr, 0, nullptr, 0},
};

constexpr std::uint32_t kLargest = 2'147'483'647;

std::uint32_t Number(std::string_view option, std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > kLargest) {
    throw UserError(fmt::format("{}: \"{}\": expected a whole number from 0 to {}", option, text, kLargest));
  }
  return number;
}

// In KiB; 0 is no limit.
std::optional<Bytes> Size(std::string_view option, std::string_view text) {
  const std::uint32_t kib = Number(option, text);
  return kib == 0 ? std::nullopt : std::optional(Bytes::KiB(kib));
}

// In seconds, with a fraction; 0 is no limit.
std::optional<Nanoseconds> Seconds(std::string_view option, const std::string& text) {
  constexpr double kMost = 1e9;
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(seconds >= 0) || seconds > kMost) {
    throw UserError(fmt::format("{}: \"{}\": expected a number of seconds, such as 1.5", option, text));
  }
  const Nanoseconds time(static_cast<std::int64_t>(std::llround(seconds * 1e9)));
  return time.count() == 0 ? std::nullopt : std::optional(time);
}

std::string FromRoot(std::string_view path) { return (path.starts_with('/') ? "" : "/") + std::string(path); }

std::vector<DirectoryRule> DefaultRules() {
  return {
      {.inside = "/box", .outside = "./box", .writable = true},
      {.inside = "/bin", .outside = "/bin"},
      {.inside = "/dev", .outside = "/dev", .devices = true},
      {.inside = "/lib", .outside = "/lib"},
      {.inside = "/lib64", .outside = "/lib64", .optional = true},
      {.inside = "/proc", .outside = "proc", .file_system = true},
      {.inside = "/tmp", .temporary = true},
      {.inside = "/usr", .outside = "/usr"},
  };
}

void SetFlag(const std::string& rule, std::string_view flag, DirectoryRule* out) {
  if (flag == "rw") {
    out->writable = true;
  } else if (flag == "noexec") {
    out->executable = false;
  } else if (flag == "maybe") {
    out->optional = true;
  } else if (flag == "dev") {
    out->devices = true;
  } else if (flag == "fs") {
    out->file_system = true;
  } else if (flag == "tmp") {
    out->temporary = out->writable = true;
  } else if (flag != "norec") {  // what lies below a bind is read-only, whatever it is
    throw UserError(fmt::format("--dir: \"{}\": \"{}\" is none of rw, dev, noexec, maybe, fs, tmp, norec", rule, flag));
  }
}

// DIR, IN=OUT, IN= (no rule any more), each with :FLAG,FLAG or :FLAG:FLAG behind it.
void ChangeRules(const std::string& text, std::vector<DirectoryRule>* rules) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view paths = std::string_view(text).substr(0, colon);
  const std::size_t equals = paths.find('=');
  DirectoryRule rule;
  rule.inside = FromRoot(paths.substr(0, equals));
  if (rule.inside == "/" || rule.inside.find("..") != std::string::npos) throw UserError(fmt::format("--dir: \"{}\": expected a folder below the sandbox's root", text));
  for (std::size_t start = colon + 1; start <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(":,", start), text.size());
    SetFlag(text, std::string_view(text).substr(start, end - start), &rule);
    start = end + 1;
  }
  std::erase_if(*rules, [&](const DirectoryRule& old) { return old.inside == rule.inside; });
  if (equals != std::string_view::npos) {
    rule.outside = paths.substr(equals + 1);
    if (rule.outside.empty() && !rule.temporary) return;  // that was all
  } else {
    rule.outside = rule.inside;
  }
  rules->push_back(std::move(rule));
}

EnvironmentRule ParseEnvironment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (text.empty() || equals == 0) throw UserError(fmt::format("--env: \"{}\": expected NAME or NAME=VALUE", text));
  if (equals == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Counter ParseCounter(std::string_view word) {
  static const std::map<std::string_view, Counter> words{{"auto", Counter::kAuto}, {"perf", Counter::kPerf}, {"translator", Counter::kTranslator}, {"none", Counter::kNone}};
  const auto found = words.find(word);
  if (found == words.end()) throw UserError(fmt::format("--counter: \"{}\": expected one of auto, perf, translator, none", word));
  return found->second;
}

void SetCommand(Command command, Options* o) {
  if (o->command != Command::kHelp && o->command != command) throw UserError("expected one of --init, --run, --cleanup, and not two");
  o->command = command;
}

void Take(int code, const std::string& value, Options* o) {
  switch (code) {
    case kInit: return SetCommand(Command::kInit, o);
    case kRun: return SetCommand(Command::kRun, o);
    case kCleanup: return SetCommand(Command::kCleanup, o);
    case kPrintCgRoot: return SetCommand(Command::kPrintCgRoot, o);
    case kVersion: return SetCommand(Command::kVersion, o);
    case 'b': o->box = Number("--box-id", value); return;
    case kCg: o->cg = true; return;
    case kCgMemory: o->cg_memory = Size("--cg-mem", value); return;
    case 'M': o->meta = value; return;
    case 'i': o->in = value; return;
    case 'o': o->out = value; return;
    case 'r': o->error = value; o->error_to_out = false; return;
    case kErrorToOut: o->error.reset(); o->error_to_out = true; return;
    case 'c': o->directory = FromRoot(value); return;
    case 't': o->time = Seconds("--time", value); return;
    case 'w': o->wall_time = Seconds("--wall-time", value); return;
    case 'x': o->extra_time = Seconds("--extra-time", value).value_or(Nanoseconds(0)); return;
    case 'm': o->memory = Size("--mem", value); return;
    case 'k': o->stack = Size("--stack", value); return;
    case 'f': o->file_size = Size("--fsize", value); return;
    case 'n': o->open_files = Number("--open-files", value); return;
    case 'p':
      o->processes = value.empty() ? std::nullopt : std::optional(Number("--processes", value));
      if (o->processes == 0u) o->processes.reset();
      return;
    case 'E': o->environment.push_back(ParseEnvironment(value)); return;
    case 'e': o->full_environment = true; return;
    case 'd': return ChangeRules(value, &o->directories);
    case 'D': o->directories.clear(); return;
    case kShareNetwork: o->share_network = true; return;
    case kInheritDescriptors: o->inherit_descriptors = true; return;
    case kSpecialFiles: o->special_files = true; return;
    case kWait: o->wait = true; return;
    case kAsUser: o->as_user = Number("--as-uid", value); return;
    case kAsGroup: o->as_group = Number("--as-gid", value); return;
    case 's': o->silent = true; return;
    case 'v': ++o->verbose; return;
    case kCounter: o->counter = ParseCounter(value); return;
    case 'q': throw UserError("--quota: Tally sets no disk quotas; --fsize limits each file");
    default: return;  // --cg-timing, --tty-hack, --core, --syscalls, --check-config: nothing is to be done for them
  }
}

}  // namespace

Options ParseOptions(int argc, char** argv) {
  Options options;
  options.directories = DefaultRules();
  options.environment = {{"LIBC_FATAL_STDERR_", "1"}};
  opterr = 0;
  optind = 0;  // a keeper reads many command lines
  for (int code; (code = ::getopt_long(argc, argv, kLetters, kNames, nullptr)) >= 0;) {
    if (code == ':') throw UserError(fmt::format("{}: its value is missing", argv[optind - 1]));
    if (code == '?' && optopt == 0) throw UserError(fmt::format("{}: no such option; `isolate --help` lists them", argv[optind - 1]));
    if (code == '?' && optopt < kFirst) throw UserError(fmt::format("-{}: no such option; `isolate --help` lists them", static_cast<char>(optopt)));
    if (code == '?') throw UserError(fmt::format("{}: it takes no value", argv[optind - 1]));
    if (code == 'h') {
      options.command = Command::kHelp;
      return options;
    }
    Take(code, optarg != nullptr ? optarg : "", &options);
  }
  options.program.assign(argv + optind, argv + argc);
  const bool runs = options.command == Command::kRun;
  if (options.command == Command::kHelp) throw UserError("expected a command: --init, --run or --cleanup");
  if (runs && options.program.empty()) throw UserError("--run: no program to run");
  if (!runs && !options.program.empty()) throw UserError(fmt::format("{}: only --run takes a program", options.program.front()));
  if (options.cg_memory && !options.cg) throw UserError("--cg-mem: expected --cg, too");
  if (options.as_user.has_value() != options.as_group.has_value()) throw UserError("--as-uid and --as-gid: expected both, or none");
  return options;
}

const char* Help() {
  return "Usage: isolate [OPTIONS] --init | --run -- PROGRAM ARGUMENTS... | --cleanup\n"
         "Runs programs in a box, as isolate does, by Tally. docs/isolate.md tells where the two differ.\n\n"
         "  -b, --box-id=N          which box (default 0)\n"
         "      --cg                limits and figures of all processes together\n"
         "      --print-cg-root     the cgroup below which boxes have theirs\n"
         "  -M, --meta=FILE         what the program did and used, as lines of KEY:VALUE\n"
         "  -s, --silent            no line about it on stderr\n"
         "      --wait              wait for a box that is in use\n"
         "Streams and surroundings:\n"
         "  -i, --stdin=FILE  -o, --stdout=FILE  -r, --stderr=FILE   files as the program would name them, from /box\n"
         "      --stderr-to-stdout\n"
         "  -c, --chdir=DIR         where the program starts (default /box)\n"
         "  -E, --env=NAME[=VALUE]  pass on, set, or with nothing behind = remove a variable\n"
         "  -e, --full-env          pass on all of them\n"
         "  -d, --dir=IN[=OUT][:rw,dev,noexec,maybe,fs,tmp]          show a folder; IN= removes a rule\n"
         "  -D, --no-default-dirs   without /box, /bin, /dev, /lib, /lib64, /proc, /tmp and /usr\n"
         "      --share-net         this machine's network\n"
         "      --inherit-fds       the caller's descriptors\n"
         "      --special-files     keep links, fifos and sockets that the program made\n"
         "Limits:\n"
         "  -t, --time=SECONDS      CPU time, user and system\n"
         "  -w, --wall-time=SECONDS real time\n"
         "  -x, --extra-time=SECONDS how long a program that passed --time may go on, to tell its time\n"
         "  -m, --mem=KIB           address space\n"
         "      --cg-mem=KIB        memory of all processes together\n"
         "  -k, --stack=KIB  -f, --fsize=KIB  -n, --open-files=N\n"
         "  -p, --processes[=N]     N processes and threads (default 1), or any number\n"
         "Tally's own:\n"
         "      --counter=auto|perf|translator|none                  who counts instructions\n";
}

}  // namespace tally::isolate
