// The encdec-exec jobs: a solution is run twice, as an encoder and as a decoder, and what goes from one to the other passes through a channel
// of the package's. SIO's keys, results and ways of calling (sio/executors, encdec_common.py):
//   exe < enc_in > enc_out                               the encoder
//   chn enc_in enc_out hint DESCRIPTOR DESCRIPTOR        writes dec_in to one and chn_out to the other, and a checker's lines
//   exe < dec_in > dec_out                               the decoder
//   chk enc_in hint chn_out dec_out                      a checker's lines
// Each has a sandbox of its own, in which there are the files of its call alone: the decoder knows what has come through.
#include <fcntl.h>
#include <fmt/format.h>

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "checkers/protocol.h"
#include "jobs/checking.h"
#include "jobs/exec_options.h"
#include "jobs/extra_execution_files.h"
#include "jobs/feedback.h"
#include "jobs/files.h"
#include "jobs/job.h"
#include "jobs/program.h"
#include "jobs/tool.h"
#include "jobs/zipped_input.h"

namespace tally {
namespace {

constexpr std::uint64_t kToolMemoryKib = 268 << 10;
constexpr Milliseconds kToolTime{30'000};
constexpr std::string_view kOfExec = "exec_";

// "encoder_time_limit" means in its stage what exec_time_limit means in an exec job.
ExecOptions OptionsOfStage(const Environ& environ, std::initializer_list<std::string_view> keys, std::string_view prefix, ExecKind kind) {
  Environ stage;
  for (const auto& [key, value] : environ.object().items()) {
    if (!key.starts_with(kOfExec)) stage.object()[key] = value;
  }
  for (const std::string_view key : keys) {
    if (environ.Has(key)) stage.object()[std::string(kOfExec) + std::string(key.substr(prefix.size()))] = environ.object()[std::string(key)];
  }
  try {
    return ReadExecOptions(kind, stage);
  } catch (const UserError& error) {
    const std::string_view sentence = error.what();
    if (!sentence.starts_with(kOfExec)) throw;
    throw UserError(std::string(prefix) + std::string(sentence.substr(kOfExec.size())));
  }
}

ExecOptions OptionsOfTool(Isolation isolation, std::optional<std::uint64_t> time_ms, std::optional<std::uint64_t> memory_kib) {
  ExecOptions options = ToolOptions(isolation);
  const std::optional<Bytes> said = options.limits.output;
  options.limits = DefaultLimits(ExecKind::kExec, time_ms ? Milliseconds(*time_ms) : kToolTime);
  options.limits.memory = Bytes::KiB(memory_kib.value_or(kToolMemoryKib));
  options.limits.output = said;  // what it says, and what passes through
  return options;
}

class Encdec {
 public:
  explicit Encdec(Environ* environ);
  void Run();

 private:
  // Both say whether the next step is to be made.
  bool RunSolution(const char* name, const ExecOptions& options, const std::string& input, const std::string& output);
  bool RunTool(const char* name, const std::string& key, const std::string& path, const ExecOptions& options, const std::vector<std::pair<std::string, std::string>>& files, const std::vector<int>& descriptors);
  [[nodiscard]] std::string File(const char* name) const { return directory_.File(name); }
  bool IsWhole(int file);

  Environ* environ_;
  ExecKind kind_;
  ExecOptions encoder_, decoder_, channel_, checker_;
  JobFiles files_;
  ExecInfo info_;
  std::string exe_, in_, hint_, chn_, chk_;
  std::vector<PlacedFile> extra_;
  TemporaryDirectory directory_;
};

Encdec::Encdec(Environ* environ)
    : environ_(environ),
      kind_(*EncdecKindOf(environ->Text("job_type"))),
      encoder_(OptionsOfStage(*environ,
                              {"encoder_time_limit", "encoder_mem_limit", "encoder_out_limit", "encoder_output_limit", "encoder_et_limit", "encoder_real_time_limit", "encoder_cpu_time_limit",
                               "encoder_idle_time_limit", "encoder_stack_limit", "encoder_processes"},
                              "encoder_", kind_)),
      decoder_(OptionsOfStage(*environ,
                              {"decoder_time_limit", "decoder_mem_limit", "decoder_out_limit", "decoder_output_limit", "decoder_et_limit", "decoder_real_time_limit", "decoder_cpu_time_limit",
                               "decoder_idle_time_limit", "decoder_stack_limit", "decoder_processes"},
                              "decoder_", kind_)),
      files_(*environ),
      info_(ExecInfo::Read(*environ)) {
  // The package's programs are confined where the solution is not.
  const Isolation isolation = encoder_.isolation == Isolation::kNone ? Isolation::kFull : encoder_.isolation;
  channel_ = OptionsOfTool(isolation, BoundedCount(*environ, "channel_time_limit", "ms", kLargestMilliseconds), BoundedCount(*environ, "channel_mem_limit", "kB", kLargestKib));
  checker_ = OptionsOfTool(isolation, BoundedCount(*environ, "checker_time_limit", "ms", kLargestMilliseconds), BoundedCount(*environ, "checker_mem_limit", "kB", kLargestKib));
  exe_ = files_.Fetch("exe_file", environ->Text("exe_file"));
  in_ = UnpackedInput("in_file", files_.Fetch("in_file", environ->Text("in_file")), File("in"), environ->rules().bounds.unpacked);
  hint_ = files_.Fetch("hint_file", environ->Text("hint_file"));
  chn_ = files_.Fetch("chn_file", environ->Text("chn_file"));
  chk_ = files_.Fetch("chk_file", environ->Text("chk_file"));
  extra_ = ExtraExecutionFiles(files_, *environ);
}

bool Encdec::RunSolution(const char* name, const ExecOptions& options, const std::string& input, const std::string& output) {
  const Program program("exe_file", exe_, info_, options, extra_);
  const Fd in = sys::Open(input, O_RDONLY);
  const Fd out = sys::Open(output, O_WRONLY | O_CREAT | O_APPEND, 0600);
  const RunResult result = program.Run(in.get(), out.get(), -1);
  Environ stage;
  WriteRunResult(kind_, result, &stage);
  for (const char* key : {"result_code", "result_string", "time_used", "time_used_absent", "exectime_used", "exectime_used_absent", "mem_used", "mem_used_absent", "num_syscalls", "num_syscalls_absent"}) {
    if (stage.Has(key)) environ_->object()[fmt::format("{}_{}", name, key)] = stage.object()[key];
  }
  for (const char* key : {"engine", "counter_used", "mem_metric", "syscall_counter", "isolation_used", "virtual_rules"}) environ_->object()[key] = stage.object()[key];
  environ_->Set("result_code", Name(result.code));
  environ_->Set("result_string", result.sentence);
  return result.code == ResultCode::kOk;
}

bool Encdec::RunTool(const char* name, const std::string& key, const std::string& path, const ExecOptions& options, const std::vector<std::pair<std::string, std::string>>& files, const std::vector<int>& descriptors) {
  const TemporaryDirectory directory;
  LetProgramsPass(directory, options.isolation);
  std::vector<PlacedFile> placed;
  std::vector<std::string> arguments;
  for (const auto& [called, file] : files) {
    placed.push_back({ReachableFile(file, directory, called.c_str(), options.isolation), "/box/" + called});
    arguments.push_back("/box/" + called);
  }
  for (const int fd : descriptors) arguments.push_back(std::to_string(fd));
  Program program(key, path, InfoOfExecutable(path), options, placed);
  program.AddArguments(arguments);
  program.KeepOpen(descriptors);
  const std::string said = directory.File("stdout"), error = directory.File("stderr");
  const Fd out = NewFile(said), err = NewFile(error);
  const RunResult result = program.Run(-1, out.get(), err.get());

  const std::string output = ReadFeedback(said).value_or(""), message = ReadFeedback(error).value_or("");
  const CheckerRun run{.end = HowItEnded(result), .code = result.exit_code.value_or(result.signal.value_or(0)), .stopped_by = result.sentence, .output = output, .message = message};
  // SIO: 2 or more is a fault of its own, whatever it said.
  const bool failed = run.end == CheckerRun::End::kExited && run.code >= 2;
  CheckerVerdict verdict = failed ? CheckerVerdict::CheckerFailed(fmt::format("it ended with exit status {}", run.code)) : ReadVerdict(CheckerProtocol::kSio, run);
  if (verdict.outcome == CheckerVerdict::Outcome::kCheckerFailed) {
    constexpr std::string_view kIt = "the checker ";  // the channel speaks the same protocol
    if (verdict.comment.starts_with(kIt)) verdict.comment = "it " + verdict.comment.substr(kIt.size());
    environ_->Set("result_code", Name(ResultCode::kSe));
    environ_->Set("result_string", fmt::format("{} failed: {}", name, verdict.comment));
  } else if (verdict.outcome == CheckerVerdict::Outcome::kWrong) {
    environ_->Set("result_code", Name(ResultCode::kWa));
    environ_->Set("result_string", verdict.comment.empty() ? "wrong answer" : verdict.comment);
    verdict.percentage = {0, 1};
  } else if (!verdict.comment.empty()) {
    environ_->Set("result_string", verdict.comment);
  }
  environ_->object()[fmt::format("{}_result_code", name)] = environ_->Text("result_code");
  environ_->object()[fmt::format("{}_result_string", name)] = environ_->Text("result_string");
  WritePercentage(verdict.percentage, environ_);
  return verdict.outcome == CheckerVerdict::Outcome::kAccepted;
}

// A channel that does not look at what its writes say would pass on a part of what it means to.
bool Encdec::IsWhole(int file) {
  const Bytes most = channel_.limits.output.value_or(Bytes{0});
  if (sys::Stat(file, "what the channel passes on").st_size <= static_cast<off_t>(most.count)) return true;
  environ_->Set("result_code", Name(ResultCode::kSe));
  environ_->Set("result_string", fmt::format("channel failed: it passes on more than {} MiB", most.count >> 20));
  for (const char* key : {"result_code", "result_string"}) environ_->object()[fmt::format("channel_{}", key)] = environ_->Text(key);
  return false;
}

void Encdec::Run() {
  const auto failed_at = [this](const char* step) {
    environ_->Set("failed_step", step);
    WritePercentage({0, 1}, environ_);
  };
  const std::string enc_out = File("enc_out"), dec_in = File("dec_in"), chn_out = File("chn_out"), dec_out = File("dec_out");
  if (!RunSolution("encoder", encoder_, in_, enc_out)) return failed_at("encoder");
  {
    const Fd to_decoder = NewFile(dec_in), to_checker = NewFile(chn_out);
    if (!RunTool("channel", "chn_file", chn_, channel_, {{"enc_in", in_}, {"enc_out", enc_out}, {"hint", hint_}}, {to_decoder.get(), to_checker.get()})) return failed_at("channel");
    if (!IsWhole(to_decoder.get()) || !IsWhole(to_checker.get())) return failed_at("channel");
  }
  if (!RunSolution("decoder", decoder_, dec_in, dec_out)) return failed_at("decoder");
  const bool accepted = RunTool("checker", "chk_file", chk_, checker_, {{"enc_in", in_}, {"hint", hint_}, {"chn_out", chn_out}, {"dec_out", dec_out}}, {});
  if (!accepted) failed_at("checker");
  environ_->object()["checker_result_percentage"] = environ_->object()["result_percentage"];
}

}  // namespace

void RunEncdecJob(Environ* environ) { Encdec(environ).Run(); }

}  // namespace tally
