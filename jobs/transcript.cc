#include "jobs/transcript.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr std::size_t kMostKept = 4 << 20;  // bytes of text; what is said beyond is passed on and counted

std::string AsFileName(std::string text) {
  constexpr std::size_t kMost = 200;
  while (text.starts_with("./")) text.erase(0, 2);
  std::replace(text.begin(), text.end(), '/', '_');
  if (text.size() > kMost) text.erase(0, text.size() - kMost);
  return text.starts_with('.') ? "_" + text : text;
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
  return folder + "/" + AsFileName(solution) + "/" + AsFileName(test) + ".txt";
}

}  // namespace tally
