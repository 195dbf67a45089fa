#include "cli/terminal.h"

namespace tally {

std::string PaintCode(ResultCode code, bool colour) {
  switch (code) {
    case ResultCode::kOk: return Paint(Name(code), "1;32", colour);
    case ResultCode::kTle:
    case ResultCode::kMle:
    case ResultCode::kOle: return Paint(Name(code), "1;33", colour);
    case ResultCode::kSe: return Paint(Name(code), "1;35", colour);
    default: return Paint(Name(code), "1;31", colour);
  }
}

}  // namespace tally
