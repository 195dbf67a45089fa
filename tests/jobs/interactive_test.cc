// Interactive problems, by a table: who hangs, dies, floods, speaks after the end, closes early, waits for the other.
#include "jobs/judging.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iterator>

#include "base/sys.h"
#include "jobs/interaction_verdict.h"
#include "supervisor/run/process_executor.h"
#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/job_sources.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

using Outcome = CheckerVerdict::Outcome;

// The interactor says numbers and wants twice each, three times; then it says 0.
constexpr const char* kInteractor = R"(import sys
for x in open(sys.argv[1]).read().split():
    print(x, flush=True)
    line = sys.stdin.readline()
    if not line:
        sys.exit(print("wrong answer no more to read", file=sys.stderr) or 1)
    if line.strip() != str(2 * int(x)):
        sys.exit(print("wrong answer not twice " + x, file=sys.stderr) or 1)
print(0, flush=True)
open(sys.argv[2], "w").write("all said\n")
)";
constexpr const char* kGood = "while True:\n  x = int(input())\n  if x == 0: break\n  print(2 * x, flush=True)\n";

struct Talk {
  const char* what;
  const char* solution;
  const char* interactor;
  const char* code;
  const char* sentence;  // that it begins with; "": any
};

constexpr Talk kTalks[] = {
    {"both end well", kGood, kInteractor, "OK", "ok"},
    {"a wrong answer, and the solution reads on into nothing", "while True: print(3 * int(input()), flush=True)\n", kInteractor, "WA", "wrong answer not twice 1"},
    {"a wrong answer, and the solution sees the end", "import sys\nfor line in sys.stdin: print(3 * int(line), flush=True)\n", kInteractor, "WA", "wrong answer not twice 1"},
    {"a wrong answer, and the solution hangs after it", "print(7, flush=True)\nwhile True: pass\n", kInteractor, "TLE", "time limit exceeded"},
    {"a wrong answer, and the solution sleeps after it", "import time\nprint(7, flush=True)\ntime.sleep(100)\n", kInteractor, "TLE", ""},
    {"the solution ends at once", "pass\n", kInteractor, "WA", "wrong answer no more to read"},
    {"the solution ends in the middle", "print(2 * int(input()), flush=True)\n", kInteractor, "WA", ""},
    {"the solution fails at once", "raise SystemExit(3)\n", kInteractor, "RE", "runtime error 3"},
    {"the solution fails in the middle", "print(2 * int(input()), flush=True)\n1 / 0\n", kInteractor, "RE", "runtime error 1"},
    {"the solution is killed", "import os\ninput()\nos.kill(os.getpid(), 11)\n", kInteractor, "RE", "process exited due to signal 11"},
    {"the solution says nothing and waits", "input()\ninput()\n", kInteractor, "TLE", ""},
    {"the solution computes and says nothing", "while True: pass\n", kInteractor, "TLE", "time limit exceeded"},
    {"the solution does not flush", "import sys\nfor line in iter(sys.stdin.readline, '0\\n'): print(2 * int(line))\n", kInteractor, "TLE", ""},
    {"the solution takes more memory than there is", "input()\nx = bytearray(200 << 20)\nprint(len(x))\n", kInteractor, "MLE", "memory limit exceeded"},
    {"the solution closes its output and goes on", "import os\nos.close(1)\nwhile True: pass\n", kInteractor, "TLE", ""},
    {"the solution closes its output and ends", "import os, sys\nos.close(1)\nos._exit(0)\n", kInteractor, "WA", "wrong answer no more to read"},
    {"the solution closes its input and answers", "import os\nos.close(0)\nprint(2, flush=True)\n", kInteractor, "WA", ""},
    {"the solution answers before it is asked", "print('2\\n4\\n6', flush=True)\nwhile int(input()) != 0: pass\n", kInteractor, "OK", "ok"},
    {"the solution answers too much", "print('2\\n4\\n6\\n8', flush=True)\nwhile int(input()) != 0: pass\n", kInteractor, "OK", "ok"},
    {"the solution says garbage", "print('\\0\\xff' * 100, flush=True)\nimport sys\nsys.stdin.read()\n", kInteractor, "WA", "wrong answer not twice 1"},
    {"the solution floods one who reads a line", "while True: print('x' * 1000, flush=True)\n", kInteractor, "WA", "wrong answer not twice 1"},
    {"the solution floods one who reads all", "while True: print('x' * 1000)\n", "import sys\nfor line in sys.stdin: pass\nsys.exit(1)\n", "OLE", "output limit exceeded"},
    {"the solution floods one who reads nothing", "while True: print('x' * 1000, flush=True)\n", "import time\ntime.sleep(100)\n", "TLE", ""},
    {"the solution fails after it was accepted", "import sys\nsys.stdin.read()\nsys.exit(5)\n", "pass\n", "RE", "runtime error 5"},
    {"the solution speaks after it was accepted, and dies of it", "import signal, time\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\ninput()\nfor i in range(10**6): print('more' * 1000, flush=True)\n",
     "print(1, flush=True)\n", "OK", "ok"},
    {"the solution hangs after it was accepted", "import sys\nsys.stdin.read()\nwhile True: pass\n", "pass\n", "TLE", "time limit exceeded"},
    {"the interactor accepts without a word", "pass\n", "pass\n", "OK", "ok"},
    {"the interactor refuses without a word", "pass\n", "raise SystemExit(1)\n", "WA", "wrong answer"},
    {"the interactor gives points", "pass\n", "import sys\nprint('points 40', file=sys.stderr)\nsys.exit(7)\n", "OK", "points 40"},
    {"the interactor gives up", "pass\n", "import sys\nprint('FAIL no input', file=sys.stderr)\nsys.exit(3)\n", "SE", "interactor failed: the checker gave up"},
    {"the interactor is killed", "import sys\nsys.stdin.read()\n", "import os\nos.kill(os.getpid(), 11)\n", "SE", "interactor failed: the checker was killed by signal 11"},
    {"the interactor breaks its protocol", "pass\n", "raise SystemExit(200)\n", "SE", "interactor failed: the checker ended with exit status 200"},
    {"the interactor fails, and so does the solution before it", "raise SystemExit(2)\n", "import sys\nsys.stdin.read()\nsys.exit(3)\n", "RE", "runtime error 2"},
    {"the interactor fails, and the solution for want of it", "input()\n", "raise SystemExit(3)\n", "SE", "interactor failed: the checker gave up"},
    {"the interactor waits, and so does the solution", "input()\n", "import sys\nsys.stdin.read()\n", "TLE", ""},
    // That a program has closed its stdout shows at its end.
    {"the interactor closes its output, and the solution waits for more", "import sys\nsys.exit(0 if sys.stdin.read() == '' else 1)\n", "import os, sys\nos.close(1)\nsys.stdin.read()\nos._exit(0)\n", "TLE", ""},
    {"the interactor speaks to one who is gone", "pass\n", "import signal, sys\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\nwhile True: print('x' * 1000, flush=True)\n", "WA",
     "the solution ended, or closed its input, while the interactor still spoke"},
    {"the interactor says its last to one who is gone", "print('2\\n4\\n6', flush=True)\n",
     "import sys, time\nsys.stdin.read()\ntime.sleep(0.1)\nfor i in range(60): print('x' * 1000, flush=True)\nprint('well said', file=sys.stderr)\n", "OK", "well said"},
    {"the interactor floods one who does not read", "import time\ntime.sleep(100)\n", "while True: print('x' * 1000, flush=True)\n", "TLE", ""},
    {"the interactor computes without end, and the solution waits", "input()\n", "while True: pass\n", "TLE", ""},
    {"the interactor outlives a solution that ended well", "print('2\\n4\\n6', flush=True)\n", "import sys, time\nsys.stdin.read()\ntime.sleep(0.1)\n", "OK", "ok"},
};

