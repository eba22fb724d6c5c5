// SPDX-License-Identifier: MIT
#include "sim/commands/cli/launch_options.h"

#include <system_error>

#include "sim/commands/cli/command_set.h"

namespace gpusim::cli {

bool LaunchOptions::any() const {
  const auto is_given = [](const auto& value) { return !value.empty(); };
  return is_given(file) || is_given(grid) || is_given(block) || is_given(cluster) || is_given(shared) ||
         is_given(arguments) || is_given(outputs) || is_given(expectations) || is_given(tolerance) ||
         is_given(compiler_flags);
}

void add_launch_options(CLI::App& app, LaunchOptions& options) {
  add_text(app, "--launch", options.file, "FILE", "The launch of a compiled kernel, as YAML");
  add_text(app, "--grid", options.grid, "X[,Y[,Z]]", "CTAs of a compiled kernel, such as 4096 or (n+255)/256");
  add_text(app, "--block", options.block, "X[,Y[,Z]]", "Threads of a CTA");
  add_text(app, "--cluster", options.cluster, "X[,Y[,Z]]", "CTAs of a cluster");
  add_text(app, "--shared", options.shared, "BYTES", "Dynamic shared memory of a CTA");
  add_repeated(app, "--arg", options.arguments, "NAME=VALUE",
               "An argument: n=1024, a=2.0, x=f32[n]:random, y=y.npy, or 0=1024 (repeatable)");
  add_repeated(app, "--out", options.outputs, "NAME=FILE", "Write a buffer to a .npy file (repeatable)");
  add_repeated(app, "--expect", options.expectations, "NAME=FILE",
               "Compare a buffer with a .npy file, or a fill such as zeros (repeatable)");
  add_text(app, "--tolerance", options.tolerance, "NUMBER", "Largest difference that --expect allows (default: 0)");
  add_repeated(app, "--compiler-flag", options.compiler_flags, "FLAG",
               "Flag for the compiler of a .cu file, such as --compiler-flag=-DTILE=64 (repeatable)");
}

KernelName kernel_name(const std::string& text) {
  std::error_code error;
  if (std::filesystem::exists(text, error)) {
    return {text, ""};
  }
  for (std::size_t colon = text.find(':'); colon != std::string::npos; colon = text.find(':', colon + 1)) {
    if (std::filesystem::exists(text.substr(0, colon), error)) {
      return {text.substr(0, colon), text.substr(colon + 1)};
    }
  }
  return {text.substr(0, text.find(':')), ""};
}

}  // namespace gpusim::cli
