#include "compilers/compiler_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "base/did_you_mean.h"
#include "base/error.h"

namespace tally {
namespace {

#include "compilers/parsed_descriptions.inc"

constexpr std::string_view kDefaultPrefix = "default-";

bool Contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string FolderOf(const CompilerSpec& spec) { return std::filesystem::path(spec.file).parent_path(); }

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

std::string WithoutDot(std::string_view extension) { return Lower(extension.substr(extension.find_first_not_of('.') == 1 ? 1 : 0)); }

}  // namespace

CompilerStore::CompilerStore(DescriptionFolders folders) : folders_(std::move(folders)) {
  for (const DescriptionFile& file : folders_.List()) {
    specs_.push_back(ReadCompilerSpec(YamlMap::FromFile(file.path, kParsed), file.name));
  }
  CheckConflicts();
}

void CompilerStore::CheckConflicts() const {
  // Names and claims are told apart by a prefix no name can have.
  std::map<std::pair<std::string, std::string>, const CompilerSpec*> claims;
  const auto claim = [&](const CompilerSpec& spec, const std::string& what, std::string_view key) {
    const auto [it, fresh] = claims.try_emplace({FolderOf(spec), what}, &spec);
    if (fresh || it->second == &spec) return;
    throw UserError(fmt::format("{}: {}: {} is claimed by {} too; expected one compiler for it", spec.file,
                                key, what, it->second->file));
  };
  for (const CompilerSpec& spec : specs_) claim(spec, spec.name, "name");
  for (const CompilerSpec& spec : specs_) {
    for (const std::string& alias : spec.aliases) claim(spec, alias, "aliases");
    if (!spec.is_default) continue;
    for (const std::string& extension : spec.extensions) claim(spec, "default for ." + extension, "default");
  }
}

const CompilerSpec* CompilerStore::TryExtension(std::string_view extension) const {
  const CompilerSpec* any = nullptr;
  for (const CompilerSpec& spec : specs_) {
    if (!Contains(spec.extensions, extension)) continue;
    if (spec.is_default) return &spec;
    if (any == nullptr) any = &spec;
  }
  return any;
}

const CompilerSpec* CompilerStore::TryFind(std::string_view name) const {
  for (const CompilerSpec& spec : specs_) {
    if (spec.name == name) return &spec;
  }
  for (const CompilerSpec& spec : specs_) {
    if (Contains(spec.aliases, name)) return &spec;
  }
  if (name.substr(0, kDefaultPrefix.size()) == kDefaultPrefix) {
    return TryExtension(Lower(name.substr(kDefaultPrefix.size())));
  }
  return TryExtension(Lower(name));
}

const CompilerSpec& CompilerStore::Find(std::string_view name) const {
  if (const CompilerSpec* spec = TryFind(name)) return *spec;
  if (const CompilerSpec* spec = TryFind(name.substr(0, name.find('.')))) return *spec;
  std::vector<std::string> names, all;
  for (const CompilerSpec& spec : specs_) {
    names.push_back(spec.name);
    all.push_back(spec.name);
    all.insert(all.end(), spec.aliases.begin(), spec.aliases.end());
  }
  throw UserError(
      fmt::format("compiler \"{}\": unknown{}; known: {}; searched: {}. To add one, copy {} "
                  "to ~/.config/tally/compilers/NAME.yaml and edit it (docs/compilers.md)",
                  name.substr(0, 100), DidYouMean(name, all), names.empty() ? "none" : JoinWords(names),
                  folders_.Searched(), folders_.PathOf("template.yaml")));
}

bool CompilerStore::KnowsExtension(std::string_view extension) const { return !extension.empty() && TryExtension(WithoutDot(extension)) != nullptr; }

const CompilerSpec& CompilerStore::ForExtension(std::string_view extension) const {
  const std::string wanted = WithoutDot(extension);
  if (const CompilerSpec* spec = TryExtension(wanted)) return *spec;
  std::vector<std::string> known;
  for (const CompilerSpec& spec : specs_) {
    for (const std::string& each : spec.extensions) {
      if (!Contains(known, each)) known.push_back(each);
    }
  }
  throw UserError(fmt::format("no compiler for sources that end in \".{}\"{}; known endings: {}",
                              wanted.substr(0, 100), DidYouMean(wanted, known),
                              known.empty() ? "none" : JoinWords(known)));
}

}  // namespace tally
