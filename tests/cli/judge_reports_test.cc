// `tally judge --report FILE`: the forms of the report, by the file's ending, and what strangers wrote in them.
#include <filesystem>

#include "tests/support/catch.h"
#include "tests/support/cli_run.h"
#include "tests/support/json_schema.h"
#include "tests/support/run_program.h"
#include "tests/support/scratch_folder.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

// Two groups; the answer of 2a is wrong. One solution has a name that is markup, another cannot be judged.
struct ReportedPackage : ScratchFolder {
  ReportedPackage() {
    for (const char* name : {"1a", "2a", "2b"}) {
      Write("p/" + std::string(name) + ".in", "1 2\n");
      Write("p/" + std::string(name) + ".out", std::string(name) == "2a" ? "<4>\n" : "3\nEND\n");
    }
    Write("p/tally.yml", "title: Sums & \"more\"\ngroups:\n- {name: small, tests: \"1*\", points: 40}\n- {name: large, tests: \"2*\", points: 60, stops: yes}\n");
    fs::copy(TestProgram("sum_numbers"), path() + "/<b>sum");
    Write("what.xyz", "");
  }
  [[nodiscard]] std::string Report(const std::string& name) const {
    Tally({"judge", "p", "<b>sum", "what.xyz", "--report", name}, {.directory = path()});
    return Shell("cat " + name, {.directory = path()}).out;
  }
};

TEST_CASE("report: CSV has a row for each test, and for what could not be judged", "[cli][judge]") {
  const std::string csv = ReportedPackage().Report("r.csv");
  CHECK(csv.starts_with("solution,test,verdict,percentage,time_ms,memory_kB,instructions,sentence\r\n<b>sum,1a,OK,100,"));
  CHECK(Has(csv, "\r\n<b>sum,2a,WA,0,"));
  CHECK(Has(csv, ",\"WRONG: line 1: expected \"\"<0x3C>4<0x3E>\"\", got \"\"3\"\"\"\r\n"));
  CHECK(Has(csv, "\r\n<b>sum,2b,not run,,,,,test 2a failed\r\n"));
  CHECK(Has(csv, "\r\nwhat.xyz,,not judged,,,,,"));
}

TEST_CASE("report: the page has a column of instructions where some are counted, and else none", "[cli][judge]") {
  const ReportedPackage folder;
  Tally({"judge", "p", "<b>sum", "--virtual", "--report", "counted.html"}, {.directory = folder.path()});
  CHECK(Has(Shell("cat counted.html", {.directory = folder.path()}).out, ">instructions</th>"));
  Tally({"judge", "p", "<b>sum", "--report", "plain.html"}, {.directory = folder.path()});
  const std::string plain = Shell("cat plain.html", {.directory = folder.path()}).out;
  const bool is_counted = !Has(plain, ", not counted");  // by hardware, where there is some
  CHECK(Has(plain, ">instructions</th>") == is_counted);
  CHECK(Has(plain, ">memory</th><th></th></tr>") == !is_counted);
}

TEST_CASE("report: JUnit's XML has a suite for each solution, and is XML", "[cli][judge]") {
  const ReportedPackage folder;
  const std::string xml = folder.Report("r.xml");
  CHECK(Has(xml, "<testsuites name=\"Sums &amp; &quot;more&quot;\">"));
  CHECK(Has(xml, "<testsuite name=\"&lt;b&gt;sum\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\">"));
  CHECK(Has(xml, "<failure type=\"WA\" message=\"WRONG: line 1: "));
  CHECK(Has(xml, "<skipped message=\"test 2a failed\"/>"));
  CHECK(Has(xml, "<testcase classname=\"what.xyz\" name=\"compilation\"><error message="));
  CHECK(Shell("python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse(\"r.xml\")'", {.directory = folder.path()}).status == 0);
}

TEST_CASE("report: the JSON is what its schema says, of each kind of solution and test, and verify's too", "[cli][judge]") {
  const ReportedPackage folder;
  folder.Write("bad.py", "print((1\n");
  folder.Write("fails.py", "raise SystemExit(3)\n");
  const std::string all = "judge p '<b>sum' what.xyz bad.py fails.py ";
  for (const std::string& call : {all + "--json", all + "--virtual --json", all + "--isolation reduced --json", std::string("verify p --json")}) {
    CAPTURE(call);
    const std::string text = Shell("$TALLY " + call, {.directory = folder.path()}).out;
    REQUIRE(Has(text, "\"solutions\""));
    CHECK(FaultsBySchema("judge-report.json", text).empty());
  }
  CHECK_FALSE(FaultsBySchema("judge-report.json", R"({"tally": "0.1.0", "package": "p", "title": "", "limits_from": "", "warnings": [], "not_read": [], "solutions": [{"file": "a"}]})").empty());
}

TEST_CASE("report: what was not measured is absent, and no 0", "[cli][judge]") {
  const ScratchFolder folder;  // outputs that are handed in: nothing is run
  folder.Write("p/task.yaml", "name: outs\noutput_only: true\nn_input: 1\n");
  folder.Write("p/input/input0.txt", "");
  folder.Write("p/output/output0.txt", "7\n");
  folder.Write("anna/output_000.txt", "7\n");
  const CliResult result = Tally({"judge", "p", "anna", "--report", "r.xml"}, {.directory = folder.path()});
  INFO(result.error);
  CHECK(Has(result.out, "outs: 1 test, whose outputs are handed in\n"));
  CHECK(Has(result.out, "\nanna      OK      1/1 test      100/100 points\n"));
  const std::string json = Tally({"judge", "p", "anna", "--json"}, {.directory = folder.path()}).out;
  CHECK(FaultsBySchema("judge-report.json", json).empty());
  CHECK_FALSE(Has(json, "time_used"));
  CHECK(Has(Shell("cat r.xml", {.directory = folder.path()}).out, "<testcase classname=\"anna\" name=\"0\"></testcase>"));
}

TEST_CASE("report: the page has the matrix with figures, loads nothing, and strangers' markup is text", "[cli][judge]") {
  const std::string page = ReportedPackage().Report("r.html");
  CHECK(Has(page, "<h1>Sums &amp; &quot;more&quot;</h1>"));
  CHECK(Has(page, "<a href=\"#s0\">&lt;b&gt;sum</a>"));
  CHECK(Has(page, "<td class=\"cell WA first\" title=\"test 2a: WA, "));
  CHECK(Has(page, "title=\"test 2b: not run: test 2a failed\" data-test=\"2b\">-</td>"));
  CHECK(Has(page, "40 of 100 points: small 40/40, large 0/60"));
  CHECK(Has(page, "default-src 'none'"));
  CHECK_FALSE(Has(page, "<b>sum"));
  CHECK(Has(page, "<p class=\"note run\">native runs</p>"));
  CHECK_FALSE(Has(page, "unsafe-"));
  CHECK_FALSE(Has(page, "<script"));
}

TEST_CASE("report: an ending that is none of them is told before anything is judged", "[cli][judge]") {
  const ReportedPackage folder;
  const CliResult result = Tally({"judge", "p", "<b>sum", "--report", "r.txt"}, {.directory = folder.path()});
  CHECK(result.status == 1);
  CHECK(result.error == "tally: --report: r.txt ends in \".txt\"; expected .json, .csv, .xml (JUnit) or .html\n");
  CHECK(result.out.empty());
}

}  // namespace
}  // namespace tally
