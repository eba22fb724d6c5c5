// SPDX-License-Identifier: MIT
#include "sim/commands/system/find_system.h"

#include "sim/commands/cli/find_file.h"
#include "sim/system/config/loader.h"

namespace gpusim::cli {

system::System find_system(const std::string& name) {
  return system::load_system(find_file(name, system_files()), search_folders(architecture_files()));
}

}  // namespace gpusim::cli
