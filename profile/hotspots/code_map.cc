#include "profile/hotspots/code_map.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/fd.h"
#include "base/process_maps.h"
#include "base/sys.h"
#include "profile/hotspots/files_inside.h"

namespace tally {
std::string SourceName(const std::string& symbol) {
  const std::size_t cold = symbol.rfind(".cold");
  const std::string plain = cold == std::string::npos ? symbol : symbol.substr(0, cold);
  const std::size_t version = plain.find('@');
  const std::string name = plain.substr(0, version);
  int status = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string out = text != nullptr ? text : name;
  std::free(text);  // NOLINT: as __cxa_demangle wants it
  return out;
}

FunctionNumber CodeMap::NumberOf(const std::string& name, const std::string& file, const std::string& library) {
  const CentreNumber of = library.empty() ? kNoCentre : NumberOfLibrary(library);
  const auto [at, is_new] = functions_.emplace(std::pair(library, name), static_cast<FunctionNumber>(centres_.size()));
  if (is_new) centres_.push_back({.name = name, .file = library.empty() ? file : library, .library = of});
  return at->second;
}

CentreNumber CodeMap::NumberOfLibrary(const std::string& name) {
  const auto [at, is_new] = library_numbers_.emplace(name, static_cast<CentreNumber>(centres_.size()));
  if (is_new) centres_.push_back({.name = name, .file = name, .is_library = true});
  return at->second;
}

const std::string& CodeMap::LibraryOf(const File& file, const ElfFunction& function) const {
  static const std::string kNone;
  if (!file.is_program) return file.library;
  const auto has = [&](const StaticLibrary& library) { return library.Has(function); };
  const auto found = std::find_if(libraries_.begin(), libraries_.end(), has);
  return found == libraries_.end() ? kNone : found->name();
}

CentreNumber CodeMap::NumberOfLine(std::uint32_t file, std::uint32_t line) {
  const auto [at, is_new] = lines_.emplace(std::pair(file, line), static_cast<CentreNumber>(centres_.size()));
  if (is_new) centres_.push_back({.name = "", .file = source_.FileName(file), .line = line});
  return at->second;
}

const CodeMap::File* CodeMap::FileAt(pid_t task, const std::string& path) {
  const auto found = files_.find(path);
  if (found != files_.end()) return found->second.get();
  auto file = std::make_unique<File>();
  file->name = std::filesystem::path(path).filename();
  file->is_program = path == program_;
  if (!file->is_program) file->library = LibraryOfFile(file->name);
  if (const Fd fd = OpenInside(task, path, O_RDONLY | O_NONBLOCK | O_NOCTTY); IsReadable(fd)) {
    const Mapping bytes = sys::MapFile(fd.get(), path);
    file->functions = ElfFunctions({static_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    if (file->is_program && !file->functions.has_interpreter()) libraries_ = StaticLibrariesOfThisMachine();
  }
  return (files_[path] = std::move(file)).get();
}

void CodeMap::ReadMappings(pid_t task) {
  mappings_.clear();
  for (const MapsLine& line : MapsOf(task)) mappings_.push_back({line.begin, line.end, line.offset, line.name, nullptr});
}

const CodeMap::MappedFile* CodeMap::MappingOf(pid_t task, std::uint64_t pc) {
  const auto find = [&]() -> MappedFile* {
    for (MappedFile& mapping : mappings_) {
      if (pc >= mapping.begin && pc < mapping.end) return &mapping;
    }
    return nullptr;
  };
  MappedFile* mapping = find();
  if (mapping == nullptr) {
    ReadMappings(task);
    mapping = find();
  }
  if (mapping == nullptr || mapping->path.empty() || mapping->path.front() != '/') return mapping;
  if (mapping->file == nullptr) mapping->file = FileAt(task, mapping->path);
  return mapping;
}

CodePlace CodeMap::PlaceOf(pid_t task, std::uint64_t pc) {
  const MappedFile* const mapping = MappingOf(task, pc);
  if (mapping == nullptr || mapping->file == nullptr) {
    if (leaves_map_) map_folder_.Hold(task);
    made_at_run_time_ = NumberOf("[code made at run time]", "");
    return {made_at_run_time_, true, 0};
  }
  const File& file = *mapping->file;
  const std::uint64_t address = file.functions.AddressOf(pc - mapping->begin + mapping->offset);
  const ElfFunction* const function = file.functions.Holding(address);
  CodePlace place;
  if (file.is_program) place.address = address;
  if (function == nullptr) {
    place.function = NumberOf(fmt::format("[{}]", file.name), file.name, file.library);
    place.is_start = true;
    return place;
  }
  const SourceMap::Function* const source = file.is_program ? source_.FunctionAt(function->begin) : nullptr;
  const std::string& from = source != nullptr ? source_.FileName(source->file) : file.name;
  place.function = NumberOf(SourceName(function->name), from, source != nullptr ? "" : LibraryOf(file, *function));
  place.is_start = address == function->begin && function->name.find(".cold") == std::string::npos;
  return place;
}

bool CodeMap::ReadPerfMap() {
  perf_map_ = map_folder_.Read();
  return perf_map_.has_value();
}

FunctionNumber CodeMap::MadeAtRunTime(FunctionNumber function, std::uint64_t pc) {
  const std::string* const piece = perf_map_ && function == made_at_run_time_ ? perf_map_->NameAt(pc) : nullptr;
  return piece == nullptr ? function : NumberOf(NameInJava(*piece), "");
}

std::vector<FunctionNumber> CodeMap::InlinedAt(std::uint64_t address) {
  std::vector<FunctionNumber> out;
  for (const SourceMap::Inlined* const inlined : source_.InlinedAt(address)) {
    out.push_back(NumberOf(SourceName(inlined->name), source_.FileName(inlined->file)));
  }
  return out;
}

std::optional<CentreNumber> CodeMap::LineAt(std::uint64_t address) {
  const SourceMap::Row* const row = source_.RowAt(address);
  if (row == nullptr) return std::nullopt;
  return NumberOfLine(row->file, row->line);
}

std::vector<CentreNumber> CodeMap::CentresAt(std::uint64_t address) {
  std::vector<CentreNumber> out = InlinedAt(address);
  for (const SourceMap::Inlined* const inlined : source_.InlinedAt(address)) {
    if (inlined->line != 0) out.push_back(NumberOfLine(inlined->caller, inlined->line));
  }
  if (const auto line = LineAt(address)) out.push_back(*line);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace tally
