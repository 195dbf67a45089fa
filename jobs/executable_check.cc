#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "compilers/compiler_store.h"
#include "jobs/program.h"

namespace tally {
namespace {

// As much of the file as the first header, or the first line, needs.
constexpr std::size_t kHead = 4096;

[[noreturn]] void Reject(const std::string& key, const std::string& path, std::string_view why) {
  throw UserError(fmt::format("{}: {} cannot be executed: {}", key, path, why));
}

std::string ScriptInterpreter(std::string_view head) {
  std::string_view line = head.substr(2, head.find('\n') - 2);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return std::string(line.substr(0, line.find_first_of(" \t\r")));
}

void CheckScript(const std::string& key, const std::string& path, std::string_view head) {
  const std::string interpreter = ScriptInterpreter(head);
  if (interpreter.empty()) Reject(key, path, "its first line is #! without an interpreter");
  if (::access(interpreter.c_str(), X_OK) != 0) {
    Reject(key, path, fmt::format("its interpreter {} is missing", interpreter));
  }
}

struct Elf64 {
  using Header = Elf64_Ehdr;
  using Segment = Elf64_Phdr;
  static constexpr std::uint64_t kEndOfUserSpace = 0x7fff'ffff'f000;
};
struct Elf32 {
  using Header = Elf32_Ehdr;
  using Segment = Elf32_Phdr;
  static constexpr std::uint64_t kEndOfUserSpace = 0xffff'e000;
};

// Empty when the file ends before the table does.
template <typename Elf>
std::vector<typename Elf::Segment> ReadSegments(int file, const std::string& path, const typename Elf::Header& header) {
  std::vector<typename Elf::Segment> out(header.e_phnum);
  const std::size_t size = out.size() * sizeof out[0];
  const ssize_t n = ::pread(file, out.data(), size, static_cast<off_t>(header.e_phoff));
  if (n < 0 && errno == EIO) throw SystemError("read " + path, errno);  // other errors are about what the header says
  if (n != static_cast<ssize_t>(size)) out.clear();
  return out;
}

bool EndsBehind(std::uint64_t start, std::uint64_t size, std::uint64_t end) {
  return start > end || size > end - start;
}

template <typename Elf>
void CheckProgramHeaders(const std::string& key, const std::string& path, int file, std::string_view head,
                         off_t size) {
  typename Elf::Header header;
  if (head.size() < sizeof header) Reject(key, path, "the ELF file is cut off in its header");
  std::memcpy(&header, head.data(), sizeof header);
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    Reject(key, path, "it is an ELF file but no program (an object file or a core dump)");
  }
  if (header.e_phentsize != sizeof(typename Elf::Segment) || header.e_phnum == 0) {
    Reject(key, path, "the ELF file is damaged: it has no program headers");
  }
  const auto segments = ReadSegments<Elf>(file, path, header);
  if (segments.empty()) Reject(key, path, "the ELF file is damaged or cut off");
  for (const auto& segment : segments) {
    if (segment.p_type != PT_LOAD) continue;
    if (EndsBehind(segment.p_offset, segment.p_filesz, static_cast<std::uint64_t>(size))) {
      Reject(key, path, "the ELF file is damaged or cut off: a segment ends behind the end of the file");
    }
    // The kernel would kill it half-way through its execve, which looks like memory it could not have.
    if (EndsBehind(segment.p_vaddr, segment.p_memsz, Elf::kEndOfUserSpace)) {
      Reject(key, path, "the ELF file is damaged: a segment lies where no program can be");
    }
  }
}

void CheckElf(const std::string& key, const std::string& path, int file, std::string_view head, off_t size) {
  if (head.size() < EI_NIDENT + 4) Reject(key, path, "the ELF file is cut off in its header");
  std::uint16_t machine;
  std::memcpy(&machine, head.data() + EI_NIDENT + 2, sizeof machine);
  const unsigned char kind = static_cast<unsigned char>(head[EI_CLASS]);
  if (kind == ELFCLASS64 && machine == EM_X86_64) {
    CheckProgramHeaders<Elf64>(key, path, file, head, size);
  } else if (kind == ELFCLASS32 && machine == EM_386) {
    CheckProgramHeaders<Elf32>(key, path, file, head, size);
  } else {
    Reject(key, path, "it is an ELF file for another kind of processor");
  }
}

bool IsScript(std::string_view head) { return head.starts_with("#!"); }

std::string Head(int file, const std::string& path) {
  std::string head(kHead, '\0');
  const ssize_t n = ::pread(file, head.data(), head.size(), 0);
  if (n < 0) throw SystemError("read " + path, errno);
  head.resize(static_cast<std::size_t>(n));
  return head;
}

// "" when it has none.
template <typename Elf>
std::string DynamicLinker(int file, const std::string& path, std::string_view head) {
  typename Elf::Header header;
  std::memcpy(&header, head.data(), sizeof header);
  for (const auto& segment : ReadSegments<Elf>(file, path, header)) {
    if (segment.p_type != PT_INTERP || segment.p_filesz > PATH_MAX) continue;
    std::string name(segment.p_filesz, '\0');
    const ssize_t n = ::pread(file, name.data(), name.size(), static_cast<off_t>(segment.p_offset));
    return n > 0 ? std::string(name.c_str()) : "";  // up to its final zero
  }
  return "";
}

}  // namespace

