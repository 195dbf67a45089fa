// Turns a source into a program, inside the language's sandbox and with its limits. What is wrong with the source
// is a value (CE and the compiler's words); a compiler that is not installed, a wrong description or a missing
// file is an exception.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file_cache.h"
#include "compilers/compiler_spec.h"
#include "compilers/compiler_store.h"
#include "jobs/files.h"
#include "jobs/program.h"

namespace tally {

// A file put beside the source. The key is the user's, for messages.
struct MoreFile {
  std::string key;
  std::string name;  // in there
  std::string path;  // here
};

struct CompileRequest {
  std::string source;       // local path
  std::string source_name;  // as the user calls it: for its extension, and for messages
  std::string compiler;     // name or alias; "" chooses by extension
  std::vector<MoreFile> more_sources;  // compiled along
  std::vector<MoreFile> more_files;    // headers, archives
  std::string more_archive;                // a zip archive of them, with folders; "" for none
  std::vector<std::string> extra_args;
  std::string preamble;     // lines in front of the source's text; messages count its own lines (#line)
  bool keeps_name = false;  // the compiler sees the source by the user's own name for it, where that is a plain one
  Isolation isolation = Isolation::kFull;
  // Over the description's.
  std::optional<Nanoseconds> time, wall;
  std::optional<Bytes> memory, result_size;
  const FileCache* kept = nullptr;  // borrowed: results by what they follow from, without the compiler's words; not scripts
  Bytes output_kept = Bytes::KiB(5);  // how much of the compiler's words to keep (SIO Workers keep 5 KiB)
};

struct CompileResult {
  bool ok = false;
  std::string sentence;  // "ok", "compilation failed", "compilation time limit exceeded", ...
  std::string output;    // the compiler's words, cut to output_kept
  std::string program;   // local path of the result, inside `directory`; only if ok
  ExecInfo info;
  std::vector<PlacedFile> beside;  // that the program needs at hand: modules of a script
  std::string compiler;  // the description's name
  std::string language;  // and title
  std::string isolation;  // the compiler's, as results say it
  Nanoseconds time{0};
};

// By the request's `compiler`, else by the source's extension. UserError when there is none.
const CompilerSpec& ChooseCompiler(const CompilerStore& store, const CompileRequest& request);

// `directory` holds the result until its owner goes.
CompileResult Compile(const CompileRequest& request, const CompilerSpec& spec,
                      const TemporaryDirectory& directory);
// With the compiler that ChooseCompiler finds among the installed descriptions.
CompileResult Compile(const CompileRequest& request, const TemporaryDirectory& directory);

// Told from an executable by what it is: sources are often marked executable, and executables may have a dot in their
// name.
bool IsSource(const std::string& path);

}  // namespace tally
