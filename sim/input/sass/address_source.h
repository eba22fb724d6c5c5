// SPDX-License-Identifier: MIT
// Which kernel argument an address is computed from, as far as the code before it tells: a name for a hole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/input/listing/listing.h"

namespace gpusim::frontend::sass {

/// "arg_160" for an address that begins at c[0x0][0x160]; nothing when the trail is lost.
[[nodiscard]] std::optional<std::string> argument_of_address(const ListedFunction& function, std::uint32_t access);

}  // namespace gpusim::frontend::sass