void CheckExecutable(const std::string& key, const std::string& path) {
  const std::optional<Fd> file = sys::TryOpen(path, O_RDONLY);
  if (!file) throw UserError(fmt::format("{}: {}: {}", key, path, ErrnoText(errno)));
  const struct stat status = sys::Stat(file->get(), path);
  if (!S_ISREG(status.st_mode)) throw UserError(fmt::format("{}: {} is not a regular file", key, path));
  if (status.st_size == 0) Reject(key, path, "the file is empty");
  const std::string head = Head(file->get(), path);
  if (IsScript(head)) {
    CheckScript(key, path, head);
  } else if (head.substr(0, SELFMAG) == std::string_view(ELFMAG, SELFMAG)) {
    CheckElf(key, path, file->get(), head, status.st_size);
  } else {
    Reject(key, path, "it is neither an ELF program nor a script that starts with #!");
  }
}

ExecInfo InfoOfExecutable(const std::string& path) {
  const Fd file = sys::Open(path, O_RDONLY);
  const std::string head = Head(file.get(), path);
  if (!IsScript(head)) return {};
  std::istringstream line(head.substr(2, head.find('\n') - 2));
  std::string interpreter;
  line >> interpreter;
  std::string name = std::filesystem::path(interpreter).filename();
  if (name == "env" && line >> name && name == "-S") line >> name;
  const CompilerStore compilers;
  for (const CompilerSpec& spec : compilers.All()) {
    if (spec.result == ResultKind::kScript && !spec.tools.empty() && spec.tools.front() == name) return {spec.name, "", ""};
  }
  return {};
}

void ExplainRefusal(const std::string& key, const std::string& path, const CannotExecute& refusal) {
  if (refusal.error() != ENOENT) Reject(key, path, refusal.why());
  const Fd file = sys::Open(path, O_RDONLY);
  const std::string head = Head(file.get(), path);
  if (IsScript(head)) {
    Reject(key, path, fmt::format("its interpreter {} is missing where it runs", ScriptInterpreter(head)));
  }
  const bool is64 =
      static_cast<unsigned char>(head[EI_CLASS]) == ELFCLASS64;  // CheckExecutable has seen its header
  const std::string linker =
      is64 ? DynamicLinker<Elf64>(file.get(), path, head) : DynamicLinker<Elf32>(file.get(), path, head);
  if (linker.empty()) Reject(key, path, refusal.why());
  Reject(key, path, fmt::format("its dynamic linker {} is missing where it runs", linker));
}

}  // namespace tally