struct TalkFolder : ScratchFolder {
  explicit TalkFolder(const std::string& interactor, const std::string& more = "") {
    Write("1.in", "1 2 3\n");
    Write("1.out", "");
    Write("interactor.py", interactor);
    Write("tally.yml", "interactor: interactor.py\ntime_limit: 300ms\nmemory_limit: 64M\noutput_limit: 1M\n" + more);
  }
  [[nodiscard]] TestReport Judge(const std::string& solution, const JudgeOptions& options = {}) const {
    const Package package = ReadPackage(path());
    return Judging(package, options).Judge(Write("solution.py", solution), [](std::size_t, const std::string&) {}).tests.front();
  }
};

// "WA wrong answer", of each talk. Most wait, so several go on at a time, in processes of their own.
std::vector<std::string> EndsOfTalks(const JudgeOptions& options) {
  constexpr std::size_t kAtATime = 4;
  std::vector<sys::Pipe> pipes;
  std::vector<pid_t> processes;
  std::vector<std::string> ends(std::size(kTalks));
  const auto take = [&](std::size_t i) {
    pipes[i].write_end.Reset();
    char text[4096];
    for (ssize_t n; (n = ::read(pipes[i].read_end.get(), text, sizeof text)) > 0;) ends[i].append(text, static_cast<std::size_t>(n));
    ::waitpid(processes[i], nullptr, 0);
  };
  for (std::size_t i = 0; i < std::size(kTalks); ++i) {
    if (i >= kAtATime) take(i - kAtATime);
    pipes.push_back(sys::MakePipe());
    processes.push_back(::fork());
    if (processes.back() != 0) continue;
    try {
      const TestReport test = TalkFolder(kTalks[i].interactor).Judge(kTalks[i].solution, options);
      sys::WriteAll(pipes[i].write_end.get(), std::string(Name(test.code)) + " " + test.sentence, "a pipe");
    } catch (const std::exception& failure) {
      sys::WriteAll(pipes[i].write_end.get(), failure.what(), "a pipe");
    }
    ProcessExecutor().RetireAll();
    ::_exit(0);
  }
  for (std::size_t i = ends.size() - std::min(kAtATime, ends.size()); i < ends.size(); ++i) take(i);
  return ends;
}

