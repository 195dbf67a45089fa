#include "profile/metrics/gpu_meter.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <vector>

namespace tally {
namespace {

constexpr const char* kLibrary = "libnvidia-ml.so.1";

// As NVML's interface lays them out; its numbers stay the same from one driver to the next.
using NvmlDevice = void*;
struct NvmlUtilization {
  unsigned gpu, memory;  // percent
};
struct NvmlMemory {
  unsigned long long total, free, used;  // bytes
};
constexpr int kSuccess = 0;

}  // namespace

struct GpuMeter::Library {
  void* handle = nullptr;
  int (*init)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*device)(unsigned, NvmlDevice*) = nullptr;
  int (*utilization)(NvmlDevice, NvmlUtilization*) = nullptr;
  int (*memory)(NvmlDevice, NvmlMemory*) = nullptr;
  const char* (*error_text)(int) = nullptr;
  std::vector<NvmlDevice> devices;

  // The reason, when there is nothing to ask.
  std::string Open() {
    handle = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return fmt::format("{} cannot be loaded", kLibrary);
    const bool complete = Find("nvmlInit_v2", &init) && Find("nvmlDeviceGetCount_v2", &count) &&
                          Find("nvmlDeviceGetHandleByIndex_v2", &device) &&
                          Find("nvmlDeviceGetUtilizationRates", &utilization) &&
                          Find("nvmlDeviceGetMemoryInfo", &memory) && Find("nvmlErrorString", &error_text);
    if (!complete) return fmt::format("{} lacks a function", kLibrary);
    if (const int error = init(); error != kSuccess) return fmt::format("nvmlInit: {}", error_text(error));
    unsigned found = 0;
    if (const int error = count(&found); error != kSuccess)
      return fmt::format("nvmlDeviceGetCount: {}", error_text(error));
    for (unsigned i = 0; i < found; ++i) {
      NvmlDevice one = nullptr;
      if (const int error = device(i, &one); error != kSuccess) {
        return fmt::format("nvmlDeviceGetHandleByIndex({}): {}", i, error_text(error));
      }
      devices.push_back(one);
    }
    return found == 0 ? "NVML finds no GPU" : "";
  }

  template <typename Function>
  bool Find(const char* name, Function* function) {
    *function = reinterpret_cast<Function>(::dlsym(handle, name));
    return *function != nullptr;
  }
};

GpuMeter::GpuMeter() : library_(std::make_unique<Library>()), absent_(library_->Open()) {}

// The library stays loaded: the process ends soon, and drivers have threads of their own.
GpuMeter::~GpuMeter() = default;

void GpuMeter::Take(Sample* sample) {
  if (!absent_.empty()) {
    sample->failed.push_back({{"gpu_utilization", ""}, absent_});
    sample->failed.push_back({{"gpu_memory_free", ""}, absent_});
    return;
  }
  for (std::size_t i = 0; i < library_->devices.size(); ++i) {
    const std::string gpu = std::to_string(i);
    NvmlUtilization utilization{};
    NvmlMemory memory{};
    const int no_utilization = library_->utilization(library_->devices[i], &utilization);
    const int no_memory = library_->memory(library_->devices[i], &memory);
    if (no_utilization == kSuccess) {
      sample->measured.push_back({{"gpu_utilization", gpu}, "percent", static_cast<double>(utilization.gpu)});
    } else {
      sample->failed.push_back({{"gpu_utilization", gpu}, library_->error_text(no_utilization)});
    }
    if (no_memory == kSuccess) {
      sample->measured.push_back({{"gpu_memory_free", gpu}, "bytes", static_cast<double>(memory.free)});
    } else {
      sample->failed.push_back({{"gpu_memory_free", gpu}, library_->error_text(no_memory)});
    }
  }
}

}  // namespace tally
