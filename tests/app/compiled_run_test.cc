// SPDX-License-Identifier: MIT
// gpusim --trace FILE:KERNEL with a launch: compiled kernels are simulated as a user asks for it, and leave the results
// that gpusim exec leaves.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"

namespace compiled_run_test {

using namespace gpusim::app;
using Catch::Contains;

namespace {

/// A workshop with compiled kernels, and with the source of some beside them.
class Lab {
 public:
  Lab() {
    const std::filesystem::path tests = std::filesystem::path(GPUSIM_SOURCE_DIR) / "tests";
    for (const char* const name :
         {"code/cubin/data/kernels_sm80.cubin", "code/cubin/data/kernels_sm90.cubin", "exec/kernels/data/saxpy.fatbin",
          "exec/kernels/data/bulk_copy.fatbin", "code/cubin/kernels.cu", "exec/trace/data/walked.cubin",
          "exec/trace/data/walked.cu"}) {
      std::filesystem::copy(tests / name, workshop.folder() / std::filesystem::path(name).filename());
    }
  }
  Workshop workshop;
};

const std::string kSaxpy =
    " --grid 4 --block 256 --arg n=1000 --arg a=2.0 --arg 'x=f32[n]:iota' --arg 'y=f32[n]:ones' ";
const std::string kOnH100 = "--arch h100 --trace kernels_sm90.cubin:saxpy" + kSaxpy;

constexpr const char* kLaunchFile =
    "file: kernels_sm90.cubin\nkernel: saxpy\nparam: {n: 1000}\ngrid: (n + 255) / 256\nblock: 256\n"
    "args: {n: n, a: 2.0, x: \"f32[n]:iota\", y: \"f32[n]:ones\"}\n";

}  // namespace

TEST_CASE("the report of a compiled kernel names lines of its source") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run(kOnH100 + "--details");
  INFO(said.err);
  REQUIRE(said.code == 0);
  CHECK_THAT(said.out, Contains("saxpy") && Contains("(4, 1, 1) x (256, 1, 1), 4 CTAs"));
  CHECK_THAT(said.out, Contains("FFMA, for the LDG.E at line 11"));
}

TEST_CASE("a simulated kernel leaves the bytes that an executed one leaves") {
  const Lab lab;
  REQUIRE(lab.workshop.run("exec kernels_sm90.cubin:saxpy" + kSaxpy + "--out y=executed.npy").code == 0);
  const Workshop::Said said = lab.workshop.run(kOnH100 + "--out y=simulated.npy --expect y=executed.npy");
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("y is in simulated.npy") && Contains("y: 1,000 elements as expected, all exactly"));
  CHECK(content_of(lab.workshop.folder() / "simulated.npy") == content_of(lab.workshop.folder() / "executed.npy"));
}

TEST_CASE("an expectation that a simulated kernel misses ends with exit code 5, behind the report") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run(kOnH100 + "--expect y=zeros");
  CHECK(said.code == 5);
  CHECK_THAT(said.out, Contains("Speed of light"));
  CHECK_THAT(said.err, Contains("y: 1,000 of 1,000 elements differ: the first at [0] is 1 instead of 0"));
}

TEST_CASE("JSON stays alone on standard output, and says where the kernel comes from") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run(kOnH100 + "--format json --out y=y.npy");
  INFO(said.err);
  REQUIRE(said.code == 0);
  const nlohmann::json result = nlohmann::json::parse(said.out);
  CHECK(result.at("trace").at("origin") == "compiled");
  CHECK(result.at("kernels").size() == 1);
  CHECK_THAT(said.err, Contains("y is in y.npy"));
}

