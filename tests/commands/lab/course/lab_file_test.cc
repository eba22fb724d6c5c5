// SPDX-License-Identifier: MIT
#include "sim/commands/lab/course/lab_file.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

#include "tests/support/lab_folder.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kTask = "  much: {kind: number, value: n * 2, mistakes: {half: n / 2}}\n";
constexpr const char* kText =
    "  much:\n    question: How much is it?\n    hints: [Think.]\n    mistakes: {half: No.}\n";

std::string problems_of(const std::string& tasks, const std::string& texts) {
  const testing::LabFolder folder(tasks, texts);
  try {
    (void)lab::read_lab(folder.path());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a lab is read with its parameters, runs, tasks and sentences") {
  const testing::LabFolder folder(kTask, kText);
  const lab::Lab lab = lab::read_lab(folder.path());
  CHECK(lab.name == "tiny");
  CHECK(lab.minutes == 20);
  REQUIRE(lab.parameters.size() == 2);
  CHECK(lab.parameters[0].choices == std::vector<std::string>{"64", "128"});
  REQUIRE(lab.run("student") != nullptr);
  CHECK(lab.run("student")->params == std::vector<lab::Setting>{{"n", "n"}, {"type", "type"}});
  CHECK(lab.is_of_student("kernel.trace"));
  CHECK_FALSE(lab.is_of_student("solution/kernel.trace"));
  REQUIRE(lab.task("much") != nullptr);
  CHECK(lab.task("much")->mistakes.at(0).key == "half");
  CHECK(lab.text.of("much").hints == std::vector<std::string>{"Think."});
  CHECK(lab.points() == 1);
}

TEST_CASE("a lab's folder may be named with a slash at its end") {
  const testing::LabFolder folder(kTask, kText);
  CHECK(lab::read_lab(folder.path() / "").name == "tiny");
}

TEST_CASE("what is wrong with a lab is said with its place and the nearest word") {
  CHECK_THAT(problems_of("  much: {kind: number, valeu: n}\n", kText),
             Contains("lab.yaml:11:24: unknown key 'valeu'") && Contains("did you mean 'value'?"));
  CHECK_THAT(problems_of("  much: {kind: numbre, value: n}\n", kText), Contains("did you mean 'number'?"));
  CHECK_THAT(problems_of("  much: {kind: number, value: m * 2}\n", kText),
             Contains("'m' is neither a parameter nor a value of a run"));
  CHECK_THAT(problems_of("  much: {kind: number, value: studnet.time_us}\n", kText),
             Contains("did you mean 'student.time_us'?"));
  CHECK_THAT(problems_of("  much: {kind: metric, holds: student.time_us}\n", kText), Contains("not a condition"));
  CHECK_THAT(problems_of("  much: {kind: number, value: n, tolerance: some}\n", kText), Contains("2 %"));
  CHECK_THAT(problems_of("  much: {kind: work, run: student, like: refrence}\n", kText),
             Contains("did you mean 'reference'?"));
  CHECK_THAT(problems_of("  much: {value: n}\n", kText), Contains("lacks its 'kind'"));
}

TEST_CASE("what was measured has a sentence where a metric is asked for, and nowhere else") {
  CHECK_THAT(problems_of("  much: {kind: metric, holds: student.time_us < 3}\n", "  much: {question: Q, hints: [H]}\n"),
             Contains("the task 'much' lacks 'found'"));
  CHECK_THAT(problems_of("  much: {kind: number, value: n}\n", "  much: {question: Q, hints: [H], found: Some.}\n"),
             Contains("the task 'much' has 'found', but it is not a metric"));
}

TEST_CASE("a kernel in CUDA stands for a trace of the student, of the start and of the solution") {
  const testing::LabFolder folder(kTask, kText);
  folder.write("start/kernel.cu", "start\n");
  folder.write("start/kernel.yaml", "grid: 1\n");
  const std::string text = folder.text("lab.yaml");
  const auto write = [&](const std::string& cuda) {
    folder.write("lab.yaml", std::string(text).insert(text.find("runs:"), "cuda:\n  " + cuda + "\n"));
  };
  write("kernel.trace: {source: kernel.cu, launch: kernel.yaml}");
  const lab::Lab lab = lab::read_lab(folder.path());
  for (const char* const trace : {"kernel.trace", "start/kernel.trace", "solution/kernel.trace"}) {
    REQUIRE(lab.cuda_of(trace) != nullptr);
    CHECK(lab.cuda_of(trace)->source == "kernel.cu");
  }
  CHECK(lab.cuda_of("start/other.trace") == nullptr);
  write("kernle.trace: {source: kernel.cu, launch: kernel.yaml}");
  CHECK_THROWS_WITH(lab::read_lab(folder.path()), Contains("did you mean 'kernel.trace'?"));
  write("kernel.trace: {source: other.cu, launch: kernel.yaml}");
  CHECK_THROWS_WITH(lab::read_lab(folder.path()), Contains("'other.cu' is not a file of the folder start"));
  write("kernel.trace: {source: kernel.cu}");
  CHECK_THROWS_WITH(lab::read_lab(folder.path()), Contains("lacks 'source' or 'launch'"));
}

TEST_CASE("a choice has one truth, and it is one of its options") {
  const std::string head = "  much: {kind: choice, options: [a, b]";
  CHECK_THAT(problems_of(head + "}\n", kText), Contains("has 0 truths"));
  CHECK_THAT(problems_of(head + ", answer: a, value: student.bound}\n", kText), Contains("has 2 truths"));
  CHECK_THAT(problems_of(head + ", answer: c}\n", kText), Contains("'c' is none of the options"));
  CHECK_THAT(problems_of(head + ", truth: {c: n > 1}}\n", kText), Contains("'c' is none of the options"));
}

TEST_CASE("every task, mistake and option has its sentence") {
  CHECK_THAT(problems_of(kTask, "  other: {question: What}\n"), Contains("a task is 'other'"));
  CHECK_THAT(problems_of(kTask, "  much: {question: What, hints: [Think.]}\n"),
             Contains("the mistake 'half' of 'much' has no hint"));
  CHECK_THAT(problems_of(kTask, "  much: {hints: [Think.], mistakes: {half: No.}}\n"),
             Contains("lacks its 'question'"));
  CHECK_THAT(problems_of(kTask, "  much: {question: What, mistakes: {half: No.}}\n"), Contains("lacks 'hints'"));
  CHECK_THAT(problems_of("  much: {kind: choice, options: [a, b], answer: a}\n",
                         "  much: {question: What, hints: [Think.], options: {a: This.}}\n"),
             Contains("the option 'b' of 'much' has no sentence"));
}

TEST_CASE("a file that the student changes has to be there at the start") {
  const testing::LabFolder folder(kTask, kText);
  std::filesystem::remove(folder.path() / "start/kernel.trace");
  CHECK_THROWS_WITH(lab::read_lab(folder.path()), Contains("'kernel.trace' is not a file of the folder start"));
}

TEST_CASE("a name that formulas use has no hyphen, because they would subtract") {
  const testing::LabFolder folder(kTask, kText);
  const auto problems = [&folder](const std::string& from, const std::string& to) -> std::string {
    std::string text = folder.text("lab.yaml");
    const std::size_t at = text.find(from);
    folder.write("lab.yaml", std::string(text).replace(at, from.size(), to));
    std::string said;
    try {
      (void)lab::read_lab(folder.path());
    } catch (const InputError& error) {
      said = error.what();
    }
    folder.write("lab.yaml", text);
    return said;
  };
  CHECK_THAT(problems("reference:", "the-reference:"),
             Contains("lab.yaml:9:3: 'the-reference' has a hyphen, which formulas take for a minus") &&
                 Contains("such as 'the_reference'"));
  CHECK_THAT(problems("  type:", "  the-type:"), Contains("'the-type' has a hyphen"));
  CHECK_THAT(problems("  much: {kind: number, value: n * 2, mistakes: {half: n / 2}}",
                      "  how-much: {kind: setting, least: 1, most: 2}"),
             Contains("'how-much' has a hyphen"));
}

TEST_CASE("a machine has a file of the student, a base, prices of keys, and a budget") {
  const std::string text =
      "  much: {question: Which, hints: [Think.], mistakes: {over-budget: Less., other-keys: No.}}\n";
  const std::string head = "  much: {kind: machine, file: kernel.trace, base: solution/kernel.trace, ";
  CHECK(problems_of(head + "costs: {sm.count: 4, l2.bytes: 1 / 64 KiB}, budget: 2 * n}\n", text).empty());
  CHECK_THAT(problems_of(head + "costs: {sm.cuont: 4}, budget: 2 * n}\n", text),
             Contains("no architecture has a key 'sm.cuont'") && Contains("did you mean"));
  CHECK_THAT(problems_of(head + "costs: {sm.count: 4}}\n", text),
             Contains("lacks 'file', 'base', 'costs' or 'budget'"));
  CHECK_THAT(problems_of("  much: {kind: machine, file: kernle.trace, base: nowhere.yaml}\n", text),
             Contains("did you mean 'kernel.trace'?") && Contains("'nowhere.yaml' is not a file of the lab"));
  CHECK_THAT(problems_of(head + "costs: {sm.count: 4}, budget: 9}\n",
                         "  much: {question: Which, hints: [Think.], mistakes: {too-dear: No.}}\n"),
             Contains("'too-dear'"));
}

TEST_CASE("a parameter goes with an earlier one of as many choices") {
  const testing::LabFolder folder(kTask, kText);
  const std::string text = folder.text("lab.yaml");
  const auto with = [&](const std::string& line) -> std::string {
    folder.write("lab.yaml", std::string(text).replace(text.find("  type:"), 0, line));
    try {
      return lab::read_lab(folder.path()).parameters.at(1).with;
    } catch (const InputError& error) {
      return error.what();
    }
  };
  CHECK(with("  twice: {choose: [128, 256], with: n}\n") == "n");
  CHECK_THAT(with("  twice: {choose: [128], with: n}\n"), Contains("'with' is 'n'"));
  CHECK_THAT(with("  twice: {choose: [128, 256], with: m}\n"), Contains("'with' is 'm' (known: n)"));
}
