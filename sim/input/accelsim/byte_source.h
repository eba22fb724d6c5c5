// SPDX-License-Identifier: MIT
// The text of a trace, however a file stores it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace gpusim::frontend::accelsim {

/// Hears of each so many bytes of a file that have been read; 0 where only more of them was decompressed.
using OnBytes = std::function<void(std::uint64_t)>;

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Appends at least one byte, or returns false at the end. Throws InputError when what is stored is damaged.
  virtual bool append_to(std::string& out) = 0;
};

}  // namespace gpusim::frontend::accelsim
