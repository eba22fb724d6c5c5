// SPDX-License-Identifier: MIT
// The laboratory of the command line: finds the files of runs, and simulates each in a process of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sim/commands/lab/check/judge.h"
#include "sim/commands/lab/run/compiler.h"
#include "sim/commands/lab/run/job.h"
#include "sim/commands/lab/run/limited.h"
#include "sim/commands/lab/run/wall_budget.h"

namespace gpusim::lab {

/// What was simulated, by all that it depends on; several folders may share one.
class Memory {
 public:
  std::map<std::string, Measured> measured;
  std::map<std::string, Work> works;
  Compiler compiler;
};

class Bench final : public Laboratory {
 public:
  /// `folder` has the student's files. All runs and compilations together end within `wall_seconds`, however busy
  /// the machine is.
  Bench(const Lab& lab, std::filesystem::path folder, Memory& memory, double wall_seconds)
      : lab_(lab), folder_(std::move(folder)), memory_(memory), wall_budget_(wall_seconds) {}

  const Measured& measure(const Run& run, const Scope& scope, Purpose purpose) override;
  const Work& compare_work(const Task& task, const Scope& scope) override;
  Machine compare_machine(const Task& task) override;
  [[nodiscard]] std::vector<std::string> notes(const Scope& scope) const override;

  /// Processor time that all runs of a student's files may take together, and what each may hold.
  static constexpr std::uint32_t kSeconds = 6;
  static constexpr std::uint64_t kBytes = 480'000'000;
  /// How long a student waits at most.
  static constexpr double kWallSeconds = 8;
  /// Where results must not depend on what else the machine does: kSeconds end what has no end.
  static constexpr double kPatientSeconds = 120;

 private:
  [[nodiscard]] Job job_of(const Run& run, const Scope& scope, Purpose purpose) const;
  /// In what CUDA the run is; null: it is a trace.
  [[nodiscard]] const CudaForm* form_of(const Run& run, Purpose purpose) const;
  void take_form(const CudaForm& form, const Run& run, const Scope& scope, Job& job) const;
  /// What of the student's launch file does not count; empty: nothing that differs from the lab's.
  [[nodiscard]] std::string ignored_text(const CudaForm& form, const Scope& scope) const;
  [[nodiscard]] std::string path_of(const std::string& file) const;
  [[nodiscard]] bool is_of_student(const Run& run) const;
  [[nodiscard]] Limits limits() const;
  [[nodiscard]] std::string key_of(const Job& job, const Run& run) const;
  [[nodiscard]] std::string missing_text(const std::string& file) const;
  [[nodiscard]] std::string missing_text(const Task& machine) const;
  /// Runs it within what is left, and counts what it took.
  [[nodiscard]] LimitedEnd carry_out(const std::function<void(const Say& say)>& work, bool is_counted);
  /// Remembers what was said when a run took all of the time.
  void note_time_out(const LimitedEnd& end, const std::string& problem);
  /// Whether there is no time left for a run.
  [[nodiscard]] bool is_over(const Run& run) const;
  /// Why the job's CUDA is not machine code; empty when it is, or the job is a trace. Throws InputError when the lab's
  /// own does not compile.
  [[nodiscard]] std::string compile(const Run& run, Job& job);
  [[noreturn]] void fail_own(const Run& run, const std::string& problem) const;
  /// The run of a student's trace with the lab's solution in its place.
  [[nodiscard]] static Run solved(const Run& run);
  /// Throws InputError when the lab's files ended the process, whose work is compared with those of `like`.
  void require_no_lab_fault(const Run& like, const LimitedEnd& end, const nlohmann::json& said) const;
  /// `like`: calculates what the run should; none where nothing has values.
  [[nodiscard]] Measured simulate(const Run& run, Job job, std::optional<Job> like);

  const Lab& lab_;
  std::filesystem::path folder_;
  Memory& memory_;
  WallBudget wall_budget_;
  double seconds_used_ = 0;
  std::string out_of_time_;  ///< what was said when a run took all of it
};

}  // namespace gpusim::lab
