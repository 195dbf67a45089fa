#include "profile/timeline/timeline_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/sys.h"
#include "profile/timeline/tables.h"

namespace tally {
namespace {

constexpr std::size_t kBuffered = 1024;

template <typename T>
std::string_view BytesOf(const T* things, std::size_t count) {
  return {reinterpret_cast<const char*>(things), count * sizeof(T)};
}

}  // namespace

TimelineWriter::TimelineWriter(const std::string& path)
    : path_(path), file_(sys::Open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600)) {
  TimelineHeader unfinished;
  unfinished.magic = {};
  sys::WriteAll(file_.get(), BytesOf(&unfinished, 1), path_);
}

void TimelineWriter::Add(TimelineRecord record) {
  record.at = record.begin;
  if (left_in_block_ == 0) BeginBlock(record.begin);
  --left_in_block_;
  ++events_;
  Write(record);
  if (record.end > record.begin) open_.push_back(record);
}

void TimelineWriter::BeginBlock(std::uint64_t now) {
  std::erase_if(open_, [now](const TimelineRecord& record) { return record.end <= now; });
  block_begin_ = records_;
  left_in_block_ = std::max(kBlock, 4 * open_.size());
  for (TimelineRecord record : open_) {
    record.at = now;
    record.flags |= TimelineRecord::kContinued;
    Write(record);
  }
}

void TimelineWriter::Write(const TimelineRecord& record) {
  buffer_.push_back(record);
  buffer_.back().back = static_cast<std::uint32_t>(records_ - block_begin_);
  ++records_;
  if (buffer_.size() == kBuffered) Flush();
}

void TimelineWriter::Flush() {
  sys::WriteAll(file_.get(), BytesOf(buffer_.data(), buffer_.size()), path_);
  buffer_.clear();
}

void TimelineWriter::Finish(const TimelineTables& tables, const TimelineObjects& objects) {
  Flush();
  sys::WriteAll(file_.get(), objects.rows(), path_);
  sys::WriteAll(file_.get(), objects.names(), path_);
  const std::string encoded = EncodeTables(tables);
  sys::WriteAll(file_.get(), encoded, path_);
  TimelineHeader header;
  header.records = records_;
  header.tables_size = encoded.size();
  header.objects = objects.rows().size() / sizeof(ObjectRow);
  header.names_size = objects.names().size();
  if (::pwrite(file_.get(), &header, sizeof(header), 0) != sizeof(header)) throw SystemError("write " + path_, errno);
}

}  // namespace tally
