// SPDX-License-Identifier: MIT
// gpusim exec as a user runs it: compiled kernels are executed, and what they calculate is checked.
#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace exec_test {

using namespace gpusim::app;
using Catch::Contains;

namespace {

/// A workshop with the compiled kernels of the tests, and with their source beside them.
class Lab {
 public:
  Lab() {
    const std::filesystem::path data = std::filesystem::path(GPUSIM_SOURCE_DIR) / "tests/code/cubin";
    for (const char* const name : {"kernels_sm80.cubin", "kernels_sm90.cubin"}) {
      std::filesystem::copy(data / "data" / name, workshop.folder() / name);
    }
  }
  void add_source() const {
    std::filesystem::copy(std::filesystem::path(GPUSIM_SOURCE_DIR) / "tests/code/cubin/kernels.cu",
                          workshop.folder() / "kernels.cu");
  }
  Workshop workshop;
};

const std::string kSaxpy =
    " --grid 4 --block 256 --arg n=1000 --arg a=2.0 --arg 'x=f32[n]:iota' --arg 'y=f32[1024]:ones' ";

}  // namespace

TEST_CASE("saxpy is executed for two generations, and its result is checked and written") {
  const Lab lab;
  for (const std::string name : {"kernels_sm80.cubin", "kernels_sm90.cubin"}) {
    INFO(name);
    const Workshop::Said said = lab.workshop.run("exec " + name + ":saxpy" + kSaxpy + "--out y=" + name + ".npy");
    INFO(said.err);
    REQUIRE(said.code == 0);
    CHECK_THAT(said.out, Contains("saxpy  grid 4, block 256: ") && Contains("y is in " + name + ".npy"));
    CHECK_THAT(said.err, Contains("executed ") && Contains(" a second)"));
    const Workshop::Said again = lab.workshop.run("exec " + name + ":saxpy" + kSaxpy + "--expect y=" + name +
                                                  ".npy --expect 'x=f32_is_no_fill'");
    CHECK(again.code == 2);
    const Workshop::Said checked = lab.workshop.run("exec " + name + ":saxpy" + kSaxpy + "--expect y=" + name + ".npy");
    CHECK(checked.code == 0);
    CHECK_THAT(checked.out, Contains("y: 1,024 elements as expected, all exactly"));
  }
  CHECK(content_of(lab.workshop.folder() / "kernels_sm80.cubin.npy") ==
        content_of(lab.workshop.folder() / "kernels_sm90.cubin.npy"));
}

TEST_CASE("a result that is not as expected ends with exit code 5 and the first mismatch") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run("exec kernels_sm80.cubin:saxpy" + kSaxpy + "--expect 'y=iota(1, 2)'");
  INFO(said.err);
  CHECK(said.code == 5);
  CHECK_THAT(said.err, Contains("y: 24 of 1,024 elements differ: the first at [1000] is 1 instead of 2001"));
}

TEST_CASE("without --out and --expect the first elements of the buffers are shown") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run("exec kernels_sm80.cubin:saxpy" + kSaxpy);
  INFO(said.err);
  REQUIRE(said.code == 0);
  CHECK_THAT(said.out, Contains("x  f32[1000]  0, 1, 2, 3, ...") && Contains("y  f32[1024]  1, 3, 5, 7, ..."));
}

TEST_CASE("arguments go by the names in the source where it lies beside the cubin") {
  const Lab lab;
  const std::string shuffled =
      "exec kernels_sm90.cubin:saxpy --grid 1 --block 32 --arg 'y=[n]:ones' --arg 'x=[n]:iota' --arg a=2 --arg n=32";
  const Workshop::Said blind = lab.workshop.run(shuffled);
  CHECK(blind.code == 2);
  CHECK_THAT(blind.err, Contains("--arg y: parameter 0 (4 bytes) is not a pointer, and '[n]:ones' is a buffer"));
  lab.add_source();
  const Workshop::Said said = lab.workshop.run(shuffled);
  INFO(said.err);
  REQUIRE(said.code == 0);
  CHECK_THAT(said.out, Contains("y  f32[32]  1, 3, 5, 7, ..."));
  CHECK_THAT(said.err, !Contains("in the order given"));
}

TEST_CASE("a launch file runs launches one after another on the same buffers") {
  const Lab lab;
  lab.workshop.write("twice.yaml",
                     "file: kernels_sm80.cubin\nkernel: saxpy\nparam: {n: 64}\ngrid: 1\nblock: 64\n"
                     "buffers: {x: \"f32[n]:ones\", y: \"f32[n]:zeros\"}\n"
                     "launches:\n  - args: {0: n, 1: 2.0, 2: x, 3: y}\n    repeat: 3\n"
                     "  - args: {0: n, 1: 0.5, 2: y, 3: x}\nexpect: {y: \"6\", x: \"4\"}\n");
  const Workshop::Said said = lab.workshop.run("exec --launch twice.yaml");
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("saxpy  grid 1, block 64, 3 times: ") && Contains("x: 64 elements as expected"));
  const Workshop::Said fewer = lab.workshop.run("exec --launch twice.yaml --param n=32");
  CHECK(fewer.code == 0);
  CHECK_THAT(fewer.out, Contains("x: 32 elements as expected"));
}

TEST_CASE("what is missing or does not fit is told with what to do") {
  const Lab lab;
  const Workshop::Said missing = lab.workshop.run("exec kernels_sm80.cubin:saxpy --grid 4 --block 256 --arg n=4");
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err,
             Contains("parameters 1 (4 bytes), 2 (8 bytes), 3 (8 bytes) of kernel 'saxpy' have no values") &&
                 Contains("--arg '3=f32[COUNT]:random')"));
  CHECK_THAT(lab.workshop.run("exec kernels_sm80.cubin:saxpi" + kSaxpy).err, Contains("did you mean 'saxpy'?"));
  CHECK_THAT(lab.workshop.run("exec kernels_sm80.cubin" + kSaxpy).err, Contains("has 3 kernels (say which"));
  CHECK_THAT(lab.workshop.run("exec nothere.cubin" + kSaxpy).err, Contains("nothere.cubin: no such file"));
  CHECK(lab.workshop.run("exec").code == 1);
  CHECK(lab.workshop.run("exec kernels_sm80.cubin:saxpy --arg n").code == 1);
  CHECK_THAT(lab.workshop.run("exec kernels_sm80.cubin:saxpy" + kSaxpy + "--out y=kernels_sm80.cubin").err,
             Contains("kernels_sm80.cubin"));
}

TEST_CASE("code for one generation is refused for another, and taken for a later part of its own") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run("exec --arch a100 kernels_sm90.cubin:saxpy" + kSaxpy);
  CHECK(said.code == 2);
  CHECK_THAT(said.err,
             Contains("has kernel 'saxpy' for sm_90, which ") &&
                 Contains("(compute capability 8.0) cannot run (compile it for that GPU: nvcc -cubin -lineinfo "
                          "-arch=sm_80)"));
  CHECK(lab.workshop.run("exec --arch a6000 kernels_sm80.cubin:saxpy" + kSaxpy).code == 0);
}

TEST_CASE("an access outside a buffer ends with its place, not with a result") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run(
      "exec kernels_sm90.cubin:saxpy --grid 4 --block 256 --arg n=1000 --arg a=2.0 --arg 'x=f32[500]' --arg "
      "'y=f32[1000]'");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("kernels.cu:11"));
}

}  // namespace exec_test
