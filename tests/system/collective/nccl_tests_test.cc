// SPDX-License-Identifier: MIT
// What nccl-tests printed, in the forms of its versions, cut off, and with other lines between.
#include "sim/system/collective/nccl_tests.h"

#include <sstream>

#include <catch2/catch.hpp>

namespace nccl_tests_reader_test {

using namespace gpusim;
using namespace gpusim::collective;
using Catch::Contains;

namespace {

Measured read(const std::string& text) {
  std::istringstream in(text);
  return read_nccl_tests(in, "out.txt");
}

const std::string kHead =
    "# nThread 1 nGpus 2 minBytes 8 maxBytes 1024\n"
    "# Using devices\n"
    "#  Rank  0 Group  0 Pid   1 on node device  0 [0x07] NVIDIA A100\n"
    "#  Rank  1 Group  0 Pid   1 on node device  1 [0x0f] NVIDIA A100\n"
    "#\n"
    "#                                              out-of-place                       in-place\n";

}  // namespace

TEST_CASE("the times out of place are read, with the ranks") {
  const Measured measured = read(
      kHead +
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
      "#wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n"
      "        1024           256     float     sum      -1    13.02    0.08    0.12      0    12.90    0.08    0.12   "
      "   0\n"
      "NCCL WARN something between the lines\n"
      "     1048576        262144     float     sum      -1    60.75   17.26   25.89    N/A    60.10   17.45   26.17   "
      " N/A\n"
      "# Avg bus bandwidth    : 13.1\n");
  REQUIRE(measured.rows.size() == 2);
  CHECK(measured.rows[0].bytes == 1024);
  CHECK(measured.rows[0].microseconds == 13.02);
  CHECK(measured.rows[1].microseconds == 60.75);
  CHECK(measured.rows[1].line == 11);
  CHECK(measured.ranks == 2U);
  CHECK_FALSE(measured.of.has_value());
}

TEST_CASE("versions that leave redop and root empty are read the same") {
  const Measured measured = read(
      "# Collective test starting: alltoall_perf\n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw "
      "#wrong\n"
      "        4096           512     float                    13.03    0.31    0.16      0    12.00    0.34    0.17   "
      " N/A\n");
  REQUIRE(measured.rows.size() == 1);
  CHECK(measured.rows[0].microseconds == 13.03);
  CHECK(measured.of == Collective::kAllToAll);
}

TEST_CASE("a table that breaks off is refused with its line") {
  CHECK_THROWS_WITH(read("#  size count type redop time algbw busbw error time algbw busbw error\n"
                         "  1024 256 float sum 13.02 0.08\n"),
                    Contains("out.txt:2: the line of 1024 bytes has no time (is the table cut off?)"));
  CHECK_THROWS_WITH(read("#  size count type redop time algbw busbw error time algbw busbw error\n"
                         "  1024 256 float sum -3 0.08 1 0 12 1 1 0\n"),
                    Contains("has no time"));
}

TEST_CASE("a text without a table is refused") {
  CHECK_THROWS_WITH(read(""), Contains("out.txt: has no table of nccl-tests"));
  CHECK_THROWS_WITH(read("1024 256 float sum 13.02 0.08 1 0 12 1 1 0\n"), Contains("has no table of nccl-tests"));
  CHECK_THROWS_WITH(read(std::string(5000, 'x')), Contains("more than 4096 characters"));
}

}  // namespace nccl_tests_reader_test
