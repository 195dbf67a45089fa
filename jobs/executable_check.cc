#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/program.h"

namespace tally {
namespace {

// As much of the file as headers need. Program headers beyond it are left for the kernel to judge.
constexpr std::size_t kHead = 4096;

[[noreturn]] void Reject(const std::string& key, const std::string& path, std::string_view why) {
  throw UserError(fmt::format("{}: {} cannot be executed: {}", key, path, why));
}

void CheckScript(const std::string& key, const std::string& path, std::string_view head) {
  std::string_view line = head.substr(2, head.find('\n') - 2);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string interpreter(line.substr(0, line.find_first_of(" \t\r")));
  if (interpreter.empty()) Reject(key, path, "its first line is #! without an interpreter");
  if (::access(interpreter.c_str(), X_OK) != 0) {
    Reject(key, path, fmt::format("its interpreter {} is missing", interpreter));
  }
}

template <typename Header, typename ProgramHeader>
void CheckProgramHeaders(const std::string& key, const std::string& path, std::string_view head, off_t size) {
  if (head.size() < sizeof(Header)) Reject(key, path, "the ELF file is cut off in its header");
  Header header;
  std::memcpy(&header, head.data(), sizeof header);
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    Reject(key, path, "it is an ELF file but no program (an object file or a core dump)");
  }
  if (header.e_phentsize != sizeof(ProgramHeader) || header.e_phnum == 0) {
    Reject(key, path, "the ELF file is damaged: it has no program headers");
  }
  const std::uint64_t end = header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize;
  if (end > static_cast<std::uint64_t>(size)) Reject(key, path, "the ELF file is damaged or cut off");
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + i * sizeof(ProgramHeader);
    if (at + sizeof(ProgramHeader) > head.size()) return;
    ProgramHeader segment;
    std::memcpy(&segment, head.data() + at, sizeof segment);
    if (segment.p_type == PT_LOAD && std::uint64_t{segment.p_offset} + segment.p_filesz > static_cast<std::uint64_t>(size)) {
      Reject(key, path, "the ELF file is damaged or cut off: a segment ends behind the end of the file");
    }
  }
}

void CheckElf(const std::string& key, const std::string& path, std::string_view head, off_t size) {
  if (head.size() < EI_NIDENT + 4) Reject(key, path, "the ELF file is cut off in its header");
  std::uint16_t machine;
  std::memcpy(&machine, head.data() + EI_NIDENT + 2, sizeof machine);
  const unsigned char kind = static_cast<unsigned char>(head[EI_CLASS]);
  if (kind == ELFCLASS64 && machine == EM_X86_64) {
    CheckProgramHeaders<Elf64_Ehdr, Elf64_Phdr>(key, path, head, size);
  } else if (kind == ELFCLASS32 && machine == EM_386) {
    CheckProgramHeaders<Elf32_Ehdr, Elf32_Phdr>(key, path, head, size);
  } else {
    Reject(key, path, "it is an ELF file for another kind of processor");
  }
}

}  // namespace

void CheckExecutable(const std::string& key, const std::string& path) {
  const std::optional<Fd> file = sys::TryOpen(path, O_RDONLY);
  if (!file) throw UserError(fmt::format("{}: {}: {}", key, path, ErrnoText(errno)));
  const struct stat status = sys::Stat(file->get(), path);
  if (!S_ISREG(status.st_mode)) throw UserError(fmt::format("{}: {} is not a regular file", key, path));
  if (status.st_size == 0) Reject(key, path, "the file is empty");
  std::string head(kHead, '\0');
  const ssize_t n = ::pread(file->get(), head.data(), head.size(), 0);
  if (n < 0) throw SystemError("read " + path, errno);
  head.resize(static_cast<std::size_t>(n));
  if (head.substr(0, 2) == "#!") {
    CheckScript(key, path, head);
  } else if (head.substr(0, SELFMAG) == std::string_view(ELFMAG, SELFMAG)) {
    CheckElf(key, path, head, status.st_size);
  } else {
    Reject(key, path, "it is neither an ELF program nor a script that starts with #!");
  }
}

}  // namespace tally
