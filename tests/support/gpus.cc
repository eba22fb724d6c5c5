// SPDX-License-Identifier: MIT
#include "tests/support/gpus.h"

#include <yaml-cpp/yaml.h>

namespace gpusim::test {
namespace {

std::map<std::string, ArchOfGpu, std::less<>> read_table() {
  std::map<std::string, ArchOfGpu, std::less<>> table;
  for (const auto& row : YAML::LoadFile(std::string(GPUSIM_SOURCE_DIR) + "/tests/validation/gpus.yaml")) {
    ArchOfGpu gpu;
    gpu.arch = row.second["arch"].as<std::string>("");
    gpu.note = row.second["note"].as<std::string>("");
    gpu.set = row.second["set"].as<std::map<std::string, std::string>>(std::map<std::string, std::string>());
    table.emplace(row.first.as<std::string>(), std::move(gpu));
  }
  return table;
}

}  // namespace

const std::map<std::string, ArchOfGpu, std::less<>>& known_gpus() {
  static const std::map<std::string, ArchOfGpu, std::less<>> table = read_table();
  return table;
}

std::optional<ArchOfGpu> arch_of_gpu(std::string_view gpu) {
  const auto found = known_gpus().find(gpu);
  return found == known_gpus().end() || found->second.arch.empty() ? std::nullopt : std::optional(found->second);
}

}  // namespace gpusim::test
