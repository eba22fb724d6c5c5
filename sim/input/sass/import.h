// SPDX-License-Identifier: MIT
// The whole way of a listing: from the bytes of a file to a program that is known to be one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"

namespace gpusim::frontend::sass {

struct Import {
  std::string program;               ///< in the text form
  std::vector<Problem> holes;        ///< its lines with something to be filled in
  bool has_encodings = false;        ///< with its launch the listing can be executed
  std::vector<Problem> diagnostics;  ///< remarks about the listing: what was read, and is hardly meant
};

/// Reads the listing, writes the program and reads that; `name` stands for the listing in messages. Whatever the bytes,
/// it returns or throws InputError with every problem.
[[nodiscard]] Import import_listing(std::string_view listing, const std::string& name);

}  // namespace gpusim::frontend::sass
