// SPDX-License-Identifier: MIT
// Where the lines of a DRAM channel lie, as an expression: "row bank^ column group^" from the most significant field of
// a line's number to the least. NAME/N takes only N of the values of NAME here and leaves the rest to another field of
// that name; ^ rotates the field by a hash of all that is above it, as controllers XOR upper bits in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/model/arch/dram_config.h"

namespace gpusim::arch {

struct AddressField {
  enum class Field : std::uint8_t { kRow, kBank, kColumn, kGroup } field = Field::kRow;
  std::uint64_t size = 0;   ///< values; 0: all that are left, of the first row
  std::uint64_t scale = 1;  ///< what one of them counts among those of its field
  bool hashed = false;
};

/// What is wrong with an expression, and what to do.
struct MappingProblem {
  std::string what;
  std::string hint;
};

/// The fields of `dram.mapping`, the most significant first, one-to-one for this channel's groups, banks and columns
/// (lines of a row); or why they are not.
[[nodiscard]] std::variant<std::vector<AddressField>, MappingProblem> parse_mapping(const DramConfig& dram);

}  // namespace gpusim::arch
