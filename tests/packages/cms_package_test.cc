// CMS' packages: what of task.yaml, gen/GEN and the folders is read, and every mistake with its place.
#include <filesystem>

#include "packages/package.h"
#include "tests/support/catch.h"
#include "tests/support/package_mistake.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTask = "name: sum\ntitle: The sum\ntime_limit: 1.5\nmemory_limit: 64\ninfile: \"\"\noutfile: \"\"\nn_input: 3\n";

struct CmsFolder : ScratchFolder {
  explicit CmsFolder(const std::string& more = "", const std::string& task = kTask) {
    Write("task.yaml", task + more);
    for (const char* i : {"0", "1", "2"}) {
      Write(std::string("input/input") + i + ".txt", "");
      Write(std::string("output/output") + i + ".txt", "");
    }
  }
  [[nodiscard]] Package Read() const { return ReadPackage(path()); }
};

std::string MistakeWith(const std::string& more) { return PackageMistake(CmsFolder(more).path()); }

TEST_CASE("cms: the title, the limits and the tests; without groups each test has the same part of a hundred", "[package]") {
  const CmsFolder folder;
  const Package package = folder.Read();
  CHECK(package.title == "The sum");
  CHECK(package.time == Milliseconds(1500));
  CHECK(package.memory == Bytes::MiB(64));
  CHECK(package.limits_from == "task.yaml");
  REQUIRE(package.tests.size() == 3);
  CHECK(package.tests[2].name == "2");
  CHECK(package.tests[2].answer == folder.path() + "/output/output2.txt");
  REQUIRE(package.groups.size() == 1);
  CHECK(package.groups[0].rule == GroupRule::kSum);
  CHECK(package.groups[0].points == 100);
}

TEST_CASE("cms: without infile and outfile a program reads input.txt and writes output.txt", "[package]") {
  const Package package = CmsFolder("", "name: x\n").Read();
  CHECK(package.input_file == "input.txt");
  CHECK(package.output_file == "output.txt");
  CHECK(CmsFolder().Read().input_file.empty());
}

TEST_CASE("cms: a solution's streams may be the manager's fifos", "[package]") {
  const CmsFolder folder("user_io: std_io\nnum_processes: 2\n");
  folder.Write("check/manager.c", "");
  const Package package = folder.Read();
  REQUIRE(package.interactor);
  CHECK(package.interactor->std_io);
  CHECK_FALSE(package.interactor->solution_opens_fifos());
  CHECK(package.interactor->processes == 2);
}

TEST_CASE("cms: keys as older packages have them, and total_value where no groups say the points", "[package]") {
  const Package package = CmsFolder("total_value: 60\n", "nome_breve: sum\nnome: La somma\ntimeout: 2\nmemlimit: 32\nrisultati: 0,1\ninfile: ''\noutfile: ''\n").Read();
  CHECK(package.title == "La somma");
  CHECK(package.time == Milliseconds(2000));
  CHECK(package.memory == Bytes::MiB(32));
  CHECK(package.groups.at(0).points == 60);
}

TEST_CASE("cms: outputs that are handed in are called by their tests' numbers", "[package]") {
  const CmsFolder folder("output_only: true\ntask_type: OutputOnly\n");
  folder.Write("sol/solution.cpp", "");
  const Package package = folder.Read();
  CHECK(package.output_only);
  CHECK(package.tests.at(2).submitted == "output_002.txt");
  CHECK(package.submissions.empty());
}

TEST_CASE("cms: score types", "[package]") {
  const Package least = CmsFolder("score_type: GroupMin\nscore_type_parameters: [[40, 1], [60, 2]]\n").Read();
  REQUIRE(least.groups.size() == 2);
  CHECK(least.groups[1].tests == std::vector<std::size_t>{1, 2});
  CHECK(least.groups[1].points == 60);
  CHECK(CmsFolder("score_type: GroupMul\nscore_type_parameters: [[100, 3]]\n").Read().groups[0].rule == GroupRule::kProduct);
  CHECK(CmsFolder("score_type: Sum\nscore_type_parameters: 30\n").Read().groups[0].points == 90);
  CHECK(MistakeWith("score_type: GroupMin\nscore_type_parameters: [[40, 1]]\n") ==
        "DIR/task.yaml:9:24: score_type_parameters: the groups have 1 test, and the package has 3");
  CHECK(MistakeWith("score_type: GroupMin\nscore_type_parameters: [[40, \"a.*\"]]\n").starts_with("DIR/task.yaml:9:25: score_type_parameters: expected the points"));
  CHECK(MistakeWith("score_type: GroupThreshold\nscore_type_parameters: [[40, 1], [60, 2]]\n").find("the points, the number of tests and the threshold") != std::string::npos);
  CHECK(MistakeWith("score_type: GroupThreshold\nscore_type_parameters: [[40, 1, 2], [60, 2, 1]]\n").find("found the threshold 2; expected one from 0 to 1") != std::string::npos);
}

TEST_CASE("cms: groups of gen/GEN", "[package]") {
  const CmsFolder folder;
  folder.Write("gen/GEN", "# a comment\n#ST: 0\n1 2\n\n# ST: 100\n5 6 # why\n#COPY: data/x\n");
  const Package package = folder.Read();
  REQUIRE(package.groups.size() == 2);
  CHECK(package.groups[0].points == 0);
  CHECK(package.groups[1].tests == std::vector<std::size_t>{1, 2});
  folder.Write("gen/GEN", "#ST: lots\n1\n");
  CHECK(PackageMistake(folder.path()) == "DIR/gen/GEN:1: found \"lots\"; expected the points of a group, like #ST: 20");
  folder.Write("gen/GEN", "1\n#ST: 100\n2\n3\n");
  CHECK(PackageMistake(folder.path()) == "DIR/gen/GEN: 1 test stands before the first group (#ST:)");
}

