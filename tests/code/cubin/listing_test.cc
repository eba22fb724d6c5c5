// SPDX-License-Identifier: MIT
#include "sim/code/cubin/listing.h"

#include <catch2/catch.hpp>

#include "sim/code/cubin/usage.h"

#include "tests/code/cubin/data.h"

using namespace gpusim;
using namespace gpusim::cubin;
using Catch::Contains;

TEST_CASE("a listing has labels, control bits where they are asked for, and the lines of the source") {
  const Module module = module_of("kernels_sm90.cubin");
  const Function& saxpy = function_of(module, "saxpy");
  const Listing plain = listing_of(module, saxpy, ShowControl::kNo);
  CHECK(plain.unknown == 0);
  CHECK_THAT(plain.text, Contains(".text.saxpy:\n"));
  CHECK_THAT(plain.text, Contains("//## File \"kernels.cu\", line 11\n") || Contains("kernels.cu\", line 11\n"));
  CHECK_THAT(plain.text, Contains("@P0 EXIT ;"));
  CHECK_THAT(plain.text, Contains("BRA `(.L_x_0) ;") && Contains(".L_x_0:\n"));
  CHECK_THAT(plain.text, !Contains("[B"));
  CHECK_THAT(listing_of(module, saxpy, ShowControl::kYes).text, Contains("/*0000*/  [B------:R-:W"));
  CHECK_THAT(listing_head(module), Contains("EF_CUDA_SM90"));
}

TEST_CASE("an instruction that is not known stands in the listing with its bits") {
  const Module module = module_of("kernels_sm80.cubin");
  Function function = function_of(module, "saxpy");
  function.code[1] = {0x0fff, 0x000fe20000000000};
  const Listing listing = listing_of(module, function, ShowControl::kNo);
  CHECK(listing.unknown == 1);
  CHECK_THAT(listing.text, Contains("UNKNOWN_0FFF 0x000fe20000000000 0x0000000000000fff ;"));
}

TEST_CASE("code for an SM that is not decoded is refused with those that are") {
  Module module = module_of("kernels_sm80.cubin");
  module.sm = 100;
  CHECK_THAT(error_of([&] { (void)listing_of(module, module.functions[0], ShowControl::kNo); }),
             Contains("is code for sm_100") && Contains("sm_90"));
}

TEST_CASE("accesses to local memory are counted in the code") {
  const Module module = module_of("kernels_sm80.cubin");
  CHECK(local_accesses(module, function_of(module, "saxpy")) == 0);
  CHECK(local_accesses(module, function_of(module, "spill")) > 4);
  CHECK(parameters_text(function_of(module, "saxpy")) == "4 4 8 8");
  CHECK(launch_text(function_of(module, "sum"), nullptr) == "at most 128 threads");
}
