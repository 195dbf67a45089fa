#include "supervisor/machine/virtual_status.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <string>

#include "supervisor/machine/answers.h"
#include "supervisor/machine/virtual_clock.h"

namespace tally {
namespace {

static_assert(std::chrono::seconds(kFirstDay) == VirtualClock::kEpoch);

constexpr std::int64_t BlocksOf(std::int64_t size) { return (size + kFileBlock - 1) / kFileBlock * (kFileBlock / kStatusBlock); }

bool WasPlaced(const FilesOfRun& files, const FilesOfRun::Number& number) {
  return std::find(files.placed.begin(), files.placed.end(), number) != files.placed.end();
}

std::int64_t VirtualTime(const FilesOfRun& files, mode_t mode, const FilesOfRun::Number& number, std::int64_t written) {
  const bool is_of_run = number.device == files.box || WasPlaced(files, number);
  return S_ISREG(mode) && !is_of_run && written < files.began ? written : kFirstDay;
}

// Which file it is.
FilesOfRun::Number VirtualNumber(const FilesOfRun& files, mode_t mode, const FilesOfRun::Number& number) {
  const bool moves = files.box != 0 && S_ISREG(mode) && WasPlaced(files, number);
  return moves ? FilesOfRun::Number{files.box, number.file | std::uint64_t{1} << kPlacedBit} : number;
}

}  // namespace

void FilesOfRun::Place(const std::string& path) {
  const auto free = std::find(placed.begin(), placed.end(), Number{});
  struct stat status {};
  if (free != placed.end() && ::stat(path.c_str(), &status) == 0) *free = {status.st_dev, status.st_ino};
}

void FilesOfRun::Begin(pid_t tid) {
  began = ::time(nullptr);
  const std::string root = fmt::format("/proc/{}/root", tid);
  struct statfs system {};
  struct stat status {};
  const bool is_made = ::statfs(root.c_str(), &system) == 0 && system.f_type == TMPFS_MAGIC && ::stat(root.c_str(), &status) == 0;
  if (is_made) box = status.st_dev;
}

void MakeVirtual(const FilesOfRun& files, struct stat* status) {
  if (S_ISDIR(status->st_mode)) {
    status->st_nlink = 1;
    status->st_size = kFileBlock;
  }
  if (S_ISDIR(status->st_mode) || S_ISREG(status->st_mode)) status->st_blocks = BlocksOf(status->st_size);
  status->st_blksize = kFileBlock;
  const FilesOfRun::Number number{status->st_dev, status->st_ino};
  const timespec time{VirtualTime(files, status->st_mode, number, status->st_mtim.tv_sec), 0};
  const auto [device, file] = VirtualNumber(files, status->st_mode, number);
  status->st_dev = device;
  status->st_ino = file;
  status->st_atim = status->st_mtim = status->st_ctim = time;
}

// Kernels differ in what they say beside (attributes, the mount's number, alignments): nothing of that is said.
void MakeVirtual(const FilesOfRun& files, std::uint32_t asked, struct statx* status) {
  struct statx told {};
  told.stx_mask = STATX_BASIC_STATS | STATX_BTIME;
  told.stx_nlink = S_ISDIR(status->stx_mode) ? 1 : status->stx_nlink;
  told.stx_uid = status->stx_uid;
  told.stx_gid = status->stx_gid;
  told.stx_mode = status->stx_mode;
  told.stx_size = S_ISDIR(status->stx_mode) ? kFileBlock : status->stx_size;
  told.stx_blocks = S_ISDIR(status->stx_mode) || S_ISREG(status->stx_mode) ? static_cast<std::uint64_t>(BlocksOf(static_cast<std::int64_t>(told.stx_size))) : status->stx_blocks;
  told.stx_blksize = kFileBlock;
  told.stx_rdev_major = status->stx_rdev_major;
  told.stx_rdev_minor = status->stx_rdev_minor;
  const FilesOfRun::Number number{makedev(status->stx_dev_major, status->stx_dev_minor), status->stx_ino};
  const auto [device, file] = VirtualNumber(files, status->stx_mode, number);
  told.stx_ino = file;
  told.stx_dev_major = major(device);
  told.stx_dev_minor = minor(device);
  const bool is_told = (asked & (STATX_MTIME | STATX_CTIME)) != 0;
  told.stx_mtime.tv_sec = is_told ? VirtualTime(files, status->stx_mode, number, status->stx_mtime.tv_sec) : kFirstDay;
  told.stx_atime = told.stx_btime = told.stx_ctime = told.stx_mtime;
  *status = told;
}

bool TellsStatus(std::uint64_t number) { return std::find(std::begin(kStatusCalls), std::end(kStatusCalls), number) != std::end(kStatusCalls); }

void MakeWrittenVirtual(const FilesOfRun& files, pid_t tid, const StoppedCall& call) {
  const auto& a = call.arguments;
  if (call.number == SYS_statx) {
    struct statx status {};
    if (!ReadValue(tid, a[4], &status)) return;
    MakeVirtual(files, static_cast<std::uint32_t>(a[3]), &status);
    WriteAnswer(tid, a[4], status);
    return;
  }
  const std::uint64_t address = call.number == SYS_newfstatat ? a[2] : a[1];
  struct stat status {};
  if (!ReadValue(tid, address, &status)) return;
  MakeVirtual(files, &status);
  WriteAnswer(tid, address, status);
}

}  // namespace tally
