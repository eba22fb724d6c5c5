// SPDX-License-Identifier: MIT
// The options with which commands take a compiled kernel and its launch.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace gpusim::cli {

struct LaunchOptions {
  std::string file;  ///< a launch file
  std::string grid;
  std::string block;
  std::string cluster;
  std::string shared;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;
  std::vector<std::string> expectations;
  std::string tolerance;
  std::vector<std::string> compiler_flags;

  /// Whether any of them was given.
  [[nodiscard]] bool any() const;
};

void add_launch_options(CLI::App& app, LaunchOptions& options);

/// A kernel as it is named on the command line: "saxpy.cubin", "saxpy.cubin:saxpy".
struct KernelName {
  std::filesystem::path file;
  std::string kernel;  ///< "" where it is not said
};
[[nodiscard]] KernelName kernel_name(const std::string& text);

}  // namespace gpusim::cli
