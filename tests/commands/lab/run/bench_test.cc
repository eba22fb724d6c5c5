// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/bench.h"

#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/lab_file.h"

#include "tests/support/lab_folder.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kTasks = "  fast: {kind: metric, holds: student.time_us <= reference.time_us}\n";
constexpr const char* kTexts = "  fast: {question: Be fast., found: Some., hints: [Think.]}\n";

std::string kernel_of(const std::string& turns, const std::string& ctas = "1") {
  return "gpusim trace 1\ntitle \"turns\"\nparam n = 64 in 1..1024 \"not used\"\n"
         "param type = f32 in f32 | f64 \"not used\"\nkernel k\n  grid (" +
         ctas + ")\n  block (32)\ncode\n  loop t = 0.." + turns + "\n    FADD R1, R1, R1\n  end\n  EXIT\nend\n";
}

/// It ends, after hours: a warp that went round as often would be taken to be in an endless loop.
std::string long_kernel() {
  return kernel_of("40000000", "1000000");
}

/// A lab whose kernel may be CUDA, for an A100, and a compiler that is a script; its last argument is the file to make.
class CudaLab {
 public:
  explicit CudaLab(const std::string& script) : folder_(kTasks, kTexts) {
    std::string text = folder_.text("lab.yaml");
    folder_.write("start/kernel.cu", "start\n");
    folder_.write("solution/kernel.cu", "solution\n");
    folder_.write("desk/kernel.cu", "desk\n");
    folder_.write("start/kernel.yaml", "grid: 1\nblock: 128\n");
    folder_.write("lab.yaml",
                  text.insert(text.find("runs:"),
                              "cuda:\n  kernel.trace: {source: kernel.cu, launch: kernel.yaml, arch: a100}\n"));
    folder_.write("nvcc", "#!/bin/sh\nfor made in \"$@\"; do :; done\n" + script + "\n");
    std::filesystem::permissions(folder_.path() / "nvcc", std::filesystem::perms::owner_all);
    memory_.compiler = lab::Compiler(compile::Places{{folder_.path()}});
  }
  [[nodiscard]] std::vector<std::string> notes() {
    const lab::Lab lab = lab::read_lab(folder_.path());
    return lab::Bench(lab, folder_.path() / "desk", memory_, lab::Bench::kPatientSeconds).notes(scope_of(lab));
  }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  [[nodiscard]] std::string problem_of(const char* run) {
    const lab::Lab lab = lab::read_lab(folder_.path());
    lab::Bench bench(lab, folder_.path() / "desk", memory_, lab::Bench::kPatientSeconds);
    return bench.measure(*lab.run(run), scope_of(lab), lab::Purpose::kChange).problem;
  }
  /// What a run of the lab's trace says, and then comparing the student's CUDA, in a check of so many seconds.
  [[nodiscard]] std::pair<std::string, std::string> problems_within(double seconds) {
    const lab::Lab lab = lab::read_lab(folder_.path());
    lab::Bench bench(lab, folder_.path() / "desk", memory_, seconds);
    std::string first = bench.measure(*lab.run("reference"), scope_of(lab), lab::Purpose::kQuestion).problem;
    lab::Task work;
    work.run = "student";
    work.like = "reference";
    return {std::move(first), bench.compare_work(work, scope_of(lab)).problem};
  }
  [[nodiscard]] lab::Measured measured() {
    const lab::Lab lab = lab::read_lab(folder_.path());
    lab::Bench bench(lab, folder_.path() / "desk", memory_, lab::Bench::kPatientSeconds);
    return bench.measure(*lab.run("student"), scope_of(lab), lab::Purpose::kChange);
  }
  [[nodiscard]] std::filesystem::path desk() const { return folder_.path() / "desk"; }

 private:
  static lab::Scope scope_of(const lab::Lab& lab) { return lab::scope_of(lab, lab::student_of(lab, "mary").seed); }

  testing::LabFolder folder_;
  lab::Memory memory_;
};

}  // namespace

TEST_CASE("CUDA is compiled for the architecture that the lab says of it") {
  CHECK_THAT(CudaLab("echo \"$@\" >&2; exit 2").problem_of("student"), Contains("-arch=sm_80"));
}

TEST_CASE("CUDA without its launch file is said to be launched as at the start") {
  CudaLab lab("exit 2");
  REQUIRE(lab.notes().size() == 2);
  CHECK_THAT(lab.notes().back(), Contains("kernel.yaml is missing: kernel.cu is launched as at the start."));
  lab.write("desk/kernel.yaml", "grid: 1\n");
  CHECK(lab.notes().size() == 1);
}

