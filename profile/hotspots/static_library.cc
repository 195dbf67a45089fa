#include "profile/hotspots/static_library.h"

#include <ar.h>
#include <fcntl.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/sys.h"

namespace tally {
namespace {

constexpr const char* kFolders[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"};
constexpr std::string_view kSymbols = "/", kLongNames = "//";

std::string_view Trimmed(std::string_view text) { return text.substr(0, text.find_last_not_of(' ') + 1); }

std::size_t Decimal(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// "malloc.o/", or "/123", which is a place in the table of long names.
std::string ObjectName(std::string_view name, std::string_view long_names) {
  if (name.starts_with('/')) {
    const std::size_t place = Decimal(name.substr(1));
    name = place < long_names.size() ? long_names.substr(place) : "";
    name = name.substr(0, name.find('\n'));
  }
  return std::string(name.substr(0, name.find('/')));
}

// Today's libm.a is a text that names another file.
std::string MathArchive(const std::string& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    if (name.starts_with("libm-") && name.ends_with(".a")) return at->path();
  }
  return folder + "/libm.a";
}

}  // namespace

StaticLibrary::StaticLibrary(std::string name, std::span<const std::uint8_t> archive) : name_(std::move(name)) {
  std::string_view rest(reinterpret_cast<const char*>(archive.data()), archive.size());
  if (!rest.starts_with(std::string_view(ARMAG, SARMAG))) return;
  rest.remove_prefix(SARMAG);
  std::string_view long_names;
  while (rest.size() >= sizeof(ar_hdr)) {
    ar_hdr header;
    std::memcpy(&header, rest.data(), sizeof header);
    rest.remove_prefix(sizeof header);
    const std::string_view member = Trimmed({header.ar_name, sizeof header.ar_name});
    const std::size_t size = std::min(Decimal(Trimmed({header.ar_size, sizeof header.ar_size})), rest.size());
    if (member == kSymbols) {
      ReadSymbols(rest.substr(0, size));
    } else if (member == kLongNames) {
      long_names = rest.substr(0, size);
    } else {
      objects_.insert(ObjectName(member, long_names));
    }
    rest.remove_prefix(std::min(size + size % 2, rest.size()));
  }
}

// How many there are and where the object of each begins, big-endian; then their names.
void StaticLibrary::ReadSymbols(std::string_view table) {
  if (table.size() < 4) return;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 4; ++i) count = count << 8 | static_cast<unsigned char>(table[i]);
  if (count > table.size() / 4 - 1) return;
  table.remove_prefix(4 + 4 * count);
  for (std::size_t i = 0; i < count && !table.empty(); ++i) {
    const std::size_t length = std::min(table.find('\0'), table.size());
    symbols_.emplace(table.substr(0, length));
    table.remove_prefix(std::min(length + 1, table.size()));
  }
}

bool StaticLibrary::Has(const ElfFunction& function) const {
  return function.object.empty() ? symbols_.contains(function.name) : objects_.contains(function.object);
}

std::vector<StaticLibrary> StaticLibrariesOfThisMachine() {
  std::vector<StaticLibrary> libraries;
  for (const std::string folder : kFolders) {
    for (const auto& [name, path] : {std::pair("libc", folder + "/libc.a"), std::pair("libm", MathArchive(folder))}) {
      const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
      if (!file.valid()) continue;
      const Mapping bytes = sys::MapFile(file.get(), path);
      libraries.emplace_back(name, std::span(static_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
    }
    if (!libraries.empty()) break;
  }
  return libraries;
}

std::string LibraryOfFile(std::string_view file_name) {
  for (const char* const name : {"libc", "libm", "libjvm"}) {
    const std::string_view rest = file_name.starts_with(name) ? file_name.substr(std::strlen(name)) : "";
    if (rest.starts_with(".so") || (rest.starts_with('-') && rest.find(".so") != std::string_view::npos)) return name;
  }
  return "";
}

}  // namespace tally
