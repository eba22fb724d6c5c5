// SPDX-License-Identifier: MIT
#include "sim/commands/lab/check/judge.h"

#include <catch2/catch.hpp>

#include "sim/commands/lab/check/attempts.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/lab_file.h"

#include "tests/support/lab_folder.h"

namespace judge_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using lab::Standing;

namespace {

constexpr const char* kTasks =
    "  guess: {kind: predict, value: student.time_us}\n"
    "  bytes: {kind: number, value: 4 * n, tolerance: 1 %, mistakes: {elements: n}}\n"
    "  cause: {kind: choice, options: [slow, quick], truth: {slow: student.time_us > 5, quick: student.time_us <= 5}}\n"
    "  fast: {kind: metric, holds: student.time_us <= 3, mistakes: {start: student.time_us > 9}}\n"
    "  same: {kind: work, run: student, like: reference, points: 2}\n";
constexpr const char* kTexts =
    "  guess: {question: How long}\n"
    "  bytes: {question: Bytes, right: Yes., hints: [One, Two, Three], mistakes: {elements: "
    "'You counted {{n}} elements.'}}\n"
    "  cause:\n"
    "    question: Why?\n"
    "    hints: [Look.]\n"
    "    mistakes: {quick: 'It takes {{student.time_us}} us.'}\n"
    "    options: {slow: It is slow, quick: It is quick}\n"
    "  fast: {question: Is it, found: 'It takes {{student.time_us}} us.', hints: [Measure.], mistakes: {start: Nothing "
    "has "
    "changed.}}\n"
    "  same: {question: Does it, hints: [Compare.], mistakes: {not-read: Read it all.}}\n";

/// Says what a test wants.
class StandIn final : public lab::Laboratory {
 public:
  const lab::Measured& measure(const lab::Run& run, const lab::Scope&, lab::Purpose) override {
    return run.name == "student" ? student : reference;
  }
  const lab::Work& compare_work(const lab::Task&, const lab::Scope&) override { return work; }
  lab::Machine compare_machine(const lab::Task&) override { return machine; }
  std::vector<std::string> notes(const lab::Scope&) const override { return {}; }

  lab::Measured student{{{"time_us", 2.0}}, "", false};
  lab::Measured reference{{{"time_us", 2.0}}, "", false};
  lab::Work work;
  lab::Machine machine;
};

class Case {
 public:
  lab::Report judged(const lab::Answers& answers, std::uint64_t files = 0) {
    const lab::Student student = lab::student_of(lab_, "mary");
    return lab::judge({lab_, student, lab::scope_of(lab_, student.seed), answers, files}, attempts, laboratory);
  }
  lab::Verdict verdict(const std::string& task, const std::string& answer, std::uint64_t files = 0) {
    lab::Answers answers = right_answers();
    answers[task] = {answer, {}};
    const lab::Report report = judged(answers, files);
    return *std::ranges::find_if(report.verdicts, [&](const lab::Verdict& each) { return each.task->key == task; });
  }
  lab::Answers right_answers() {
    const lab::Student student = lab::student_of(lab_, "mary");
    return lab::true_answers({lab_, student, lab::scope_of(lab_, student.seed), {}, 0}, laboratory);
  }
  [[nodiscard]] double n() const {
    return std::get<double>(*lab::scope_of(lab_, lab::seed_of(lab_.name, "mary")).find("n"));
  }

  StandIn laboratory;
  lab::Attempts attempts;

 private:
  testing::LabFolder folder_{kTasks, kTexts};
  lab::Lab lab_ = lab::read_lab(folder_.path());
};

}  // namespace

TEST_CASE("right answers and a right kernel pass, with all points") {
  Case of;
  const lab::Report report = of.judged(of.right_answers());
  CHECK(report.passed());
  CHECK(report.points() == 6);
  CHECK_THAT(report.verdicts.at(1).note, Contains("Yes."));
}

TEST_CASE("a prediction is awaited before anything else is judged, and is never wrong") {
  Case of;
  lab::Answers answers = of.right_answers();
  answers.erase("guess");
  const lab::Report waiting = of.judged(answers);
  CHECK(waiting.points() == 0);
  for (const lab::Verdict& verdict : waiting.verdicts) {
    CHECK(verdict.standing == Standing::kWaiting);
  }
  CHECK_THAT(waiting.verdicts.at(1).hint, Contains("First answer 'guess'"));
  const lab::Verdict far = of.verdict("guess", "1000");
  CHECK(far.standing == Standing::kRight);
  CHECK_THAT(far.note, Contains("You guessed 1000; it is 2."));
  CHECK(of.verdict("guess", "many").standing == Standing::kWaiting);
}

