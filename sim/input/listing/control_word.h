// SPDX-License-Identifier: MIT
// The scheduling part of an instruction's encoding, Volta and later: 21 bits in the upper half of the 128.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/model/isa/instr.h"

namespace gpusim::frontend::sass {

/// The fields as they stand in the word; a counter of kNoBarrier is none.
struct ControlField {
  std::uint8_t stall = 0;  ///< 0 to 15
  bool yield = false;      ///< the bit is clear: the scheduler prefers another warp
  std::uint8_t write_barrier = isa::kNoBarrier;
  std::uint8_t read_barrier = isa::kNoBarrier;
  std::uint8_t wait_mask = 0;
  std::uint8_t reuse = 0;  ///< reuse bits of source operands 0 to 3
  friend bool operator==(const ControlField&, const ControlField&) = default;
};

/// From and to bits 41 to 61 of an instruction's upper 64 bits; encode() leaves the others clear. Nothing for a counter
/// that does not exist (6).
[[nodiscard]] std::optional<ControlField> decode_control(std::uint64_t upper);
[[nodiscard]] std::uint64_t encode_control(const ControlField& field);

/// maxas: "01:-:2:Y:4" for wait mask, read counter, write counter, yield, stall. The counters are numbered from 1.
[[nodiscard]] std::optional<isa::ControlBits> parse_maxas_control(std::string_view text);

[[nodiscard]] isa::ControlBits to_control_bits(const ControlField& field);

}  // namespace gpusim::frontend::sass