TEST_CASE("interactive: forty-one talks, and who is to blame for each", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  // By the clock, and when time is counted by instructions.
  for (const bool virtual_time : {false, true}) {
    const std::vector<std::string> ends = EndsOfTalks({.virtual_time = virtual_time});
    for (std::size_t i = 0; i < ends.size(); ++i) {
      INFO(kTalks[i].what << ": " << ends[i]);
      CHECK(ends[i].starts_with(std::string(kTalks[i].code) + " " + kTalks[i].sentence));
    }
  }
}

TEST_CASE("interactive: who fails first is to blame, however fast the other hears of it", "[judging][interactive]") {
  const ScratchFolder folder;
  folder.Write("interactor.c", "#include <stdio.h>\nint main(void) { puts(\"1\"); fflush(stdout); return getchar() == EOF ? 1 : 0; }\n");
  folder.Write("tally.yml", "interactor: interactor.c\n");
  for (int i = 0; i < 20; ++i) {
    folder.Write(std::to_string(i) + ".in", std::to_string(i) + "\n");
    folder.Write(std::to_string(i) + ".out", "");
  }
  const Package package = ReadPackage(folder.path());
  const auto codes = [&](const char* solution) {
    std::string all;
    for (const TestReport& test : Judging(package, {.workers = 2}).Judge(folder.Write("solution.c", solution), [](std::size_t, const std::string&) {}).tests) {
      const std::string code(Name(test.code));
      if (all.find(code) == std::string::npos) all += code;
    }
    return all;
  };
  CHECK(codes("#include <stdio.h>\nint main(void) { getchar(); return 3; }\n") == "RE");
  folder.Write("interactor.c", "#include <stdio.h>\nint main(void) { fclose(stdout); return 1; }\n");
  CHECK(codes("#include <stdio.h>\nint main(void) { while (getchar() != EOF) ; return 3; }\n") == "WA");
}

TEST_CASE("interactive: the same under reduced isolation, and with workers", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const TalkFolder folder(kInteractor);
  CHECK(folder.Judge(kGood, {.isolation = Isolation::kReduced}).code == ResultCode::kOk);
  for (int i = 2; i <= 5; ++i) {
    folder.Write(std::to_string(i) + ".in", i == 4 ? "9 9\n" : "5\n");
    folder.Write(std::to_string(i) + ".out", "");
  }
  const Package package = ReadPackage(folder.path());
  const std::string solution = folder.Write("solution.py", "while True:\n  x = int(input())\n  if x == 0: break\n  print(2 * x if x != 9 else 0, flush=True)\n");
  for (const unsigned workers : {1u, 3u}) {
    std::string codes;
    for (const TestReport& test : Judging(package, {.workers = workers}).Judge(solution, [](std::size_t, const std::string&) {}).tests) codes += Name(test.code);
    CHECK(codes == "OKOKOKWAOK");
  }
}

TEST_CASE("interactive: a checker looks at what the interactor wrote", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const TalkFolder folder(kInteractor, "checker: check.py\n");
  folder.Write("check.py", "import sys\nprint('OK' if open(sys.argv[2]).read() == 'all said\\n' else 'WRONG')\nprint('seen')\n");
  const TestReport test = folder.Judge(kGood);
  CHECK(test.code == ResultCode::kOk);
  CHECK(test.sentence == "seen");
}

