// SPDX-License-Identifier: MIT
// Addresses that no GPU has: caches could not tell their lines apart.
#include <catch2/catch.hpp>

#include "sim/base/address_space.h"

#include "tests/input/accelsim/folder.h"

namespace addresses_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;

namespace {

constexpr const char* kExit = "0100 ffffffff 0 EXIT 0 0 0\n";
/// Two lanes that load.
const std::string kPair = "0010 00000003 1 R6 LDG.E 1 R2 4 ";
const std::string kHint = " (a GPU's addresses have 49 bits: they are below 0x2000000000000)";

std::string complaint_about_lines(const std::string& lines) {
  const Folder folder;
  TraceText text;
  text.body = one_warp(lines + kExit);
  return complaint(folder.write("k.traceg", text.text()));
}

std::string complaint_about_line(const std::string& line) {
  return complaint_about_lines(line + "\n");
}

std::string complaint_about_header(const std::string& line) {
  const Folder folder;
  TraceText text;
  text.more_header = line + "\n";
  text.body = one_warp(kExit);
  return complaint(folder.write("k.traceg", text.text()));
}

}  // namespace

TEST_CASE("a listed address beyond a GPU's 49 bits is refused at its column, with the lane and what is allowed") {
  CHECK_THAT(complaint_about_line(kPair + "0 0x7f4b12000000 0x2000000000000 0"),
             Contains("k.traceg:20:50: lane 1 accesses 4 bytes at 0x2000000000000" + kHint));
  CHECK_THAT(complaint_about_line(kPair + "0 0x4000000000000 0x7f4b12000000 0"),
             Contains("k.traceg:20:35: lane 0 accesses 4 bytes at 0x4000000000000"));
  CHECK_THAT(complaint_about_line(kPair + "0 0x7f4b12000000 0xffffffffffffffff 0"),
             Contains("lane 1 accesses 4 bytes at 0xffffffffffffffff"));
}

TEST_CASE("an access may end where the addresses do, and must not go on") {
  CHECK(complaint_about_line(kPair + "0 0x1fffffffffffc 0x1fffffffffff8 0") == "");
  CHECK_THAT(complaint_about_line(kPair + "0 0x1fffffffffffc 0x1fffffffffffd 0"),
             Contains("lane 1 accesses 4 bytes at 0x1fffffffffffd"));
  CHECK_THAT(complaint_about_line("0010 00000001 1 R6 LDG.E.128 1 R2 16 0 0x1fffffffffffc 0"),
             Contains("lane 0 accesses 16 bytes at 0x1fffffffffffc"));
}

TEST_CASE("a stride that leads beyond a GPU's addresses is refused, and the base when that is") {
  CHECK_THAT(complaint_about_line(kPair + "1 0x1000000000000 281474976710656 0"),
             Contains("k.traceg:20:51: lane 1 accesses 4 bytes at 0x2000000000000" + kHint));
  CHECK_THAT(complaint_about_line(kPair + "1 0x2000000000000 4 0"),
             Contains("k.traceg:20:35: lane 0 accesses 4 bytes at 0x2000000000000"));
}

TEST_CASE("a negative stride that leads below address 0 is refused") {
  CHECK(complaint_about_line(kPair + "1 0x4 -4 0") == "");
  CHECK_THAT(complaint_about_line(kPair + "1 0x4 -8 0"),
             Contains("k.traceg:20:39: lane 1 accesses 4 bytes at 0xfffffffffffffffc"));
}

TEST_CASE("a difference that leads beyond a GPU's addresses or below 0 is refused at its column") {
  const std::string three = "0010 00000007 1 R6 LDG.E 1 R2 4 ";
  CHECK(complaint_about_line(three + "2 0x10 -16 4 0") == "");
  CHECK_THAT(complaint_about_line(three + "2 0x10 -16 -4 0"),
             Contains("k.traceg:20:44: lane 2 accesses 4 bytes at 0xfffffffffffffffc"));
  CHECK_THAT(complaint_about_line(three + "2 0x10 562949953421312 4 0"),
             Contains("k.traceg:20:40: lane 1 accesses 4 bytes at 0x2000000000010"));
}

TEST_CASE("differences whose sum passes 2^64 are refused, although the last lane's address is one that a GPU has") {
  CHECK_THAT(complaint_about_line("0010 00000007 1 R6 LDG.E 1 R2 4 2 0x10 9223372036854775807 9223372036854775807 0"),
             Contains("lane 1 accesses 4 bytes at 0x800000000000000f"));
  CHECK_THAT(complaint_about_line(kPair + "2 0x10 9223372036854775808 0"),
             Contains("address delta '9223372036854775808' makes no sense"));
}

