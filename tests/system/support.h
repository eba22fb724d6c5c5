// SPDX-License-Identifier: MIT
// Whole runs of shipped traces on shipped architectures.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/input/text/load.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"

namespace gpusim::test {

[[nodiscard]] inline arch::Arch shipped(const std::string& name, std::vector<arch::Override> overrides = {}) {
  return arch::load_arch(std::string(GPUSIM_SOURCE_DIR) + "/configs/" + name + ".yaml", overrides);
}

/// Names of the files in configs/, in order.
[[nodiscard]] inline std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(GPUSIM_SOURCE_DIR) + "/configs")) {
    if (entry.path().extension() == ".yaml") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Every trace in a folder, in the order of their names.
[[nodiscard]] inline std::vector<std::filesystem::path> traces_in(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(GPUSIM_SOURCE_DIR) + folder)) {
    if (entry.path().extension() == ".trace") {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}
[[nodiscard]] inline std::vector<std::filesystem::path> shipped_traces() {
  return traces_in("/traces");
}
/// The templates that `gpusim trace make` reads, but for those of traces/ itself.
[[nodiscard]] inline std::vector<std::filesystem::path> library() {
  return traces_in("/traces/library");
}

/// A shipped trace at its test parameters.
[[nodiscard]] inline trace::Trace small(const std::filesystem::path& path) {
  return frontend::load_trace_text(path, {{}, true});
}

/// A kernel of one CTA (by default one warp) with the given body.
[[nodiscard]] inline trace::Trace program(std::string_view head, std::string_view body) {
  const std::string text =
      "gpusim trace 1\nkernel k\n" + std::string(head) + "\ncode\n" + std::string(body) + "\nend\n";
  return frontend::load_trace_text(text, "inline.trace", {});
}

}  // namespace gpusim::test
