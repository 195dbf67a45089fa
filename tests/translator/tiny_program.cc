#include "tests/translator/tiny_program.h"

#include <elf.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>

#include "base/error.h"
#include "sandboxes/sandbox_store.h"
#include "supervisor/run/process_executor.h"

namespace tally {

std::string Executable(const TinyProgram& program) {
  constexpr std::uint64_t kPage = 0x1000;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_entry = TinyProgram::kCode;
  header.e_phoff = sizeof header;
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  const std::uint64_t size = program.code.size();
  const Elf64_Phdr segments[] = {
      {PT_LOAD, program.code_rights, kPage, TinyProgram::kCode, TinyProgram::kCode, size, size, kPage},
      {PT_LOAD, PF_R | PF_W, 0, program.memory, program.memory, 0, program.memory_size, kPage}};
  std::string file(kPage, '\0');
  std::memcpy(&file[0], &header, sizeof header);
  std::memcpy(&file[sizeof header], segments, sizeof segments);
  return file + program.code;
}

void WriteTinyProgram(const std::string& path, const TinyProgram& program) {
  std::ofstream(path, std::ios::binary) << Executable(program);
  if (::chmod(path.c_str(), 0755) != 0) throw SystemError("chmod " + path, errno);
}

TestResult RunTinyProgram(TestRun run, const std::string& path, std::chrono::seconds longest) {
  run.limits.user_time.reset();
  run.limits.cpu_time.reset();
  run.limits.idle_time.reset();
  run.limits.wall_time = longest;
  run.address_randomization = false;
  const Sandbox sandbox(ProcessExecutor().sandboxes(), SandboxStore().Get("exec-sandbox"), {{path, "/box/program", false, true}});
  return RunTestProgram(run, sandbox, "/box/program");
}

std::uint64_t FromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 0) : otherwise;
}

}  // namespace tally
