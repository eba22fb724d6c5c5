// SPDX-License-Identifier: MIT
// A launch as it was written, in a file or on the command line: texts with places, whose meaning depends on the kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/problem.h"

namespace gpusim::launch {

struct Text {
  std::string text;
  SourceLocation where;
};

struct NamedText {
  std::string name;
  std::string text;
  SourceLocation where;
};

struct ExpectationText {
  std::string name;
  std::string text;  ///< a .npy file or a fill
  std::optional<double> tolerance;
  SourceLocation where;
};

/// One launch of a kernel.
struct LaunchText {
  std::optional<Text> kernel;
  std::optional<Text> grid;
  std::optional<Text> block;
  std::optional<Text> cluster;
  std::optional<Text> shared;
  std::optional<Text> repeat;
  std::vector<NamedText> arguments;
  SourceLocation where;
};

struct Request {
  std::optional<Text> file;  ///< with the kernels
  std::vector<NamedText> parameters;
  std::vector<NamedText> buffers;
  std::vector<LaunchText> launches;  ///< one after another
  std::vector<NamedText> outputs;    ///< buffer and file
  std::vector<ExpectationText> expectations;
  double tolerance = 0;  ///< for expectations without their own
  bool from_command_line = false;
};

/// "saxpy", "x_ptr" or "0": what an argument or a buffer may be called.
[[nodiscard]] bool is_argument_name(const std::string& name);

/// Sets the text of this name, or adds it.
void set_text(std::vector<NamedText>& texts, NamedText text);

}  // namespace gpusim::launch