TEST_CASE("interactive: a comparison without a checker looks at what the interactor wrote, and both have a say in the points", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const TalkFolder folder("import sys\nopen(sys.argv[2], 'w').write('7\\n')\nprint('points 40', file=sys.stderr)\nsys.exit(7)\n");
  folder.Write("1.out", "8\n");
  Package package = ReadPackage(folder.path());
  const std::string solution = folder.Write("solution.py", "pass\n");
  const auto judge = [&] { return Judging(package, {}).Judge(solution, [](std::size_t, const std::string&) {}).tests.front(); };
  CHECK(judge().code == ResultCode::kOk);
  package.tests[0].compare = kSameWords;
  CHECK(judge().code == ResultCode::kWa);
  folder.Write("1.out", "7\n");
  CHECK(judge().code == ResultCode::kOk);
  CHECK(judge().percentage == 40);
}

TEST_CASE("interactive: Kattis' validators", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const ScratchFolder folder;
  folder.Write("problem.yaml", "type: interactive\nlimits: {time_limit: 0.3}\n");
  folder.Write("data/secret/1.in", "4\n");
  folder.Write("data/secret/1.ans", "");
  folder.Write("output_validators/talk.py", "import sys\nprint(open(sys.argv[1]).read().strip(), flush=True)\nright = input() == '8'\n"
                                            "open(sys.argv[3] + '/judgemessage.txt', 'w').write('fine' if right else 'no')\nsys.exit(42 if right else 43)\n");
  const Package package = ReadPackage(folder.path());
  const auto judge = [&](const std::string& source) {
    const TestReport test = Judging(package, {}).Judge(folder.Write("s.py", source), [](std::size_t, const std::string&) {}).tests.front();
    return std::string(Name(test.code)) + " " + test.sentence;
  };
  CHECK(judge("print(2 * int(input()), flush=True)\n") == "OK fine");
  CHECK(judge("print(3 * int(input()), flush=True)\n") == "WA no");
  // Points that are no number are no points.
  folder.Write("output_validators/talk.py", "import os, sys\nos.mkdir(sys.argv[3] + '/score.txt')\nsys.exit(42)\n");
  CHECK(judge("pass\n") == "SE interactor failed: the checker left in score.txt \"(no regular file)\", which is not a percentage from 0 to 1000");
  // Python makes an exception of the broken pipe, and ends with 1.
  folder.Write("output_validators/talk.py", "import sys\nfor i in range(10**6): print(i, flush=True)\nsys.exit(42)\n");
  CHECK(judge("pass\n") == "WA the solution ended, or closed its input, while the interactor still spoke");
}

RunResult Ended(ResultCode code, std::optional<int> signal = {}) {
  RunResult result;
  result.code = code;
  result.sentence = "the solution's";
  result.signal = signal;
  return result;
}

ResultCode Verdict(const RunResult& solution, Outcome interactor, bool interactor_first) {
  return JudgeInteraction({solution, {interactor, "", kAllPoints}, false, false, interactor_first}).code;
}

TEST_CASE("interaction: limits and rules are the solution's, whatever was said and when", "[interactive]") {
  for (const ResultCode code : {ResultCode::kTle, ResultCode::kMle, ResultCode::kOle, ResultCode::kRv}) {
    for (const Outcome outcome : {Outcome::kAccepted, Outcome::kWrong, Outcome::kCheckerFailed}) {
      CHECK(Verdict(Ended(code), outcome, false) == code);
      CHECK(Verdict(Ended(code), outcome, true) == code);
    }
  }
}

TEST_CASE("interaction: a failure is the solution's own unless the interactor had refused or failed before", "[interactive]") {
  const RunResult failed = Ended(ResultCode::kRe), broken = Ended(ResultCode::kRe, SIGPIPE);
  for (const Outcome outcome : {Outcome::kAccepted, Outcome::kWrong, Outcome::kCheckerFailed}) CHECK(Verdict(failed, outcome, false) == ResultCode::kRe);
  CHECK(Verdict(failed, Outcome::kAccepted, true) == ResultCode::kRe);
  CHECK(Verdict(failed, Outcome::kWrong, true) == ResultCode::kWa);
  CHECK(Verdict(failed, Outcome::kCheckerFailed, true) == ResultCode::kSe);
  CHECK(Verdict(broken, Outcome::kAccepted, true) == ResultCode::kOk);
  // An interactor may close its pipes before it ends.
  CHECK(Verdict(broken, Outcome::kAccepted, false) == ResultCode::kOk);
  CHECK(Verdict(broken, Outcome::kWrong, false) == ResultCode::kWa);
  CHECK(Verdict(broken, Outcome::kWrong, true) == ResultCode::kWa);
}

