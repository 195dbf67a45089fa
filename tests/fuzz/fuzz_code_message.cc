// CodeMessages from arbitrary bytes. A mistake is told in one line; what was accepted has sizes, limits and a program,
// and the smallest of its inputs can be made.
#include <nlohmann/json.hpp>

#include "jobs/environ.h"
#include "profile/code_message.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tally;
using fuzz::MayRefuse;
using fuzz::Require;

}  // namespace

TALLY_FUZZ_TARGET(code_message) {
  MayRefuse([&] {
    const Environ environ = Environ::Parse(input, "fuzz.json");
    const CodeMessage message = ReadCodeMessage(environ.object());
    Require(!message.program.code.empty() && !message.program.language.empty());
    Require(message.timeout.count() > 0 && message.memory.count > 0);
    const std::vector<std::uint64_t> sizes = InputSizes(message.sizes);
    Require(!sizes.empty() && sizes.size() <= 2 * kMostSizes);
    for (const std::uint64_t n : sizes) {
      if (n <= 1000 && !message.generator) Require(!GenerateInput(message.shape, n, message.seed).empty());
    }
  });
}
