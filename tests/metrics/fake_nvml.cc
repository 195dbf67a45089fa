// A driver's library for machines without one: two GPUs, of which the second does not tell how busy it is.
extern "C" {
struct Utilization {
  unsigned gpu, memory;
};
struct Memory {
  unsigned long long total, free, used;
};

int nvmlInit_v2() { return 0; }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  static int devices[2];
  *device = &devices[index];
  devices[index] = static_cast<int>(index);
  return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, Utilization* out) {
  if (*static_cast<int*>(device) == 1) return 3;
  *out = {73, 20};
  return 0;
}
int nvmlDeviceGetMemoryInfo(void* device, Memory* out) {
  *out = {1000, 600 + static_cast<unsigned long long>(*static_cast<int*>(device)), 400};
  return 0;
}
const char* nvmlErrorString(int error) { return error == 3 ? "Not Supported" : "Success"; }
}
