#include "base/yaml_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <istream>
#include <set>
#include <streambuf>

#include "base/error.h"
#include "base/fd.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr std::uint64_t kLargestFile = 1 << 20;
constexpr std::size_t kDeepestNesting = 16;
constexpr std::size_t kLongestQuote = 40;

// Turns yaml-cpp's events into our tree. Refusing aliases here is what makes alias bombs harmless, refusing
// depth keeps yaml-cpp's recursive parser shallow.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(YamlFile* file) : file_(file) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) Fail(mark, "a second document starts here; expected one document in a file");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { Add(YamlKind::kEmpty, mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    Fail(mark, "an alias (*name) is not allowed; expected the value itself");
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& value) override {
    if (value.find('\0') != std::string::npos) Fail(mark, "a text with a zero byte is not allowed");
    Add(YamlKind::kText, mark).text = value;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    Open(YamlKind::kList, mark);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    Open(YamlKind::kMap, mark);
  }
  void OnMapEnd() override {
    CheckKeys(*open_.back());
    open_.pop_back();
  }

 private:
  [[noreturn]] void Fail(const YAML::Mark& mark, const std::string& message) const {
    FailAtPlace(file_->name, mark.line + 1, mark.column + 1, message);
  }

  YamlNode& Add(YamlKind kind, const YAML::Mark& mark) {
    YamlNode* node = &file_->root;
    if (!open_.empty()) node = &open_.back()->items.emplace_back();
    node->kind = kind;
    node->line = std::max(0, mark.line) + 1;
    node->column = std::max(0, mark.column) + 1;
    // yaml-cpp sees an empty value where the next thing starts; people look for it at its key.
    if (kind == YamlKind::kEmpty && IsValueInMap()) {
      const YamlNode& key = *(node - 1);
      node->line = key.line;
      node->column = key.column;
    }
    return *node;
  }

  // The node just added.
  [[nodiscard]] bool IsValueInMap() const {
    return !open_.empty() && open_.back()->kind == YamlKind::kMap && open_.back()->items.size() % 2 == 0;
  }

  void Open(YamlKind kind, const YAML::Mark& mark) {
    if (open_.size() >= kDeepestNesting) {
      Fail(mark, fmt::format("nested too deep; expected at most {} levels", kDeepestNesting));
    }
    // The pointer stays good: a parent's list grows only after its open child is closed.
    open_.push_back(&Add(kind, mark));
  }

  void CheckKeys(const YamlNode& map) const {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < map.items.size(); i += 2) {
      const YamlNode& key = map.items[i];
      if (key.kind != YamlKind::kText) {
        FailAtPlace(file_->name, key.line, key.column,
                    fmt::format("the key is {}; expected a word", Describe(key)));
      }
      if (!seen.insert(key.text).second) {
        FailAtPlace(file_->name, key.line, key.column, Shorten(key.text) + ": given twice; expected once");
      }
    }
  }

  YamlFile* file_;
  std::vector<YamlNode*> open_;
  int documents_ = 0;
};

// yaml-cpp reads a stream; this one needs no copy of the text.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // NOLINT: streambuf's interface; the text is only read
    setg(begin, begin, begin + text.size());
  }
};

// Descriptions are mostly comments, and the parser matches every character of one; a run waits for it. Lines that
// are comments whole become empty ones, which keeps the line numbers. Not where a text could go over several
// lines (quotes and block scalars): there a # may be part of it.
std::string WithoutComments(std::string_view text) {
  const std::string_view whole = text;
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string_view::npos || line[first] != '#') out += line;
    if (line.size() < text.size()) out += '\n';
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return out.find_first_of("|>\"'") == std::string::npos ? out : std::string(whole);
}

// The next node, with what is in it.
YamlNode TreeOf(const ParsedNode** at) {
  const ParsedNode& parsed = *(*at)++;
  YamlNode node{parsed.kind, parsed.line, parsed.column, std::string(parsed.text), {}};
  node.items.reserve(parsed.items);
  for (unsigned i = 0; i < parsed.items; ++i) node.items.push_back(TreeOf(at));
  return node;
}

}  // namespace

YamlFile ParseYaml(std::string_view text, const std::string& name) {
  if (text.size() > kLargestFile) throw UserError(name + ": larger than 1 MiB; expected a small YAML file");
  YamlFile file;
  file.name = name;
  TreeBuilder builder(&file);
  try {
    const std::string bare = WithoutComments(text);
    TextBuffer buffer(bare);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& mistake) {
    FailAtPlace(name, std::max(0, mistake.mark.line) + 1, std::max(0, mistake.mark.column) + 1,
                "not YAML: " + mistake.msg);
  }
  const YamlNode& root = file.root;
  if (root.kind == YamlKind::kEmpty) FailAtPlace(name, 1, 1, "the file is empty; expected keys with values");
  if (root.kind != YamlKind::kMap) {
    FailAtPlace(name, root.line, root.column,
                fmt::format("found {}; expected keys with values, like title: text", Describe(root)));
  }
  return file;
}

YamlFile ReadYaml(const std::string& path, std::span<const ParsedYaml> parsed) {
  // O_NONBLOCK: a named pipe must not make us wait.
  const int raw = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (raw < 0) throw UserError(fmt::format("{}: cannot be read: {}", path, ErrnoText(errno)));
  const Fd fd(raw);
  const struct stat status = sys::Stat(fd.get(), path);
  if (S_ISDIR(status.st_mode)) throw UserError(path + ": is a directory; expected a YAML file");
  if (!S_ISREG(status.st_mode)) throw UserError(path + ": is not a regular file; expected a YAML file");
  if (static_cast<std::uint64_t>(status.st_size) > kLargestFile) {
    throw UserError(path + ": larger than 1 MiB; expected a small YAML file");
  }
  const std::string text = sys::ReadAll(fd.get(), path);
  const auto known = std::find_if(parsed.begin(), parsed.end(), [&text](const ParsedYaml& one) { return one.text == text; });
  if (known == parsed.end()) return ParseYaml(text, path);
  const ParsedNode* at = known->nodes;
  return {path, TreeOf(&at)};
}

std::string Describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlKind::kEmpty:
      return "nothing";
    case YamlKind::kText:
      return "\"" + Shorten(node.text) + "\"";
    case YamlKind::kList:
      return "a list";
    case YamlKind::kMap:
      return "keys with values";
  }
  return "";
}

std::string Shorten(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kLongestQuote)) out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  return text.size() > kLongestQuote ? out + "..." : out;
}

void FailAtPlace(const std::string& file, int line, int column, const std::string& message) {
  throw UserError(fmt::format("{}:{}:{}: {}", file, line, column, message));
}

}  // namespace tally
