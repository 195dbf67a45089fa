// What each protocol makes of what a checker did: tables of one line per promise.
#include "checkers/protocol.h"

#include <string>
#include <string_view>

#include "checkers/comment.h"
#include "tests/support/catch.h"

using namespace std::string_view_literals;

namespace tally {
namespace {

using Outcome = CheckerVerdict::Outcome;

CheckerVerdict Sio(std::string_view output, int exit_status = 0) {
  return ReadVerdict(CheckerProtocol::kSio, {.code = exit_status, .output = output});
}

CheckerVerdict Testlib(int exit_status, std::string_view message = {}) {
  return ReadVerdict(CheckerProtocol::kTestlib, {.code = exit_status, .message = message});
}

CheckerVerdict Kattis(int exit_status, std::string_view message = {},
                      std::optional<std::string_view> score = std::nullopt) {
  return ReadVerdict(CheckerProtocol::kKattis, {.code = exit_status, .message = message, .score = score});
}

CheckerVerdict Accepted(std::int64_t numerator, std::int64_t denominator = 1, std::string comment = "") {
  return CheckerVerdict::Accepted({numerator, denominator}, std::move(comment));
}

CheckerVerdict Wrong(std::string comment = "") { return CheckerVerdict::Wrong(std::move(comment)); }

void CheckFailed(const CheckerVerdict& verdict, const std::string& sentence) {
  CHECK(verdict.outcome == Outcome::kCheckerFailed);
  CHECK(verdict.comment == sentence);
  CHECK(verdict.percentage == kNoPoints);
}

TEST_CASE("protocol: the three names, and no others", "[protocol]") {
  CHECK(ParseCheckerProtocol("sio") == CheckerProtocol::kSio);
  CHECK(ParseCheckerProtocol("testlib") == CheckerProtocol::kTestlib);
  CHECK(ParseCheckerProtocol("kattis") == CheckerProtocol::kKattis);
  CHECK_FALSE(ParseCheckerProtocol("SIO").has_value());
  CHECK_FALSE(ParseCheckerProtocol("").has_value());
}

TEST_CASE("protocol: a verdict nobody filled in accepts nothing", "[protocol]") {
  CHECK(CheckerVerdict{}.outcome == Outcome::kCheckerFailed);
}

TEST_CASE("sio: OK is full points, a comment and a percentage may follow", "[protocol]") {
  CHECK(Sio("OK") == Accepted(100));
  CHECK(Sio("OK\n") == Accepted(100));
  CHECK(Sio("OK\nwell done\n") == Accepted(100, 1, "well done"));
  CHECK(Sio("OK\nwell done\n80\n") == Accepted(80, 1, "well done"));
  CHECK(Sio("OK\n\n42.5") == Accepted(85, 2));
  CHECK(Sio("OK\n\n1e1\n") == Accepted(10));
  CHECK(Sio("OK\n\n 7/42 \n") == Accepted(1, 6));
  CHECK(Sio("OK\n\n0\n") == Accepted(0));
  CHECK(Sio("OK\n\n\n") == Accepted(100));
  CHECK(Sio("OK\n\n \r\n") == Accepted(100));
  CHECK(Sio("OK\n\n50\nand more\nlines\n") == Accepted(50));
}

TEST_CASE("sio: a checker that ends its lines with CRLF or blanks is understood", "[protocol]") {
  CHECK(Sio("OK\r\nwell done\r\n80\r\n") == Accepted(80, 1, "well done"));
  CHECK(Sio("OK \t\n") == Accepted(100));
}

TEST_CASE("sio: anything but OK is wrong, nothing at all included", "[protocol]") {
  CHECK(Sio("WRONG\nnot enough edges\n") == Wrong("not enough edges"));
  CHECK(Sio("WRONG") == Wrong());
  CHECK(Sio("") == Wrong());
  CHECK(Sio("\nOK\n") == Wrong("OK"));
  CHECK(Sio("ok\n") == Wrong());
  CHECK(Sio(" OK\n") == Wrong());
  CHECK(Sio("OKAY\n") == Wrong());
  CHECK(Sio("OK 80\n") == Wrong());
  CHECK(Sio("OK\0\n"sv) == Wrong());
}

TEST_CASE("sio: a percentage after WRONG means nothing, garbage included", "[protocol]") {
  CHECK(Sio("WRONG\nbad\n50\n") == Wrong("bad"));
  CHECK(Sio("WRONG\nbad\nabc\n") == Wrong("bad"));
}

TEST_CASE("sio: a third line that is no percentage is the checker's fault, never a silent OK", "[protocol]") {
  CheckFailed(Sio("OK\n\nabc\n"),
              R"(the checker printed as its third line "abc", which is not a percentage from 0 to 1000)");
  for (const char* third : {"1500", "-1", "nan", "inf", "42,2", "150%", "42 2", "1/0", "1000.5"}) {
    CAPTURE(third);
    CHECK(Sio("OK\nfine\n" + std::string(third) + "\n").outcome == Outcome::kCheckerFailed);
  }
}

TEST_CASE("sio: the exit status means nothing", "[protocol]") {
  CHECK(Sio("OK\n", 1) == Accepted(100));
  CHECK(Sio("OK\n", 255) == Accepted(100));
  CHECK(Sio("WRONG\n", 0) == Wrong());
}

TEST_CASE("sio: a comment is limited and repaired", "[protocol]") {
  CHECK(Sio("OK\n" + std::string(2000, 'x') + "\n").comment == std::string(1019, 'x') + "[...]");
  CHECK(Sio("WRONG\nb\xff"
            "d\n")
            .comment ==
        "b\uFFFD"
        "d");
}

CheckerVerdict Cms(std::string_view output, std::string_view message = "", int exit_status = 0) {
  return ReadVerdict(CheckerProtocol::kCms, {.code = exit_status, .output = output, .message = message});
}

TEST_CASE("cms: a number from 0 to 1 is the part of the points", "[protocol]") {
  CHECK(Cms("1.0\n", "translate:success\n") == Accepted(100));
  CHECK(Cms("1\n", "well done") == Accepted(100, 1, "well done"));
  CHECK(Cms("0.25\n", "translate:partial") == Accepted(25, 1, "partially correct"));
  CHECK(Cms("0.001\n").percentage == Percentage{1, 10});
  CHECK(Cms("0.0\n", "translate:wrong\n") == Wrong("wrong answer"));
}

TEST_CASE("cms: what is no such number, or another exit status, is the checker's failure", "[protocol]") {
  CheckFailed(Cms("1.5\n"), "the checker printed \"1.5\", which is not a number from 0 to 1");
  CheckFailed(Cms(""), "the checker printed \"\", which is not a number from 0 to 1");
  CheckFailed(Cms("1\n", "", 1), "the checker ended with exit status 1, where the cms protocol knows only 0");
}

CheckerVerdict Peg(std::string_view output, int exit_status) { return ReadVerdict(CheckerProtocol::kPeg, {.code = exit_status, .output = output}); }

TEST_CASE("peg: a wrong answer with two numbers is worth a part of the points", "[protocol]") {
  CHECK(Peg("", 0) == Accepted(100));
  CHECK(Peg("1\n4\n", 1) == Accepted(25));
  CHECK(Peg("1\n3\n", 1).percentage == Percentage{100, 3});
  for (const char* output : {"", "0\n4\n", "5\n4\n", "1\n0\n", "one\ntwo\n", "-1\n4\n", "1\n99999999999\n"}) CHECK(Peg(output, 1).outcome == Outcome::kWrong);
  CheckFailed(Peg("", 2), "the checker ended with exit status 2, where the peg protocol knows only 0 and 1");
}

TEST_CASE("testlib: status 7 with a fraction is so much of the points", "[protocol]") {
  const auto said = [](std::string_view message) { return ReadVerdict(CheckerProtocol::kTestlib, {.code = 7, .message = message}); };
  CHECK(said("partial 2/5\n").percentage == Percentage{40, 1});
  CHECK(said("close\npartial 1/4\n").percentage == Percentage{25, 1});
  CHECK(said("partial 0/4\n").outcome == Outcome::kWrong);
  CheckFailed(said("partial 5/4"), "the checker said partial \"5/4\", which is not a part from 0 to 1");
  CheckFailed(said("partial 1/0"), "the checker said partial \"1/0\", which is not a part from 0 to 1");
}

TEST_CASE("protocol: a checker that died or was stopped has failed, whatever it printed", "[protocol]") {
  for (const auto protocol : {CheckerProtocol::kSio, CheckerProtocol::kTestlib, CheckerProtocol::kKattis, CheckerProtocol::kCms, CheckerProtocol::kPeg}) {
    CheckerRun run{.output = "OK\n", .message = "ok"};
    run.end = CheckerRun::End::kSignaled;
    run.code = 11;
    CheckFailed(ReadVerdict(protocol, run), "the checker was killed by signal 11 (SIGSEGV)");
    run.code = 200;
    CheckFailed(ReadVerdict(protocol, run), "the checker was killed by signal 200");
    run.end = CheckerRun::End::kStopped;
    run.code = 0;
    run.stopped_by = "time limit of 30 s";
    CheckFailed(ReadVerdict(protocol, run), "the checker was stopped by its time limit of 30 s");
    run.stopped_by = "";
    CheckFailed(ReadVerdict(protocol, run), "the checker was stopped by its limit");
  }
}

TEST_CASE("testlib: each exit status", "[protocol]") {
  CHECK(Testlib(0, "ok 3 numbers\n") == Accepted(100, 1, "ok 3 numbers"));
  CHECK(Testlib(0) == Accepted(100));
  CHECK(Testlib(1, "wrong answer 1st words differ") == Wrong("wrong answer 1st words differ"));
  CHECK(Testlib(2, "wrong output format") == Wrong("wrong output format"));
  CHECK(Testlib(4) == Wrong());
  CHECK(Testlib(8, "unexpected eof") == Wrong("unexpected eof"));
  CheckFailed(Testlib(3, "FAIL no answer file\n"),
              "the checker gave up (exit status 3): FAIL no answer file");
  CheckFailed(Testlib(3), "the checker gave up (exit status 3)");
  for (const int status : {5, 6, 9, 15, 16, 49, 151, 172, 255}) {
    CAPTURE(status);
    CheckFailed(Testlib(status), "the checker ended with exit status " + std::to_string(status) +
                                     ", which means nothing in the testlib protocol");
  }
}

TEST_CASE("testlib: points are percents, by the number that the message begins with", "[protocol]") {
  CHECK(Testlib(7, "points 40 half of the roads") == Accepted(40, 1, "points 40 half of the roads"));
  CHECK(Testlib(7, "points 40.5\n").percentage == Percentage{81, 2});
  CHECK(Testlib(7, "40 good").percentage == Percentage{40, 1});
  CHECK(Testlib(7, "points   40").percentage == Percentage{40, 1});
  CHECK(Testlib(7, "points 0 nothing") == Wrong("points 0 nothing"));
  CHECK(Testlib(0, "points 40 (a release that exits 0)").percentage == Percentage{40, 1});
  CheckFailed(Testlib(7, ""),
              R"(the checker gave points but said "", which is not a percentage from 0 to 1000)");
  CHECK(Testlib(7, "points many").outcome == Outcome::kCheckerFailed);
  CHECK(Testlib(7, "points 1001").outcome == Outcome::kCheckerFailed);
  CHECK(Testlib(7, "points").outcome == Outcome::kCheckerFailed);
  CHECK(Testlib(0, "points many").outcome == Outcome::kCheckerFailed);
}

TEST_CASE("testlib: partially correct, where the exit status is made from the points", "[protocol]") {
  CHECK(Testlib(90, "partially correct (40) nice").percentage == Percentage{40, 1});
  CHECK(Testlib(56, "partially correct (40)").percentage == Percentage{40, 1});
  CHECK(Testlib(40, "partially correct (40)").percentage == Percentage{40, 1});
  CHECK(Testlib(90).percentage == Percentage{40, 1});
  CHECK(Testlib(150) == Accepted(100));
  CHECK(Testlib(50) == Wrong());
  CHECK(Testlib(0, "partially correct (0)").outcome == Outcome::kWrong);      // looks like "accepted"
  CHECK(Testlib(1, "partially correct (1)").percentage == Percentage{1, 1});  // looks like "wrong"
  CHECK(Testlib(3, "partially correct (3)").percentage == Percentage{3, 1});  // looks like "failed"
  CheckFailed(Testlib(0, "partially correct (40)"),
              "the checker contradicts itself: exit status 0 does not go with its message "
              "\"partially correct (40)\"");
  CHECK(Testlib(150, "partially correct (150)").percentage == Percentage{150, 1});
  CHECK(Testlib(90, "partially correct (forty)").outcome == Outcome::kCheckerFailed);
  CHECK(Testlib(90, "partially correct (40").percentage == Percentage{40, 1});
}

TEST_CASE("kattis: 42 accepts, 43 rejects, anything else is the checker's fault", "[protocol]") {
  CHECK(Kattis(42) == Accepted(100));
  CHECK(Kattis(42, "\nall paths found\nmore\n") == Accepted(100, 1, "all paths found"));
  CHECK(Kattis(43, "no path") == Wrong("no path"));
  for (const int status : {0, 1, 41, 44, 255}) {
    CAPTURE(status);
    CheckFailed(Kattis(status, "oops"), "the checker ended with exit status " + std::to_string(status) +
                                            ", where the kattis protocol knows only 42 and 43: oops");
  }
}

TEST_CASE("kattis: score_multiplier.txt is a part of the points, from 0 to 1, and goes over score.txt", "[protocol]") {
  const auto left = [](std::string_view text) { return ReadVerdict(CheckerProtocol::kKattis, {.code = 42, .score = "7", .multiplier = text}); };
  CHECK(left("0.25\n") == Accepted(25));
  CHECK(left("1") == Accepted(100));
  CheckFailed(left("1.5\n"), "the checker left in score_multiplier.txt \"1.5\", which is not a number from 0 to 1");
}

TEST_CASE("kattis: score.txt is a percentage, if it is there and the answer accepted", "[protocol]") {
  CHECK(Kattis(42, "", "37.5\n").percentage == Percentage{75, 2});
  CHECK(Kattis(42, "", "0\n") == Accepted(0));
  CHECK(Kattis(43, "", "rubbish") == Wrong());
  CheckFailed(Kattis(42, "", "\n"),
              R"(the checker left in score.txt "", which is not a percentage from 0 to 1000)");
  CHECK(Kattis(42, "", "lots").outcome == Outcome::kCheckerFailed);
  CHECK(Kattis(42, "", "1200").outcome == Outcome::kCheckerFailed);
}

}  // namespace
}  // namespace tally
