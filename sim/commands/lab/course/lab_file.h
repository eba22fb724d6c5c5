// SPDX-License-Identifier: MIT
// Reads the folder of a lab: lab.yaml, what is run and asked, and text.yaml, the sentences.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/commands/lab/course/lab.h"

namespace gpusim::lab {

/// Files of a lab's folder.
inline constexpr const char* kLabFile = "lab.yaml";
inline constexpr const char* kStartFolder = "start";
inline constexpr const char* kSolutionFolder = "solution";
inline constexpr const char* kWrongFolder = "wrong";
inline constexpr const char* kPicturesFolder = "pictures";
inline constexpr const char* kExpectFile = "expect.yaml";

/// Throws InputError with every problem as file:line:column: unknown keys (with the nearest), values of the wrong form,
/// formulas with names that are neither parameters nor values of a run, sentences that are missing.
[[nodiscard]] Lab read_lab(const std::filesystem::path& folder);

/// The languages of its translations, in order: "de" where there is a text.de.yaml.
[[nodiscard]] std::vector<std::string> translations_of(const Lab& lab);
/// The lab with the sentences of a translation; as it is when `language` is empty. Throws InputError as read_lab()
/// does, and when there is no such translation.
[[nodiscard]] Lab translated(Lab lab, const std::string& language);

/// What a typical wrong solution is meant to show.
struct Expected {
  std::string task;
  std::string hint;  ///< the key of a mistake, an option of a choice, or the number of a hint
  /// A condition on a student's parameters, where it is wrong for some students only: for others the same is right, or
  /// another mistake.
  std::optional<Formula> when;
};
/// Throws InputError as read_lab() does.
[[nodiscard]] Expected read_expected(const std::filesystem::path& file);

}  // namespace gpusim::lab