TEST_CASE("a launch file is simulated with and without its kernel file, and with other parameters") {
  const Lab lab;
  lab.workshop.write("saxpy.yaml", kLaunchFile);
  const Workshop::Said alone = lab.workshop.run("run --arch h100 --launch saxpy.yaml --format json");
  INFO(alone.err);
  REQUIRE(alone.code == 0);
  const auto instructions = [](const Workshop::Said& said) {
    return nlohmann::json::parse(said.out).at("kernels").at(0).at("warp_instructions").get<std::uint64_t>();
  };
  const Workshop::Said named =
      lab.workshop.run("run --arch h100 --kernel-file kernels_sm90.cubin --launch saxpy.yaml --format json");
  REQUIRE(named.code == 0);
  CHECK(instructions(named) == instructions(alone));
  const Workshop::Said larger = lab.workshop.run("run --arch h100 --launch saxpy.yaml --param n=100000 --format json");
  REQUIRE(larger.code == 0);
  CHECK(instructions(larger) > 90 * instructions(alone));
}

TEST_CASE("launches of a file are simulated one after another on the same buffers") {
  const Lab lab;
  lab.workshop.write("twice.yaml",
                     "file: kernels_sm80.cubin\nkernel: saxpy\ngrid: 1\nblock: 64\n"
                     "buffers: {x: \"f32[64]:ones\", y: \"f32[64]:zeros\"}\n"
                     "launches:\n  - args: {0: 64, 1: 2.0, 2: x, 3: y}\n    repeat: 3\n"
                     "  - args: {0: 64, 1: 0.5, 2: y, 3: x}\nexpect: {y: \"6\", x: \"4\"}\n");
  const Workshop::Said said = lab.workshop.run("--arch a100 --launch twice.yaml --format json");
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK(nlohmann::json::parse(said.out).at("kernels").size() == 4);
}

TEST_CASE("a fatbin gives the code for the GPU, and a folder of Triton's cache its launch") {
  const Lab lab;
  const Workshop::Said fatbin = lab.workshop.run("--arch h100 --trace saxpy.fatbin --kernel saxpy" + kSaxpy);
  INFO(fatbin.err);
  CHECK(fatbin.code == 0);
  const std::filesystem::path cache = lab.workshop.folder() / "cache";
  std::filesystem::create_directories(cache / "ABC");
  std::filesystem::copy(lab.workshop.folder() / "kernels_sm90.cubin", cache / "ABC" / "saxpy.cubin");
  lab.workshop.write("cache/ABC/saxpy.json",
                     R"({"name": "saxpy", "num_warps": 8, "shared": 0, "cluster_dims": [1, 1, 1]})");
  const Workshop::Said folder = lab.workshop.run(
      "--arch h100 --trace cache:saxpy --grid 4 --arg n=1000 --arg a=2.0 --arg 'x=f32[n]:iota' --arg 'y=f32[n]:ones' "
      "--expect 'y=iota(1, 2)'");
  INFO(folder.err);
  CHECK_THAT(folder.out, Contains("(4, 1, 1) x (256, 1, 1), 4 CTAs") && Contains("y: 1,000 elements as expected"));
}

TEST_CASE("timelines, what-ifs, questions and pages work for compiled kernels") {
  const Lab lab;
  const Workshop::Said watched = lab.workshop.run(kOnH100 + "--watch sm=0,warp=0,cycles=0..600");
  CHECK(watched.code == 0);
  CHECK_THAT(watched.out, Contains("IMAD"));
  const Workshop::Said why = lab.workshop.run(kOnH100 + "--why sm=0,warp=0,cycle=420");
  CHECK(why.code == 0);
  CHECK_THAT(why.out, Contains("next: line "));
  const Workshop::Said advised = lab.workshop.run(kOnH100 + "--advise=all --out y=y.npy --html page.html");
  INFO(advised.err);
  CHECK(advised.code == 0);
  CHECK_THAT(advised.out, Contains("y is in y.npy"));
  CHECK_THAT(content_of(lab.workshop.folder() / "page.html"), Contains("<html"));
}

