// SPDX-License-Identifier: MIT
// The box that a copy by the TMA moves, from the addresses that a recording has of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/model/trace/async.h"

namespace gpusim::frontend::accelsim {

/// The box of which `addresses` are the pieces, `width` bytes each, the innermost dimension first; pieces that touch
/// are one row. Its elements are bytes, and it lies from the first address on. Nothing where the pieces do not make up
/// a box of at most five dimensions.
[[nodiscard]] std::optional<trace::TensorMap> box_of_rows(std::span<const Address> addresses, std::uint64_t width);

}  // namespace gpusim::frontend::accelsim