TEST_CASE("interaction: who keeps the interactor longer than it may take is too slow, and no failure of the interactor's", "[interactive]") {
  const CheckerVerdict stopped{Outcome::kCheckerFailed, "", kNoPoints};
  for (const RunResult& solution : {Ended(ResultCode::kOk), Ended(ResultCode::kRe), Ended(ResultCode::kRe, SIGPIPE)}) {
    CHECK(JudgeInteraction({solution, stopped, false, true, true}).code == ResultCode::kTle);
  }
  CHECK(JudgeInteraction({Ended(ResultCode::kOk), stopped, false, true, false}).code == ResultCode::kSe);
  CHECK(JudgeInteraction({Ended(ResultCode::kRv), stopped, false, true, true}).code == ResultCode::kRv);
}

TEST_CASE("interactive: names that are no UTF-8 are no trouble", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const TalkFolder folder(kInteractor);
  const std::string odd = folder.path() + "/caf\xe9";
  std::filesystem::create_directory(odd);
  for (const char* const name : {"1.in", "1.out", "interactor.py", "tally.yml"}) std::filesystem::copy(folder.path() + "/" + name, odd);
  const Package package = ReadPackage(odd);
  const TestReport test =
      Judging(package, {.transcripts = odd + "/said\xff"}).Judge(folder.Write("solution.py", kGood), [](std::size_t, const std::string&) {}).tests.front();
  CHECK(test.sentence == "ok");
  CHECK(std::filesystem::exists(odd + "/said\xff"));
}

TEST_CASE("interactive: one that speaks to an interactor that has closed its pipes, and not yet ended, is wrong and no crash", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const TalkFolder folder("import os, sys, time\ninput()\nos.close(0)\ntime.sleep(0.2)\nsys.exit(1)\n");
  const TestReport test = folder.Judge("import signal\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\nwhile True: print(1, flush=True)\n");
  INFO(test.sentence);
  CHECK(test.code == ResultCode::kWa);
}

// A solution in C, whose library executes other instructions for a line that comes in two pieces.
TestReport JudgeSum(const std::string& interactor) {
  TalkFolder folder("import sys, time\n" + interactor + "sys.exit(0 if input() == '60' else 1)\n");
  const Package package = ReadPackage(folder.path());
  const std::string source = folder.Write("sum.c", "#include <stdio.h>\nint main(void) { int sum = 0, x; for (int i = 0; i < 3; ++i) { if (scanf(\"%d\", &x) != 1) return 1; sum += x; }\n"
                                                   "  printf(\"%d\\n\", sum); return 0; }\n");
  return Judging(package, {.virtual_time = true}).Judge(source, [](std::size_t, const std::string&) {}).tests.front();
}

TEST_CASE("interactive: in virtual time a count is the same, whenever the other side speaks", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const TestReport at_once = JudgeSum("print(10, 20, 30, sep='\\n', flush=True)\n");
  const TestReport slowly = JudgeSum("for n in 10, 20, 30: print(n, flush=True); time.sleep(0.05)\n");
  const TestReport in_halves = JudgeSum("for n in 10, 20, 30:\n  sys.stdout.write(str(n)[0]); sys.stdout.flush(); time.sleep(0.02); print(str(n)[1], flush=True)\n");
  const TestReport long_pieces = JudgeSum("print(' ' * 9000, 10, flush=True)\nprint(20, flush=True)\nprint(30, flush=True)\n");
  for (const TestReport* test : {&at_once, &slowly, &in_halves, &long_pieces}) {
    INFO(test->json);
    CHECK(test->code == ResultCode::kOk);
    CHECK(Json::parse(test->json)["exectime_deterministic"] == true);
  }
  CHECK(slowly.instructions == at_once.instructions);
  CHECK(in_halves.instructions == at_once.instructions);
  CHECK(*long_pieces.instructions > *at_once.instructions);
}

TEST_CASE("interactive: a question that ends no line comes after some silence, and the count may vary", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const TestReport test = JudgeSum("sys.stdout.write('10 20 '); sys.stdout.flush(); time.sleep(0.6); print(30, flush=True)\n");
  INFO(test.json);
  CHECK(test.code == ResultCode::kOk);
  CHECK(Json::parse(test.json)["exectime_varies"] == "what was said to it came in pieces as they were written");
}

TEST_CASE("interactive: who waits for each other is stopped after as long as a run may take, in virtual time, too", "[judging][interactive]") {
  if (const auto why = WhyAbsent("python3")) TALLY_SKIP(*why);
  const TestReport test = TalkFolder("import sys\nsys.stdin.readline()\n").Judge("input()\n", {.virtual_time = true});
  CHECK(test.code == ResultCode::kTle);
  CHECK(Json::parse(test.json)["real_time_used"].get<int>() < 10'000);  // 64 times the limit and a second are 20 s
}

}  // namespace
}  // namespace tally
