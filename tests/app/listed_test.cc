// SPDX-License-Identifier: MIT
// Listings of SASS with encodings, wherever a compiled kernel goes with its launch.
#include <algorithm>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/input/listing/listings.h"

namespace listed_test {

using namespace gpusim::app;
using Catch::Contains;

namespace {

/// A workshop with a cubin and the listing that disasm --hex prints of it.
class Lab {
 public:
  Lab() {
    std::filesystem::copy(std::filesystem::path(GPUSIM_SOURCE_DIR) / "tests/code/cubin/data/kernels_sm80.cubin",
                          workshop.folder() / "k.cubin");
    listing = workshop.run("disasm k.cubin --hex").out;
    workshop.write("k.sass", listing);
    workshop.write("saxpy.yaml",
                   "file: k.sass\nkernel: saxpy\ngrid: 4\nblock: 256\n"
                   "args: {n: 1000, a: 2.0, x: \"f32[n]:iota\", y: \"f32[n]:ones\"}\n");
  }
  /// A result of a simulation, apart from where the kernel came from and how long the host took.
  [[nodiscard]] nlohmann::json result_of(const std::string& arguments) const {
    const Workshop::Said said = workshop.run("--arch a100 --format json " + arguments);
    INFO(said.err);
    REQUIRE(said.code == 0);
    nlohmann::json result = nlohmann::json::parse(said.out);
    result.erase("host");
    result.erase("trace");
    return result;
  }
  Workshop workshop;
  std::string listing;
};

const std::string kLaunch =
    " --grid 4 --block 256 --arg n=1000 --arg a=2.0 --arg 'x=f32[n]:iota' --arg 'y=f32[n]:ones' ";

}  // namespace

TEST_CASE("a listing is executed as its cubin is, and a note says how its parameters were laid out") {
  const Lab lab;
  const Workshop::Said cubin = lab.workshop.run("exec k.cubin:saxpy" + kLaunch);
  const Workshop::Said listing = lab.workshop.run("exec k.sass:saxpy" + kLaunch);
  INFO(listing.err);
  CHECK(listing.code == 0);
  CHECK(listing.out == cubin.out);
  CHECK_THAT(listing.err,
             Contains("k.sass does not say where the parameters of 'saxpy' lie; they were laid out by the "
                      "types of the arguments: 0 has 4 bytes at 0, 1 has 4 bytes at 4, 2 has 8 bytes at 8"));
}

TEST_CASE("a listing is simulated as its cubin is, however it is named") {
  const Lab lab;
  const nlohmann::json cubin = lab.result_of("--trace k.cubin:saxpy" + kLaunch);
  CHECK(cubin == lab.result_of("--trace k.sass:saxpy" + kLaunch));
  CHECK(cubin == lab.result_of("--trace k.sass --kernel saxpy" + kLaunch));
  CHECK(cubin == lab.result_of("--kernel-file k.sass:saxpy" + kLaunch));
  CHECK(cubin == lab.result_of("--launch saxpy.yaml"));
}

TEST_CASE("a listing with its launch is imported without holes") {
  const Lab lab;
  REQUIRE(lab.workshop.run("trace import k.sass:saxpy" + kLaunch + "-o listing.gtrace").code == 0);
  REQUIRE(lab.workshop.run("trace import k.cubin:saxpy" + kLaunch + "-o cubin.gtrace").code == 0);
  CHECK(lab.result_of("--trace listing.gtrace") == lab.result_of("--trace cubin.gtrace"));
  CHECK(lab.workshop.run("trace check listing.gtrace").code == 0);
}

TEST_CASE("a listing without its launch becomes a program, with a hint at the launch") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run("trace import k.sass -o k.trace");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("k.trace: a program with") &&
                           Contains("gpusim trace import k.sass --grid ... --block ... --arg ... -o kernel.gtrace"));
}

TEST_CASE("the kernels of a listing are listed, and its encodings disassembled") {
  const Lab lab;
  const Workshop::Said list = lab.workshop.run("trace import k.sass --list");
  CHECK_THAT(list.out, Contains("saxpy   sm_80    24         10") && Contains("24 in all") &&
                           Contains("k.sass: 3 kernels in 1 listing"));
  const Workshop::Said again = lab.workshop.run("disasm k.sass --hex");
  CHECK(again.code == 0);
  CHECK(again.out.substr(again.out.find('\n')) == lab.listing.substr(lab.listing.find('\n')));
}

