// SPDX-License-Identifier: MIT
// Fatbins: several cubins and PTX texts one after another, each maybe compressed.
// Format: measured on those of nvcc 11 to 13.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/code/cubin/bytes.h"

namespace gpusim::cubin {

enum class Compression : std::uint8_t { kNone, kLz4, kZstd };

struct Member {
  bool is_ptx = false;
  unsigned sm = 0;
  Compression compression = Compression::kNone;
  std::uint64_t unpacked_bytes = 0;
  std::string_view payload;  ///< points into the file

  /// The cubin or text. Throws InputError when it cannot be unpacked; `file` stands for it in messages.
  [[nodiscard]] std::string unpack(const std::string& file) const;
};

/// The members of all fatbins that stand one after another, as in a program's .nv_fatbin.
[[nodiscard]] std::vector<Member> read_fatbins(const Bytes& bytes);

}  // namespace gpusim::cubin
