// SPDX-License-Identifier: MIT
#include "sim/code/cubin/select.h"

#include <algorithm>

#include "sim/base/nearest.h"

namespace gpusim::cubin {
namespace {

bool is_called(const Function& function, const std::string& name) {
  return name.empty() || function.name == name || demangled(function.name) == name || short_name(function.name) == name;
}

/// Short names are what people type; the linker's are near to one another.
std::vector<std::string> names_of(std::span<const Module> modules) {
  std::vector<std::string> names;
  for (const Module& module : modules) {
    for (const Function& function : module.functions) {
      names.push_back(short_name(function.name));
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::vector<Chosen> functions_named(std::span<const Module> modules, const std::string& name, const std::string& file) {
  std::vector<Chosen> chosen;
  for (const Module& module : modules) {
    for (const Function& function : module.functions) {
      if (is_called(function, name)) {
        chosen.push_back({&module, &function});
      }
    }
  }
  if (chosen.empty()) {
    const std::vector<std::string> names = names_of(modules);
    const std::vector<std::string_view> known(names.begin(), names.end());
    fail(file, name.empty() ? "has no kernels" : "has no kernel '" + name + "'", suggestion(name, known));
  }
  return chosen;
}

}  // namespace gpusim::cubin
