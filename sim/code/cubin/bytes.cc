// SPDX-License-Identifier: MIT
#include "sim/code/cubin/bytes.h"

#include "sim/base/problem.h"

namespace gpusim::cubin {

void fail(const std::string& file, const std::string& message, const std::string& hint) {
  throw InputError(Problem{{file, 0, 0}, message, hint});
}

Bytes Bytes::part(std::uint64_t at, std::uint64_t count, std::string_view what) const {
  if (!has(at, count)) {
    fail(*file_,
         "is cut off or damaged: " + std::string(what) + " would end at byte " + std::to_string(at + count) + " of " +
             std::to_string(bytes_.size()),
         "copy or compile it again");
  }
  return {bytes_.substr(at, count), *file_};
}

std::string_view Bytes::text(std::uint64_t at) const {
  const std::size_t end = at < bytes_.size() ? bytes_.find('\0', at) : std::string_view::npos;
  if (end == std::string_view::npos) {
    fail(*file_, "is damaged: a name has no end", "copy or compile it again");
  }
  return bytes_.substr(at, end - at);
}

std::uint64_t Bytes::number(std::uint64_t at, unsigned width) const {
  const std::string_view bytes = part(at, width, "a number").bytes_;
  std::uint64_t value = 0;
  for (unsigned i = width; i-- > 0;) {
    value = value << 8U | static_cast<std::uint8_t>(bytes[i]);
  }
  return value;
}

}  // namespace gpusim::cubin
