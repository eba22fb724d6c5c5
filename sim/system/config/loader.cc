// SPDX-License-Identifier: MIT
#include "sim/system/config/loader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_reader.h"
#include "sim/system/config/gpu_count.h"
#include "sim/system/config/reader.h"

namespace gpusim::system {

namespace {

/// What the changes say of the number of GPUs, which files do not have as a key.
std::optional<std::uint64_t> take_gpu_count(Changes& changes) {
  const auto given = std::ranges::find(changes.keys, kGpuCountKey, &arch::Override::key);
  if (given == changes.keys.end()) {
    return std::nullopt;
  }
  const arch::ParsedValue parsed = arch::parse_value(*find_system_key(kGpuCountKey), given->value);
  if (!parsed.error.empty()) {
    throw InputError({{"--set " + given->key, 0, 0}, parsed.error, parsed.hint});
  }
  changes.keys.erase(given);
  return parsed.value.number.numerator;
}

}  // namespace

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
  Changes all = with_followers(SystemReader(name, arch_folders, {}).read(text), changes);
  const std::optional<std::uint64_t> count = take_gpu_count(all);
  System system = SystemReader(name, arch_folders, all).read(std::move(text));
  if (count) {
    set_gpu_count(system, *count);
  }
  return system;
}

}  // namespace gpusim::system
