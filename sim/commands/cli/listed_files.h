// SPDX-License-Identifier: MIT
// All files of a kind that are found by name, loaded for a list: one that does not load is listed with its reason.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"

namespace gpusim::cli {

/// A file of the list: what it describes, or why it does not load.
template <class Thing>
struct ListedFile {
  std::string name;  ///< "h100-pcie": what options take
  std::optional<Thing> thing;
  std::string problem;
};

/// Loads the known files of a kind with `load(path)`, in the order of their names.
template <class Load>
[[nodiscard]] auto load_known_files(const FileKind& kind, const Load& load) {
  std::vector<ListedFile<std::invoke_result_t<Load, const std::filesystem::path&>>> all;
  for (const std::filesystem::path& file : known_files(kind)) {
    auto& one = all.emplace_back();
    one.name = file.stem().string();
    try {
      one.thing = load(file);
    } catch (const InputError& error) {
      one.problem = to_text(error.problems().front());
    }
  }
  // By file, h100-pcie.yaml comes before h100.yaml.
  std::ranges::sort(all, {}, [](const auto& one) -> const std::string& { return one.name; });
  return all;
}

}  // namespace gpusim::cli
