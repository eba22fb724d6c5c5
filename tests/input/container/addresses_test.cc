// SPDX-License-Identifier: MIT
// Containers whose checksums are right and whose addresses no GPU has: the bytes of a file can say anything.
#include <functional>

#include <catch2/catch.hpp>

#include "sim/base/address_space.h"
#include "sim/model/trace/walker.h"

#include "tests/input/container/support.h"

using namespace gpusim;
using namespace gpusim::testing;
using Catch::Contains;

namespace {

/// A kernel of one warp per CTA that does `access`, of four bytes a lane, and leaves.
trace::Kernel kernel_of(const std::string& access, const Dim3& grid = {1, 1, 1}) {
  trace::Kernel kernel = frontend::load_trace_text(
                             "gpusim trace 1\nkernel k\ngrid (1)\nblock (32)\nbuffer x u32[64]\nshared static 64\n"
                             "shared_buffer s u32[16] at 0\nlocal 64\nlocal_buffer l u32[16] at 0\n"
                             "code\n" +
                                 access + "\nEXIT\nend\n",
                             "t.trace", {})
                             .kernels[0];
  kernel.grid = grid;
  return kernel;
}

const char* const kLoad = "LDG.E R4, [R2] @ x[0]";

/// Each CTA loads a line at each of its addresses; one that has none does nothing at all.
trace::Kernel loading(trace::Kernel kernel, const std::function<std::vector<Address>(std::uint64_t)>& bases_of) {
  trace::RecordingBuilder builder(kernel.code, kernel.grid, 1);
  for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
    const std::vector<Address> bases = bases_of(cta);
    if (bases.empty()) {
      continue;
    }
    builder.begin_warp(cta, 0);
    for (const Address base : bases) {
      std::array<Address, kWarpLanes> addresses{};
      for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
        addresses[lane] = base + 4 * lane;
      }
      builder.step(0, kAllLanes, kAllLanes);
      builder.access(trace::AccessSlot::kPrimary, addresses, kAllLanes);
    }
    builder.step(1, kAllLanes, kAllLanes);
    builder.end_warp();
  }
  kernel.behaviour = std::make_shared<const trace::Behaviour>(builder.finish());
  return kernel;
}

trace::Kernel loading_at(const std::string& access, Address base) {
  return loading(kernel_of(access), [base](std::uint64_t) { return std::vector{base}; });
}

