#include "jobs/interactor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "jobs/exec_options.h"
#include "jobs/feedback.h"
#include "supervisor/run/process_executor.h"
#include "supervisor/sandbox/private_mounts.h"

namespace tally {
namespace {

using nlohmann::json;

constexpr Milliseconds kTime{30'000};   // of its processor
constexpr Milliseconds kLonger{2'000};  // than the solution may take
constexpr Bytes kMemory = Bytes::MiB(1024);
constexpr Bytes kOutput = Bytes::MiB(256);
constexpr std::size_t kMostText = 1 << 20;  // of a message between our two processes

constexpr const char* kGoodbye = "end";

// One message, and descriptors with it.
void Send(int socket, const std::string& text, const std::vector<int>& fds) {
  iovec data{const_cast<char*>(text.data()), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (!fds.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
    std::memcpy(CMSG_DATA(head), fds.data(), fds.size() * sizeof(int));
  }
  if (::sendmsg(socket, &message, MSG_NOSIGNAL) != static_cast<ssize_t>(text.size())) throw SystemError("sendmsg to the interactor's process", errno);
}

// nullopt: the other side is gone.
std::optional<std::string> Receive(int socket, std::vector<Fd>* fds) {
  std::string text(kMostText, '\0');
  iovec data{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t n = -1;
  do n = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  if (n <= 0) return std::nullopt;
  if (const cmsghdr* const head = CMSG_FIRSTHDR(&message); head != nullptr && fds != nullptr) {
    const std::size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(head) + i * sizeof(int), sizeof fd);
      fds->emplace_back(fd);
    }
  }
  text.resize(static_cast<std::size_t>(n));
  return text;
}

}  // namespace

Interactor::Interactor(const Tool& tool, CheckerProtocol protocol, Isolation isolation, Nanoseconds wall)
    : tool_(tool), protocol_(protocol), isolation_(isolation), wall_(wall) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) throw SystemError("socketpair", errno);
  Fd ours(ends[0]), theirs(ends[1]);
  process_ = ::fork();
  if (process_ < 0) throw SystemError("fork the interactor's process", errno);
  if (process_ == 0) {
    ours.Reset();
    interrupts_.Close();
    Serve(theirs.get());
    ProcessExecutor().RetireAll();
    ::_exit(0);
  }
  socket_ = std::move(ours);
}

// By a word of its own: the processes of other workers hold our end too, so it may be open for longer. Who is still busy with a run that
// nobody waits for any more is told by a signal, which ends the run.
Interactor::~Interactor() {
  try {
    Send(socket_.get(), kGoodbye, {});
  } catch (const std::exception&) {  // it is gone
  }
  socket_.Reset();
  constexpr int kPatienceMs = 200;
  const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
  pollfd end{process.get(), POLLIN, 0};
  if (::poll(&end, 1, kPatienceMs) == 0) ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
}

void Interactor::Serve(int socket) {
  try {
    for (;;) {
      std::vector<Fd> ends;
      const std::optional<std::string> request = Receive(socket, &ends);
      if (!request || ends.size() != 2) return;
      const std::string answer = RunOne(*request, ends[0], ends[1]);
      ends.clear();  // the solution reads the end
      Send(socket, answer, {});
    }
  } catch (...) {  // interrupted, or nobody is there to read: the other side sees that we ended
  }
}

std::string Interactor::RunOne(const std::string& text, const Fd& input, const Fd& output) {
  json answer;
  try {
    const json request = json::parse(text);
    const std::string in = request.at("input"), hint = request.at("answer");
    const bool kattis = protocol_ == CheckerProtocol::kKattis;
    std::vector<PlacedFile> placed{{ReachableFile(in, directory_, "in", isolation_), "/box/in"}, {ReachableFile(hint, directory_, "hint", isolation_), "/box/hint"}};
    const TemporaryDirectory feedback;
    if (kattis) {
      placed.push_back({MakeFeedbackFolder(feedback, isolation_), "/box/feedback", true});
    } else {
      ::unlink(written().c_str());
      sys::Open(written(), O_WRONLY | O_CREAT | O_EXCL, 0644);
      if (ProgramsChangeUser(isolation_)) ProcessExecutor().sandboxes().user().Own(written());
      placed.push_back({written(), "/box/tout", true});
    }
    ExecOptions exec;
    exec.limits = DefaultLimits(ExecKind::kExec, kTime);
    exec.limits.wall_time = wall_ + kLonger;
    exec.limits.idle_time.reset();  // to wait is its nature
    exec.limits.memory = kMemory;
    exec.limits.output = kOutput;
    exec.syscalls = SyscallCounting::kOff;
    exec.counter = Counter::kNone;
    exec.isolation = isolation_;
    exec.sandbox = "checker-sandbox";
    Program program("interactor", tool_.program(), tool_.info(), exec, placed);
    program.AddArguments(kattis ? std::vector<std::string>{"/box/in", "/box/hint", "/box/feedback"} : std::vector<std::string>{"/box/in", "/box/tout", "/box/hint"});
    program.AddArguments(request.at("arguments").get<std::vector<std::string>>());
    const std::string error = directory_.File("stderr");
    ::unlink(error.c_str());
    const Fd err = sys::Open(error, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0600);
    const RunResult result = program.Run(input.get(), output.get(), err.get());
    answer["ended"] = sys::MonotonicNow().count();
    CheckerRun run;
    run.end = HowItEnded(result);
    run.code = result.exit_code.value_or(result.signal.value_or(0));
    run.stopped_by = result.sentence;
    const std::string message = kattis ? ReadFeedback(feedback.File("feedback/judgemessage.txt")).value_or("") : ReadFeedback(error).value_or("");
    const std::optional<std::string> score = kattis ? ReadFeedback(feedback.File("feedback/score.txt")) : std::nullopt;
    // Runtimes make an exception of the signal, say so, and end with a status that means nothing in the protocol.
    const std::string said = ReadFeedback(error).value_or("");
    constexpr std::string_view kPythons = "BrokenPipe", kOthers = "Broken pipe";
    const bool said_so = said.find(kPythons) != std::string::npos || said.find(kOthers) != std::string::npos;
    run.message = message;
    if (score) run.score = *score;
    const CheckerVerdict verdict = ReadVerdict(protocol_, run);
    answer["died_of_pipe"] = result.signal == SIGPIPE || (said_so && verdict.outcome != CheckerVerdict::Outcome::kAccepted);
    answer["outcome"] = static_cast<int>(verdict.outcome);
    answer["percentage"] = {verdict.percentage.numerator, verdict.percentage.denominator};
    answer["comment"] = verdict.comment;
  } catch (const std::exception& failure) {
    answer["failure"] = failure.what();
  }
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

Interactor::Ends Interactor::Start(const PackageTest& test) {
  sys::Pipe to_solution = sys::MakePipe(), from_solution = sys::MakePipe();
  const json request{{"input", test.input}, {"answer", test.answer}, {"arguments", test.checker_arguments}};
  Send(socket_.get(), request.dump(), {from_solution.read_end.get(), to_solution.write_end.get()});
  return {std::move(to_solution.read_end), std::move(from_solution.write_end)};
}

Interactor::End Interactor::Wait() {
  for (pollfd fds[] = {{socket_.get(), POLLIN, 0}, {interrupts_.fd(), POLLIN, 0}}; fds[0].revents == 0;) {
    if (::poll(fds, 2, -1) < 0 && errno != EINTR) throw SystemError("poll", errno);
    if (const int signal = fds[1].revents != 0 ? interrupts_.Take() : 0; signal != 0) throw Interrupted{signal};
  }
  const std::optional<std::string> text = Receive(socket_.get(), nullptr);
  if (!text) throw SystemError("the interactor's process ended early", 0);
  const json answer = json::parse(*text);
  if (answer.contains("failure")) throw SystemError("interactor: " + answer["failure"].get<std::string>(), 0);
  End end{.verdict = {}, .died_of_pipe = answer.at("died_of_pipe"), .ended = Nanoseconds(answer.at("ended").get<std::int64_t>())};
  end.verdict.outcome = static_cast<CheckerVerdict::Outcome>(answer.at("outcome").get<int>());
  end.verdict.percentage = {answer.at("percentage")[0], answer.at("percentage")[1]};
  end.verdict.comment = answer.at("comment");
  return end;
}

}  // namespace tally
