// NVIDIA's GPUs through NVML, if the driver's library is on this machine: it is loaded when the agent starts, and
// nothing of it is needed to build. Without the library, or without a GPU, every look says why.
#pragma once

#include <memory>
#include <string>

#include "profile/metrics/measurement.h"

namespace tally {

class GpuMeter {
 public:
  GpuMeter();
  ~GpuMeter();
  GpuMeter(const GpuMeter&) = delete;
  GpuMeter& operator=(const GpuMeter&) = delete;

  // Why there is nothing to measure; "" where there is.
  [[nodiscard]] const std::string& absent() const { return absent_; }
  // Appends what each GPU says.
  void Take(Sample* sample);

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  std::string absent_;
};

}  // namespace tally