TEST_CASE("CUDA of the lab itself that does not compile is not the student's fault") {
  CudaLab lab("grep -q solution \"$(dirname \"$made\")\"/../*/kernel.cu && echo wrong >&2; exit 2");
  CHECK_THAT(lab.problem_of("student"), Contains("desk/kernel.cu: nvcc failed"));
  CHECK_THROWS_WITH(lab.problem_of("reference"), Contains("the run 'reference' of the lab itself failed") &&
                                                     Contains("solution/kernel.cu: nvcc failed"));
}

TEST_CASE("a launch file that is a link or a folder is refused, as kernels are, and is not taken for none") {
  CudaLab lab("exit 2");
  std::filesystem::create_symlink("elsewhere.yaml", lab.desk() / "kernel.yaml");
  CHECK_THAT(lab.problem_of("student"), Contains("desk/kernel.yaml is a link: put the file itself there"));
  std::filesystem::remove(lab.desk() / "kernel.yaml");
  std::filesystem::create_directory(lab.desk() / "kernel.yaml");
  CHECK_THAT(lab.problem_of("student"), Contains("desk/kernel.yaml is not a file. Move it away, then"));
  CHECK(lab.measured().is_broken);
  CHECK(lab.notes().size() == 1);
}

TEST_CASE("a launch of the student's file that does not count is said to be so") {
  CudaLab lab("exit 2");
  lab.write("desk/kernel.yaml", "grid: 2\nblock: 128\n");
  CHECK(lab.notes().back() ==
        "The check launches kernel.cu with its own grid: what kernel.yaml says of that does not count.");
}

namespace {

/// A lab of a kernel that is compiled already: y = 2 x + y for the first `count` elements, which the student may set.
class SaxpyLab : public CudaLab {
 public:
  explicit SaxpyLab(const std::string& args = "{n: count, a: 2.0, x: 'f32[256]:ones', y: 'f32[256]:ones'}")
      : CudaLab("cp " GPUSIM_SOURCE_DIR "/tests/code/cubin/data/kernels_sm80.cubin \"$made\"") {
    write("start/kernel.yaml", "kernel: saxpy\nparam: {count: 256}\ngrid: 1\nblock: 256\nargs: " + args + "\n");
  }
};

}  // namespace

TEST_CASE("what memory holds after the run that is measured is compared with what the solution calculates") {
  SaxpyLab lab;
  const lab::Measured same = lab.measured();
  CHECK(same.problem.empty());
  CHECK(same.values.contains("time_us"));
  CHECK(same.other_values.empty());
  lab.write("desk/kernel.yaml", "kernel: saxpy\nparam: {count: 128}\ngrid: 1\nblock: 256\n");
  CHECK(lab.measured().problem.empty());
  CHECK_THAT(lab.measured().other_values, Contains("After the run that is measured 'y' holds other values") &&
                                              Contains("the first at [128] is 1 instead of 3"));
}

TEST_CASE("a launch file of the lab that does not fit its own solution is not the student's fault") {
  SaxpyLab lab("{n: count, a: 2.0, x: 'f32[256]:ones'}");
  CHECK_THROWS_WITH(lab.problem_of("student"), Contains("the run 'solution of student' of the lab itself failed"));
}

TEST_CASE("runs end when the time of a check is over, also those of the lab itself, and nothing is at fault") {
  const testing::LabFolder folder(kTasks, kTexts);
  folder.write("desk/kernel.trace", long_kernel());
  folder.write("solution/kernel.trace", long_kernel());
  const lab::Lab lab = lab::read_lab(folder.path());
  const lab::Scope scope = lab::scope_of(lab, lab::student_of(lab, "mary").seed);
  lab::Memory memory;
  lab::Bench student(lab, folder.path() / "desk", memory, 0.3);
  CHECK_THAT(
      student.measure(*lab.run("student"), scope, lab::Purpose::kChange).problem,
      Contains("desk/kernel.trace did not end within the 0.3 s that a check has") && Contains("Does every loop end?"));
  CHECK_THAT(student.measure(*lab.run("reference"), scope, lab::Purpose::kChange).problem,
             Contains("desk/kernel.trace did not end within the 0.3 s that a check has"));

  lab::Memory other;
  lab::Bench own(lab, folder.path() / "desk", other, 0.3);
  CHECK_THAT(own.measure(*lab.run("reference"), scope, lab::Purpose::kChange).problem,
             Contains("this machine is busy"));
}

TEST_CASE("runs and compilers have one time together: what a run took of it, no compiler has") {
  CudaLab lab("touch \"$(dirname \"$0\")/called\"; exit 2");
  lab.write("solution/kernel.trace", long_kernel());
  const auto problems = lab.problems_within(0.3);
  CHECK_THAT(problems.first, Contains("this machine is busy"));
  CHECK_THAT(problems.second, Contains("kernel.cu did not compile in the time that a check has."));
  CHECK_FALSE(std::filesystem::exists(lab.desk().parent_path() / "called"));
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
