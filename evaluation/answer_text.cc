#include "evaluation/answer_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/printable.h"
#include "base/terminal.h"
#include "base/units.h"
#include "evaluation/case_lines.h"
#include "evaluation/eval_response.h"

namespace tally {
namespace {

using nlohmann::json;

// A worker's answer is somebody else's: each part of another type than expected is as if it were absent.
const json& At(const json& object, const char* key) {
  static const json absent;
  if (!object.is_object()) return absent;
  const auto found = object.find(key);
  return found == object.end() ? absent : *found;
}
std::string TextAt(const json& object, const char* key) {
  const json& value = At(object, key);
  return value.is_string() ? value.get<std::string>() : "";
}
std::uint64_t CountAt(const json& object, const char* key) {
  const json& value = At(object, key);
  return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}
bool IsYes(const json& value) { return value.is_boolean() && value.get<bool>(); }

AnswerVerdict VerdictOfEvaluation(const json& answer) {
  const json& result = At(answer, "result");
  if (!IsYes(At(answer, "success")) || !result.is_object()) return AnswerVerdict::kFailed;
  const json &compilation = At(result, "compilation"), &test = At(result, "test");
  if (compilation.is_object() && !IsYes(At(compilation, "compiling"))) return AnswerVerdict::kWrong;
  if (test.is_object() && (CountAt(test, "failed") > 0 || CountAt(test, "passed") == 0)) return AnswerVerdict::kWrong;
  const json& absent = At(result, "absent");
  if (TextAt(absent, "test") == kDoesNotCompile) return AnswerVerdict::kWrong;
  // "pytest is not installed": then nobody knows whether the solution is right. Nobody asks that of its style.
  if (!absent.is_null() && (!absent.is_object() || absent.contains("compile") || absent.contains("test"))) return AnswerVerdict::kFailed;
  const bool shows_something = compilation.is_object() || test.is_object() || At(result, "style").is_object();
  return shows_something ? AnswerVerdict::kRight : AnswerVerdict::kFailed;
}

AnswerVerdict VerdictOfJob(const json& answer) {
  const std::string code = TextAt(answer, "result_code");
  if (code == "OK" || !At(answer, "pong").is_null()) return AnswerVerdict::kRight;
  return code.empty() || code == "SE" ? AnswerVerdict::kFailed : AnswerVerdict::kWrong;
}

std::string OneLine(std::string text, std::size_t most) {
  text = Printable(text.substr(0, text.find('\n')));
  if (text.size() <= most) return text;
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // no half of a character
  return text.substr(0, end) + "...";
}

std::string Lines(std::string_view text, const char* indent, std::size_t most_lines) {
  std::string out;
  for (std::size_t shown = 0; !text.empty() && shown < most_lines; ++shown) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += indent + Printable(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return text.empty() ? out : fmt::format("{}{}...\n", out, indent);
}

std::string Indented(std::string_view text, std::size_t most_lines) { return Lines(text, "  ", most_lines); }

std::string Line(const char* title, const std::string& text, bool colour) {
  return fmt::format("{} {}\n", Bold(fmt::format("{:<12}", title), colour), text);
}

std::string CompilationText(const json& compilation, bool colour) {
  const bool compiling = IsYes(At(compilation, "compiling"));
  return Line("compilation", compiling ? Paint("ok", "1;32", colour) : Paint("failed", "1;31", colour), colour) +
         Indented(TextAt(compilation, "output"), compiling ? 6 : 24);
}

const char* StyleOfStatus(const std::string& status) {
  if (status == "passed") return "1;32";
  return status == "timeout" || status == "pending" ? "1;33" : "1;31";
}

std::string CaseRow(const json& test, std::size_t width, bool colour) {
  const std::string status = OneLine(TextAt(test, "status"), 12);
  const json& time = At(test, "time");
  const std::string seconds = time.is_number() ? fmt::format("{:.2f} s", time.get<double>()) : "-";
  return fmt::format("  {:<{}}  {}{} {:>9}  {}\n", OneLine(TextAt(test, "id"), 60), width,
                     Paint(status, StyleOfStatus(status), colour),
                     std::string(8 - std::min<std::size_t>(8, status.size()), ' '), seconds,
                     OneLine(TextAt(test, "message"), 90));
}

std::vector<json> CasesIn(const json& test) {
  std::vector<json> cases;
  for (const json& suite : At(At(test, "testsuite"), "suites")) {
    for (const json& one : At(suite, "cases")) cases.push_back(one);
  }
  return cases;
}

// The cases are in the table.
std::string BeforeCaseLines(const std::string& output) {
  std::size_t at = output.rfind(kCaseLinesBegin);
  while (at != std::string::npos && at > 0 && output[at - 1] != '\n') at = output.rfind(kCaseLinesBegin, at - 1);
  return output.substr(0, at);
}

std::string TestText(const json& test, bool colour) {
  const std::uint64_t total = CountAt(test, "testcases"), passed = CountAt(test, "passed");
  std::string out = Line("tests", fmt::format("{} of {} passed", passed, total), colour);
  const std::vector<json> cases = CasesIn(test);
  std::size_t width = 4;
  for (const json& one : cases) width = std::max(width, OneLine(TextAt(one, "id"), 60).size());
  for (const json& one : cases) out += CaseRow(one, width, colour);
  if (passed < total || total == 0) out += Indented(BeforeCaseLines(TextAt(test, "output")), 12);
  if (const json& leaks = At(test, "leaks"); leaks.is_number_integer()) out += Line("leaks", leaks.dump(), colour);
  return out;
}

std::string RatioText(const json& ratio) {
  const std::uint64_t covered = CountAt(ratio, "covered"), total = CountAt(ratio, "total");
  if (total == 0) return "nothing to cover";
  return fmt::format("{:.0f} % ({} of {})", 100.0 * static_cast<double>(covered) / static_cast<double>(total), covered,
                     total);
}

std::string CoverageText(const json& coverage, bool colour) {
  std::string text = "lines " + RatioText(At(coverage, "lines"));
  if (At(coverage, "branches").is_object()) text += ", branches " + RatioText(At(coverage, "branches"));
  return Line("coverage", text, colour);
}

std::string StyleText(const json& style, bool colour) {
  const json& report = At(style, "report");
  const std::uint64_t count = CountAt(style, "errors");
  const std::string tool = OneLine(TextAt(report, "tool") + " " + TextAt(report, "version"), 60);
  std::string out = Line("style", fmt::format("{} {} ({})", count, count == 1 ? "remark" : "remarks", tool), colour);
  for (const json& error : At(report, "errors")) {
    const std::string line = CountAt(error, "line") > 0 ? fmt::format(":{}", CountAt(error, "line")) : "";
    out +=
        fmt::format("  {}{}: {}\n", OneLine(TextAt(error, "file"), 80), line, OneLine(TextAt(error, "message"), 120));
  }
  return out;
}

std::string ResultText(const json& result, bool colour) {
  std::string out;
  if (const json& part = At(result, "compilation"); part.is_object()) out += CompilationText(part, colour);
  if (const json& part = At(result, "test"); part.is_object()) {
    out += TestText(part, colour);
    if (const json& coverage = At(part, "coverage"); coverage.is_object()) out += CoverageText(coverage, colour);
  }
  if (const json& part = At(result, "style"); part.is_object()) out += StyleText(part, colour);
  if (const json& absent = At(result, "absent"); absent.is_object()) {
    for (const auto& [capability, why] : absent.items()) out += Line("absent", fmt::format("{}: {}", OneLine(capability, 20), OneLine(why.is_string() ? why.get<std::string>() : "", 200)), colour);
  }
  return out.empty() ? Line("no result", "nothing was asked for, or nothing could be had", colour) : out;
}

}  // namespace

AnswerVerdict VerdictOf(AnswerKind kind, std::string_view answer) {
  const json parsed = json::parse(answer, nullptr, false);
  return kind == AnswerKind::kJob ? VerdictOfJob(parsed) : VerdictOfEvaluation(parsed);
}

std::string AnswerText(std::string_view answer, bool colour) {
  const json parsed = json::parse(answer, nullptr, false);
  if (!At(parsed, "success").is_boolean()) return Lines(answer, "", std::string::npos);
  if (IsYes(At(parsed, "success"))) return ResultText(At(parsed, "result"), colour);
  return Line("no result", OneLine(TextAt(parsed, "message"), 500), colour);
}

}  // namespace tally
