// SPDX-License-Identifier: MIT
// A program has no addresses of its own: where its buffers lie, and that accesses lie in them, keeps them below the end
// of a GPU's.
#include <catch2/catch.hpp>

#include "sim/base/address_space.h"

#include "tests/input/text/support.h"

namespace addresses_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;

namespace {

const std::string kHead = "grid (1)\nblock (32)\n";
const std::string kSixteenTiB = " u8[17592186044416]\n";

}  // namespace

TEST_CASE("the largest buffers that a file may have lie below the end of a GPU's addresses") {
  const std::string four =
      kHead + "buffer a" + kSixteenTiB + "buffer b" + kSixteenTiB + "buffer c" + kSixteenTiB + "buffer d" + kSixteenTiB;
  const trace::Trace trace = load(kernel_text(four, "EXIT\n"));
  REQUIRE(trace.kernels[0].buffers.size() == 4);
  for (const trace::Buffer& buffer : trace.kernels[0].buffers) {
    CHECK(fits_global(buffer.base, buffer.bytes));
  }
  CHECK_THAT(load_error(kernel_text(four + "buffer e u8[1]\n", "EXIT\n")), Contains("more than 64 TiB"));
  CHECK_THAT(load_error(kernel_text(kHead + "buffer a u8[17592186044417]\n", "EXIT\n")),
             Contains("the number of elements of 'a' is 17592186044417"));
}

TEST_CASE("an index that leads beyond a GPU's addresses, or around all 64 bits, is outside its buffer") {
  const auto error_of = [](const std::string& index) {
    return walk_error(kernel_text(kHead + "buffer x u32[1024]\n", "LDG.E R4, [R2] @ x[" + index + "]\nEXIT\n"));
  };
  CHECK(error_of("tid") == "no error");
  CHECK_THAT(error_of("tid + (1 << 47)"), Contains("is outside the buffer"));
  CHECK_THAT(error_of("tid + (1 << 61)"), Contains("is outside the buffer"));
  CHECK_THAT(error_of("tid - (1 << 46)"), Contains("is outside the buffer"));
}

TEST_CASE("a tensor whose sizes and strides multiply to more than 64 bits is larger than its buffer") {
  const auto error_of = [](const std::string& map) {
    return load_error(kernel_text(kHead + "buffer x f32[4096]\ntensor_map t f32" + map + " box (4, 4, 1)\n", "EXIT\n"));
  };
  CHECK_THAT(error_of("(4, 1, 16777217) over x strides (16, 1099511627776)"),
             Contains("tensor map 't' ends at byte") && Contains("it has 16384 bytes"));
  CHECK_THAT(error_of("(4, 4294967295, 4294967295) over x"), Contains("tensor map 't' ends at byte"));
}

}  // namespace addresses_test
