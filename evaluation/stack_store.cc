#include "evaluation/stack_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/did_you_mean.h"
#include "base/error.h"

namespace tally {
namespace {

#include "evaluation/parsed_descriptions.inc"

// "1.10.2" is above "1.9": number by number.
std::vector<unsigned long> Numbers(std::string_view version) {
  std::vector<unsigned long> numbers;
  for (std::size_t at = 0; at <= version.size();) {
    const std::size_t dot = std::min(version.find('.', at), version.size());
    numbers.push_back(std::strtoul(std::string(version.substr(at, dot - at)).c_str(), nullptr, 10));
    at = dot + 1;
  }
  return numbers;
}

// "1" fits 1.0.0 and 1.2, but not 10.
bool Fits(std::string_view version, std::string_view wanted) {
  if (wanted.empty() || wanted == "latest") return true;
  const std::vector<unsigned long> have = Numbers(version), want = Numbers(wanted);
  return want.size() <= have.size() && std::equal(want.begin(), want.end(), have.begin());
}

bool IsCalled(const StackSpec& spec, std::string_view name) {
  return spec.name == name || std::find(spec.aliases.begin(), spec.aliases.end(), name) != spec.aliases.end();
}

// One name for two stacks: the first would win in silence.
void CheckConflicts(const std::vector<StackSpec>& specs) {
  std::map<std::string, const StackSpec*> claims;
  const auto claim = [&](const std::string& name, const StackSpec& spec) {
    const auto [it, fresh] = claims.emplace(name, &spec);
    if (fresh || it->second->name == spec.name) return;
    throw UserError(fmt::format("{}: {} is claimed by {} too; expected one stack for it", spec.file, name, it->second->file));
  };
  for (const StackSpec& spec : specs) claim(spec.name, spec);
  for (const StackSpec& spec : specs) {
    for (const std::string& alias : spec.aliases) claim(alias, spec);
  }
}

}  // namespace

StackStore::StackStore(const DescriptionFolders& folders) {
  for (const DescriptionFile& file : folders.List()) {
    specs_.push_back(ReadStackSpec(YamlMap::FromFile(file.path, kParsed), file.name));
  }
  CheckConflicts(specs_);
}

const StackSpec& StackStore::Resolve(std::string_view stack_ref) const {
  const std::size_t colon = stack_ref.find(':');
  const std::string_view name = stack_ref.substr(0, colon);
  const std::string_view version = colon == std::string_view::npos ? "" : stack_ref.substr(colon + 1);
  const StackSpec* best = nullptr;
  std::vector<std::string> names, versions;
  for (const StackSpec& spec : specs_) {
    names.push_back(spec.name);
    if (!IsCalled(spec, name)) continue;
    versions.push_back(spec.version);
    if (Fits(spec.version, version) && (best == nullptr || Numbers(best->version) < Numbers(spec.version))) best = &spec;
  }
  if (best != nullptr) return *best;
  if (!versions.empty()) {
    throw UserError(fmt::format("stack_ref: \"{}\": this worker has {} in version {} only", stack_ref, name, fmt::join(versions, ", ")));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  throw UserError(fmt::format("stack_ref: \"{}\": no such stack{}; this worker has: {}", stack_ref, DidYouMean(name, names),
                              fmt::join(names, ", ")));
}

}  // namespace tally
