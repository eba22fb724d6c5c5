// SPDX-License-Identifier: MIT
#include "sim/commands/system/find_system.h"

#include <algorithm>
#include <set>

#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/system/collective/carried.h"
#include "sim/system/config/changes.h"
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

system::Changes system_changes(std::span<const std::string> set) {
  system::Changes changes;
  ProblemList problems;
  std::set<std::string> seen;
  for (const arch::Override& change : arch::parse_overrides(set)) {
    const SourceLocation where{"--set " + change.key, 0, 0};
    const std::string group = change.key.substr(0, change.key.find('.'));
    if (!seen.insert(change.key).second) {
      problems.add({where, "is given twice", ""});
    } else if (change.key.starts_with(system::kGpuPrefix)) {
      changes.of_gpus.push_back({change.key.substr(system::kGpuPrefix.size()), change.value});
    } else if (std::ranges::find(system::kChangeable, group) != system::kChangeable.end()) {
      changes.keys.push_back(change);
    } else {
      problems.add({where, "is not a key of a system",
                    "such as link_types.NAME.bandwidth, gpus.count, collectives.ring or gpu.sm.count"});
    }
  }
  problems.throw_if_any();
  return changes;
}

}  // namespace gpusim::cli
