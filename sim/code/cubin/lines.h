// SPDX-License-Identifier: MIT
// Lines of the source from .debug_line: the line programs of DWARF 2 to 4, as ptxas writes them with -lineinfo.
// Source: DWARF Debugging Information Format, version 4, section 6.2.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/code/cubin/bytes.h"

namespace gpusim::cubin {

struct LineRow {
  std::uint64_t function = 0;  ///< what the caller said of the place that sets the address
  std::uint64_t address = 0;
  std::uint32_t file = 0;  ///< index into `files`
  std::uint32_t line = 0;
};

struct LineTable {
  std::vector<LineRow> rows;
  std::vector<std::string> files;
};

/// Where an address that the section holds points to: the function, and the place in it. A Locate returns nothing for
/// an address that is in no function that counts.
struct CodeAddress {
  std::uint64_t function = 0;
  std::uint64_t address = 0;
};
using Locate = std::function<std::optional<CodeAddress>(std::uint64_t offset, std::uint64_t value)>;

/// Whatever the bytes, it returns or throws InputError.
[[nodiscard]] LineTable read_lines(const Bytes& section, const Locate& locate);

}  // namespace gpusim::cubin
