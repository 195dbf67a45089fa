#include "filetracker/gzip.h"

#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <functional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/sys.h"
#include "sandboxes/sha256.h"

namespace tally::filetracker {
namespace {

constexpr std::size_t kBlock = 1 << 17;
constexpr int kGzip = 15 + 16;  // window bits, and the format (zlib.h)

// Calls `take` with each piece of the file.
void ForEachBlock(int file, const std::function<void(std::string_view)>& take) {
  std::vector<char> block(kBlock);
  for (off_t at = 0;;) {
    const ssize_t n = ::pread(file, block.data(), block.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw SystemError("read a file", errno);
    if (n == 0) return;
    at += n;
    take({block.data(), static_cast<std::size_t>(n)});
  }
}

Bytef* AsBytes(const char* data) { return reinterpret_cast<Bytef*>(const_cast<char*>(data)); }

}  // namespace

Sums Compress(int from, int to) {
  Sums sums;
  Sha256 sha;
  z_stream stream{};
  if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw SystemError("deflateInit2", 0);
  std::vector<char> out(kBlock);
  const auto drain = [&](int flush) {
    do {
      stream.next_out = AsBytes(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      ::deflate(&stream, flush);
      sys::WriteAll(to, std::string_view(out.data(), out.size() - stream.avail_out), "a compressed file");
    } while (stream.avail_out == 0);
  };
  try {
    ForEachBlock(from, [&](std::string_view block) {
      sums.size += block.size();
      sha.Update(block);
      stream.next_in = AsBytes(block.data());
      stream.avail_in = static_cast<uInt>(block.size());
      drain(Z_NO_FLUSH);
    });
    drain(Z_FINISH);
  } catch (...) {
    ::deflateEnd(&stream);
    throw;
  }
  ::deflateEnd(&stream);
  sums.sha256 = sha.Finish();
  return sums;
}

Sums Decompress(int from, int to, std::optional<std::uint64_t> most) {
  Sums sums;
  Sha256 sha;
  z_stream stream{};
  if (::inflateInit2(&stream, kGzip) != Z_OK) throw SystemError("inflateInit2", 0);
  std::vector<char> out(kBlock);
  int status = Z_OK;
  const auto fail = [](const char* why) { throw SystemError(std::string("decompress what was downloaded: ") + why, 0); };
  try {
    ForEachBlock(from, [&](std::string_view block) {
      stream.next_in = AsBytes(block.data());
      stream.avail_in = static_cast<uInt>(block.size());
      while (stream.avail_in > 0) {
        if (status == Z_STREAM_END) ::inflateReset(&stream);  // another member
        stream.next_out = AsBytes(out.data());
        stream.avail_out = static_cast<uInt>(out.size());
        status = ::inflate(&stream, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) fail("it is damaged");
        const std::string_view made(out.data(), out.size() - stream.avail_out);
        sums.size += made.size();
        if (most && sums.size > *most) fail("it is longer than its Logical-Size");
        sha.Update(made);
        sys::WriteAll(to, made, "a downloaded file");
      }
    });
    if (status != Z_STREAM_END) fail("it is cut off");
  } catch (...) {
    ::inflateEnd(&stream);
    throw;
  }
  ::inflateEnd(&stream);
  sums.sha256 = sha.Finish();
  return sums;
}

Sums Copy(int from, int to) {
  Sums sums;
  Sha256 sha;
  ForEachBlock(from, [&](std::string_view block) {
    sums.size += block.size();
    sha.Update(block);
    sys::WriteAll(to, block, "a downloaded file");
  });
  sums.sha256 = sha.Finish();
  return sums;
}

}  // namespace tally::filetracker
