// SPDX-License-Identifier: MIT
// What a process says through a pipe.
#pragma once

#include <cstddef>
#include <string>

namespace gpusim {

/// All bytes up to the end of the pipe, or to an error of the system, of which the first `most` are kept. What is
/// beyond is read all the same, so that the one who writes is never held up. Leaves `from` open.
[[nodiscard]] std::string read_pipe(int from, std::size_t most);

}  // namespace gpusim
