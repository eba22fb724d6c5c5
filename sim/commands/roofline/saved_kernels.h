// SPDX-License-Identifier: MIT
// The kernels of a saved result under the roofs of the machine they were simulated on.
#pragma once

#include <string>

namespace gpusim::roofline {
struct Report;
}  // namespace gpusim::roofline

namespace gpusim::commands {

/// `level_name`: dram, l2, l1 or shared. Throws InputError when the file holds no result, or one without work.
[[nodiscard]] roofline::Report roofline_of_result(const std::string& file, const std::string& level_name);

}  // namespace gpusim::commands
