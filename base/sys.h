// Typed system calls: each throws SystemError with its subject in the text, retries EINTR, and returns an
// owner. One wrapper per call, so that a missing argument does not compile (docs/architecture.md, "Errors").
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/mapping.h"
#include "base/units.h"

namespace tally::sys {

Fd Open(const std::string& path, int flags, mode_t mode = 0);
// nullopt on ENOENT/ENOTDIR/EACCES: the caller has a second plan.
std::optional<Fd> TryOpen(const std::string& path, int flags) noexcept;
struct stat Stat(int fd, std::string_view subject);

struct Pipe {
  Fd read_end;
  Fd write_end;
};
Pipe MakePipe();       // close-on-exec
Fd Duplicate(int fd);  // the same open file once more, close-on-exec

// Who starts us may ignore SIGCHLD (sg(1) does), which execve keeps: then the kernel reaps our children, and nobody can wait for
// them (wait(2)). A caller that starts processes says so before the first.
void ReapOwnChildren();
// As nohup(1) has it, and a process that somebody else ends.
bool IsIgnored(int signal);

// Maps a whole file for reading; an empty file gives an empty Mapping.
Mapping MapFile(int fd, std::string_view subject);

// What is left of a file, or the first `most` bytes of it.
std::string ReadAll(int fd, std::string_view subject, std::size_t most = std::string::npos);
std::string ReadFile(const std::string& path);
// Small kernel files (/proc, cgroups): nullopt when absent or unreadable.
std::optional<std::string> TryReadFile(const std::string& path);
bool TryWriteFile(const std::string& path, std::string_view data) noexcept;
void WriteAll(int fd, std::string_view data, std::string_view subject);

Nanoseconds MonotonicNow() noexcept;

}  // namespace tally::sys
