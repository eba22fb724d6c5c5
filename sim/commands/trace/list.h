// SPDX-License-Identifier: MIT
// gpusim trace make --list WORD: the kernels of the library that have to do with a word.
#pragma once

#include <string>
#include <vector>

#include "sim/input/text/library_kernel.h"

namespace gpusim::commands {

/// The kernels whose name, family or title contains the word, in any case. Throws InputError when there is none.
[[nodiscard]] std::vector<frontend::LibraryKernel> kernels_about(const std::string& word,
                                                                 std::vector<frontend::LibraryKernel> library);

}  // namespace gpusim::commands
