// SPDX-License-Identifier: MIT
// A listing as a trace in the text form, with a hole wherever the code alone does not say what happens at run time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/input/listing/listing.h"

namespace gpusim::frontend::sass {

/// The text of the trace; `name` stands for the listing in messages. Throws InputError with every problem.
[[nodiscard]] std::string program_of(const std::vector<ListedFunction>& functions, const std::string& name);
/// As program_of(), for a listing that is still to be read.
[[nodiscard]] std::string program_from_listing(std::string_view listing, const std::string& name);

}  // namespace gpusim::frontend::sass
