#include "jobs/passes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/sys.h"
#include "jobs/feedback.h"
#include "jobs/files.h"
#include "supervisor/api/result_code.h"

namespace tally {

Passes::Passes(const PackageTest& test, unsigned most, Isolation isolation, std::string whose)
    : test_(test), most_(most), whose_(std::move(whose)), feedback_(MakeFeedbackFolder(directory_, isolation)) {}

std::string Passes::name() const { return pass_ == 1 ? test_.name : fmt::format("{}-pass-{}", test_.name, pass_); }

// Only a regular file is an input: a link must not be followed.
bool Passes::TakeInput() {
  const std::string left = feedback_ + "/nextpass.in";
  struct stat status {};
  if (::lstat(left.c_str(), &status) != 0) return false;
  if (!S_ISREG(status.st_mode)) throw UserError(whose_ + " failed: nextpass.in is no regular file");
  const std::string own = directory_.File(fmt::format("in-{}", pass_ + 1));
  const Fd in(::open(left.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!in.valid()) throw SystemError("open " + left, errno);
  const Fd out = sys::Open(own, O_WRONLY | O_CREAT | O_EXCL, 0644);
  sys::WriteAll(out.get(), sys::MapFile(in.get(), left).text(), own);
  ::unlink(left.c_str());
  test_.input = own;
  return true;
}

bool Passes::Next(Environ* result) {
  const bool is_right = result->Text("result_code") == Name(ResultCode::kOk);
  for (const auto& [key, value] : result->object().items()) {
    if (!value.is_number_unsigned() || key == "result_percentage") continue;
    std::uint64_t& most = most_taken_[key];
    most = std::max(most, value.get<std::uint64_t>());
  }
  for (const auto& [key, most] : most_taken_) result->Set(key, most);
  const bool has_next = TakeInput();
  const auto fail = [&](const std::string& why) {
    result->Set("result_code", Name(ResultCode::kSe));
    result->Set("result_string", whose_ + " failed: " + why);
    result->Set("result_percentage", std::uint64_t{0});
  };
  if (!is_right) {
    if (has_next && result->Text("result_code") == Name(ResultCode::kWa)) {
      fail("it refused the output, and left an input for another pass");
    } else if (pass_ > 1) {
      result->Set("result_string", fmt::format("pass {}: {}", pass_, result->Text("result_string")));
    }
    return false;
  }
  if (!has_next) return false;
  if (pass_ == most_) {
    fail(fmt::format("it left an input for pass {}, and there are {} at most (limits: validation_passes)", pass_ + 1, most_));
    return false;
  }
  ++pass_;
  return true;
}

}  // namespace tally