/// What loading the kernel's container is refused with, or walking through it; "" when neither is.
std::string refusal_of(const trace::Kernel& kernel, const std::vector<trace::HostCopy>& copies = {}) {
  const Folder folder;
  const std::filesystem::path file = folder.path() / "x.trace";
  trace::Trace trace;
  trace.kernels.push_back(kernel);
  trace.copies = copies;
  container::write(trace, file);
  try {
    const trace::Trace stored = container::load(file);
    for (std::uint64_t cta = 0; cta < kernel.ctas(); ++cta) {
      trace::Walker walker(stored.kernels[0], trace::cta_at(cta, kernel.grid), 0);
      for (trace::Step step; walker.next(step);) {
        static_cast<void>(walker.addresses(trace::AccessSlot::kPrimary));
      }
    }
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

constexpr Address kLast = kGlobalEnd - 128;  ///< from which a warp may load

}  // namespace

TEST_CASE("a warp of a container may load the last line that a GPU has, and nothing behind it") {
  CHECK(refusal_of(loading_at(kLoad, kLast)) == "");
  CHECK_THAT(
      refusal_of(loading_at(kLoad, kLast + 4)),
      Contains("x.trace: is damaged: a warp accesses address 0x2000000000000, and may from 0x0 to 0x1fffffffffffc"));
  CHECK_THAT(refusal_of(loading_at(kLoad, ~Address{0} - 127)), Contains("is damaged: a warp accesses address 0x"));
}

TEST_CASE("a warp of a container is held to a GPU's addresses at each of its accesses") {
  const auto twice = [](Address second) {
    return loading(kernel_of(kLoad), [second](std::uint64_t) { return std::vector<Address>{0x7f0000000000, second}; });
  };
  CHECK(refusal_of(twice(0)) == "");
  CHECK(refusal_of(twice(kLast)) == "");
  CHECK_THAT(refusal_of(twice(kGlobalEnd)), Contains("accesses address 0x200000000007c"));
}

TEST_CASE("addresses that follow the place of the CTA are held to a GPU's in the first CTA and in the last") {
  const auto grid_of = [](Address base, std::int64_t step) {
    return loading(kernel_of(kLoad, {4, 3, 2}),
                   [=](std::uint64_t cta) { return std::vector{base + static_cast<Address>(step) * cta}; });
  };
  CHECK(refusal_of(grid_of(kLast - 23 * 4096, 4096)) == "");
  CHECK_THAT(refusal_of(grid_of(kLast - 22 * 4096, 4096)), Contains("accesses address 0x2000000000ffc"));
  CHECK(refusal_of(grid_of(23 * 4096, -4096)) == "");
  CHECK_THAT(refusal_of(grid_of(22 * 4096, -4096)), Contains("accesses address 0xfffffffffffff000"));
}

TEST_CASE("of CTAs whose addresses follow no rule each is held to a GPU's") {
  const auto wild = [](Address of_last) {
    return loading(kernel_of(kLoad, {50, 1, 1}),
                   [of_last](std::uint64_t cta) { return std::vector{cta == 49 ? of_last : cta * cta * 4096}; });
  };
  CHECK(refusal_of(wild(kLast)) == "");
  CHECK_THAT(refusal_of(wild(kLast + 4)), Contains("accesses address 0x2000000000000"));
}

TEST_CASE("CTAs that do nothing do not count, whatever the rule of the others would give them") {
  const auto from_second = [](std::uint64_t cta) {
    return cta == 0 ? std::vector<Address>{} : std::vector<Address>{(cta - 1) * 4096};
  };
  CHECK(refusal_of(loading(kernel_of(kLoad, {6, 1, 1}), from_second)) == "");
  const auto but_last = [](std::uint64_t cta) {
    return cta == 5 ? std::vector<Address>{} : std::vector<Address>{kLast - (4 - cta) * 4096};
  };
  CHECK(refusal_of(loading(kernel_of(kLoad, {6, 1, 1}), but_last)) == "");
}

TEST_CASE("addresses that follow the place of the CTA are held to a GPU's where some CTAs do nothing, too") {
  const auto of_odd = [](std::uint64_t cta) {
    return cta % 2 == 0 ? std::vector<Address>{} : std::vector<Address>{kLast - 4 * 4096 + cta * 4096};
  };
  CHECK(refusal_of(loading(kernel_of(kLoad, {5, 1, 1}), of_odd)) == "");
  CHECK_THAT(refusal_of(loading(kernel_of(kLoad, {6, 1, 1}), of_odd)), Contains("accesses address 0x2000000000ffc"));
}

TEST_CASE("local memory in a container begins where its kernel says and ends with a GPU's addresses") {
  trace::Kernel kernel = loading_at("LDL R4, [R1] @ l[0]", 0xfffc00);
  CHECK(refusal_of(kernel) == "");
  kernel.local.base = 0xfffc00;
  CHECK(refusal_of(kernel) == "");
  kernel.local.base = 0xfffc10;
  CHECK_THAT(refusal_of(kernel), Contains("accesses address 0xfffc00, and may from 0xfffc10"));
  CHECK_THAT(refusal_of(loading_at("LDL R4, [R1] @ l[0]", kGlobalEnd)), Contains("0x200000000007c"));
}

TEST_CASE("a container's accesses to shared memory have any address") {
  CHECK(refusal_of(loading_at("LDS R4, [R1] @ s[0]", ~Address{0} - 1023)) == "");
}

TEST_CASE("buffers, local memory and copies of a container that no GPU has room for are refused at once") {
  trace::Kernel kernel = loading_at(kLoad, 0x7f0000000000);
  CHECK(refusal_of(kernel, {{kGlobalEnd - 8, 8, 0}}) == "");
  CHECK_THAT(refusal_of(kernel, {{kGlobalEnd - 8, 9, 0}}), Contains("copies from the host make no sense"));
  kernel.local.base = kGlobalEnd;
  CHECK_THAT(refusal_of(kernel), Contains("the bytes of local memory make no sense"));
  kernel.local.base = 0;
  kernel.buffers[0].base = kGlobalEnd - 255;
  CHECK_THAT(refusal_of(kernel), Contains("the buffers of a kernel make no sense"));
}
