#include "cli/terminal.h"

namespace tally {

const char* StyleOf(ResultCode code) {
  switch (code) {
    case ResultCode::kOk: return "1;32";
    case ResultCode::kTle:
    case ResultCode::kMle:
    case ResultCode::kOle: return "1;33";
    case ResultCode::kSe: return "1;35";
    default: return "1;31";
  }
}

std::string PaintCode(ResultCode code, bool colour) { return Paint(Name(code), StyleOf(code), colour); }

}  // namespace tally
