#include "sandboxes/sandbox_store.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/did_you_mean.h"
#include "base/error.h"

namespace tally {
namespace {

#include "sandboxes/parsed_descriptions.inc"

[[noreturn]] void FailMissing(std::string_view name, const DescriptionFolders& folders) {
  if (!DescriptionFolders::IsName(name)) {
    throw UserError(fmt::format("sandbox \"{}\": not a sandbox's name; expected letters, digits and . _ + -",
                                name.substr(0, 100)));
  }
  std::vector<std::string> known;
  for (const DescriptionFile& file : folders.List()) known.push_back(file.name);
  throw UserError(
      fmt::format("sandbox \"{0}\": no {0}.yaml{1}; searched: {2}; known: {3}. To make it, copy {4} to "
                  "~/.config/tally/sandboxes/{0}.yaml and edit it (docs/sandboxes.md)",
                  name, DidYouMean(name, known), folders.Searched(),
                  known.empty() ? "none" : JoinWords(known), folders.PathOf("exec-sandbox.yaml")));
}

}  // namespace

SandboxStore::SandboxStore(DescriptionFolders folders, ImageStore images)
    : folders_(std::move(folders)), images_(std::move(images)) {}

SandboxSpec SandboxStore::Describe(std::string_view name) const {
  const std::optional<std::string> path = folders_.Find(name);
  if (!path) FailMissing(name, folders_);
  return ReadSandboxSpec(YamlMap::FromFile(*path, kParsed), std::string(name));
}

RootSpec SandboxStore::Get(std::string_view name) const {
  SandboxSpec spec = Describe(name);
  if (spec.archive) spec.root.base_root = images_.Unpacked(*spec.archive);
  return std::move(spec.root);
}

}  // namespace tally
