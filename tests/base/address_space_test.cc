// SPDX-License-Identifier: MIT
#include "sim/base/address_space.h"

#include <catch2/catch.hpp>

using namespace gpusim;

TEST_CASE("bytes fit into global memory up to its end, and sums that wrap around do not") {
  CHECK(fits_global(0, kGlobalEnd));
  CHECK(fits_global(kGlobalEnd - 1, 1));
  CHECK(fits_global(kGlobalEnd, 0));
  CHECK_FALSE(fits_global(kGlobalEnd, 1));
  CHECK_FALSE(fits_global(kGlobalEnd - 1, 2));
  CHECK_FALSE(fits_global(kGlobalEnd + 1, 0));
  CHECK_FALSE(fits_global(1, ~std::uint64_t{0}));
  CHECK_FALSE(fits_global(~Address{0}, 2));
}

TEST_CASE("the hint on global memory's end says where that is") {
  CHECK(std::string(kGlobalEndHint).find(address_text(kGlobalEnd)) != std::string::npos);
}
