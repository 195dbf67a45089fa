// What an operator decides for all evaluations of a worker; each answer repeats it (`sysconf`), so that a client can
// tell why two workers differ.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/units.h"
#include "jobs/worker_bounds.h"

namespace tally {

// What the tests, and the solution with them, may write on stdout, and on stderr; who writes more is ended. It holds the largest
// `max_output_size`, however many bytes its characters have (4 at most, RFC 3629).
inline constexpr Bytes kMostWritten = Bytes::MiB(8);

struct EvaluationSettings {
  Characters max_output_size{65536};  // of each text that is answered; what is longer is cut
  Nanoseconds compile_timeout = std::chrono::seconds(60);  // of the whole phase, wall time
  Nanoseconds style_timeout = std::chrono::seconds(60);
  Nanoseconds test_timeout = std::chrono::seconds(120);
  Nanoseconds codecov_timeout = std::chrono::seconds(60);
  double cpu_quota = 1;                      // processors (cpu_quota.h)
  Bytes memory_limit = Bytes::MiB(512);      // of each process group that is run
  bool host_network = false;
  std::int64_t image_cache_seconds = 300;    // how long descriptions and images are not looked at again; -1: for ever
  Nanoseconds auto_shutdown = std::chrono::minutes(10);
  WorkerBounds bounds{.output = Bytes::MiB(256), .processes = 64};  // of a package's programs; and of all that jobs ask for
  std::size_t instance = 0;  // of several beside each other, which one this is: they choose different processors
};

}  // namespace tally
