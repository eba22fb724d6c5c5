// SPDX-License-Identifier: MIT
// gpusim system list | show | check.
#include "sim/commands/system/command.h"

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/exit_codes.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/listed_files.h"
#include "sim/commands/cli/pager.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/system/find_system.h"
#include "sim/commands/system/tables.h"
#include "sim/system/config/changes.h"

namespace gpusim::commands {
namespace {

std::vector<system_tables::Listing> system_listings() {
  return cli::load_known_files(cli::system_files(),
                               [](const std::filesystem::path& file) { return cli::find_system(file.string()); });
}

std::string system_check_text(const system::System& system) {
  const system::Fabric fabric(system);
  return fmt::format("{}: {}: no problems; {} of {} values rest on a guess, {} are inferred\n", system.path,
                     system.name, system_tables::count_kind(system, SourceKind::kGuess), system.values.size(),
                     system_tables::count_kind(system, SourceKind::kInferred));
}

std::string system_answer(const SystemOptions& options, const layout::Look& look) {
  const bool json = options.format == "json";
  if (options.action == SystemAction::kList) {
    const std::vector<system_tables::Listing> all = system_listings();
    return json ? system_tables::list_json(all) : system_tables::list_text(all, look);
  }
  const system::System system = cli::find_system(options.name, cli::system_changes(options.set));
  if (options.action == SystemAction::kCheck) {
    return system_check_text(system);
  }
  const system::Fabric fabric(system);
  return json ? system_tables::show_json(fabric) : system_tables::show_text(fabric, options.details, look);
}

}  // namespace

int system_command(const SystemOptions& options, const cli::Common& common) {
  cli::print_answer(system_answer(options, cli::look_of(common)), options.format, common);
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
