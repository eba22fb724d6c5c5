// SPDX-License-Identifier: MIT
// What the emulation must notice: it proves nothing about kernels otherwise.
#include "tests/silicon/emulated_cta.h"

#include <array>
#include <cstring>
#include <stdexcept>

#include <catch2/catch.hpp>

namespace gpusim::silicon {
namespace {

TEST_CASE("a copy that comes late is not there before it is waited for") {
  const bool late = GENERATE(false, true);
  alignas(16) const std::array<std::uint32_t, 4> source{1, 2, 3, 4};
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  emulate({.threads = 32, .shared_bytes = 16, .late = late}, [&](const EmulatedCta& cta) {
    if (cta.thread() == 0) {
      cta.copy_async(cta.shared_base(), source.data());
      cta.copy_async_commit();
      before = cta.load_shared(cta.shared_base()).v[0];
      cta.copy_async_wait<0>();
      after = cta.load_shared(cta.shared_base()).v[0];
    }
  });
  CHECK(before == (late ? 0xffffffff : 1));
  CHECK(after == 1);
}

TEST_CASE("warps run as far as they get: without a barrier the first does not see what the second writes") {
  const bool barrier = GENERATE(false, true);
  float seen = 0;
  emulate({.threads = 64, .shared_bytes = 16}, [&](const EmulatedCta& cta) {
    float* shared = cta.shared<float>(0);
    if (cta.thread() == 32) {
      *shared = 7;
    }
    if (barrier) {
      cta.sync();
    }
    if (cta.thread() == 0) {
      seen = *shared;
    }
  });
  CHECK((seen == 7) == barrier);
}

TEST_CASE("ldmatrix whose rows share banks is refused, and so is one out of bounds") {
  const std::uint32_t row_bytes = GENERATE(128u, 1024u);
  CHECK_THROWS_WITH(emulate({.threads = 32, .shared_bytes = 32 * 128},
                            [&](const EmulatedCta& cta) {
                              std::uint32_t r[4];
                              cta.load_matrix(r, cta.shared_base() + cta.thread() * row_bytes);
                            }),
                    row_bytes == 128 ? "ldmatrix with bank conflicts" : "shared memory out of bounds");
}

TEST_CASE("lanes that do different things together are refused") {
  CHECK_THROWS_WITH(emulate({.threads = 32},
                            [](const EmulatedCta& cta) {
                              if (cta.thread() == 3) {
                                cta.sync_warp();
                              } else {
                                (void)cta.shuffle_xor(0, 1);
                              }
                            }),
                    "lanes disagree on the instruction");
}

TEST_CASE("threads that wait for ever are noticed") {
  CHECK_THROWS_WITH(emulate({.threads = 32, .shared_bytes = 8},
                            [](const EmulatedCta& cta) {
                              if (cta.thread() == 0) {
                                cta.barrier_init(cta.shared_base(), 1);
                              }
                              cta.sync();
                              cta.barrier_wait(cta.shared_base(), 0);
                            }),
                    "all threads wait for each other");
}

TEST_CASE("the phase before the first counts as completed, and a phase needs arrivals and bytes") {
  constexpr std::uint32_t kColumns = 64;
  std::array<std::uint16_t, 8 * kColumns> data{};
  data[kColumns + 1] = 5;  // row 1, column 1: chunk 0 of row 1 lies at chunk 1
  const EmulatedTensorMap map{data.data(), 8, kColumns, 8, kColumns};
  std::uint16_t seen = 0;
  emulate({.threads = 32, .shared_bytes = 1024 + 8, .late = true}, [&](const EmulatedCta& cta) {
    const std::uint32_t barrier = cta.shared_base() + 1024;
    if (cta.thread() == 0) {
      cta.barrier_init(barrier, 1);
      cta.barrier_wait(barrier, 1);
      cta.barrier_arrive_expect(barrier, 1024);
      cta.tensor_load(cta.shared_base(), map, 0, 0, barrier);
    }
    cta.sync();
    cta.barrier_wait(barrier, 0);
    seen = cta.shared<std::uint16_t>(0)[64 + 8 + 1];
  });
  CHECK(seen == 5);
}

}  // namespace
}  // namespace gpusim::silicon
