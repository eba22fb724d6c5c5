// SPDX-License-Identifier: MIT
// What the program tells its caller by its exit code, and which variables it reads. The help, the man page and the
// documents repeat these tables.
#pragma once

#include <span>
#include <string_view>

namespace gpusim::cli {

struct ExitCode {
  int code = 0;
  std::string_view meaning;
};

[[nodiscard]] std::span<const ExitCode> exit_codes();

struct Variable {
  std::string_view name;
  std::string_view meaning;
};

/// Variables of the environment.
[[nodiscard]] std::span<const Variable> variables();

}  // namespace gpusim::cli
