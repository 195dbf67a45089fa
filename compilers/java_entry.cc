#include "compilers/java_entry.h"

#include <algorithm>
#include <vector>

namespace tally {
namespace {

constexpr std::size_t kLongestName = 200;

bool IsNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Past a comment or a literal that starts at `i`; `i` itself when none does.
std::size_t SkipText(std::string_view s, std::size_t i) {
  const std::string_view rest = s.substr(i);
  const auto past = [&](std::string_view end, std::size_t from) {
    const std::size_t found = s.find(end, i + from);
    return found == std::string_view::npos ? s.size() : found + end.size();
  };
  if (rest.substr(0, 2) == "//") return past("\n", 2);
  if (rest.substr(0, 2) == "/*") return past("*/", 2);
  if (rest.substr(0, 3) == "\"\"\"") return past("\"\"\"", 3);
  if (s[i] != '"' && s[i] != '\'') return i;
  for (std::size_t j = i + 1; j < s.size() && s[j] != '\n'; ++j) {
    if (s[j] == s[i]) return j + 1;
    if (s[j] == '\\') ++j;
  }
  return std::min(s.size(), i + 1);
}

// Names and single punctuation characters, without comments and literals.
std::vector<std::string_view> Tokens(std::string_view s) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < s.size();) {
    const std::size_t skipped = SkipText(s, i);
    if (skipped != i) {
      i = skipped;
    } else if (IsNameByte(s[i])) {
      const std::size_t start = i;
      while (i < s.size() && IsNameByte(s[i])) ++i;
      out.push_back(s.substr(start, i - start));
    } else {
      if (std::string_view("{}.;(").find(s[i]) != std::string_view::npos) out.push_back(s.substr(i, 1));
      ++i;
    }
  }
  return out;
}

struct TopLevelType {
  std::string name;
  bool is_public = false;
  bool has_main = false;
};

class Reader {
 public:
  explicit Reader(std::string_view source) : tokens_(Tokens(source)) {}

  void Read() {
    bool is_public = false;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view token = tokens_[i];
      if (token == "{") ++depth_;
      if (token == "}") depth_ = std::max(0, depth_ - 1);
      if (depth_ == 0) {
        if (token == ";" || token == "}") is_public = false;
        if (token == "public") is_public = true;
        if (token == "package") ReadPackage(i + 1);
        if (IsTypeWord(token)) AddType(i + 1, is_public);
      }
      if (depth_ == 1 && token == "main" && i > 0 && tokens_[i - 1] == "void" && !types_.empty()) {
        types_.back().has_main = true;
      }
    }
  }

  [[nodiscard]] JavaEntry Entry() const {
    const TopLevelType* open = Find([](const TopLevelType& type) { return type.is_public; });
    const TopLevelType* main = Find([](const TopLevelType& type) { return type.has_main; });
    if (open != nullptr && open->has_main) main = open;
    if (open == nullptr) open = main;
    JavaEntry entry{"Main", "Main", main != nullptr};
    if (main == nullptr) main = open;
    if (open != nullptr) entry = {open->name, main->name, entry.has_main};
    if (!package_.empty()) entry.main_class = package_ + "." + entry.main_class;
    return entry;
  }

 private:
  static bool IsTypeWord(std::string_view token) {
    return token == "class" || token == "interface" || token == "enum" || token == "record";
  }

  void ReadPackage(std::size_t i) {
    package_.clear();
    for (; i < tokens_.size() && tokens_[i] != ";" && package_.size() < kLongestName; ++i)
      package_ += tokens_[i];
  }

  void AddType(std::size_t i, bool is_public) {
    if (i < tokens_.size() && IsNameByte(tokens_[i].front()) && tokens_[i].size() < kLongestName) {
      types_.push_back({.name = std::string(tokens_[i]), .is_public = is_public});
    }
  }

  template <typename Wanted>
  const TopLevelType* Find(Wanted wanted) const {
    const auto it = std::find_if(types_.begin(), types_.end(), wanted);
    return it != types_.end() ? &*it : nullptr;
  }

  std::vector<std::string_view> tokens_;
  std::vector<TopLevelType> types_;
  std::string package_;
  int depth_ = 0;
};

}  // namespace

JavaEntry FindJavaEntry(std::string_view source) {
  Reader reader(source);
  reader.Read();
  return reader.Entry();
}

}  // namespace tally
