#include "base/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/error.h"
#include "base/executable_path.h"

namespace tally {
namespace {

// Above what posix_spawn's other actions touch.
constexpr int kFirstPassed = 10;

}  // namespace

Spawn::Spawn() {
  ::posix_spawn_file_actions_init(&files_);
  ::posix_spawnattr_init(&attributes_);
  ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes_, &none);
  ::posix_spawnattr_setsigdefault(&attributes_, &all);
  ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
}

Spawn::~Spawn() {
  ::posix_spawn_file_actions_destroy(&files_);
  ::posix_spawnattr_destroy(&attributes_);
}

void Spawn::Give(int fd, int as) { ::posix_spawn_file_actions_adddup2(&files_, fd, as); }

int Spawn::Pass(int fd) {
  Fd copy(::fcntl(fd, F_DUPFD_CLOEXEC, kFirstPassed));
  if (!copy.valid()) throw SystemError("fcntl(F_DUPFD_CLOEXEC)", errno);
  const int number = copy.get();
  Give(number, number);  // to itself: stays open over exec
  passed_.push_back(std::move(copy));
  return number;
}

pid_t Spawn::Start(const std::string& path, std::vector<std::string> words) {
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& entry : environment_) envp.push_back(entry.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  pid_t pid = -1;
  char** const environment = environment_.empty() ? environ : envp.data();
  const int error = ::posix_spawn(&pid, path.c_str(), &files_, &attributes_, argv.data(), environment);
  if (error != 0) throw SystemError("start " + path, error);
  return pid;
}

std::string ExecutableBeside(const std::string& name) {
  if (ExecutablePath().empty()) throw SystemError("readlink /proc/self/exe", ENOENT);
  return std::filesystem::path(ExecutablePath()).parent_path() / name;
}

}  // namespace tally