TEST_CASE("what lanes that take no part would access does not matter") {
  CHECK(complaint_about_line("0010 00000000 1 R6 LDG.E 1 R2 4 0 0x4000000000000 0") == "");
  CHECK(complaint_about_line("0010 00000001 1 R6 LDG.E 1 R2 4 1 0x1fffffffffff0 1024 0") == "");
}

TEST_CASE("stores, atomics, generic and asynchronous accesses are held to a GPU's addresses as well") {
  const std::string beyond = " 4 0 0x2000000000000 0";
  for (const char* access : {"0 STG.E 2 R2 R4", "1 R6 ATOMG.E.ADD 2 R2 R4", "0 RED.E.ADD 2 R2 R4", "1 R6 LD.E 1 R2",
                             "0 ST.E 2 R2 R4", "0 LDGSTS.E 2 R2 R4", "1 R6 LDL 1 R2", "0 STL 2 R2 R4"}) {
    INFO(access);
    CHECK_THAT(complaint_about_line("0010 00000001 " + std::string(access) + beyond), Contains("0x2000000000000"));
  }
}

TEST_CASE("all accesses beyond a GPU's addresses are told at once, with all else that is wrong") {
  const std::string beyond = kPair + "1 0x2000000000000 4 0\n";
  CHECK_THAT(complaint_about_lines(beyond + "0020 zzz 1 R6 MOV 0 0 0\n" + beyond),
             Contains("k.traceg:20:35: lane 0") && Contains("k.traceg:21:6: lane mask 'zzz'") &&
                 Contains("k.traceg:22:35: lane 0"));
}

TEST_CASE("generic addresses in the windows of shared and local memory go there as ever") {
  const Folder folder;
  const trace::Trace trace = load_warp(folder,
                                       "0010 00000001 1 R6 LD.E 1 R2 4 0 0x7fb139000040 0\n"
                                       "0020 00000001 1 R6 LD.E 1 R2 4 0 0x7fb137fffc20 0\n"
                                       "0030 00000001 1 R6 LD.E 1 R2 4 0 0x7f4b12000000 0\n" +
                                           std::string(kExit));
  const trace::Kernel& kernel = trace.kernels[0];
  CHECK(kernel.code[0].space == isa::MemSpace::kShared);
  CHECK(addresses_of(kernel, 0)[0] == 0x40);
  CHECK(kernel.code[1].space == isa::MemSpace::kLocal);
  CHECK(addresses_of(kernel, 1)[0] == 0xfffc20);
  CHECK(kernel.code[2].space == isa::MemSpace::kGlobal);
  CHECK(addresses_of(kernel, 2)[0] == 0x7f4b12000000);
}

TEST_CASE("of an address in shared memory only its bank counts, however large it is") {
  CHECK(complaint_about_line("0010 00000001 1 R6 LDS 1 R2 4 0 0xfffffffffffffff0 0") == "");
}

TEST_CASE("a window of generic addresses is refused where it ends beyond a GPU's") {
  CHECK(complaint_about_header("-shmem base_addr = 0x1ffffff000000") == "");
  CHECK_THAT(complaint_about_header("-shmem base_addr = 0x1ffffff000001"),
             Contains("k.traceg:11:20: shmem base_addr '0x1ffffff000001' makes no sense") && Contains("below 2^49"));
  CHECK_THAT(complaint_about_header("-local mem base_addr = 0xffffffffff000000"), Contains("below 2^49"));
}

TEST_CASE("a copy from the host to where no GPU has memory is refused at its line") {
  const Folder folder;
  TraceText text;
  text.body = one_warp(kExit);
  folder.write("kernel-1.traceg", text.text());
  const auto complaint_about_copy = [&](const std::string& copy) {
    return complaint(folder.write("kernelslist.g", copy + "\nkernel-1.traceg\n"));
  };
  CHECK(complaint_about_copy("MemcpyHtoD,0x1fffffffffff8,8") == "");
  CHECK_THAT(complaint_about_copy("MemcpyHtoD,0x1fffffffffff8,9"),
             Contains("kernelslist.g:1:12: a copy of 9 bytes to 0x1fffffffffff8" + kHint));
  CHECK_THAT(complaint_about_copy("MemcpyHtoD,0x8,18446744073709551615"), Contains("kernelslist.g:1:12: a copy of"));
}

TEST_CASE("a header's own buffers and local memory are held to a GPU's addresses") {
  CHECK_THAT(complaint_about_header("-gpusim buffer = global 0x2000000000000 16 x"),
             Contains("k.traceg:11:18:") && Contains("below 2^49"));
  CHECK_THAT(complaint_about_header("-gpusim buffer = global 0x1fffffffffff8 9 x"), Contains("below 2^49"));
  CHECK_THAT(complaint_about_header("-gpusim local = 562949953421312 16"), Contains("below 2^49"));
}

}  // namespace addresses_test
