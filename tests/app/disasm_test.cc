// SPDX-License-Identifier: MIT
// gpusim disasm, and gpusim trace import --list, as a user runs them on compiled kernels.
#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace disasm_test {

using namespace gpusim::app;
using Catch::Contains;

namespace {

/// A file of compiled kernels, for the shell.
std::string compiled(const std::string& name) {
  return std::string("'") + GPUSIM_SOURCE_DIR + "/tests/code/cubin/data/" + name + "'";
}

}  // namespace

TEST_CASE("disasm prints the kernel that is asked for, with control bits and lines of the source") {
  const Workshop workshop;
  const Workshop::Said said = workshop.run("disasm " + compiled("kernels_sm90.cubin") + " --kernel sum --control");
  INFO(said.err);
  REQUIRE(said.code == 0);
  CHECK_THAT(said.out, Contains("// void demo::sum<float>(float const*, float*)"));
  CHECK_THAT(said.out, Contains("//## File \"kernels.cu\", line 20") && Contains("[B0-----:R-:W-:-:S") &&
                           Contains("BAR.SYNC.DEFER_BLOCKING 0x0 ;"));
  CHECK_THAT(said.out, !Contains("saxpy"));
}

TEST_CASE("a listing that disasm printed can be imported as a program") {
  const Workshop workshop;
  for (const std::string name : {"kernels_sm80.cubin", "kernels_sm90.cubin"}) {
    INFO(name);
    REQUIRE(workshop
                .shell(std::string("'") + GPUSIM_PROGRAM + "' disasm " + compiled(name) +
                       " --kernel saxpy --control >kernel.sass 2>err")
                .code == 0);
    const Workshop::Said said = workshop.run("trace import kernel.sass -o " + name + ".trace");
    INFO(said.err);
    CHECK(said.code == 0);
    CHECK_THAT(content_of(workshop.folder() / (name + ".trace")), Contains("registers 10") && Contains("FFMA R7"));
  }
}

TEST_CASE("the list of kernels has registers, shared and local memory, launch bounds and parameters") {
  const Workshop workshop;
  const Workshop::Said said = workshop.run("trace import " + compiled("lz4.fatbin") + " --list", "COLUMNS=160");
  INFO(said.err);
  REQUIRE(said.code == 0);
  CHECK_THAT(said.out, Contains("saxpy") && Contains("sm_80") && Contains("4 4 8 8"));
  CHECK_THAT(said.out, Contains("at most 128 threads") && Contains("64x2x1 threads") && Contains("40 B, "));
  CHECK_THAT(said.out, Contains("4 kernels in 2 cubins"));
  CHECK(workshop.run("trace import " + compiled("lz4.fatbin") + " --list -o x.trace").code == 1);
}

TEST_CASE("a kernel or an SM that is not there is refused with what is") {
  const Workshop workshop;
  const Workshop::Said kernel = workshop.run("disasm " + compiled("kernels_sm90.cubin") + " --kernel saxpi");
  CHECK(kernel.code == 2);
  CHECK_THAT(kernel.err, Contains("has no kernel 'saxpi' (did you mean 'saxpy'?)"));
  const Workshop::Said sm = workshop.run("disasm " + compiled("kernels_sm90.cubin") + " --arch sm_80");
  CHECK(sm.code == 2);
  CHECK_THAT(sm.err, Contains("it has machine code for sm_90"));
  CHECK(workshop.run("disasm " + compiled("kernels_sm90.cubin") + " --arch h100").code == 1);
  CHECK_THAT(workshop.run("disasm nothere.cubin").err, Contains("no such file"));
}

TEST_CASE("source code, PTX and compiled kernels given as a trace say which command to use") {
  const Workshop workshop;
  workshop.write("saxpy.cu", "__global__ void saxpy() {}\n");
  workshop.write("saxpy.ptx", ".version 8.0\n");
  for (const std::string command : {"trace info ", "disasm "}) {
    CHECK_THAT(workshop.run(command + "saxpy.cu").err, Contains("nvcc -cubin -lineinfo -arch=sm_90 saxpy.cu"));
    CHECK_THAT(workshop.run(command + "saxpy.ptx").err,
               Contains("ptxas -lineinfo -arch=sm_90 saxpy.ptx -o saxpy.cubin"));
  }
  const Workshop::Said cubin = workshop.run("trace info " + compiled("kernels_sm90.cubin"));
  CHECK(cubin.code == 2);
  CHECK_THAT(cubin.err, Contains("--list' shows its kernels") && Contains("kernels_sm90.cubin:KERNEL --launch FILE"));
  workshop.write("notes.txt", "hello\n");
  CHECK_THAT(workshop.run("disasm notes.txt").err, Contains("is not compiled code"));
}

}  // namespace disasm_test
