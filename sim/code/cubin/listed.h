// SPDX-License-Identifier: MIT
// A listing of SASS with encodings, as cuobjdump -sass, nvdisasm -hex and gpusim disasm --hex print it, in the place of
// the cubin that it was made from.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sim/code/cubin/module.h"

namespace gpusim::cubin {

/// Most bytes of a listing that are read.
inline constexpr std::size_t kMostListingBytes = std::size_t{256} << 20U;

/// Whether bytes that begin so are a listing of SASS.
[[nodiscard]] bool is_listing_text(std::string_view beginning);

/// Hands on the parts of a listing, one for each cubin that was printed, with the number of the first line of each.
void for_each_listed(std::string_view text, const std::function<void(std::string_view part, std::uint32_t line)>& take);

/// What the part of a listing that begins in `first_line` says of its cubin. Functions without a word on their
/// resources get what their code uses. Throws InputError for code without encodings, for lines that are damaged or
/// missing, and where nothing says which SM the code is for.
[[nodiscard]] Module read_listed(std::string_view text, const std::string& name, std::uint32_t first_line);

}  // namespace gpusim::cubin
