// SPDX-License-Identifier: MIT
// What a student may run from a page: files of the work and kernels that the lab names, on machines that came along.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/run/experiment.h"

namespace gpusim::lab {

/// A run of the lab with the student's values.
struct ChosenRun {
  std::string name;
  std::string trace;
  std::string arch;
  std::vector<std::string> params;  ///< "NAME=VALUE"
  std::vector<std::string> set;
  std::string cache;
};

struct Choices {
  std::vector<std::string> traces;  ///< files first
  std::vector<std::string> archs;
  std::vector<ChosenRun> runs;  ///< those of files that the student changes
};

/// `scope` has the student's values, `folder` the files.
[[nodiscard]] Choices choices_of(const Lab& lab, const Scope& scope, const std::filesystem::path& folder);

/// What a page asks for: an object of "trace", "arch", "cache", texts; "params" and "set", lists of texts; "begin" and
/// "end", cycles. Throws InputError for what is none of the choices: no text of the page becomes a path.
[[nodiscard]] Experiment experiment_of(const nlohmann::json& asked, const Lab& lab, const Choices& choices,
                                       const Scope& scope, const std::filesystem::path& folder);

}  // namespace gpusim::lab
