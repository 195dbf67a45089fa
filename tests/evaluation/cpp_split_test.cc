// The stacks of C++ with params.split: tests and solution are two processes. What an honest solution may be made of, what a dishonest one may
// try, and what cannot cross.
#include <string>

#include "tests/support/catch.h"
#include "tests/support/evaluated.h"
#include "tests/support/file_text.h"

namespace tally {
namespace {

using nlohmann::json;

std::string Text(const std::string& file) { return FileText("evaluation/stacks/cpp_split/" + file); }

TEST_CASE("C++, split: values, containers, references, objects, operators, exceptions and output are as they are in one process") {
  for (const std::string stack : {"gtest", "catch2"}) {
    for (const std::string split : {"true", "false"}) {
      const std::string tests = "shop_" + stack + ".cc";
      const json answer = EvaluatedSplit("cpp-" + stack, {{"shop.cc", Text("shop.cc")}}, {{tests, Text(tests)}}, {{"shop.h", Text("shop.h")}}, split);
      INFO(answer.dump(1));
      CHECK(answer["result"]["test"]["isolation"] == (split == "true" ? "separate-processes" : "shared-process"));
      CHECK(Tally(answer) == "passed 15, failed 0: failures 0, errors 0, pending 0, timeouts 0; correctness 1");
    }
  }
}

TEST_CASE("C++, split: no cheat passes, and each costs its own case only") {
  const std::string tests = Text("cheats_gtest.cc");
  const json answer = EvaluatedSplit("cpp-gtest", {{"cheats.cc", Text("cheats.cc")}}, {{"cheats_gtest.cc", tests}}, {{"cheats.h", Text("cheats.h")}});
  REQUIRE(answer["result"]["compilation"]["compiling"] == true);
  CHECK(CheckedCheats(answer, "honest") == 63);
  const auto status = [&](const std::string& name) { return StatusOf(answer, name + "#Cheats"); };
  CHECK(status("crashes") == std::string(kSolutionEnded) + ": process exited due to signal 11 (SIGSEGV) (RE)");
  CHECK(status("exits") == std::string(kSolutionEnded) + " (exit status 0)");
  CHECK(status("hangs") == "timeout: cut off after 3 s");
  CHECK(status("floods") == "error: output limit exceeded");
  CHECK(status("many") == std::string(kSolutionSaidNoAnswer) + "less than a message)");
  CHECK(status("one_twice") == std::string(kSolutionSaidNoAnswer) + "a set or map with one element twice)");
  CHECK(status("no_argument") == std::string(kSolutionSaidNoAnswer) + "a reference to no argument)");
  CHECK(status("unknown_handle") == std::string(kSolutionSaidNoAnswer) + "a pointer to what is not there)");
  CHECK(status("no_link") == std::string(kSolutionSaidNoAnswer) + "a pointer to what is not there)");
  CHECK(status("half_a_link") == std::string(kSolutionSaidNoAnswer) + "less than a message)");
  CHECK(status("changed_constant").find("failure: tests/cheats_gtest.cc:") == 0);
  CHECK(status("depth") == std::string(kSolutionSaidNoAnswer) + "values in values without an end)");
}

TEST_CASE("C++, split: none of the cheats against one process passes") {
  const std::string header = FileText("evaluation/stacks/cpp_cheats.h"), cheats = FileText("evaluation/stacks/cpp_cheats.cc");
  const json gtest = EvaluatedSplit("cpp-gtest", {{"cheats.cc", cheats}}, {{"cheats_test.cc", "#include <gtest/gtest.h>\n#include \"cpp_cheats.h\"\n#define IT(name) TEST(Cheats, name) { EXPECT_EQ(name(), 42); }\nCHEATS(IT)\n"}},
                                    {{"cpp_cheats.h", header}});
  const json catch2 = EvaluatedSplit("cpp-catch2", {{"cheats.cc", cheats}}, {{"cheats_test.cc", "#include <catch2/catch.hpp>\n#include \"cpp_cheats.h\"\n#define IT(name) TEST_CASE(#name) { CHECK(name() == 42); }\nCHEATS(IT)\n"}},
                                     {{"cpp_cheats.h", header}});
  for (const json& answer : {gtest, catch2}) {
    INFO(answer.dump(1));
    CHECK(answer["result"]["test"]["testcases"] == 22);
    CHECK(CheckedCheats(answer, "LooksForTheFramework") == 21);  // it gives 42 where it does not find the tests
  }
}

TEST_CASE("C++, split: what cannot cross is one sentence, with the function that it is about") {
  const std::string header = R"(#include <functional>
#include <memory>
#include <string>
#include <vector>
namespace it {
class Shape {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
class Square : public Shape {
 public:
  explicit Square(double side);
  double area() const override;
 private:
  double side_;
};
int first(const int* numbers);
int apply(const std::function<int(int)>& f);
std::shared_ptr<int> shared();
double area(const Shape& shape);
extern int count;
}
)";
  const std::string solution = R"(#include "it.h"
namespace it {
Square::Square(double side) : side_(side) {}
double Square::area() const { return side_ * side_; }
int first(const int* numbers) { return *numbers; }
int apply(const std::function<int(int)>& f) { return f(1); }
std::shared_ptr<int> shared() { return std::make_shared<int>(1); }
double area(const Shape& shape) { return shape.area(); }
int count = 1;
}
int undeclared(int n) { return n; }
)";
  const auto said = [&](const std::string& test, const std::string& include = "#include \"it.h\"\n") {
    const json answer = EvaluatedSplit("cpp-gtest", {{"it.cc", solution}, {"own.h", "inline int own() { return 1; }\n"}},
                                       {{"it_test.cc", "#include <gtest/gtest.h>\n" + include + "TEST(It, is) { " + test + " }\n"}}, {{"it.h", header}});
    CHECK(StatusOf(answer, "tests") == "error: the tests do not build with the solution");
    return CaseOf(answer, "tests")["details"].get<std::string>();
  };
  CHECK(said("int n = 1; it::first(&n);") == "with params.split it::first(int const*) cannot be called: int const* cannot go between two processes\n");
  CHECK(said("it::apply([](int n) { return n; });") ==
        "with params.split it::apply(std::function<int (int)> const&) cannot be called: std::function<int (int)> const& cannot go between two processes\n");
  CHECK(said("it::shared();") == "with params.split it::shared() cannot be called: what it returns cannot go between two processes\n");
  CHECK(said("struct Own : it::Shape { double area() const override { return 1; } } own; it::area(own);") ==
        "with params.split it::area(it::Shape const&) cannot be called: it::Shape const& cannot go between two processes\n");
  CHECK(said("it::Square square(2); square.area();") == "with params.split the tests cannot make objects of it::Square, whose virtual functions are the solution's\n");
  CHECK(said("EXPECT_EQ(it::count, 1);") == "with params.split the tests cannot use it::count of the solution: they can call functions, and use no variable\n");
  CHECK(said("EXPECT_EQ(undeclared(1), 1);", "int undeclared(int);\n") == "with params.split undeclared(int) cannot be called: no include file that the tests include declares it\n");
  CHECK(said("EXPECT_EQ(own(), 1);", "#include \"own.h\"\n") ==
        "with params.split the tests cannot include own.h of the solution, whose code would be in their process: give it as an include file\n");
}

}  // namespace
}  // namespace tally
