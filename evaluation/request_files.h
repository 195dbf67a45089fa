// The files of `tally submit`: what is sent, which is text and not too large or is refused in a sentence that names the
// file, and where answers go.
#pragma once

#include <string>
#include <vector>

#include "base/units.h"

namespace tally {

// "-" is stdin.
std::string ReadTextFile(const std::string& path, Bytes most);
// All NAME.json but NAME.answer.json, in the order of their names. UserError when there is none.
std::vector<std::string> RequestsIn(const std::string& folder);
// "a/b.json" -> "a/b.answer.json", or "OUT/b.answer.json" unless `out` is "".
std::string AnswerPath(const std::string& request, const std::string& out);

// All files at `path`, a file or a folder, with the paths that a request gives them: relative to `root`, or when that
// is "" to the folder, and a file's name. Hidden ones in folders are left out.
struct NamedFile {
  std::string path;  // on this machine
  std::string name;  // in the request
};
std::vector<NamedFile> FilesAt(const std::string& path, const std::string& root);

}  // namespace tally
