// SPDX-License-Identifier: MIT
// Systems as text for tests, and what is wrong with them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/system/config/loader.h"

namespace gpusim::system::test {

inline const std::filesystem::path kConfigs = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs";

/// Two GPUs on one PCIe switch below one host; `peer` as the file has it.
inline std::string two_gpus(const std::string& peer = "pcie") {
  return R"(name: Two
hosts:
  cpu0: {threads: 8, memory: 32 GiB, memory_bandwidth: 50 GB/s}
gpus:
  gpu0..1: {arch: a100, copy_engines: 2, peer: )" +
         peer + R"(}
switches:
  plx0: {kind: pcie}
link_types:
  pcie4: {kind: pcie, bandwidth: 32 GB/s, usable: 26 GB/s, both_ways: 40 GB/s, latency: 200 ns}
links:
  - {type: pcie4, from: gpu0..1, to: plx0}
  - {type: pcie4, from: plx0, to: cpu0}
)";
}

inline System parse(const std::string& text) {
  const std::vector<std::filesystem::path> folders{kConfigs};
  return parse_system(text, "sys.yaml", folders);
}

inline System shipped(const std::string& name) {
  const std::vector<std::filesystem::path> folders{kConfigs};
  return load_system(kConfigs / "systems" / (name + ".yaml"), folders);
}

/// Every problem, a line each; "" when it loads.
inline std::string problems_of(const std::string& text) {
  try {
    (void)parse(text);
    return "";
  } catch (const InputError& error) {
    return std::string(error.what()) + "\n";
  }
}

/// A text with a part of it replaced; the part must be there.
inline std::string with(std::string text, const std::string& part, const std::string& instead) {
  const std::size_t at = text.find(part);
  return at == std::string::npos ? "" : text.replace(at, part.size(), instead);
}

}  // namespace gpusim::system::test
