// Until style_report.cc, coverage_report.cc and check_xml.cc are here: whoever adds one of them takes its functions out of
// this file, and the last one the file.
#include "base/error.h"
#include "evaluation/checkstyle_report.h"
#include "evaluation/coverage_report.h"
#include "evaluation/junit_xml.h"
#include "evaluation/style_report.h"
#include "evaluation/xml_coverage.h"

namespace tally {

bool IsStyleFormat(std::string_view format) { return format == "lines" || format == "cppcheck" || format == "checkstyle"; }
std::vector<StyleError> ReadStyleReport(std::string_view format, std::string_view text, std::string_view folder) {
  if (format == "checkstyle") return ReadCheckstyle(text, folder);
  throw UserError("style reports cannot be read yet");
}
bool IsCoverageFormat(std::string_view format) { return format == "gcov" || format == "cobertura" || format == "jacoco"; }
std::vector<FileCoverage> ReadCoverageReport(std::string_view format, std::string_view text, const std::vector<std::string>&) {
  if (format == "cobertura") return ReadCobertura(text);
  if (format == "jacoco") return ReadJacoco(text);
  throw UserError("coverage reports cannot be read yet");
}
JUnitReport ReadCheckXml(std::string_view) { return {{}, "Check's XML cannot be read yet"}; }

}  // namespace tally
