#include "jobs/peer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "jobs/files.h"

namespace tally {
namespace {

using nlohmann::json;

// What a verdict and its figures need of a result, on its way from the companion.
json Packed(const RunResult& result) {
  json out{{"code", Name(result.code)},
           {"sentence", result.sentence},
           {"user", result.user_time.count()},
           {"system", result.sys_time.count()},
           {"stops", result.stop_time.count()},
           {"wall", result.wall_time.count()},
           {"ended", result.ended.count()},
           {"varies", result.count_varies}};
  if (result.limit) out["limit"] = static_cast<unsigned>(*result.limit);
  if (result.exit_code) out["exit_code"] = *result.exit_code;
  if (result.signal) out["signal"] = *result.signal;
  if (result.instructions.has_value()) out["instructions"] = result.instructions.value().count;
  if (result.memory.has_value()) out["memory"] = result.memory.value().count;
  if (result.syscalls.has_value()) out["syscalls"] = result.syscalls.value();
  if (result.output.has_value()) out["output"] = result.output.value().count;
  return out;
}

template <typename Value>
Measured<Value> Figure(const json& from, const char* key) {
  if (!from.contains(key)) return Measured<Value>::Absent("not measured of another process of the solution");
  return Value{from[key].get<std::uint64_t>()};
}

RunResult Unpacked(const json& from) {
  const auto time = [&](const char* key) { return Nanoseconds(from.at(key).get<std::int64_t>()); };
  RunResult result;
  result.code = ParseResultCode(from.at("code").get<std::string>()).value_or(ResultCode::kSe);
  result.sentence = from.at("sentence");
  result.user_time = time("user");
  result.sys_time = time("system");
  result.stop_time = time("stops");
  result.wall_time = time("wall");
  result.ended = time("ended");
  result.count_varies = from.at("varies");
  if (from.contains("limit")) result.limit = static_cast<LimitKind>(from["limit"].get<unsigned>());
  if (from.contains("exit_code")) result.exit_code = from["exit_code"].get<int>();
  if (from.contains("signal")) result.signal = from["signal"].get<int>();
  result.instructions = Figure<Instructions>(from, "instructions");
  result.memory = Figure<Bytes>(from, "memory");
  result.syscalls = Figure<std::uint64_t>(from, "syscalls");
  result.output = Figure<Bytes>(from, "output");
  return result;
}

}  // namespace

Peer::Peer(unsigned process, const Interactor& interactor, ProgramFor program_for, std::string error)
    : program_for_(std::move(program_for)),
      error_(std::move(error)),
      companion_(
          fmt::format("process {} of the solution", process), [this](const json& request, std::vector<Fd>& ends) { return RunOne(request, ends); },
          [&interactor, process] { interactor.Release(process); }) {}

std::string Peer::RunOne(const json& request, const std::vector<Fd>& ends) const {
  json answer;
  try {
    std::optional<Nanoseconds> wall;
    if (request.contains("wall")) wall = Nanoseconds(request["wall"].get<std::int64_t>());
    const Fd error = NewFile(error_);
    const bool has_streams = ends.size() == 2;
    const RunResult result = program_for_(request.at("test")).Run(has_streams ? ends[0].get() : -1, has_streams ? ends[1].get() : -1, error.get(), wall);
    answer = Packed(result);
  } catch (const std::exception& failure) {
    answer["failure"] = failure.what();
  }
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

void Peer::Start(const PackageTest& test, const Interactor::Ends& ends, std::optional<Nanoseconds> wall) const {
  json request{{"test", test.name}};
  if (wall) request["wall"] = wall->count();
  companion_.Send(request, ends.input.valid() ? std::vector<int>{ends.input.get(), ends.output.get()} : std::vector<int>());
}

RunResult Peer::Wait(const Companion::Between& meanwhile) const {
  const json answer = json::parse(companion_.Wait(meanwhile));
  if (answer.contains("failure")) throw SystemError(answer["failure"].get<std::string>(), 0);
  return Unpacked(answer);
}

}  // namespace tally
