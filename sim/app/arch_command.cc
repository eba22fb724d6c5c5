// SPDX-License-Identifier: MIT
// gpusim arch list | show | check | diff.
#include <algorithm>

#include <fmt/format.h>

#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/find_file.h"
#include "sim/app/program.h"
#include "sim/app/render.h"
#include "sim/base/problem.h"
#include "sim/commands/arch/datasheet.h"
#include "sim/model/arch/loader.h"

namespace gpusim::app {
namespace {

std::vector<datasheet::Listing> listings() {
  std::vector<datasheet::Listing> parts;
  for (const std::filesystem::path& file : known_files(architecture_files())) {
    datasheet::Listing part{file.stem().string(), std::nullopt, ""};
    try {
      part.arch = arch::load_arch(file, {}, search_folders(architecture_files()));
    } catch (const InputError& error) {
      part.problem = to_text(error.problems().front());
    }
    parts.push_back(std::move(part));
  }
  // By file, h100-pcie.yaml comes before h100.yaml.
  std::ranges::sort(parts, {}, &datasheet::Listing::name);
  return parts;
}

arch::Resolved resolve(const std::string& name, const std::vector<std::string>& set) {
  std::vector<arch::Override> overrides;
  for (const std::string& text : set) {
    overrides.push_back(arch::parse_override(text));
  }
  return arch::resolve_arch(find_file(name, architecture_files()), overrides, search_folders(architecture_files()));
}

std::string check_text(const arch::Arch& arch) {
  const auto guessed = std::count_if(arch.guesses.begin(), arch.guesses.end(),
                                     [](const arch::Guess& g) { return g.kind == arch::SourceKind::kGuess; });
  return fmt::format("{}: {}: no problems; {} values rest on a guess, {} are inferred\n", arch.path, arch.name, guessed,
                     static_cast<std::ptrdiff_t>(arch.guesses.size()) - guessed);
}

std::string answer(const ArchOptions& options, const layout::Look& look) {
  const bool json = options.format == "json";
  switch (options.action) {
    case ArchAction::kList: return json ? datasheet::list_json(listings()) : datasheet::list_text(listings(), look);
    case ArchAction::kCheck: return check_text(resolve(options.name, options.set).arch);
    case ArchAction::kShow: {
      const arch::Resolved part = resolve(options.name, options.set);
      return json ? datasheet::show_json(part) : datasheet::show_text(part);
    }
    case ArchAction::kDiff: {
      const arch::Resolved first = resolve(options.name, {});
      const arch::Resolved second = resolve(options.other, options.set);
      return json ? datasheet::diff_json(first, second) : datasheet::diff_text(first, second, look);
    }
  }
  return {};
}

}  // namespace

int arch_command(const ArchOptions& options, const Common& common) {
  print(answer(options, look_of(common)));
  return Exit::kDone;
}

}  // namespace gpusim::app
