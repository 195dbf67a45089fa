// Programs that no compiler makes (hostile_generator.h), in translation. Whatever they do, Tally does not fail, and says
// one of the words that a program can get. Those whose course nothing but themselves decides also run by single steps,
// and end in the same way, write the same and count the same.
//
// A failure names its seed (tiny_program.h); TALLY_PIECE=K leaves all pieces out but that one.
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tests/translator/hostile_generator.h"
#include "tests/translator/tiny_program.h"

// Of the sanitizers' runtime, where there is one.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace tally {
namespace {

constexpr std::uint64_t kMostInstructions = 200'000;
// A single step costs up to 100 us where it has to be looked at twice, and more beside other work.
constexpr std::chrono::seconds kLongestBySteps(200);

std::uint64_t seed_now = 0;
void TellSeed() { std::fprintf(stderr, "hostile code: seed %llu\n", static_cast<unsigned long long>(seed_now)); }

std::optional<int> OnlyPiece() {
  if (std::getenv("TALLY_PIECE") == nullptr) return std::nullopt;
  return static_cast<int>(FromEnvironment("TALLY_PIECE", 0));
}

TestRun RunOf(const HostileProgram& program, Counter counter) {
  TestRun run;
  run.counter = counter;
  run.limits.processes = program.tasks;
  run.limits.instructions = Instructions{kMostInstructions};
  return run;
}

// As other runs of the same program may be translated.
TranslationOptions OptionsFor(std::uint64_t seed) {
  switch (seed % 4) {
    case 1: return {.eager = 0, .most_pending = 0, .variants = 0, .unrolled = 0, .narrow_until = 0, .by_eip = 0, .bmi2 = false};
    case 2: return {.eager = 40, .most_pending = 100, .variants = 20, .unrolled = 100, .narrow_until = 5, .by_eip = 1};
    case 3: return {.region_bytes = 1 << 20, .narrow_until = 1 << 30};
    default: return {};
  }
}

bool IsVerdict(const std::string& code) { return code == "OK" || code == "RE" || code == "TLE" || code == "MLE" || code == "RV" || code == "OLE"; }
bool CameToItsEnd(const std::string& code) { return code == "OK" || code == "RE"; }

TEST_CASE("hostile code: no failure of ours, and what single steps say", "[translator][reference]") {
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(TellSeed);
  const ScratchFolder folder;
  int programs = 0;
  int compared = 0;
  int ended = 0;
  int refused = 0;
  ForSeeds([&](std::uint64_t seed) {
    seed_now = seed;
    const HostileProgram program = MakeHostileProgram(seed, OnlyPiece());
    const std::string path = folder.path() + "/program-" + std::to_string(seed);
    WriteTinyProgram(path, program.program);
    CAPTURE(seed, program.pieces, program.tasks, program.is_timed);
    ++programs;
    try {
      TestRun run = RunOf(program, Counter::kTranslator);
      run.translation = OptionsFor(seed);
      const auto begin = std::chrono::steady_clock::now();
      // Signals all the time take the supervisor longer than the program.
      const std::chrono::seconds longest(program.is_timed ? 3 : 20);
      const TestResult got = RunTinyProgram(run, path, longest);
      const auto took = std::chrono::steady_clock::now() - begin;
      CAPTURE(got.run.sentence);
      CHECK(IsVerdict(got.code()));
      CHECK(took < 10 * longest);  // waiting for a processor is not the program's, and others may want it, too
      if (got.code() == "OK") ++ended;
      if (got.code() == "RV") ++refused;
      if (!program.is_timed && CameToItsEnd(got.code())) {
        const TestResult expected = RunTinyProgram(RunOf(program, Counter::kStep), path, kLongestBySteps);
        CAPTURE(expected.run.sentence);
        CHECK(CameToItsEnd(expected.code()));
        if (CameToItsEnd(expected.code()) && !ReachedTheCodeCache(expected.output)) {
          ++compared;
          CHECK(got.code() == expected.code());
          CHECK(got.run.exit_code == expected.run.exit_code);
          CHECK(got.run.signal == expected.run.signal);
          CHECK((got.output == expected.output));
          CHECK(got.run.instructions.value().count == expected.run.instructions.value().count);
        }
      }
    } catch (const SystemError& error) {
      FAIL_CHECK("Tally failed: " << error.what());
    }
    std::filesystem::remove(path);
  });
  std::printf("hostile code: %d programs, %d ended, %d broke a rule, %d compared with single steps\n", programs, ended, refused, compared);
}

}  // namespace
}  // namespace tally
