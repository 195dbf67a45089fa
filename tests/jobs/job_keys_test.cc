// The lists of keys, the tables of docs/jobs.md and what the jobs' code reads are one and the same.
#include "jobs/job_keys.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/job_run.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace tally {
namespace {

using Keys = std::set<std::string>;

void AddQuoted(const std::string& text, const char* pattern, Keys* keys) {
  const std::regex quoted(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), quoted), end; it != end; ++it)
    keys->insert((*it)[1]);
}

// What stands as the first argument behind `environ` in calls of these functions; of a {list}, all of it.
Keys KeysIn(const std::string& source, const char* functions) {
  Keys keys;
  const std::regex call("\\b(?:" + std::string(functions) +
                        ")\\((?:files, )?(?:\\*?environ,\\s+)?(\\{[^}]*\\}|\"[^\"]*\")");
  for (std::sregex_iterator it(source.begin(), source.end(), call), end; it != end; ++it) {
    AddQuoted((*it)[1], "\"([^\"]+)\"", &keys);
  }
  return keys;
}

Keys KeysInSources(const char* functions) {
  Keys keys;
  for (const auto& entry : std::filesystem::directory_iterator(SourceFolder() + "/jobs")) {
    const bool reads_yaml = entry.path().filename() == "package.cc";
    if (entry.path().extension() != ".cc" || reads_yaml) continue;
    keys.merge(KeysIn(ReadText(entry.path()), functions));
  }
  keys.merge(KeysIn(ReadText(SourceFolder() + "/profile/code_message.cc"), functions));
  return keys;
}

// The keys of the tables that have a column "default"; ping has no table.
Keys DocumentedKeys(const std::string& page) {
  Keys keys;
  bool in_input_table = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| key ")) in_input_table = line.find("| default |") != std::string::npos;
    if (in_input_table && line.starts_with("| `"))
      AddQuoted(line.substr(0, line.find('|', 1)), "`([^`]+)`", &keys);
  }
  if (page.find("`ping` comes back") != std::string::npos) keys.insert("ping");
  return keys;
}

Keys Minus(const Keys& a, const Keys& b) {
  Keys out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(out, out.end()));
  return out;
}

std::string JobsPage() { return SourceFolder() + "/docs/jobs.md"; }

TEST_CASE("job keys: every key that a job reads is in a table of docs/jobs.md, and every key there is read",
          "[keys][docs]") {
  if (!std::filesystem::exists(JobsPage())) TALLY_SKIP("the source tree is not here");
  const Keys read = KeysInSources(
      "Text|OptionalText|TextOr|BoolOr|Count|FirstCount|TextList|TextListFor|TextMap|Has|Bounded|"
      "BoundedCount|OptionalTime|"
      "FetchOptional|"
      "OptionsOfStage|"
      "FetchList|find|Find");
  const std::string page = ReadText(JobsPage());
  const Keys documented = DocumentedKeys(page.substr(0, page.find("\n## Packages")));
  CHECK(read.size() > 40);
  CHECK(Minus(read, documented) == Keys{"exectime_deterministic", "result_code", "result_string"});  // judging reads them from a result
  CHECK(Minus(documented, read) == Keys{});
}

// From its heading to the next.
std::string Chapter(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n## " + heading + "\n");
  REQUIRE(begin != std::string::npos);
  return page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

Keys KeysOf(const char* job_type) {
  const std::vector<std::string> keys = KeysOfJob(job_type);
  return {keys.begin(), keys.end()};
}

TEST_CASE("job keys: each job's are those of its tables in docs/jobs.md", "[keys][docs]") {
  if (!std::filesystem::exists(JobsPage())) TALLY_SKIP("the source tree is not here");
  const std::string page = ReadText(JobsPage());
  const Keys all = DocumentedKeys(Chapter(page, "All jobs"));
  const std::vector<std::pair<const char*, const char*>> chapters = {{"exec", "exec, vcpu-exec, unsafe-exec"},
                                                                     {"interactive-exec", "interactive-exec"},
                                                                     {"encdec-exec", "encdec-exec"},
                                                                     {"ingen", "ingen"},
                                                                     {"inwer", "inwer"},
                                                                     {"compile", "compile"},
                                                                     {"profile", "profile"},
                                                                     {"ping", "ping"}};
  for (const auto& [job_type, heading] : chapters) {
    CAPTURE(job_type);
    Keys documented = DocumentedKeys(Chapter(page, heading));
    documented.insert(all.begin(), all.end());
    CHECK(KeysOf(job_type) == documented);
  }
  CHECK(KeysOf("vcpu-exec") == KeysOf("exec"));
  CHECK(KeysOf("unsafe-exec") == KeysOf("exec"));
  CHECK(KeysOf("sio2jail-exec") == KeysOf("exec"));
  CHECK(KeysOf("bake").empty());
}

TEST_CASE("job keys: every key that a job writes is named in docs/jobs.md", "[keys][docs]") {
  if (!std::filesystem::exists(JobsPage())) TALLY_SKIP("the source tree is not here");
  const std::string page = ReadText(JobsPage());
  Keys named;
  AddQuoted(page, "`([a-z0-9_]+)`", &named);
  const Keys written = KeysInSources("Set|SetMap|WriteMeasured");
  CHECK(written.size() > 15);
  CHECK(Minus(written, named) == Keys{});

  Keys listed;
  for (const std::string_view key : ResultKeys()) listed.emplace(key);
  CHECK(Minus(listed, named) == Keys{});
  for (const char* job_type : {"exec", "compile", "ingen", "inwer"}) listed.merge(KeysOf(job_type));  // out_file, exec_info
  CHECK(Minus(written, listed) == Keys{"exe_sha256", "in_sha256", "sandbox_sha256"});  // of records of counts
}

}  // namespace
}  // namespace tally
