#include "base/error.h"

#include <cstring>

namespace tally {
namespace {

std::string Describe(std::string_view call, int error) {
  std::string text(call);
  if (error != 0) text += ": " + ErrnoText(error);
  return text;
}

}  // namespace

SystemError::SystemError(std::string_view call, int error)
    : std::runtime_error(Describe(call, error)), error_(error) {}

std::string ErrnoText(int error) {
  const char* text = ::strerrordesc_np(error);
  return text != nullptr ? text : "error " + std::to_string(error);
}

}  // namespace tally
