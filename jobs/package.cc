#include "jobs/package.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cctype>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/yaml_fields.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// "10" after "2", "1b" after "1a": digits compare as numbers.
bool NaturallyBefore(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      std::uint64_t x = 0, y = 0;
      const auto end_a = std::from_chars(a.data() + i, a.data() + a.size(), x).ptr;
      const auto end_b = std::from_chars(b.data() + j, b.data() + b.size(), y).ptr;
      if (x != y) return x < y;
      i = static_cast<std::size_t>(end_a - a.data());
      j = static_cast<std::size_t>(end_b - b.data());
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

struct Layout {
  const char* inputs;
  const char* answers;
  const char* answer_extension;
  bool named;  // test names carry the folder's name: sample/1
};
constexpr Layout kLayouts[] = {{"in", "out", ".out", false},
                               {"data/sample", "data/sample", ".ans", true},
                               {"data/secret", "data/secret", ".ans", true},
                               {"tests", "tests", ".out", false},
                               {"tests", "tests", ".ans", false},
                               {".", ".", ".out", false},
                               {".", ".", ".ans", false}};

void AddTests(const fs::path& directory, const Layout& layout, std::vector<PackageTest>* tests) {
  const fs::path inputs = directory / layout.inputs;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(inputs, ignored)) {
    if (entry.path().extension() != ".in" || !entry.is_regular_file()) continue;
    const std::string stem = entry.path().stem();
    const fs::path answer = directory / layout.answers / (stem + layout.answer_extension);
    if (!fs::exists(answer)) {
      const fs::path other = fs::path(answer).replace_extension(answer.extension() == ".out" ? ".ans" : ".out");
      if (fs::exists(other)) continue;  // another layout's
      throw UserError(fmt::format("{}: its answer {} is missing", entry.path().string(), answer.string()));
    }
    const std::string prefix = layout.named ? inputs.filename().string() + "/" : "";
    tests->push_back({prefix + stem, fs::absolute(entry.path()), fs::absolute(answer)});
  }
}

CheckerProtocol ReadProtocol(YamlMap* yaml) {
  const auto word = yaml->OptionalWord("checker_protocol", {"sio", "testlib", "kattis"});
  if (word == "testlib") return CheckerProtocol::kTestlib;
  return word == "kattis" ? CheckerProtocol::kKattis : CheckerProtocol::kSio;
}

// By name: nothing is asked of the file system.
bool IsBelow(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_normal().lexically_relative(folder.lexically_normal());
  return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

void ReadTallyYaml(const std::string& path, Package* package) {
  YamlMap yaml = YamlMap::FromFile(path);
  package->title = yaml.OptionalText("title").value_or("");
  package->time = yaml.OptionalDuration("time_limit");
  package->memory = yaml.OptionalSize("memory_limit");
  package->output = yaml.OptionalSize("output_limit");
  package->processes = static_cast<std::uint32_t>(yaml.OptionalCount("processes", 1, 100'000).value_or(1));
  package->virtual_time = yaml.Bool("virtual_time", false);
  package->checker = yaml.OptionalText("checker");
  package->protocol = ReadProtocol(&yaml);
  yaml.Finish();
  if (package->time && package->time->count() <= 0) yaml.Fail("time_limit", "found 0; expected a duration, like 1s");
  if (package->memory && package->memory->count == 0) yaml.Fail("memory_limit", "found 0; expected a size, like 256M");
  if (!package->checker) return;
  const fs::path checker = fs::path(package->directory) / *package->checker;
  if (package->from == PackageFrom::kStranger && !IsBelow(checker, package->directory)) {
    yaml.Fail("checker", fmt::format("found {}; expected a file of the package", *package->checker));
  }
  if (!fs::exists(checker)) yaml.Fail("checker", fmt::format("{} does not exist", checker.string()));
  package->checker = fs::absolute(checker);
}

// Other tools' files are read for their limits only; what else they say is theirs.
void ReadSinolConfig(const std::string& path, Package* package) {
  YamlMap yaml = YamlMap::FromFile(path);
  package->title = yaml.TextOrEmpty("title");
  if (const auto ms = yaml.OptionalCount("time_limit", 1, 1'000'000'000)) package->time = Milliseconds(*ms);
  if (const auto kib = yaml.OptionalCount("memory_limit", 1, 1ULL << 40)) package->memory = Bytes::KiB(*kib);
}

std::optional<Nanoseconds> OptionalSeconds(YamlMap* yaml, std::string_view key) {
  const std::optional<std::string> text = yaml->OptionalText(key);
  if (!text) return std::nullopt;
  constexpr double kMost = 1e6;
  double seconds = 0;
  const char* end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, seconds);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(seconds > 0 && seconds <= kMost)) {
    yaml->Fail(
        key, fmt::format("found \"{}\"; expected a number of seconds, like 2 or 1.5", text->substr(0, 100)));
  }
  return Nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

void ReadKattisProblem(const std::string& path, Package* package) {
  YamlMap yaml = YamlMap::FromFile(path);
  if (std::optional<YamlMap> limits = yaml.OptionalMap("limits")) {
    if (const auto mib = limits->OptionalCount("memory", 1, 1ULL << 30)) package->memory = Bytes::MiB(*mib);
    if (const auto time = OptionalSeconds(&*limits, "time_limit")) package->time = time;
    if (const auto mib = limits->OptionalCount("output", 1, 1ULL << 30)) package->output = Bytes::MiB(*mib);
  }
}

void ReadLimits(Package* package) {
  using Reader = void (*)(const std::string&, Package*);
  constexpr std::pair<const char*, Reader> kFiles[] = {
      {"tally.yml", ReadTallyYaml}, {"config.yml", ReadSinolConfig}, {"problem.yaml", ReadKattisProblem}};
  package->limits_from = "defaults";
  for (const auto& [name, reader] : kFiles) {
    const std::string path = package->directory + "/" + name;
    if (!fs::exists(path)) continue;
    reader(path, package);
    // In whatever form it was written: what rounds to nothing is no limit anybody means.
    if (package->time && package->time->count() <= 0) {
      throw UserError(path + ": the time limit is 0; expected more");
    }
    package->limits_from = name;
    return;
  }
}

}  // namespace

Package ReadPackage(const std::string& directory, PackageFrom from) {
  Package package;
  package.directory = directory;
  package.from = from;
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw UserError(fmt::format("{}: {}", directory, error ? error.message() : "not a directory of tests"));
  }
  ReadLimits(&package);
  std::map<std::string, PackageTest> by_name;
  for (const Layout& layout : kLayouts) {
    std::vector<PackageTest> found;
    AddTests(directory, layout, &found);
    for (PackageTest& test : found) by_name.emplace(test.name, std::move(test));
  }
  for (auto& [name, test] : by_name) package.tests.push_back(std::move(test));
  if (package.tests.empty()) {
    throw UserError(fmt::format("{}: no tests found; expected in/NAME.in with out/NAME.out, or NAME.in with NAME.out",
                                directory));
  }
  std::sort(package.tests.begin(), package.tests.end(),
            [](const PackageTest& a, const PackageTest& b) { return NaturallyBefore(a.name, b.name); });
  return package;
}

}  // namespace tally
