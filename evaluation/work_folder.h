// The folder of one evaluation, shown to its commands as /box: solution/, include/, tests/ with the request's files, and
// out/, where commands leave what they make. Gone with its owner.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/eval_request.h"
#include "jobs/files.h"
#include "supervisor/sandbox/sandbox.h"

namespace tally {

inline constexpr const char* kBox = "/box";

class WorkFolder {
 public:
  WorkFolder();

  // Into `folder` of /box, which is made. SystemError when the disk is full.
  void Place(std::string_view folder, const std::vector<EvalFile>& files);
  void EmptyOut();
  // As root, programs run under another uid, which must own what it works in.
  void GiveToSandboxUser() const;

  // For commands that build or report: the request's files but for the tests, and out/ to write into.
  [[nodiscard]] std::vector<PlacedFile> ForBuilding() const;
  [[nodiscard]] PlacedFile Tests() const;

  // Files below `folder` whose names end in one of `extensions`, sorted, as the sandbox calls them.
  [[nodiscard]] std::vector<std::string> Sources(std::string_view folder, const std::vector<std::string>& extensions) const;
  // All files below it, relative to /box: "tests/de/date_test.py".
  [[nodiscard]] std::vector<std::string> FilesIn(std::string_view folder) const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string Folder(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  TemporaryDirectory directory_;
  std::string path_;
};

}  // namespace tally
