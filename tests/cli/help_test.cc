// Help for who types: `tally help`, what each command says of itself, what may have been meant, and what completion asks for.
#include <cstdlib>
#include <sstream>

#include "base/columns.h"
#include "base/lines.h"
#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

Words CommandNames() {
  Words names;
  for (const std::string& line : LinesOf(Tally({"--help-for-tools"}).out)) {
    if (line.starts_with("command\t")) names.push_back(line.substr(8, line.find('\t', 8) - 8));
  }
  return names;
}

TEST_CASE("tally: commands that do not exist, and none, are mistakes; --help and --version are not", "[cli][help]") {
  CHECK(Tally({"frobnicate"}).error == "tally: \"frobnicate\" is no command; `tally --help` lists them\n");
  CHECK(Tally({"frobnicate"}).status == 1);
  CHECK(Tally({}).status == 1);
  CHECK(Tally({}).error == "tally: expected a command; `tally --help` lists them\n");
  CHECK(Tally({"--no-such-option"}).status == 1);
  const std::string help = Tally({"--help"}).out;
  for (const std::string& command : CommandNames()) CHECK(Has(help, "\n  " + command + " "));
  CHECK(Tally({"--version"}).out == "tally " TALLY_VERSION "\n");
}

TEST_CASE("help: a command that is close to one, and an option that is close to one of its command, are told", "[cli][help]") {
  CHECK(Tally({"jdge"}).error == "tally: \"jdge\" is no command (did you mean \"judge\"?); `tally --help` lists them\n");
  CHECK(Tally({"help", "jdge"}).error == Tally({"jdge"}).error);
  CHECK(Tally({"run", "--tim", "1s", "--", "/bin/true"}).error == "tally: unknown option --tim (did you mean \"--time\"?); `tally run --help` tells more\n");
  CHECK(Tally({"verify", "--no-count=1", "."}).error == "tally: unknown option --no-count (did you mean \"--no-counts\"?); `tally verify --help` tells more\n");
  CHECK(Tally({"verify", "--frobnicate", "."}).error == "tally: unknown option --frobnicate; `tally verify --help` tells more\n");
  // The option is the mistake, and not the folder that its value was taken for.
  CHECK(Tally({"judge", "--isolaton", "full"}).error == "tally: unknown option --isolaton (did you mean \"--isolation\"?); `tally judge --help` tells more\n");
  CHECK(Tally({"evaluate", "--stak", "io"}).error == "tally: unknown option --stak (did you mean \"--stack\"?); `tally evaluate --help` tells more\n");
  CHECK(Tally({"serve", "--lisen", "x"}).error == "tally: unknown option --lisen (did you mean \"--listen\"?); `tally serve --help` tells more\n");
  CHECK(Tally({"check-host", "now"}).error == "tally: unexpected word \"now\"; `tally check-host --help` tells more\n");
}

TEST_CASE("help: `tally help COMMAND` is what the command's --help is, and each is of this command", "[cli][help]") {
  CHECK(Tally({"help"}).out == Tally({"--help"}).out);
  for (const std::string& command : CommandNames()) {
    CAPTURE(command);
    const CliResult own = Tally({command, "--help"});
    CHECK(own.status == 0);
    CHECK(own.error.empty());
    if (command == "help") continue;
    CHECK(Tally({"help", command}).out == own.out);
    CHECK(Has(own.out, "Example"));
    for (const std::string& line : LinesOf(own.out.substr(own.out.find("Example")))) {
      const std::size_t at = line.find("tally ");
      if (at == std::string::npos || !line.starts_with("  ")) continue;
      CAPTURE(line);
      CHECK(line.substr(at + 6).starts_with(command));
    }
  }
  CHECK(Tally({"help", "run", "judge"}).status == 1);
}

TEST_CASE("help: a job's lists its keys, and its examples have no others", "[cli][help]") {
  for (const char* job : {"exec", "vcpu-exec", "unsafe-exec", "interactive-exec", "encdec-exec", "compile", "ingen", "inwer"}) {
    CAPTURE(job);
    const std::string help = Tally({job, "--help"}).out;
    const std::size_t begin = help.find("Keys: ");
    REQUIRE(begin != std::string::npos);
    std::string keys = help.substr(begin + 5);
    for (char& c : keys) c = c == ',' || c == '\n' ? ' ' : c;
    std::istringstream words(help.substr(0, begin));
    int in_examples = 0;
    for (std::string word; words >> word;) {
      if (word.find('=') == std::string::npos || word.starts_with("[")) continue;
      CAPTURE(word);
      CHECK(Has(keys, " " + word.substr(0, word.find('=')) + " "));
      ++in_examples;
    }
    CHECK(in_examples > 2);
  }
  const CliResult nothing = Tally({"exec"});
  CHECK(nothing.status == 1);
  CHECK(IsOneSentence(nothing.error));
}

TEST_CASE("help: --names lists descriptions for completion, a user's own as well, and reads none of them", "[cli][help]") {
  const ScratchFolder folder;
  folder.Write("mine.yaml", "{ this is no description");
  folder.Write("stacks/own-stack.yaml", "[ nor is this");
  const char* const others = std::getenv("TALLY_SANDBOXES");
  const std::string names = Tally({"--names", "sandboxes"}, {.environment = {"TALLY_SANDBOXES=" + folder.path() + ":" + (others != nullptr ? others : "")}}).out;
  CHECK(Has(names, "mine\n"));
  CHECK(Has(names, "exec-sandbox\n"));
  CHECK_FALSE(Has(names, "template"));
  CHECK(Has(Tally({"--names", "compilers"}).out, "cpp20\n"));
  CHECK(Has(Tally({"--names", "stacks"}, {.environment = {"TALLY_STACKS=" + folder.path() + "/stacks"}}).out, "own-stack\n"));
  CHECK(Tally({"--names", "secrets"}).error == "tally: --names: found \"secrets\"; expected one of: compilers, sandboxes, stacks\n");
}

TEST_CASE("help: files of the examples are there", "[cli][help]") {
  for (const std::string& command : CommandNames()) {
    std::istringstream words(Tally({command, "--help"}).out);
    for (std::string word; words >> word;) {
      if (!word.starts_with("examples/")) continue;
      CAPTURE(command, word);
      CHECK(Shell("ls " + word, {.directory = SourceFolder()}).status == 0);
    }
  }
}

TEST_CASE("check-host, verify: their lines are no longer than the terminal", "[cli][help]") {
  for (const char* line : {"$TALLY check-host", "$TALLY verify --no-counts examples/packages/kattis/divisors"}) {
    const std::string out = ShellOnTerminal(line, {.directory = SourceFolder(), .environment = {"TERM=dumb"}, .columns = 56}).out;
    CAPTURE(out);
    CHECK(out.size() > 300);
    for (std::string shown : LinesOf(out)) {
      shown.erase(shown.find_last_not_of('\r') + 1);
      CHECK(CharactersIn(shown) <= 56);
    }
  }
}

}  // namespace
}  // namespace tally
