// `tally trace -- PROGRAM ARGS`: what each of a program's threads did and when (docs/timeline.md); `tally trace --show
// FILE` for one that was kept.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/sys.h"
#include "base/terminal.h"
#include "base/wrapped_text.h"
#include "cli/commands.h"
#include "cli/option_values.h"
#include "cli/prepared_run.h"
#include "jobs/files.h"
#include "jobs/timeline_run.h"
#include "profile/html/html_report.h"
#include "profile/timeline/reports.h"
#include "profile/timeline/timeline.h"

namespace tally {
namespace {

struct TraceArguments {
  ProgramArguments program;
  std::string json;
  std::optional<std::string> chrome, html, timeline, show, from, to;
  bool events = false, quiet = false;
};

// A file that a report goes into, if one was asked for. Made before the program runs: a path that cannot be written is
// told at once.
class ReportFile {
 public:
  ReportFile(const char* option, const std::optional<std::string>& path) {
    if (path) file_.emplace(*path, option);
  }
  // As --json[=FILE] has it (JsonOutput), but what is written comes piece by piece.
  explicit ReportFile(const std::string& json) : to_stdout_(json == "-") {
    if (!json.empty() && !to_stdout_) file_.emplace(json, "--json");
  }
  [[nodiscard]] AtomicFile* file() { return file_ ? &*file_ : nullptr; }

  template <typename Write>
  void Fill(Write write, const TimelineFile& timeline, const ShownEvents& events) {
    if (to_stdout_) return write(timeline, events, [](std::string_view part) { std::fwrite(part.data(), 1, part.size(), stdout); });
    if (!file_) return;
    constexpr std::size_t kBuffered = 65536;
    std::string buffer;
    write(timeline, events, [&](std::string_view part) {
      buffer += part;
      if (buffer.size() < kBuffered) return;
      file_->Write(buffer);
      buffer.clear();
    });
    file_->Write(buffer);
    file_->Commit();
  }

