// SPDX-License-Identifier: MIT
#include "sim/commands/cli/find_arch.h"

#include "sim/commands/cli/find_file.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"

namespace gpusim::cli {

arch::Resolved find_arch(const std::string& name, const std::vector<std::string>& set) {
  const std::vector<arch::Override> overrides = arch::parse_overrides(set);
  return arch::resolve_arch(find_file(name, architecture_files()), overrides, search_folders(architecture_files()));
}

arch::Arch load_arch(const std::string& name, const std::vector<std::string>& set) {
  return find_arch(name, set).arch;
}

}  // namespace gpusim::cli
