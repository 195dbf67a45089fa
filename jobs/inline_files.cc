#include "jobs/inline_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/disk_space.h"
#include "base/error.h"
#include "base/sys.h"
#include "jobs/filetracker.h"

namespace tally {
namespace {

void Store(const std::string& directory, const std::string& name, const std::string& base64) {
  const FiletrackerName file = FiletrackerName::Parse(name);
  const std::optional<std::string> bytes = DecodeBase64(base64);
  if (!bytes) throw UserError("its value is not base64");
  const std::string path = directory + "/files" + file.path;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (error) throw UserError(error.message());
  RequireSpace(directory, Bytes{bytes->size()});
  const Fd fd = sys::Open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
  sys::WriteAll(fd.get(), *bytes, path);
  if (!file.version) return;
  const timespec times[] = {{*file.version, 0}, {*file.version, 0}};
  ::futimens(fd.get(), times);
}

}  // namespace

InlineFiles::InlineFiles(Environ* environ) : environ_(environ), out_(environ->BoolOr("inline_out", false)) {
  const auto files = environ->TextMap("inline_files");
  environ->Remove("inline_files");
  if (files.empty() && !out_) return;
  directory_ = std::make_unique<TemporaryDirectory>();
  for (const auto& [name, base64] : files) {
    try {
      Store(directory_->path(), name, base64);
    } catch (const UserError& error) {
      throw UserError(fmt::format("inline_files: {}: {}", name, error.what()));
    }
  }
  JobRules rules = environ_->rules();
  rules.private_store = directory_->path();
  rules.private_out = out_;
  environ_->set_rules(std::move(rules));
}

InlineFiles::~InlineFiles() {
  if (!directory_) return;
  JobRules rules = environ_->rules();
  rules.private_store.clear();
  rules.private_out = false;
  environ_->set_rules(std::move(rules));
}

void InlineFiles::Return() {
  const std::optional<std::string> name = environ_->OptionalText("out_file");
  if (!out_ || !name) return;
  const FiletrackerName file = FiletrackerName::Parse(*name);
  const std::string path = directory_->path() + "/files" + file.path;
  const std::optional<std::string> bytes = sys::TryReadFile(path);
  if (!bytes) return;  // the job has made none: the program was not compiled
  // With its version, so that the next job may name it as this one's result does.
  environ_->SetMap("inline_files", {{*name, EncodeBase64(*bytes)}});
}

}  // namespace tally