 private:
  std::optional<AtomicFile> file_;
  bool to_stdout_ = false;
};

ShownEvents WhichEvents(const TraceArguments& a) {
  const auto from = Given("--from", a.from, ParseDuration), to = Given("--to", a.to, ParseDuration);
  ShownEvents events;
  events.any = a.events || from || to;
  if (from) events.from = static_cast<std::uint64_t>(from->count());
  if (to) events.to = static_cast<std::uint64_t>(to->count());
  if (events.from >= events.to) throw UserError(fmt::format("--to: {} is not after --from", *a.to));
  return events;
}

RunRequest Request() {
  RunRequest request;
  request.counter = Counter::kTranslator;
  request.syscalls = SyscallCounting::kOff;  // the timeline counts them, and needs no stop for it
  // A timeline is of real time, and of what the program really does in it.
  for (const VirtualRule rule : {VirtualRule::kTime, VirtualRule::kSystem, VirtualRule::kRandom}) {
    request.virtual_cpu.rules.Remove(rule);
  }
  return request;
}

void WritePage(const TimelineFile& timeline, ShownEvents events, const ReportSink& sink) {
  events.any = true;
  events.longest = kMostTimelineEvents;
  std::string json;
  WriteTimelineJson(timeline, events, [&json](std::string_view part) { json += part; });
  const std::string& program = timeline.tables().program;
  sink(HtmlTimeline(program.substr(program.rfind('/') + 1), nlohmann::json::parse(json)));
}

struct Reports {
  explicit Reports(const TraceArguments& a)
      : events(WhichEvents(a)), json(a.json), chrome("--chrome", a.chrome), html("--html", a.html), kept("--timeline", a.timeline) {}
  void Fill(const TimelineFile& timeline) {
    // Totals are always whole, events only where they are asked for; a trace is nothing but events.
    json.Fill(WriteTimelineJson, timeline, events);
    chrome.Fill(WriteChromeTrace, timeline, events);
    html.Fill(WritePage, timeline, events);
  }
  ShownEvents events;
  ReportFile json, chrome, html, kept;
};

void Print(const TimelineFile& timeline, const ShownEvents& events, std::FILE* to) {
  if (timeline.tables().threads.empty()) {
    fmt::print(to, "no timeline: the program did not begin\n");
    return;
  }
  const std::size_t columns = TerminalColumns(::fileno(to));
  WriteTimelineSummary(timeline, events, [to](std::string_view part) { fmt::print(to, "{}", part); }, columns);
  const std::uint64_t end = timeline.tables().duration;
  if (events.from <= end) return;
  const std::string none = fmt::format("  none: --from is {}, and the run ended at {}\n", FormatDuration(Nanoseconds(events.from)), FormatDuration(Nanoseconds(end)));
  fmt::print(to, "{}", WrappedText(none, columns));
}

int Show(const TraceArguments& a) {
  if (!a.program.command.empty()) throw UserError("--show: shows a timeline that was kept; no program is run beside it");
  if (a.timeline) throw UserError("--timeline: with --show there is a timeline file already");
  Reports reports(a);
  const TimelineFile timeline(*a.show);
  reports.Fill(timeline);
  if (!a.quiet && a.json != "-") Print(timeline, reports.events, stdout);
  return kExitJobRan;
}

int Trace(const TraceArguments& a) {
  if (a.show) return Show(a);
  if (a.program.command.empty()) throw UserError("trace: which program? tally trace -- PROGRAM ARGS, or --show FILE");
  Reports reports(a);
  PreparedRun run(a.program, Request());
  if (a.json == "-") run.WriteTo(STDERR_FILENO);
  const TemporaryDirectory directory;
  const RunRequest& request = run.request();
  Timeline timeline(directory.path(), a.program.command.front(),
                    {KindOfDescriptor(request.stdin_fd), KindOfDescriptor(request.stdout_fd), KindOfDescriptor(request.stderr_fd)});
  run.TellOf(&timeline);
  RunResult result = run.Run();

  const std::string path = directory.File("timeline");
  timeline.Merge(path);
  const TimelineFile file(path);
  reports.Fill(file);
  if (AtomicFile* kept = reports.kept.file()) {
    CopyInto(path, kept->fd(), *a.timeline);
    kept->Commit();
  }
  if (a.quiet) return kExitJobRan;
  result.syscalls = file.tables().calls;
  result.syscall_counter = "timeline";
  PrintRunSummary(result);
  fmt::print(stderr, "\n");
  Print(file, reports.events, stderr);
  return kExitJobRan;
}

constexpr const char* kFooter =
    "Examples:\n"
    "  tally trace -- ./solution < test.in\n"
    "  tally trace --processes 8 --chrome trace.json -- ./threads   open trace.json in Perfetto\n"
    "  tally trace --html page.html -- ./solution                   open page.html in a browser\n"
    "  tally trace --timeline run.timeline -- ./solution            keep it ...\n"
    "  tally trace --show run.timeline --from 1.2s --to 1.25s       ... and look at a moment of it\n"
    "Without --time and --memory nothing is limited, but the sandbox holds. docs/timeline.md has what is shown.";

}  // namespace

void AddTraceCommand(CommandLine* line) {
  Command command = line->Add("trace", "Run one program and say what its threads did, when, and for how long");
  auto a = std::make_shared<TraceArguments>();
  command.Footer(kFooter);
  command.Option("command", a->program.command, "The program and its arguments, behind --");
  command.JsonOption(a->json, "Totals, with the events that are asked for,");
  command.Option("--chrome", a->chrome, "File for the trace that Perfetto and Chrome's tracer open");
  command.Option("--html", a->html, "File for a page with the timeline, which a browser opens and which loads nothing");
  command.Option("--timeline", a->timeline, "File in which the timeline is kept, for --show");
  command.Option("--show", a->show, "A timeline that was kept; no program is run");
  command.Flag("--events", a->events, "Every event, one to a line");
  command.Option("--from", a->from, "Events from here on (1.2s, 300ms); the program begins at 0");
  command.Option("--to", a->to, "Events before this");
  command.Flag("-q,--quiet", a->quiet, "No summary");
  AddProgramOptions(&command, &a->program);
  command.Does([a] { return Trace(*a); });
}

}  // namespace tally
