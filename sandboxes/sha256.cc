#include "sandboxes/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tally {
namespace {

const unsigned char* Unsigned(std::string_view data) { return reinterpret_cast<const unsigned char*>(data.data()); }

}  // namespace

void Sha256::Update(std::string_view data) {
  total_ += data.size();
  if (pending_size_ > 0) {
    const std::size_t n = std::min(data.size(), pending_.size() - pending_size_);
    std::memcpy(pending_.data() + pending_size_, data.data(), n);
    pending_size_ += n;
    data.remove_prefix(n);
    if (pending_size_ < pending_.size()) return;
    Sha256Blocks(&state_, pending_.data(), 1);
    pending_size_ = 0;
  }
  const std::size_t blocks = data.size() / pending_.size();
  Sha256Blocks(&state_, Unsigned(data), blocks);
  data.remove_prefix(blocks * pending_.size());
  std::copy(data.begin(), data.end(), pending_.begin());
  pending_size_ = data.size();
}

std::string Sha256::Finish() {
  const std::uint64_t bits = total_ * 8;
  std::string padding(1, '\x80');
  padding.append((119 - pending_size_) % 64, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) padding += static_cast<char>(bits >> shift);
  Update(padding);
  std::string out;
  for (const std::uint32_t word : state_) out += fmt::format("{:08x}", word);
  return out;
}

}  // namespace tally
