// SPDX-License-Identifier: MIT
// Lines that begin as a line before did, and lines that only seem to.
#include <catch2/catch.hpp>

#include "tests/input/accelsim/folder.h"

namespace line_head_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;

namespace {

const std::string kEnd = "0100 ffffffff 0 EXIT 0 0 0\n";
const std::string kLoad = "1 R6 LDG.E 1 R2 4 ";

std::string complaint_about(const std::string& lines) {
  const Folder folder;
  TraceText text;
  text.body = one_warp(lines + kEnd);
  return complaint(folder.write("k.traceg", text.text()));
}

/// The addresses of the lanes of each load, one load after the other.
std::vector<Address> addresses_of_loads(const std::string& lines) {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder, lines + kEnd).kernels[0];
  trace::Walker walker(kernel, {}, 0);
  std::vector<Address> addresses;
  for (trace::Step step; walker.next(step);) {
    const trace::LaneAddresses lanes = walker.addresses(trace::AccessSlot::kPrimary);
    for (unsigned lane = 0; lane < kWarpLanes && kernel.code[step.pc].is_memory(); ++lane) {
      if ((step.mask >> lane & 1U) != 0) {
        addresses.push_back(lanes.base + static_cast<Address>(lanes.offsets[lane]));
      }
    }
  }
  return addresses;
}

}  // namespace

TEST_CASE("instructions at one program counter are told apart where the text of one begins that of the other") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder,
                                         "0010 ffffffff 1 R6 FADD 2 R2 R3 0 0\n"
                                         "0020 ffffffff 1 R7 MOV 0 0 0\n"
                                         "0010 ffffffff 1 R6 FADD 2 R2 R30 0 0\n"
                                         "0020 ffffffff 1 R7 MOV 0 0 0\n"
                                         "0010 ffffffff 1 R6 FADD 2 R2 R3 0 0\n" +
                                             kEnd)
                                   .kernels[0];
  REQUIRE(kernel.code.size() == 4);
  CHECK(kernel.texts[0].text == "FADD R6, R2, R3");
  CHECK(kernel.texts[1].text == "FADD R6, R2, R30");
  const std::vector<trace::Step> steps = steps_of(kernel);
  REQUIRE(steps.size() == 6);
  CHECK(steps[0].pc == 0);
  CHECK(steps[2].pc == 1);
  CHECK(steps[4].pc == 0);
}

TEST_CASE("an instruction may come with other lanes each time, in any order of instructions") {
  const Folder folder;
  const trace::Kernel kernel = load_warp(folder,
                                         "0010 ffffffff 1 R6 FADD 2 R2 R3 0 0\n"
                                         "0020 ffffffff 1 R7 MOV 0 0 0\n"
                                         "0010 0000000f 1 R6 FADD 2 R2 R3 0 0\n"
                                         "0010 000000ff 1 R6 FADD 2 R2 R3 0 0\n"
                                         "0010 000000ff 1 R6 FADD 2 R2 R3 0 0\n"
                                         "0020 00000001 1 R7 MOV 0 0 0\n" +
                                             kEnd)
                                   .kernels[0];
  std::vector<LaneMask> masks;
  for (const trace::Step& step : steps_of(kernel)) {
    masks.push_back(step.mask);
  }
  CHECK(masks == std::vector<LaneMask>{kAllLanes, kAllLanes, 0xf, 0xff, 0xff, 1, kAllLanes});
}

TEST_CASE("a malformed line is refused, although its instruction was read before, and so is what it then repeats") {
  CHECK_THAT(complaint_about("0010 ffffffff 1 R6 FADD 2 R2 R3 0 0\n"
                             "0010 ffffffff 1 R6 FADD 2 R2 R3x 0 0\n"
                             "0010 ffffffff 1 R6 FADD 2 R2 R3x 0 0\n"),
             Contains("k.traceg:21:30: register 'R3x'") && Contains("k.traceg:22:30: register 'R3x'"));
}

TEST_CASE("differences that come again hold from the line's own first address, and for its own lanes") {
  CHECK(addresses_of_loads("0010 00000007 " + kLoad + "2 0x1000 16 4 0\n" +      //
                           "0010 00000007 " + kLoad + "2 0x20000 16 4 0\n" +     //
                           "0010 00000070 " + kLoad + "2 0x3000 16 4 0\n" +      //
                           "0010 00000007 " + kLoad + "2 0x1000 16 48 0\n" +     //
                           "0010 0000000f " + kLoad + "2 0x1000 16 48 -8 0\n" +  //
                           "0010 00000002 " + kLoad + "2 0x5000 0\n") ==         //
        std::vector<Address>{0x1000, 0x1010, 0x1014, 0x20000, 0x20010, 0x20014, 0x3000, 0x3010, 0x3014, 0x1000, 0x1010,
                             0x1040, 0x1000, 0x1010, 0x1040, 0x1038, 0x5000});
}

TEST_CASE("differences that come again are refused at the column of the lane that they lead too far") {
  CHECK(complaint_about("0010 00000070 " + kLoad + "2 0x1000 16 4 0\n" +  //
                        "0010 00000070 " + kLoad + "2 0x1ffffffffffe8 16 4 0\n") == "");
  CHECK_THAT(complaint_about("0010 00000070 " + kLoad + "2 0x1000 16 4 0\n" +  //
                             "0010 00000070 " + kLoad + "2 0x1ffffffffffec 16 4 0\n"),
             Contains("k.traceg:21:54: lane 6 accesses 4 bytes at 0x2000000000000"));
}

TEST_CASE("numbers may have zeros in front and capital digits, and more digits than the largest has are refused") {
  CHECK(addresses_of_loads("0010 00000003 " + kLoad + "0 0x00007F2000000000 0x0000000000000000000000001F 0\n" +
                           "0010 00000003 " + kLoad + "1 0x40 00000000000000000000008 0\n") ==
        std::vector<Address>{0x7f2000000000, 0x1f, 0x40, 0x48});
  CHECK_THAT(complaint_about("0010 00000003 " + kLoad + "1 0x10000000000000000 4 0\n"),
             Contains("k.traceg:20:35: address '0x10000000000000000' makes no sense"));
  CHECK_THAT(complaint_about("0010 00000003 " + kLoad + "1 0x40 9223372036854775808 0\n"),
             Contains("k.traceg:20:40: stride '9223372036854775808' makes no sense"));
  CHECK_THAT(complaint_about("0010 0ffffffff 0 MOV 0 0 0\n"), Contains("k.traceg:20:6: lane mask '0ffffffff'"));
}

}  // namespace line_head_test
