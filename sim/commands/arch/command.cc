// SPDX-License-Identifier: MIT
// gpusim arch list | show | check | diff.
#include "sim/commands/arch/command.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/source_kind.h"
#include "sim/commands/arch/tables.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_arch.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/listed_files.h"
#include "sim/commands/cli/pager.h"
#include "sim/commands/cli/render.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"

namespace gpusim::commands {
namespace {

std::vector<arch_tables::Listing> listings() {
  return cli::load_known_files(cli::architecture_files(), [](const std::filesystem::path& file) {
    return arch::load_arch(file, {}, cli::search_folders(cli::architecture_files()));
  });
}

std::string check_text(const arch::Arch& arch) {
  const auto guessed = std::count_if(arch.guesses.begin(), arch.guesses.end(),
                                     [](const arch::Guess& g) { return g.kind == SourceKind::kGuess; });
  return fmt::format("{}: {}: no problems; {} values rest on a guess, {} are inferred\n", arch.path, arch.name, guessed,
                     static_cast<std::ptrdiff_t>(arch.guesses.size()) - guessed);
}

std::string answer(const ArchOptions& options, const layout::Look& look) {
  const bool json = options.format == "json";
  switch (options.action) {
    case ArchAction::kList: return json ? arch_tables::list_json(listings()) : arch_tables::list_text(listings(), look);
    case ArchAction::kCheck: return check_text(cli::load_arch(options.name, options.set));
    case ArchAction::kShow: {
      const arch::Resolved gpu = cli::find_arch(options.name, options.set);
      return json ? arch_tables::show_json(gpu) : arch_tables::show_text(gpu);
    }
    case ArchAction::kDiff: {
      const arch::Resolved first = cli::find_arch(options.name, {});
      const arch::Resolved second = cli::find_arch(options.other, options.set);
      return json ? arch_tables::diff_json(first, second) : arch_tables::diff_text(first, second, look);
    }
  }
  return {};
}

}  // namespace

int arch_command(const ArchOptions& options, const cli::Common& common) {
  cli::print_answer(answer(options, cli::look_of(common)), options.format, common);
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
