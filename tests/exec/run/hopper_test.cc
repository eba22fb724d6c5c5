// SPDX-License-Identifier: MIT
// What kernels for sm_90 may not do, and what is said of it.
#include <catch2/catch.hpp>

#include "tests/exec/run/kernel_run.h"

namespace gpusim::exec::hopper_test {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("a bulk copy to another CTA signals an mbarrier of that CTA, and lies in its shared memory") {
  KernelRun kernel("hopper_sm90.cubin");
  kernel.launch().cluster = {2, 1, 1};
  const auto said_of = [&kernel](unsigned to, unsigned barrier, unsigned bytes) {
    return error_of([&] { kernel.run("copies_apart", {2}, {32}, to, barrier, bytes); });
  };
  CHECK(said_of(0, 0, 1024).empty());
  CHECK(said_of(1, 1, 1024).empty());
  CHECK_THAT(said_of(0, 1, 64),
             Contains("a bulk copy to rank 0 of the cluster signals an mbarrier of rank 1") && Contains("UBLKCP.S.S"));
  CHECK_THAT(said_of(1, 1, 4096), Contains("the address is out of bounds"));
  CHECK_THAT(said_of(2, 2, 64), Contains("invalid shared write of 16 bytes at 0x2"));
}

TEST_CASE(
    "a product with a sparse A takes 64 bytes of a row of B, which a swizzle of 32 bytes does not keep together") {
  KernelRun kernel("hopper_sm90.cubin");
  const Address out = kernel.buffer("out", std::vector<float>(128));
  const auto said_of = [&](std::uint64_t swizzle) {
    return error_of([&] { kernel.run("sparse_product", {1}, {128}, swizzle, out); });
  };
  for (const std::uint64_t swizzle : {0, 1, 2}) {
    CHECK(said_of(swizzle).empty());
  }
  CHECK_THAT(said_of(3), Contains("a sparse WGMMA operation takes 64 bytes of each row of B") && Contains("HGMMA.SP") &&
                             Contains("its matrix descriptor swizzles by 32 bytes"));
}

}  // namespace
}  // namespace gpusim::exec::hopper_test