TEST_CASE("an answer that is missing is awaited, and only it") {
  Case of;
  lab::Answers answers = of.right_answers();
  answers.erase("bytes");
  const lab::Report report = of.judged(answers);
  CHECK(report.verdicts.at(1).standing == Standing::kWaiting);
  CHECK(report.points() == 5);
}

TEST_CASE("a number counts within its tolerance") {
  Case of;
  const double bytes = 4 * of.n();
  CHECK(of.verdict("bytes", std::to_string(bytes * 1.009)).standing == Standing::kRight);
  CHECK(of.verdict("bytes", std::to_string(bytes * 1.02)).standing == Standing::kNotYet);
  CHECK(of.verdict("bytes", "4 * " + std::to_string(of.n())).standing == Standing::kRight);
  CHECK(of.verdict("bytes", "a lot").hint_key == "not-a-number");
}

TEST_CASE("a known mistake has a hint of its own") {
  Case of;
  const lab::Verdict verdict = of.verdict("bytes", std::to_string(of.n()));
  CHECK(verdict.hint_key == "elements");
  CHECK_THAT(verdict.hint, Contains("You counted ") && Contains(" elements."));
}

TEST_CASE("hints become plainer with each different try, and stay with the same one") {
  Case of;
  CHECK(of.verdict("bytes", "1").hint == "One");
  CHECK(of.verdict("bytes", "1").hint == "One");
  CHECK(of.verdict("bytes", "2").hint == "Two");
  CHECK(of.verdict("bytes", "3").hint == "Three");
  CHECK(of.verdict("bytes", "5").hint_key == "3");
}

TEST_CASE("tries are kept in the student's folder") {
  const testing::LabFolder folder(kTasks, kTexts);
  lab::Attempts first;
  CHECK(first.count("bytes", 1) == 1);
  CHECK(first.count("bytes", 2) == 2);
  first.write(folder.path());
  lab::Attempts again = lab::Attempts::read(folder.path());
  CHECK(again.count("bytes", 2) == 2);
  CHECK(again.count("bytes", 3) == 3);
  folder.write(lab::kAttemptsFile, "{ no JSON");
  CHECK(lab::Attempts::read(folder.path()).count("bytes", 3) == 1);
}

TEST_CASE("the truth of a choice follows from what was measured") {
  Case of;
  CHECK(of.verdict("cause", "quick").standing == Standing::kRight);
  of.laboratory.student.values["time_us"] = 8.0;
  const lab::Verdict verdict = of.verdict("cause", "quick");
  CHECK(verdict.hint_key == "quick");
  CHECK(verdict.hint == "It takes 8 us.");
  CHECK(of.verdict("cause", "dunno").hint_key == "no-option");
}

TEST_CASE("a metric that does not hold shows its value, and the hint of its cause") {
  Case of;
  of.laboratory.student.values["time_us"] = 4.0;
  const lab::Verdict some = of.verdict("fast", "");
  CHECK(some.standing == Standing::kNotYet);
  CHECK_THAT(some.note, Contains("It takes 4 us."));
  CHECK(some.hint_key == "1");
  of.laboratory.student.values["time_us"] = 10.0;
  CHECK(of.verdict("fast", "").hint_key == "start");
}

TEST_CASE("work that is not the reference's is not right") {
  Case of;
  of.laboratory.work = {"not-read", "Bytes are not read."};
  const lab::Verdict verdict = of.verdict("same", "");
  CHECK(verdict.standing == Standing::kNotYet);
  CHECK(verdict.hint == "Read it all.");
  CHECK(verdict.note == "Bytes are not read.");
}

TEST_CASE("work is not right while a run that is measured calculates other values, and says which") {
  Case of;
  of.laboratory.student.other_values = "'y' holds 4 instead of 3.";
  const lab::Verdict verdict = of.verdict("same", "");
  CHECK(verdict.standing == Standing::kNotYet);
  CHECK(verdict.note == "'y' holds 4 instead of 3.");
  CHECK(verdict.hint_key == "1");
  CHECK(of.verdict("fast", "").standing == Standing::kRight);
  of.laboratory.work = {"not-read", "Bytes are not read."};
  CHECK(of.verdict("same", "").note == "Bytes are not read.");
}

TEST_CASE("a file that does not run fails its tasks, and is named once") {
  Case of;
  const lab::Answers answers = of.right_answers();
  of.laboratory.student = {{}, "kernel.trace:1:1: no", true};
  const lab::Report report = of.judged(answers);
  CHECK(report.problems == std::vector<std::string>{"kernel.trace:1:1: no"});
  CHECK(report.is_broken);
  CHECK(report.points() == 1);
}

