// SPDX-License-Identifier: MIT
#include "sim/system/config/loader.h"

#include <optional>
#include <utility>

#include "sim/model/arch/yaml_reader.h"
#include "sim/system/config/reader.h"

namespace gpusim::system {

System load_system(const std::filesystem::path& file, std::span<const std::filesystem::path> arch_folders,
                   const Changes& changes) {
  std::string why;
  std::optional<std::string> text = arch::read_yaml_text(file, why);
  if (!text) {
    throw InputError({{file.string(), 0, 0}, why, ""});
  }
  return parse_system(*std::move(text), file.string(), arch_folders, changes);
}

System parse_system(std::string text, const std::string& name, std::span<const std::filesystem::path> arch_folders,
                    const Changes& changes) {
  if (changes.keys.empty() && changes.of_gpus.empty()) {
    return SystemReader(name, arch_folders, changes).read(std::move(text));
  }
  const Changes all = with_followers(SystemReader(name, arch_folders, {}).read(text), changes);
  return SystemReader(name, arch_folders, all).read(std::move(text));
}

}  // namespace gpusim::system
