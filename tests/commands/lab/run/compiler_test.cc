// SPDX-License-Identifier: MIT
// Compilers are stand-ins here: scripts that do what a compiler could do.
#include "sim/commands/lab/run/compiler.h"

#include <fstream>

#include <catch2/catch.hpp>

#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/run/job.h"
#include "sim/commands/lab/run/wall_budget.h"

using namespace gpusim;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

/// A desk with kernel.cu, and a compiler that is a script; its last argument is the file that it is to make.
class Desk {
 public:
  explicit Desk(const std::string& script) : compiler(compile::Places{{place_.path()}}) {
    if (!script.empty()) {
      install(script);
    }
    write("__global__ void k() {}\n");
  }
  void install(const std::string& script) const {
    const fs::path nvcc = place_.path() / "nvcc";
    std::ofstream(nvcc) << "#!/bin/sh\nfor made in \"$@\"; do :; done\n" << script << "\n";
    fs::permissions(nvcc, fs::perms::owner_all);
  }
  void write(const std::string& text) const { std::ofstream(desk() / "kernel.cu") << text; }
  [[nodiscard]] fs::path desk() const {
    fs::create_directories(place_.path() / "desk");
    return place_.path() / "desk";
  }
  [[nodiscard]] lab::Job job() const {
    lab::Job job{(desk() / "kernel.cu").string(), "t4", {}, {}, "warm", "k"};
    job.launch_text = "grid: 1\n";
    return job;
  }
  [[nodiscard]] std::string compile(lab::Job& one, lab::WallBudget& budget) {
    return compiler.compile(one, budget).text;
  }
  [[nodiscard]] std::string compile(lab::Job& one) {
    lab::WallBudget budget(60);
    return compile(one, budget);
  }
  [[nodiscard]] std::string problem() {
    lab::Job one = job();
    return compile(one);
  }

 private:
  TemporaryFolder place_;

 public:
  lab::Compiler compiler;
};

}  // namespace

TEST_CASE("a job in CUDA becomes one of machine code with its launch, in a folder of the compiler") {
  Desk desk("echo \"$@\" > \"$made\"");
  lab::Job job = desk.job();
  REQUIRE(desk.compile(job).empty());
  CHECK_THAT(lab::text_of(job.trace), Contains("-arch=sm_75"));
  CHECK(lab::text_of(job.launch) == "grid: 1\n");
  CHECK(fs::path(job.trace).parent_path() != desk.desk());
  CHECK(desk.compiler.own_words(job.trace + ": no, " + job.launch) == "kernel.cu: no, launch.yaml");
}

TEST_CASE("a trace is left as it is") {
  Desk desk("exit 1");
  lab::Job job{"kernel.trace", "t4", {}, {}, "warm", ""};
  CHECK(desk.compile(job).empty());
  CHECK(job.trace == "kernel.trace");
}

TEST_CASE("equal texts are compiled once, others anew") {
  Desk desk("date +%N > \"$made\"");
  lab::Job first = desk.job();
  lab::Job second = desk.job();
  REQUIRE(desk.compile(first).empty());
  REQUIRE(desk.compile(second).empty());
  CHECK(first.trace == second.trace);
  CHECK(first.launch != second.launch);
  desk.write("__global__ void k() { }\n");
  lab::Job third = desk.job();
  REQUIRE(desk.compile(third).empty());
  CHECK(first.trace != third.trace);
}

TEST_CASE("what the compiler says is the answer, with the student's file and its lines") {
  Desk desk("echo \"$TMPDIR/kernel.cu(3): error: expected a ; in f(2)\" >&2; exit 2");
  CHECK_THAT(desk.problem(), Contains(desk.desk().string() + "/kernel.cu: nvcc failed with exit code 2 (it said:)\n") &&
                                 Contains("\nkernel.cu:3: error: expected a ; in f(2)"));
}

TEST_CASE("a compiler that says very much is cut short") {
  Desk desk("yes error | head -c 100000; exit 2");
  CHECK(desk.problem().size() < 5000);
}

TEST_CASE("without a compiler it is said which package brings one, and that the trace will do") {
  Desk desk("");
  CHECK_THAT(desk.problem(), Catch::Matchers::StartsWith("kernel.cu is CUDA, and has to be compiled") &&
                                 Contains("'pip install nvidia-cuda-nvcc' brings it") &&
                                 Contains("move kernel.cu away: then the trace is checked"));
}

TEST_CASE("a source that names another file never reaches the compiler") {
  Desk desk("touch \"$(dirname \"$0\")/called\"; exit 2");
  desk.write("#include \"/etc/passwd\"\n");
  CHECK_THAT(desk.problem(), Contains("kernel.cu:1: '#include \"/etc/passwd\"' is not accepted"));
  CHECK_FALSE(fs::exists(desk.desk().parent_path() / "called"));
}

TEST_CASE("a compiler that a limit ended is a sentence, and no exit code") {
  const auto [signal, words] = GENERATE(
      table<std::string, std::string>({{"KILL", "kernel.cu did not compile within 6 s of processor time."},
                                       {"XCPU", "kernel.cu did not compile within 6 s of processor time."},
                                       {"ABRT", "kernel.cu takes more than 480 MB of memory to compile."},
                                       {"XFSZ", "kernel.cu makes the compiler write more than 64 MB."},
                                       {"SEGV", "kernel.cu does not compile: the compiler crashed (signal 11)."}}));
  Desk desk("kill -" + signal + " $$");
  CHECK(desk.problem() == (desk.desk() / "").string() + words);
}

TEST_CASE("all compilations together have so many seconds, and with more time another try may do") {
  Desk desk("sleep 1000 > /dev/null");
  lab::Job job = desk.job();
  lab::WallBudget budget(0.3);
  CHECK_THAT(desk.compile(job, budget),
             Contains("did not compile in the time that a check has.") && Contains("Try again") && !Contains("desk/"));
  CHECK(budget.is_spent());
  desk.install("date > \"$made\"");
  CHECK_FALSE(desk.compile(job, budget).empty());
  CHECK(desk.compile(job).empty());
}

TEST_CASE("a compiler that fills the disk is ended") {
  Desk desk("trap '' XFSZ; yes > \"$made\" 2>/dev/null; exit 2");
  CHECK_THAT(desk.problem(), Contains("nvcc failed with exit code 2"));
}
