// Runs while Tally is built: makes manual pages and completion.
//   manual_compiler TEXTS OUT TALLY-DESCRIPTION OTHER-DESCRIPTION...
// TEXTS is docs/manual: tally.man with a line @COMMANDS@, COMMAND.man with what is to be said of a command beyond its help, and
// whole pages NAME.1, which are installed as they are. Writes OUT/tally.1, OUT/tally-COMMAND.1, OUT/tally.bash, OUT/_tally.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "packaging/manual/completion.h"
#include "packaging/manual/pages.h"

namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return out.str();
}

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path);
  out << text << std::flush;
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

std::vector<tally::CommandText> Commands(const std::vector<std::string>& descriptions) {
  std::vector<tally::CommandText> own, others;
  for (const std::string& path : descriptions) {
    std::ifstream in(path);
    auto commands = tally::ReadDescription(in);
    if (own.empty()) {
      own = std::move(commands);
    } else {
      others.insert(others.end(), commands.begin(), commands.end());
    }
  }
  return tally::Merged(std::move(own), others);
}

std::map<std::string, std::string> Texts(const std::filesystem::path& folder) {
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".man") texts[entry.path().stem()] = ReadFile(entry.path());
  }
  return texts;
}

// Pages of commands that are no more would be installed with the others.
void RemovePages(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> pages;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".1") pages.push_back(entry.path());
  }
  for (const std::filesystem::path& page : pages) std::filesystem::remove(page);
}

void Write(std::map<std::string, std::string> texts, const std::vector<tally::CommandText>& commands,
           const std::filesystem::path& out) {
  for (const tally::CommandText& command : commands) {
    WriteFile(out / ("tally-" + command.name + ".1"), tally::CommandPage(command, texts[command.name]));
    texts.erase(command.name);
  }
  std::string page = texts["tally"];
  const std::string place = "@COMMANDS@\n";
  const std::size_t at = page.find(place);
  if (at == std::string::npos) throw std::runtime_error("tally.man has no line @COMMANDS@");
  page.replace(at, place.size(), tally::ListOfCommands(commands));
  WriteFile(out / "tally.1", ".TH TALLY 1 \"\" \"tally " TALLY_VERSION "\" \"User Commands\"\n" + page);
  texts.erase("tally");
  if (!texts.empty()) throw std::runtime_error(texts.begin()->first + ".man is of no command");
  WriteFile(out / "tally.bash", tally::BashCompletion(commands));
  WriteFile(out / "_tally", tally::ZshCompletion(commands));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 4) throw std::runtime_error("usage: TEXTS OUT TALLY-DESCRIPTION OTHER-DESCRIPTION...");
    std::filesystem::create_directories(argv[2]);
    RemovePages(argv[2]);
    Write(Texts(argv[1]), Commands({argv + 3, argv + argc}), argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "manual_compiler: %s\n", error.what());
    return 1;
  }
}
