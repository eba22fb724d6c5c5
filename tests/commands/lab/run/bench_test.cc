// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/bench.h"

#include <catch2/catch.hpp>

#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/lab_file.h"

#include "tests/support/lab_folder.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kTasks = "  fast: {kind: metric, holds: student.time_us <= reference.time_us}\n";
constexpr const char* kTexts = "  fast: {question: Be fast., hints: [Think.]}\n";

std::string kernel_of(const std::string& turns) {
  return "gpusim trace 1\ntitle \"turns\"\nparam n = 64 in 1..1024 \"not used\"\n"
         "param type = f32 in f32 | f64 \"not used\"\nkernel k\n  grid (1)\n  block (32)\ncode\n  loop t = 0.." +
         turns + "\n    FADD R1, R1, R1\n  end\n  EXIT\nend\n";
}

}  // namespace

TEST_CASE("runs end when the time of a check is over, also those of the lab itself, and nothing is at fault") {
  const testing::LabFolder folder(kTasks, kTexts);
  folder.write("desk/kernel.trace", kernel_of("1000000000000"));
  folder.write("solution/kernel.trace", kernel_of("1000000000000"));
  const lab::Lab lab = lab::read_lab(folder.path());
  const lab::Scope scope = lab::scope_of(lab, lab::student_of(lab, "mary").seed);
  lab::Memory memory;
  lab::Bench student(lab, folder.path() / "desk", memory, 0.3);
  CHECK_THAT(
      student.measure(*lab.run("student"), scope, lab::Purpose::kChange).problem,
      Contains("desk/kernel.trace did not end within the 0.3 s that all runs") && Contains("Does every loop end?"));
  CHECK_THAT(student.measure(*lab.run("reference"), scope, lab::Purpose::kChange).problem,
             Contains("desk/kernel.trace did not end within the 0.3 s that all runs"));

  lab::Memory other;
  lab::Bench own(lab, folder.path() / "desk", other, 0.3);
  CHECK_THAT(own.measure(*lab.run("reference"), scope, lab::Purpose::kChange).problem,
             Contains("this machine is busy"));
}

TEST_CASE("a run that ends is measured once, however often it is asked for") {
  const testing::LabFolder folder(kTasks, kTexts);
  folder.write("desk/kernel.trace", kernel_of("4"));
  const lab::Lab lab = lab::read_lab(folder.path());
  const lab::Scope scope = lab::scope_of(lab, lab::student_of(lab, "mary").seed);
  lab::Memory memory;
  lab::Bench bench(lab, folder.path() / "desk", memory, lab::Bench::kPatientSeconds);
  const lab::Measured& first = bench.measure(*lab.run("student"), scope, lab::Purpose::kChange);
  CHECK(first.problem.empty());
  CHECK(first.values.contains("time_us"));
  CHECK(&bench.measure(*lab.run("student"), scope, lab::Purpose::kChange) == &first);
  CHECK(memory.measured.size() == 1);
}
