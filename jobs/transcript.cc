#include "jobs/transcript.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/printable.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr std::size_t kMostKept = 4 << 20;  // bytes of text; what is said beyond is passed on and counted

// A name with folders as one below another folder. What cannot stay as it is gets a number by which it differs from all others.
std::string BelowFolder(const std::string& name) {
  constexpr std::size_t kMost = 200;
  const std::filesystem::path relative = std::filesystem::path(name).lexically_normal().relative_path();
  std::string out;
  for (const std::filesystem::path& part : relative) {
    std::string word = part;
    if (word.starts_with('.') || word.size() > kMost) word = fmt::format("_{}-{:016x}", word.substr(0, kMost), std::hash<std::string>()(name));
    out += (out.empty() ? "" : "/") + word;
  }
  return out;
}

}  // namespace

Transcript::Transcript(const std::string& title, bool has_many)
    : has_many_(has_many), begin_(sys::MonotonicNow()), text_(fmt::format("# {}\n# seconds; > the solution says, < the interactor says; an end that is no end of a line is \\\n", Printable(title))) {}

void Transcript::Add(bool by_solution, std::size_t process, std::string_view said) {
  Count& count = counts_[by_solution ? 0 : 1];
  count.bytes += said.size();
  count.lines += static_cast<std::size_t>(std::count(said.begin(), said.end(), '\n'));
  for (std::string_view rest = said; !rest.empty() && !is_cut_;) {
    const std::size_t end = rest.find('\n');
    Write(by_solution, process, fmt::format("{}{}", Printable(rest.substr(0, end)), end == std::string_view::npos ? "\\" : ""));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

std::string Transcript::Text() const {
  return text_ + fmt::format("# bytes and lines: the solution {} and {}, the interactor {} and {}\n", counts_[0].bytes, counts_[0].lines, counts_[1].bytes, counts_[1].lines);
}

void Transcript::Write(bool by_solution, std::size_t process, const std::string& words) {
  if (is_cut_) return;
  const double seconds = std::chrono::duration<double>(sys::MonotonicNow() - begin_).count();
  text_ += fmt::format("{:9.6f} {}{} {}\n", seconds, has_many_ ? fmt::format("{} ", process) : "", by_solution ? '>' : '<', words);
  is_cut_ = text_.size() > kMostKept;
  if (is_cut_) text_ += "# what was said after this is counted, and not kept\n";
}

std::string TranscriptPath(const std::string& folder, const std::string& solution, const std::string& test) {
  return folder + "/" + BelowFolder(solution) + "/" + BelowFolder(test) + ".txt";
}

}  // namespace tally