TEST_CASE("a source beside a listing names its parameters") {
  const Lab lab;
  lab.workshop.write("k.cu", "extern \"C\" __global__ void saxpy(int n, float a, const float* x, float* y) {}\n");
  const Workshop::Said said = lab.workshop.run(
      "exec k.sass:saxpy --grid 4 --block 256 --arg 'y=[n]:ones' --arg n=1000 --arg a=2 --arg "
      "'x=[n]:iota' --expect 'y=iota(1, 2)'");
  INFO(said.err);
  CHECK(said.code == 0);
  CHECK_THAT(said.err, !Contains("were laid out") && !Contains("in the order given"));
}

TEST_CASE("a listing without encodings is refused with a launch, with what to do") {
  const Lab lab;
  lab.workshop.write("plain.sass", lab.workshop.run("disasm k.cubin --kernel saxpy").out);
  for (const std::string command :
       {"exec plain.sass", "--arch a100 --trace plain.sass", "trace import plain.sass -o x.gtrace"}) {
    const Workshop::Said said = lab.workshop.run(command + kLaunch);
    CHECK(said.code == 2);
    CHECK_THAT(said.err, Contains("function 'saxpy' has no encodings, and only these can be executed (print it with "
                                  "cuobjdump -sass or nvdisasm -hex; without a launch, "));
  }
}

TEST_CASE("a listing of many functions without encodings is refused with one message") {
  const Lab lab;
  lab.workshop.write("plain.sass", lab.workshop.run("disasm k.cubin").out);
  const Workshop::Said said = lab.workshop.run("exec plain.sass:saxpy" + kLaunch);
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("and 2 others have no encodings"));
  CHECK(std::ranges::count(said.err, '\n') == 1);
}

TEST_CASE("a listing that names fewer registers than its code uses runs with those") {
  const Lab lab;
  std::string text = lab.listing;
  const std::string mark = "SHI_REGISTERS=";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    text.replace(begin, text.find('"', begin) - begin, "1");
  }
  lab.workshop.write("few.sass", text);
  CHECK(lab.workshop.run("exec few.sass:saxpy" + kLaunch + "--expect 'y=iota(1, 2)'").code == 0);
}

TEST_CASE("arguments that leave out what the code reads are refused with those to add") {
  const Lab lab;
  const Workshop::Said said = lab.workshop.run("exec k.sass:saxpy --grid 4 --block 256 --arg n=1000 --arg a=2.0");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("kernel 'saxpy' reads bytes 8 to 15, 16 to 23 of its parameters, and no argument lies "
                                "there (add --arg '2=f32[COUNT]:random' --arg '3=f32[COUNT]:random')"));
}

TEST_CASE("a constant bank that a listing leaves out ends the run at the instruction that reads it") {
  const Lab lab;
  // S2R becomes LDC R0, c[0x3][0x0].
  std::string text = gpusim::test::kNvdisasm;
  text.replace(text.find("0x0000000000007919"), 18, "0x00c00000ff007b82");
  text.replace(text.find("0x000e280000002100"), 18, "0x000fe20000000800");
  lab.workshop.write("bank.sass", text);
  const Workshop::Said said = lab.workshop.run("exec bank.sass:spin --grid 1 --block 32");
  INFO(said.err);
  CHECK(said.code != 0);
  CHECK_THAT(said.err, Contains("LDC R0, c[0x3][") && Contains("one that the file does not have"));
}

TEST_CASE("a kernel that a listing does not have is refused with the nearest, and without a launch as a trace") {
  const Lab lab;
  CHECK_THAT(lab.workshop.run("exec k.sass:saxpi" + kLaunch).err,
             Contains("has no kernel 'saxpi' (did you mean 'saxpy'?)"));
  CHECK_THAT(lab.workshop.run("--arch h100 --trace k.sass:saxpy" + kLaunch).err, Contains("cannot run"));
  CHECK_THAT(lab.workshop.run("--arch a100 --trace k.sass").err, Contains("is a listing of SASS, not a trace"));
}

}  // namespace listed_test