TEST_CASE("cms: a checker of the package's own speaks CMS' protocol", "[package]") {
  const CmsFolder folder;
  folder.Write("cor/correttore.cpp", "");
  const Package package = folder.Read();
  CHECK(package.checker == folder.path() + "/cor/correttore.cpp");
  CHECK(package.protocol == CheckerProtocol::kCms);
}

TEST_CASE("cms: what is not judged is refused with its place", "[package]") {
  CHECK(MistakeWith("task_type: TwoSteps\n") == "DIR/task.yaml:8:12: task_type: found TwoSteps; such problems are not judged here yet");
  CHECK(MistakeWith("output_only: perhaps\n").starts_with("DIR/task.yaml:8:14: output_only: "));
  CHECK(PackageMistake(CmsFolder("", "infile: /etc/x\n").path()) == "DIR/task.yaml:1:9: infile: found \"/etc/x\"; expected a plain file name, or \"\"");
  CHECK(MistakeWith("task_type: Communication\n") == "DIR/task.yaml:8:12: task_type: found Communication, and there is no check/manager");
  CHECK(MistakeWith("task_type: OutputOnly\noutput_only: false\n") == "DIR/task.yaml:8:12: task_type: found OutputOnly, where output_only is false");
  CHECK(MistakeWith("task_type: Communication\noutput_only: true\n") == "DIR/task.yaml:8:12: task_type: found Communication, where output_only is true");
  CHECK(PackageMistake(CmsFolder("", "outfile: {a: b}\n").path()) == "DIR/task.yaml:1:10: outfile: found keys with values; expected text");
  CHECK(PackageMistake(CmsFolder("", "title: [a]\n").path()) == "DIR/task.yaml:1:8: title: found a list; expected text");
  CHECK(MistakeWith("score_type: GroupMin\n") == "DIR/task.yaml:8:13: score_type: found GroupMin; it needs score_type_parameters, like [[20, 3], [80, 5]]");
  const CmsFolder managed("task_type: Batch\n");
  managed.Write("check/manager.cpp", "");
  CHECK(PackageMistake(managed.path()) == "DIR/task.yaml:8:12: task_type: found Batch, and there is a check/manager, which talks to solutions");
  CHECK(CmsFolder("task_type: OutputOnly\n").Read().output_only);
  CHECK(MistakeWith("num_processes: 2\n") == "DIR/task.yaml:8:16: num_processes: there is no check/manager for them to talk to");
}

TEST_CASE("cms: a manager makes an interactive problem, with the stubs of sol/; graders are for batch problems", "[package]") {
  const CmsFolder folder;
  folder.Write("sol/grader.cpp", "");
  folder.Write("sol/stub.py", "");
  folder.Write("sol/sum.h", "");
  const Package batch = folder.Read();
  CHECK_FALSE(batch.interactor);
  REQUIRE(batch.graders.size() == 1);
  CHECK(batch.graders[0].path == folder.path() + "/sol/grader.cpp");
  CHECK(batch.graders[0].beside == std::vector{folder.path() + "/sol/sum.h"});
  folder.Write("check/manager.cpp", "");
  const Package talk = folder.Read();
  REQUIRE(talk.interactor);
  CHECK(talk.interactor->protocol == CheckerProtocol::kCms);
  CHECK(talk.interactor->processes == 1);
  CHECK(talk.input_file.empty());
  REQUIRE(talk.graders.size() == 1);
  CHECK(talk.graders[0].solution == "sum.py");
}

TEST_CASE("cms: missing answers, and tests that were not made", "[package]") {
  const CmsFolder folder;
  folder.Write("input/input3.txt", "");
  CHECK(PackageMistake(folder.path()) == "DIR/input/input3.txt: its answer DIR/output/output3.txt is missing");
  fs::rename(folder.path() + "/input/input3.txt", folder.path() + "/input/input11.txt");
  CHECK(PackageMistake(folder.path()) == "DIR/input/input11.txt: there is no input3.txt before it");
  fs::remove(folder.path() + "/input/input11.txt");
  folder.Write("output/output11.txt", "");
  folder.Write("input/readme.txt", "");
  CHECK(folder.Read().not_read == std::vector<std::string>{"input/readme.txt", "output/output11.txt"});
  CHECK(PackageMistake(CmsFolder("", "n_input: 5\n").path()).starts_with("DIR/task.yaml:1:10: n_input: found 5, and DIR/input has 3 tests"));
  const std::string known = MistakeWith("tokn_mode: x\n");
  CHECK(known.find("n_input") == known.rfind("n_input"));  // once
  CHECK(MistakeWith("tokn_mode: x\n").find("unknown key (did you mean \"token_mode\"?)") != std::string::npos);
}

TEST_CASE("cms: groups without tests, and parts of a test, are refused", "[package]") {
  CHECK(MistakeWith("score_type: GroupMin\nscore_type_parameters: [[60, 0], [40, 3]]\n").find("expected the points and the number of tests") != std::string::npos);
  CHECK(MistakeWith("score_type: GroupMin\nscore_type_parameters: [[60, 0.9], [40, 3]]\n").find("expected the points and the number of tests") != std::string::npos);
  const CmsFolder folder;
  folder.Write("gen/GEN", "#ST: 20\n#ST: 80\n1\n2\n3\n");
  CHECK(PackageMistake(folder.path()) == "DIR/gen/GEN: the group of 20 points (#ST:) has no tests");
}

}  // namespace
}  // namespace tally
