// CodeMessages: defaults, every key, and what is said about a wrong one; and the sizes that follow.
#include "profile/code_message.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "tests/support/catch.h"

namespace tally {
namespace {

using Json = nlohmann::json;
using Sizes = std::vector<std::uint64_t>;

CodeMessage Read(Json keys) {
  if (!keys.contains("code")) keys["code"] = "int main() {}";
  return ReadCodeMessage(keys);
}
Sizes SizesOf(const Json& keys) { return InputSizes(Read(keys).sizes); }

TEST_CASE("code message: code alone suffices, and the defaults are those of the documents", "[message]") {
  const CodeMessage message = Read(Json::object());
  CHECK(message.program.code == "int main() {}");
  CHECK(message.program.language == "cpp17");
  CHECK(message.timeout == Milliseconds(2'000));
  CHECK(message.memory == Bytes::MiB(512));
  CHECK(message.shape == Shape::kNumber);
  CHECK_FALSE(message.debug);
  CHECK(InputSizes(message.sizes) == Sizes{0, 1, 1'000, 5'000, 10'000, 50'000, 100'000});
  CHECK(kSeriesStack == Bytes::MiB(256));
  CHECK(kSeriesProcesses == 64);
}

TEST_CASE("code message: corner cases come first, then the scales up to the bound on n", "[message]") {
  CHECK(SizesOf({{"input_bounds", {{"n", 10'000}}}}) == Sizes{0, 1, 1'000, 5'000, 10'000});
  CHECK(SizesOf({{"input_bounds", {{"n", 1e4}, {"k", 5}}}}) == Sizes{0, 1, 1'000, 5'000, 10'000});
  CHECK(SizesOf({{"input_bounds", {{"length", 999}}}}) == Sizes{0, 1});
  CHECK(SizesOf({{"input_bounds", Json::object()}}).size() == 7);
  CHECK(SizesOf({{"input_scales", {10, 20, 1e1}}, {"extra_corner_cases", {20}}}) == Sizes{20, 10});
  CHECK(SizesOf({{"extra_corner_cases", Json::array()}, {"input_scales", {"64"}}}) == Sizes{64});
}

TEST_CASE("code message: every key is read", "[message]") {
  const CodeMessage message = Read({{"task_id", "sum"},
                                    {"iteration", 3},
                                    {"language", "python3"},
                                    {"generator", "tree"},
                                    {"seed", 9},
                                    {"seeds", 5},
                                    {"checker", "int main() {}"},
                                    {"checker_protocol", "testlib"},
                                    {"hint", {{"code", "print(1)"}, {"language", "python3"}}},
                                    {"sandbox_timeout_sec", 0.5},
                                    {"sandbox_mem_mb", 64},
                                    {"debug", true},
                                    {"expect", "O(n^2)"}});
  CHECK(message.task_id == "sum");
  CHECK(message.iteration == 3);
  CHECK(message.program.language == "python3");
  CHECK(message.shape == Shape::kTree);
  CHECK(message.seed == 9);
  CHECK(SeedsOf(message) == 5);
  CHECK(message.checker->language == "cpp17");
  CHECK(message.checker_protocol == "testlib");
  CHECK(message.hint->code == "print(1)");
  CHECK(message.hint->language == "python3");
  CHECK(message.timeout == Milliseconds(500));
  CHECK(message.memory == Bytes::MiB(64));
  CHECK(message.debug);
  CHECK(message.expect == GrowthModel::kN2);
  CHECK(Read({{"generator", {{"code", "print(0)"}, {"language", "python3"}}}}).generator->code == "print(0)");
}

TEST_CASE("code message: a mistake names the key, the value and what was expected", "[message]") {
  const auto mistake = [](const Json& keys) -> std::string {
    try {
      Read(keys);
    } catch (const UserError& error) {
      return error.what();
    }
    return "none";
  };
  CHECK_THROWS_WITH(ReadCodeMessage(Json::object()), "code: this key is missing");
  CHECK(mistake({{"code", ""}}) == "code: the text is empty");
  CHECK(mistake({{"code", 5}}) == "code: 5 is not a text");
  CHECK(mistake({{"iteration", -1}}) == "iteration: -1 is not a whole number, 0 to 1000000000000000000");
  CHECK(mistake({{"input_bounds", 5}}) == "input_bounds: 5 is not an object like {\"n\": 100000}");
  CHECK(mistake({{"input_bounds", {{"n", "many"}}}}).starts_with("input_bounds.n: \"many\" is not a whole number"));
  CHECK(mistake({{"input_bounds", {{"a", 1}, {"b", 2}}}}) ==
        "input_bounds: of several bounds one must be \"n\", up to which the sizes go");
  CHECK(mistake({{"input_scales", 5}}) == "input_scales: 5 is not a list of sizes, at most 100");
  CHECK(mistake({{"input_scales", {1.5}}}).starts_with("input_scales: 1.5 is not a whole number"));
  CHECK(mistake({{"input_scales", Json::array()}, {"extra_corner_cases", Json::array()}}) ==
        "input_scales: there is no size left to run");
  CHECK(mistake({{"generator", "sortd"}}).starts_with("generator: \"sortd\" is unknown (did you mean \"sorted\"?)"));
  CHECK(mistake({{"generator", {{"language", "c17"}}}}) == "generator.code: this key is missing");
  CHECK(mistake({{"checker", 1}}).starts_with("checker: 1 is not a source, or an object like "));
  CHECK(mistake({{"sandbox_timeout_sec", 0}}) == "sandbox_timeout_sec: 0 is not a number of seconds, 0.001 to 3600");
  CHECK(mistake({{"sandbox_mem_mb", 0}}) == "sandbox_mem_mb: 0 leaves no memory to run; leave the key out for 512");
  CHECK(mistake({{"debug", 1}}) == "debug: 1 is not true or false");
  CHECK(mistake({{"expect", "fast"}}).starts_with("expect: \"fast\" is no growth that is known"));
}

}  // namespace
}  // namespace tally
