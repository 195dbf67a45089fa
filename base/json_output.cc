#include "base/json_output.h"

#include <cstdio>
#include <utility>

#include "base/atomic_file.h"

namespace tally {
namespace {

constexpr const char* kOption = "--json";

}  // namespace

JsonOutput::JsonOutput(std::string target) : target_(std::move(target)) {
  if (wanted() && !to_stdout()) AtomicFile(target_, kOption);
}

void JsonOutput::Write(std::string_view json) const {
  if (!wanted()) return;
  // Whether it arrived is looked at when the command ends, as for all that is printed.
  if (to_stdout()) std::fwrite(json.data(), 1, json.size(), stdout);
  else WriteFileAtomically(target_, json, kOption);
}

}  // namespace tally
