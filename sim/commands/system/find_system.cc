// SPDX-License-Identifier: MIT
#include "sim/commands/system/find_system.h"

#include "sim/commands/cli/find_file.h"
#include "sim/system/collective/carried.h"
#include "sim/system/config/loader.h"

namespace gpusim::cli {

system::System find_system(const std::string& name) {
  return find_system(name, system::Changes());
}

system::System find_system(const std::string& name, const system::Changes& changes) {
  const std::filesystem::path file = find_file(name, system_files());
  const std::vector<std::filesystem::path> folders = search_folders(architecture_files());
  system::System found = system::load_system(file, folders, changes);
  if (!changes.keys.empty()) {
    collective::carry_rates(system::load_system(file, folders), changes, found);
  }
  return found;
}

}  // namespace gpusim::cli
