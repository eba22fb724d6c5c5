// SPDX-License-Identifier: MIT
#include "sim/exec/async/tensor_map.h"

#include <set>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/exec/memory/swizzle.h"

using namespace gpusim;
using namespace gpusim::exec;

namespace {

TensorMap matrix() {
  TensorMap map;
  map.address = 0x7f0000001000;
  map.element = TensorMap::Element::kBf16;
  map.dimensions = 2;
  map.swizzle_bytes = 128;
  map.sizes = {1000, std::uint64_t{1} << 32U};
  map.strides = {2, 2000};
  map.box = {64, 256};
  return map;
}

std::string refusal(const TensorMap& map) {
  try {
    (void)encoded(map);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a tensor map survives being encoded") {
  const TensorMap map = matrix();
  const auto found = decoded_tensor_map(encoded(map));
  REQUIRE(found.has_value());
  CHECK(found->address == map.address);
  CHECK(found->element == map.element);
  CHECK(found->dimensions == map.dimensions);
  CHECK(found->swizzle_bytes == map.swizzle_bytes);
  CHECK(found->sizes[0] == map.sizes[0]);
  CHECK(found->sizes[1] == map.sizes[1]);
  CHECK(found->strides[1] == map.strides[1]);
  CHECK(found->box[1] == map.box[1]);
  CHECK(found->box_bytes() == 64 * 256 * 2);
}

TEST_CASE("bytes that are not a tensor map are not taken for one") {
  CHECK_FALSE(decoded_tensor_map(TensorMapBytes{}).has_value());
}

TEST_CASE("a tensor map that the hardware does not allow is refused") {
  TensorMap map = matrix();
  map.strides[1] = 2002;
  CHECK(refusal(map).find("multiples of 16") != std::string::npos);
  map = matrix();
  map.box[1] = 257;
  CHECK(refusal(map).find("1 to 256") != std::string::npos);
  map = matrix();
  map.box[0] = 128;
  CHECK(refusal(map).find("at most those of the swizzle") != std::string::npos);
  map = matrix();
  map.dimensions = 6;
  CHECK(refusal(map).find("1 to 5") != std::string::npos);
}

TEST_CASE("a swizzle permutes the 16-byte pieces of eight rows, so that a column lies in all banks") {
  for (const unsigned bytes : {32U, 64U, 128U}) {
    std::set<Address> places;
    for (Address address = 0; address < 1024; address += 16) {
      CHECK(swizzled(address, bytes) / bytes == address / bytes);
      places.insert(swizzled(address, bytes));
    }
    CHECK(places.size() == 64);
  }
  CHECK(swizzled(3 * 128 + 16, 128) == 3 * 128 + 32);
  CHECK(swizzled(7 * 128, 128) == 7 * 128 + 112);
  CHECK(swizzled(0x123456, 0) == 0x123456);
}