TEST_CASE("an endless loop ends with a sentence that names it, warm or cold") {
  const Lab lab;
  for (const std::string cache : {"warm", "cold"}) {
    const Workshop::Said said = lab.workshop.run(
        "--arch a100 --trace walked.cubin:wait_forever --grid 1 --block 32 --arg '0=u32[1]:zeros' "
        "--max-warp-instructions 20000 --cache " +
        cache);
    CHECK(said.code == 3);
    CHECK_THAT(said.err,
               Contains("after 20,000 instructions a warp has not ended: lane 0 of warp 0 in CTA (0, 0, 0)") &&
                   Contains("is in a loop from '") && Contains("walked.cu:76)") &&
                   Contains("otherwise raise --max-warp-instructions"));
  }
}

TEST_CASE("code for another GPU, and options that do not go together, are one clear error each") {
  const Lab lab;
  const auto error = [&](const std::string& arguments, int code) {
    const Workshop::Said said = lab.workshop.run(arguments);
    INFO(arguments + said.err);
    CHECK(said.code == code);
    return said.err;
  };
  CHECK_THAT(error("--arch a100 --trace kernels_sm90.cubin:saxpy" + kSaxpy, 2),
             Contains("has kernel 'saxpy' for sm_90, which ") && Contains("(compute capability 8.0) cannot run"));
  CHECK_THAT(error("--arch h100 --trace kernels_sm90.cubin:saxpy", 2), Contains("needs a grid (add --grid 1024)"));
  CHECK_THAT(error("--arch h100 --trace saxpy" + kSaxpy, 1),
             Contains("'saxpy' is a trace, which has its launch in it"));
  CHECK_THAT(error("--arch h100 --trace nothere.cubin" + kSaxpy, 2), Contains("nothere.cubin: no such file"));
  CHECK_THAT(error("--arch h100 --trace saxpy --kernel-file kernels_sm90.cubin", 1),
             Contains("does not go with --trace"));
  CHECK_THAT(error(kOnH100 + "--kernel saxpy", 1), Contains("both name the kernel"));
  CHECK_THAT(error(kOnH100 + "--test-params", 1), Contains("--test-params does not go with compiled kernels"));
  CHECK_THAT(error(kOnH100 + "--ctas 0..1 --out y=y.npy", 1), Contains("--out does not go with --ctas"));
  CHECK_THAT(error(kOnH100 + "--out y=y.npy --json ./y.npy", 1), Contains("--out and --json name the same file"));
  CHECK_THAT(error(kOnH100 + "--json kernels_sm90.cubin", 2), Contains("kernels_sm90.cubin"));
  CHECK_THAT(error("--arch h100", 1), Contains("--trace TRACE"));
}

TEST_CASE("an access outside a buffer ends the simulation with its line") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run(
      "--arch h100 --trace kernels_sm90.cubin:saxpy --grid 4 --block 256 --arg n=1000 --arg a=2.0 --arg 'x=f32[500]' "
      "--arg 'y=f32[1000]' --cache cold --out y=y.npy");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("kernels.cu:11"));
  CHECK_FALSE(std::filesystem::exists(lab.workshop.folder() / "y.npy"));
}

TEST_CASE("an access outside a buffer is found in whichever CTA it is") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run(
      "--arch h100 --trace kernels_sm90.cubin:saxpy --grid 65 --block 256 --arg n=16640 --arg a=2.0 "
      "--arg 'x=f32[16384]:random' --arg 'y=f32[16640]:zeros'");
  INFO(said.err);
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("CTA (64, 0, 0)") && Contains("0 bytes behind the end of buffer \"x\""));
}

TEST_CASE("a kernel takes the same time whether its results are asked for or not") {
  const Lab lab;
  const auto result = [&lab](const std::string& more) {
    nlohmann::json json = nlohmann::json::parse(lab.workshop.run(kOnH100 + "--format json" + more).out);
    return json.at("kernels").at(0);
  };
  CHECK(result("") == result(" --out y=y.npy"));
}