TEST_CASE("a lab that asks for a metric there is not is at fault") {
  Case of;
  const lab::Answers answers = of.right_answers();
  of.laboratory.student.values.clear();
  of.laboratory.student.values["time_usec"] = 1.0;
  CHECK_THROWS_WITH(of.judged(answers), Contains("did you mean 'time_usec'?"));
}

namespace {

/// A lab with a machine in front of a metric.
class MachineCase {
 public:
  lab::Report judged(double sms, const std::string& other = "", const std::string& problem = "") {
    laboratory.machine = {
        {{"sm.count", {std::to_string(static_cast<int>(sms)), sms}}, {"l2.bytes", {"1 MiB", 1048576}}}, other, problem};
    const lab::Student student = lab::student_of(lab_, "mary");
    return lab::judge({lab_, student, lab::scope_of(lab_, student.seed), {}, 0}, attempts, laboratory);
  }
  StandIn laboratory;
  lab::Attempts attempts;

 private:
  testing::LabFolder folder_{
      "  area: {kind: machine, file: kernel.trace, base: start/kernel.trace, costs: {sm.count: 4, l2.bytes: 2 / 512 "
      "KiB}, budget: 44}\n"
      "  fast: {kind: metric, holds: student.time_us <= 3}\n",
      "  area: {question: Is it, hints: [Count.], mistakes: {over-budget: Sell something., other-keys: Only these.}}\n"
      "  fast: {question: Is it, found: Some., hints: [Measure.]}\n"};
  lab::Lab lab_ = lab::read_lab(folder_.path());
};

}  // namespace

TEST_CASE("a machine within its budget is right, and its price is shown") {
  MachineCase of;
  const lab::Report report = of.judged(10);
  CHECK(report.passed());
  CHECK_THAT(report.verdicts.at(0).note, Contains("sm.count 10 costs 40, l2.bytes 1 MiB costs 4, together 44 of 44."));
}

TEST_CASE("a machine over its budget is not right, and what is behind it waits") {
  MachineCase of;
  const lab::Report report = of.judged(11);
  CHECK(report.verdicts.at(0).hint_key == "over-budget");
  CHECK_THAT(report.verdicts.at(0).note, Contains("together 48 of 44."));
  CHECK(report.verdicts.at(1).standing == Standing::kWaiting);
  CHECK_THAT(report.verdicts.at(1).hint, Contains("First get 'area' right"));
}

TEST_CASE("a machine that differs in what has no price is not right, however cheap") {
  MachineCase of;
  const lab::Report report = of.judged(8, "clocks.sm is 2 GHz, that of base.yaml 1 GHz.");
  CHECK(report.verdicts.at(0).hint_key == "other-keys");
  CHECK_THAT(report.verdicts.at(0).note, Contains("clocks.sm is 2 GHz"));
  CHECK(report.points() == 0);
}

TEST_CASE("a machine that cannot be read is named") {
  MachineCase of;
  const lab::Report report = of.judged(8, "", "machine.yaml:3:1: unknown key");
  CHECK(report.is_broken);
  CHECK(report.problems == std::vector<std::string>{"machine.yaml:3:1: unknown key"});
}

TEST_CASE(
    "a comparison that did not come to its end is not a fault of the work: nothing is hinted, and no try is counted") {
  Case of;
  of.laboratory.work = {"", "", "k.trace did not end"};
  const lab::Report report = of.judged(of.right_answers(), 7);
  CHECK(report.verdicts.back().standing == Standing::kNotYet);
  CHECK(report.verdicts.back().hint_key == "not-run");
  CHECK(report.problems == std::vector<std::string>{"k.trace did not end"});
  CHECK_FALSE(report.is_broken);
  of.laboratory.work = {"written-again", "Twice."};
  CHECK(of.verdict("same", "", 8).hint_key == "1");
}

TEST_CASE("a guess that is none of the options is told what the options are") {
  const testing::LabFolder folder(
      "  guess: {kind: predict, options: [slow, quick], truth: {slow: student.time_us > 5, quick: student.time_us <= "
      "5}}\n"
      "  fast: {kind: metric, holds: student.time_us <= 3}\n",
      "  guess: {question: How, options: {slow: It is slow, quick: It is quick}}\n"
      "  fast: {question: Is it, found: Some., hints: [Measure.]}\n");
  const lab::Lab lab = lab::read_lab(folder.path());
  const lab::Student student = lab::student_of(lab, "mary");
  StandIn laboratory;
  lab::Attempts attempts;
  const lab::Report report =
      lab::judge({lab, student, lab::scope_of(lab, student.seed), {{"guess", {"2", {}}}}, 0}, attempts, laboratory);
  CHECK(report.verdicts.front().standing == Standing::kWaiting);
  CHECK(report.verdicts.front().hint == "'2' is none of the options: slow, quick.");
}

}  // namespace judge_test
