// SPDX-License-Identifier: MIT
// Which stored points `gpusim sweep show` is about.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/sweep/store/store.h"

namespace gpusim::commands {

struct ShownPoints {
  std::vector<sweep::PointRow> rows;
  std::vector<std::string> set;          ///< what was fixed of all architectures, as KEY=VALUE
  std::string cost;                      ///< cost of the study; empty: none
  std::size_t other_programs = 0;        ///< points left out because another program computed them
  std::vector<sweep::PointRow> missing;  ///< points that were asked for and have not run
};

/// The points of one study.
[[nodiscard]] ShownPoints points_of_study(const sweep::Store& store, const sweep::StudyInfo& study);

/// The points of a study that is given by its name or number; "last" is the study that ran last. Throws InputError with
/// the nearest name for an unknown one.
[[nodiscard]] ShownPoints points_of_study(const sweep::Store& store, const std::string& name);

/// The points of all studies, those of the latest first; a point that two studies asked for appears once. What a study
/// fixed is among the parameters of its rows, and what followed from that is among the derived values. So are the
/// cache, the kernel and the like where studies differ in them.
[[nodiscard]] ShownPoints points_of_all(const sweep::Store& store);

/// Keeps those points of each trace and architecture that `program` computed, or where there are none the program of
/// the first of them; returns how many points go.
std::size_t drop_other_programs(std::vector<sweep::PointRow>& rows, std::string_view program);

}  // namespace gpusim::commands
