// SPDX-License-Identifier: MIT
// The systems and applications of a study of steps: read for each point with what it changes, and run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/commands/sweep/run/prepare.h"
#include "sim/commands/sweep/run/run.h"
#include "sim/commands/sweep/study/key_book.h"
#include "sim/commands/sweep/study/study.h"
#include "sim/commands/sweep/study/where.h"
#include "sim/system/application/application.h"
#include "sim/system/config/system.h"

namespace gpusim::app {
class Database;
}  // namespace gpusim::app

namespace gpusim::sweep {

class Plan;
struct Point;
struct Setting;

class StepInputs final : public BaseValues {
 public:
  /// Reads every application on every system once. Throws InputError with all problems.
  explicit StepInputs(const Study& study);

  [[nodiscard]] std::string text(std::size_t arch, std::size_t trace, const std::string& key) const override;

  /// Reads every point of the plan, as prepare() of kernels does: what contradicts itself is skipped with its reason,
  /// and what a condition excludes is left out.
  [[nodiscard]] Prepared prepare(const Plan& plan, const std::function<bool(std::uint64_t)>& tell) const;

  /// Runs points; `database` holds the times of kernels, and outlives what is returned.
  [[nodiscard]] PointRunner runner(app::Database& database) const;

 private:
  /// A step ready to run.
  struct Read {
    application::Application application;
    system::System system;
    std::string what_if;
  };
  /// A pair of system and application before anything is varied.
  struct Base {
    Read read;
    std::string yaml;  ///< text of the application
  };

  [[nodiscard]] Read read(std::size_t arch, std::size_t trace, const std::vector<Setting>& settings) const;
  [[nodiscard]] std::string key_of(const Read& step) const;
  [[nodiscard]] bool is_left_out(const Point& point, const Read& step) const;

  Study study_;
  std::vector<Condition> conditions_;
  std::vector<Base> bases_;  ///< the applications of the first system, then those of the next
};

}  // namespace gpusim::sweep
