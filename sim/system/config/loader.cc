// SPDX-License-Identifier: MIT
#include "sim/system/config/loader.h"

#include <optional>
#include <utility>

#include "sim/model/arch/yaml_reader.h"
#include "sim/system/config/reader.h"

namespace gpusim::system {

System load_system(const std::filesystem::path& file, std::span<const std::filesystem::path> arch_folders) {
  std::string why;
  std::optional<std::string> text = arch::read_yaml_text(file, why);
  if (!text) {
    throw InputError({{file.string(), 0, 0}, why, ""});
  }
  return parse_system(*std::move(text), file.string(), arch_folders);
}

System parse_system(std::string text, const std::string& name, std::span<const std::filesystem::path> arch_folders) {
  return SystemReader(name, arch_folders).read(std::move(text));
}

}  // namespace gpusim::system
