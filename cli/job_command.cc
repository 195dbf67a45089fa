// `tally exec|vcpu-exec|unsafe-exec|compile [ENVIRON.json|-] [KEY=VALUE ...]`: a job, as contest systems ask
// for it. The result environ goes to stdout as JSON, and nothing else does.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/columns.h"
#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/sys.h"
#include "cli/commands.h"
#include "jobs/job.h"
#include "jobs/job_keys.h"

namespace tally {
namespace {

struct JobArguments {
  std::string job_type;
  std::vector<std::string> words;  // [ENVIRON.json|-] KEY=VALUE ...
};

std::string ReadSource(const std::string& path) {
  if (path == "-") return sys::ReadAll(STDIN_FILENO, "stdin");
  try {
    return sys::ReadFile(path);
  } catch (const SystemError& error) {
    throw UserError(fmt::format("{}: {}", path, ErrnoText(error.error())));
  }
}

// A contest system's environ has keys of its own, so that one that only looks like ours is no mistake;
// whoever wrote it by hand is told.
void TellOfAlmostKeys(const Environ& environ, const JobArguments& arguments, const std::string& source) {
  const std::vector<std::string> known = KeysOfJob(arguments.job_type);
  for (const auto& [key, value] : environ.object().items()) {
    if (IsKeyOfAnyJob(key)) continue;
    if (const std::string meant = DidYouMean(key, known); !meant.empty()) {
      fmt::print(stderr, "tally: warning: {}: {} is kept, but {} has no such key{}\n", source,
                 nlohmann::json(key).dump(), arguments.job_type, meant);
    }
  }
}

// What is typed is meant for the job: a key that it does not read would leave a limit at its default.
void SetTyped(const JobArguments& arguments, const std::string& word, Environ* environ) {
  const std::string key = environ->SetFromCommandLine(word);
  const std::vector<std::string> known = KeysOfJob(arguments.job_type);
  if (std::find(known.begin(), known.end(), key) != known.end()) return;
  throw UserError(fmt::format("{}: {} has no such key{}; keys of your own can stand in an environ's file",
                              key, arguments.job_type, DidYouMean(key, known)));
}

Environ ReadEnviron(const JobArguments& arguments) {
  Environ environ;
  std::size_t first = 0;
  if (!arguments.words.empty() && arguments.words.front().find('=') == std::string::npos) {
    const std::string& path = arguments.words.front();
    const std::string source = path == "-" ? "stdin" : path;
    environ = Environ::Parse(ReadSource(path), source);
    TellOfAlmostKeys(environ, arguments, source);
    first = 1;
  }
  // On the command line people type plain paths; an environ file says what its paths are.
  if (first == 0 && !environ.Has("use_filetracker")) environ.Set("use_filetracker", false);
  for (std::size_t i = first; i < arguments.words.size(); ++i)
    SetTyped(arguments, arguments.words[i], &environ);
  environ.Set("job_type", arguments.job_type);
  return environ;
}

int RunJobOnce(const JobArguments& arguments) {
  Environ environ;
  environ.Set("job_type", arguments.job_type);
  const auto fail = [&environ](const std::exception& error, int status) {
    WriteFailure(error.what(), &environ);
    fmt::print("{}", environ.Dump());
    Complain(fmt::format("tally: {}{}", status == kExitSystemError ? "failure: " : "", error.what()));
    return status;
  };
  try {
    environ = ReadEnviron(arguments);
    RunJob(&environ);
  } catch (const UserError& error) {
    return fail(error, kExitUserError);
  } catch (const std::exception& error) {
    return fail(error, kExitSystemError);
  }
  fmt::print("{}", environ.Dump());
  return kExitJobRan;
}

// SIO's script of this name: the environ in a variable of that name, its text perhaps once more a JSON text; the result between markers.
Environ EnvironOfBatch(const std::string& job_type) {
  const char* const text = std::getenv("environ");
  if (text == nullptr) throw UserError("the environment has no variable environ with a JSON object");
  const nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
  Environ environ = Environ::Parse(parsed.is_string() ? parsed.get<std::string>() : std::string(text), "environ");
  if (!job_type.empty()) environ.Set("job_type", job_type);
  if (!environ.Has("percentage_format")) environ.Set("percentage_format", "fraction");
  return environ;
}

int RunBatch(const std::string& job_type) {
  Environ environ;
  int status = kExitJobRan;
  std::string failure;
  try {
    environ = EnvironOfBatch(job_type);
    RunJob(&environ);
    environ.Set("result", "SUCCESS");
  } catch (const UserError& error) {
    status = kExitUserError;
    failure = error.what();
  } catch (const std::exception& error) {
    status = kExitSystemError;
    failure = error.what();
  }
  if (status != kExitJobRan) {
    WriteFailure(failure, &environ);
    environ.Set("result", "FAILURE");
    environ.Set("exception", failure);
    Complain("sio-batch: " + failure);
  }
  fmt::print("--- BEGIN ENVIRON ---\n{}--- END ENVIRON ---\n", environ.Dump());
  return status;
}

struct JobHelp {
  const char *name, *description, *examples;
};

constexpr JobHelp kJobs[] = {
    {"exec", "Job: run a program in a sandbox, with limits, and check its output",
     "  tally exec exe_file=./solution in_file=1.in out_file=1.got exec_time_limit=1000\n"
     "  tally exec exe_file=./solution in_file=1.in check_output=true hint_file=1.out\n"
     "  tally exec exe_file=./solution in_file=1.in check_output=true hint_file=1.out chk_file=./checker\n"
     "  tally exec environ.json             names in a file are filetracker paths, unless it says otherwise\n"},
    {"vcpu-exec", "Job: the same as exec, with time measured by counting instructions",
     "  tally vcpu-exec exe_file=./solution in_file=1.in out_file=1.got exec_time_limit=1000\n"
     "  tally vcpu-exec exe_file=./solution in_file=1.in seed=7 cpu_model=x86-64-v2\n"
     "  tally vcpu-exec environ.json        names in a file are filetracker paths, unless it says otherwise\n"},
    {"unsafe-exec", "Job: the same as exec with limits only and no sandbox, for programs you trust",
     "  tally unsafe-exec exe_file=./model in_file=1.in out_file=1.out exec_time_limit=10000\n"},
    {"interactive-exec", "Job: run a program that talks to an interactor",
     "  tally interactive-exec exe_file=./solution in_file=1.in interactor_file=./interactor\n"
     "  tally interactive-exec exe_file=./solution in_file=1.in interactor_file=./interactor num_processes=2\n"
     "  tally interactive-exec exe_file=./solution in_file=1.in hint_file=1.out interactor_file=./i interactor_protocol=testlib\n"},
    {"encdec-exec", "Job: run a program as an encoder, and then as a decoder of what came through a channel",
     "  tally encdec-exec exe_file=./solution in_file=1.in hint_file=1.out chn_file=./channel chk_file=./checker\n"
     "  tally encdec-exec exe_file=./s in_file=1.in hint_file=1.out chn_file=./c chk_file=./k decoder_time_limit=500\n"},
    {"compile", "Job: compile a source in a sandbox",
     "  tally compile source_file=sum.cpp out_file=sum\n"
     "  tally compile source_file=sum.cpp out_file=sum compiler=cpp17 extra_compilation_args='[\"-O3\"]'\n"
     "  tally compile source_file=main.c additional_includes=lib.h additional_sources=lib.c out_file=main\n"},
    {"ingen", "Job: run a program that writes inputs, and keep them",
     "  tally ingen exe_file=./generator re_string='.*[.]in' collected_files_path=tests\n"},
    {"inwer", "Job: run a program that says whether an input is one",
     "  tally inwer exe_file=./validator in_file=1.in in_file_name=1.in\n"}};

// Made when it is asked for: all keys of a job are many.
std::string FooterOf(const JobHelp& job) {
  constexpr std::size_t kWidth = 110;
  const std::string keys = Wrapped("Keys: " + JoinWords(KeysOfJob(job.name)), kWidth, 2);
  return fmt::format("An environ (a JSON object) in, the same environ with results on stdout, and nothing else. A typed key that the job does\n"
                     "not read is a mistake; in a file or on stdin it is kept. A failed job is an environ with result_code SE, a sentence on\n"
                     "stderr, and exit status 1 or 2. Examples:\n{}{}\ndocs/jobs.md says what each of them is.", job.examples, keys);
}

}  // namespace

void AddJobCommands(CommandLine* line) {
  for (const JobHelp& job : kJobs) {
    Command command = line->Add(job.name, job.description);
    auto arguments = std::make_shared<JobArguments>();
    arguments->job_type = job.name;
    command.Footer([&job] { return FooterOf(job); });
    command.Option("environ", arguments->words, "[ENVIRON.json|-] [KEY=VALUE ...]").Required();
    command.WordsBeginWith([job_type = arguments->job_type] {
      std::vector<std::string> keys = KeysOfJob(job_type);
      for (std::string& key : keys) key += '=';
      return keys;
    });
    command.Does([arguments] { return RunJobOnce(*arguments); });
  }
  Command batch = line->Add("sio-batch", "Job: as SIO's script of this name, with the environ in a variable");
  auto job_type = std::make_shared<std::string>();
  batch.Footer("The result stands between --- BEGIN ENVIRON --- and --- END ENVIRON ---. Example:\n"
               "  environ='{\"job_type\": \"ping\", \"ping\": \"e1\"}' tally sio-batch");
  batch.Option("job_type", *job_type, "In place of the environ's");
  batch.Does([job_type] { return RunBatch(*job_type); });
}

}  // namespace tally
