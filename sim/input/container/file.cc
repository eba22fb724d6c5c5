// SPDX-License-Identifier: MIT
#include "sim/input/container/file.h"

#include <algorithm>
#include <system_error>

namespace gpusim::container {
namespace {

/// Numbers in files are least byte first.
std::string little_endian(std::uint64_t number, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) {
    text += static_cast<char>(number >> 8 * i & 0xffU);
  }
  return text;
}

std::uint64_t number_at(std::string_view text, std::size_t at, unsigned bytes) {
  std::uint64_t number = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    number |= std::uint64_t{static_cast<unsigned char>(text[at + i])} << 8 * i;
  }
  return number;
}

}  // namespace

std::string start_of_file() {
  return std::string(kMagic) + little_endian(kVersion, 4);
}

std::string end_of_file(const Section& index) {
  return little_endian(index.stored, 4) + little_endian(index.bytes, 4) + little_endian(index.checksum, 8) +
         std::string(kEndMagic);
}

File::File(const std::filesystem::path& path) : name_(path.string()), in_(path, std::ios::binary) {
  std::error_code error;
  size_ = std::filesystem::file_size(path, error);
  if (!in_ || error) {
    fail(name_, "cannot be opened");
  }
  check_start();
}

void File::check_start() {
  if (size_ < kStartBytes + kEndBytes) {
    fail_damaged(name_, "it ends after " + std::to_string(size_) + " bytes");
  }
  const std::string start = read(0, kStartBytes);
  if (!start.starts_with(kMagic)) {
    fail(name_, "is not a container of a trace");
  }
  const std::uint64_t version = number_at(start, kMagic.size(), 4);
  if (version < kFirstVersion || version > kVersion) {
    fail(name_, "is a container of version " + std::to_string(version),
         "this program reads versions " + std::to_string(kFirstVersion) + " to " + std::to_string(kVersion) +
             (version < kFirstVersion ? "; import it again" : "; a newer one may read it"));
  }
  version_ = static_cast<std::uint32_t>(version);
}

Section File::index() {
  const std::string end = read(size_ - kEndBytes, kEndBytes);
  if (!end.ends_with(kEndMagic)) {
    fail_damaged(name_,
                 "it does not end as a container does; is it cut off after " + std::to_string(size_) + " bytes?");
  }
  const Section index{number_at(end, 0, 4), number_at(end, 4, 4), number_at(end, 8, 8)};
  if (index.stored > std::min(size_ - kStartBytes - kEndBytes, kMostStoredBytes) || index.bytes > kMostSectionBytes) {
    fail_damaged(name_, "its index has " + std::to_string(index.stored) + " bytes");
  }
  return index;
}

std::string File::read(std::uint64_t offset, std::uint64_t bytes) {
  std::string out(bytes, '\0');
  const std::lock_guard guard(reading_);
  in_.clear();
  in_.seekg(static_cast<std::streamoff>(offset));
  if (!in_.read(out.data(), static_cast<std::streamsize>(bytes))) {
    fail(name_, "cannot be read beyond byte " + std::to_string(offset), "did it change while it was read?");
  }
  return out;
}

}  // namespace gpusim::container
