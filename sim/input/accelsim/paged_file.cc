// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/paged_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sim/base/problem.h"

namespace gpusim::frontend::accelsim {

PagedFile::PagedFile(const std::filesystem::path& path, OnBytes on_bytes)
    : name_(path.string()), file_(std::fopen(path.c_str(), "rb")), on_bytes_(std::move(on_bytes)) {
  std::error_code error;
  size_ = std::filesystem::file_size(path, error);
  if (file_ == nullptr || error) {
    throw InputError(Problem{{name_, 0, 0}, std::string("cannot be opened: ") + std::strerror(errno), ""});
  }
}

void PagedFile::read(std::uint64_t at, std::span<char> into) {
  const bool sought = fseeko(file_.get(), static_cast<off_t>(at), SEEK_SET) == 0;
  if (!sought || std::fread(into.data(), 1, into.size(), file_.get()) != into.size()) {
    throw InputError(Problem{{name_, 0, 0}, "the file changed while it was read, or cannot be read", "try again"});
  }
  if (on_bytes_) {
    on_bytes_(into.size());
  }
}

void PagedFile::fail_damaged(const std::string& what) const {
  throw InputError(Problem{{name_, 0, 0}, "is damaged or cut off: " + what, "copy it or download it again"});
}

std::uint64_t PagedNumbers::next(std::size_t bytes) {
  if (left() < bytes) {
    file_->fail_damaged(what_);
  }
  if (at_ < window_at_ || at_ + bytes > window_at_ + window_.size()) {
    window_.resize(std::min<std::uint64_t>(kWindowBytes, end_ - at_));
    window_at_ = at_;
    file_->read(at_, window_);
  }
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) {
    value = value << 8U | static_cast<std::uint8_t>(window_[at_ - window_at_ + i]);
  }
  at_ += bytes;
  return value;
}

}  // namespace gpusim::frontend::accelsim
