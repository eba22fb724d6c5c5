// SPDX-License-Identifier: MIT
#include "sim/commands/validate/gpu_names.h"

#include <array>

#include "sim/base/nearest.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::validate {
namespace {

constexpr std::array<std::string_view, 3> kGpuKeys{"arch", "set", "note"};

NamedGpu read_gpu(arch::YamlReader& yaml, const arch::YamlItem& row) {
  NamedGpu gpu;
  if (!row.value.is_map()) {
    yaml.add(row.value, "a GPU must be a map", "such as  {arch: h100.yaml}");
    return gpu;
  }
  for (const arch::YamlItem& item : yaml.items(row.value)) {
    if (item.name == "arch") {
      gpu.arch = yaml.scalar(item.value, "'arch'").value_or("");
    } else if (item.name == "set" && item.value.is_map()) {
      for (const arch::YamlItem& pair : yaml.items(item.value)) {
        gpu.set.emplace_back(pair.name,
                             yaml.scalar(pair.value, "the value of " + arch::in_quotes(pair.name)).value_or(""));
      }
    } else if (item.name == "set") {
      yaml.add(item.value, "'set' must be a map", "such as  {sm.count: 68}");
    } else if (item.name != "note") {
      yaml.add(item.key, "unknown key " + arch::in_quotes(item.name), suggestion(item.name, kGpuKeys));
    }
  }
  return gpu;
}

}  // namespace

GpuNames read_gpu_names(const std::filesystem::path& file) {
  ProblemList problems;
  arch::YamlReader yaml(problems);
  yaml.file = file.string();
  std::string why;
  const std::optional<std::string> text = arch::read_yaml_text(file, why);
  if (!text) {
    throw InputError({{yaml.file, 0, 0}, why, ""});
  }
  GpuNames names;
  if (const auto document = yaml.parse(*text, "a table of GPUs", "one YAML map of names")) {
    for (const arch::YamlItem& row : yaml.items(document->root())) {
      names.emplace(row.name, read_gpu(yaml, row));
    }
  }
  problems.throw_if_any();
  return names;
}

}  // namespace gpusim::validate
