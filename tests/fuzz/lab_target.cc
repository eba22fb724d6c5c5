// SPDX-License-Identifier: MIT
// Labs and answers to them: lab.yaml, text.yaml and answers.yaml, one after the other in an input, a line of "====="
// between them. What is accepted is judged, without a simulation.
#include <array>
#include <string>
#include <string_view>

#include "sim/commands/lab/check/attempts.h"
#include "sim/commands/lab/check/judge.h"
#include "sim/commands/lab/check/report.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/lab_file.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

namespace {

constexpr std::string_view kBetween = "=====\n";

std::array<std::string, 3> parts_of(std::string_view text) {
  std::array<std::string, 3> parts;
  for (std::string& part : parts) {
    const std::size_t end = text.find(kBetween);
    part = text.substr(0, end);
    text = end == std::string_view::npos ? "" : text.substr(end + kBetween.size());
  }
  return parts;
}

class StandIn final : public lab::Laboratory {
 public:
  const lab::Measured& measure(const lab::Run&, const lab::Scope&, lab::Purpose) override { return measured_; }
  const lab::Work& compare_work(const lab::Task&, const lab::Scope&) override { return work_; }
  lab::Machine compare_machine(const lab::Task& task) override {
    lab::Machine machine;
    for (const lab::NamedFormula& cost : task.costs) {
      machine.values[cost.key] = {"1", 1.0};
    }
    return machine;
  }
  std::vector<std::string> notes(const lab::Scope&) const override { return {}; }

 private:
  lab::Measured measured_{{{"time_us", 2.0}, {"bound", "dram"}}, "", false};
  lab::Work work_;
};

void check(const lab::Lab& lab, const lab::Student& student, const lab::Answers& answers) {
  StandIn laboratory;
  lab::Attempts attempts;
  const lab::Report report =
      lab::judge({lab, student, lab::scope_of(lab, student.seed), answers, 0}, attempts, laboratory);
  fuzz::require(report.verdicts.size() == lab.tasks.size(), "every task has a verdict");
  fuzz::require(report.points() <= lab.points(), "nobody has more points than there are");
  (void)lab::report_text(report, {});
  (void)lab::report_json(report);
  (void)lab::report_junit(report);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto [logic, text, answers] = parts_of(fuzz::text_of(data, size));
  std::filesystem::create_directories(fuzz::folder() / lab::kStartFolder);
  fuzz::write(std::string(lab::kStartFolder) + "/kernel.trace", "gpusim trace 1\n");
  fuzz::write(lab::kLabFile, logic);
  fuzz::write("text.yaml", text);
  fuzz::write(lab::kAnswersFile, answers);
  fuzz::is_accepted([] {
    const lab::Lab lab = lab::read_lab(fuzz::folder());
    const lab::Student student = lab::student_of(lab, "mary");
    (void)lab::answers_text(lab, student, lab::scope_of(lab, student.seed));
    check(lab, student, lab::read_answers(fuzz::folder(), lab, student));
  });
  return 0;
}
