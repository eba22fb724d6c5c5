// SPDX-License-Identifier: MIT
#include "sim/base/read_pipe.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <unistd.h>

namespace gpusim {

std::string read_pipe(int from, std::size_t most) {
  std::string text;
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t size = ::read(from, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size <= 0) {
      return text;
    }
    text.append(buffer.data(), std::min(static_cast<std::size_t>(size), most - text.size()));
  }
}

}  // namespace gpusim