TEST_CASE("buffers may be larger than the host's memory where nobody looks at their values") {
  const Lab lab;
  const std::string large =
      "--arch h100 --trace kernels_sm90.cubin:saxpy --grid 4 --block 256 --arg n=1000 --arg a=2.0 "
      "--arg 'x=f32[n * 100000000]:random' --arg 'y=f32[n]:ones' ";
  const Workshop::Said said = lab.workshop.run(large);
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("4 CTAs"));
  const Workshop::Said written = lab.workshop.run(large + "--out y=y.npy");
  CHECK(written.code == 2);
  CHECK_THAT(written.err, Contains("this machine has"));
}

TEST_CASE("a run that meets a limit of cycles writes no results") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run(kOnH100 + "--max-cycles 100 --cache cold --out y=y.npy");
  CHECK(said.code == 3);
  CHECK_THAT(said.err, Contains("what they calculate is neither written nor compared"));
  CHECK_FALSE(std::filesystem::exists(lab.workshop.folder() / "y.npy"));
}

TEST_CASE("a launch that is imported once is simulated like the kernel itself, and swept") {
  const Lab lab;
  const Workshop::Said import =
      lab.workshop.run("trace import kernels_sm90.cubin:saxpy" + kSaxpy + "-o saxpy.gtrace --expect 'y=iota(1, 2)'");
  INFO(import.err);
  REQUIRE(import.code == 0);
  CHECK_THAT(import.out, Contains("saxpy.gtrace: 1 kernel, ") && Contains("y: 1,000 elements as expected"));
  const auto cycles = [](const Workshop::Said& said) {
    return nlohmann::json::parse(said.out).at("kernels").at(0).at("cycles").get<std::uint64_t>();
  };
  const Workshop::Said recorded = lab.workshop.run("--arch h100 --trace saxpy.gtrace --format json");
  REQUIRE(recorded.code == 0);
  CHECK(cycles(recorded) == cycles(lab.workshop.run(kOnH100 + "--format json")));
  const Workshop::Said sweep =
      lab.workshop.run("sweep --arch h100 --trace saxpy.gtrace --vary sm.count=66,132 --db s.db");
  INFO(sweep.err);
  CHECK(sweep.code == 0);
}

TEST_CASE("kernels that command the TMA are simulated, and recorded") {
  const Lab lab;
  const std::string launch = " --grid 2 --block 128 --arg 0=1 --arg '1=i32[2048]:iota' --arg '2=i32[2048]:zeros' ";
  const Workshop::Said said = lab.workshop.run("--arch h100 --trace bulk_copy.fatbin:bulk_copy" + launch);
  INFO(said.err);
  CHECK(said.code == 0);
  const Workshop::Said import = lab.workshop.run("trace import bulk_copy.fatbin:bulk_copy" + launch + "-o b.gtrace");
  INFO(import.err);
  REQUIRE(import.code == 0);
  const auto bulk_sectors = [](const Workshop::Said& run) {
    const nlohmann::json kernel = nlohmann::json::parse(run.out).at("kernels").at(0);
    return kernel.at("counters").at("l1").at("bulk_sectors").get<std::uint64_t>();
  };
  const Workshop::Said recorded = lab.workshop.run("--arch h100 --trace b.gtrace --format json");
  INFO(recorded.err);
  REQUIRE(recorded.code == 0);
  const Workshop::Said executed =
      lab.workshop.run("--arch h100 --trace bulk_copy.fatbin:bulk_copy" + launch + "--format json");
  CHECK(bulk_sectors(recorded) == bulk_sectors(executed));
  CHECK(bulk_sectors(recorded) > 0);
}

TEST_CASE("CUDA source is compiled for the GPU and simulated") {
  const Lab lab;
  if (lab.workshop.shell("PATH=$PATH:/usr/local/cuda/bin nvcc --version >out 2>err").code != 0) {
    WARN("there is no nvcc here: CUDA source is not tried");
    return;
  }
  const Workshop::Said said =
      lab.workshop.run("--arch a100 --trace kernels.cu:saxpy" + kSaxpy + "--expect 'y=iota(1, 2)'");
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK_THAT(said.err, Contains("-arch=sm_80"));
  CHECK_THAT(said.out, Contains("y: 1,000 elements as expected"));
}

}  // namespace compiled_run_test
