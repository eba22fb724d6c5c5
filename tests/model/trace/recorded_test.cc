// SPDX-License-Identifier: MIT
#include "sim/model/trace/recorded.h"

#include <array>
#include <map>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/model/trace/box.h"
#include "sim/model/trace/dump_stream.h"
#include "sim/model/trace/walker.h"

namespace recorded_test {

using namespace gpusim;
using namespace gpusim::trace;

namespace {

using Lanes = std::array<Address, kWarpLanes>;

isa::Instr instr(isa::OpKind kind, isa::MemSpace space) {
  isa::Instr made;
  made.kind = kind;
  made.space = space;
  return made;
}

/// 0: compute, 1: load, 2: LDGSTS, 3: branch, 4: exit.
std::vector<isa::Instr> small_code() {
  using enum isa::OpKind;
  return {instr(kCompute, isa::MemSpace::kNone), instr(kLoad, isa::MemSpace::kGlobal),
          instr(kAsyncCopy, isa::MemSpace::kGlobal), instr(kBranch, isa::MemSpace::kNone),
          instr(kExit, isa::MemSpace::kNone)};
}

Lanes strided(Address base, Address stride) {
  Lanes lanes{};
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i] = base + i * stride;
  }
  return lanes;
}

Kernel kernel_of(Recording recording) {
  Kernel kernel;
  kernel.grid = recording.grid;
  kernel.block = {64, 1, 1};
  kernel.behaviour = std::make_shared<const Behaviour>(std::move(recording));
  return kernel;
}

struct Event {
  std::uint32_t pc;
  LaneMask active;
  LaneMask mask;
  std::array<Lanes, kAccessSlots> lanes;
};

std::vector<Event> random_warp(std::mt19937_64& random) {
  std::vector<Event> events;
  const std::size_t passes = random() % 5;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    for (std::uint32_t pc = 0; pc < 5; ++pc) {
      const LaneMask active = random() % 3 == 0 ? static_cast<LaneMask>(random()) : kAllLanes;
      const LaneMask mask = random() % 4 == 0 ? active & static_cast<LaneMask>(random()) : active;
      events.push_back({pc, active, mask, {strided(random() % 9 * 512, 4), strided(random() % 64, random() % 3)}});
    }
  }
  return events;
}

void replay(RecordingBuilder& builder, std::uint64_t cta, std::uint32_t warp, const std::vector<Event>& events) {
  builder.begin_warp(cta, warp);
  for (const Event& event : events) {
    builder.step(event.pc, event.active, event.mask);
    if (event.pc == 1 || event.pc == 2) {
      builder.access(AccessSlot::kPrimary, event.lanes[0], event.mask);
    }
    if (event.pc == 2) {
      builder.access(AccessSlot::kSharedDestination, event.lanes[1], event.mask);
    }
  }
  builder.end_warp();
}

void check_lanes(const LaneAddresses& got, const Lanes& want, LaneMask mask) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1U) != 0) {
      REQUIRE(got.base + static_cast<Address>(got.offsets[lane]) == want[lane]);
    }
  }
}

}  // namespace

TEST_CASE("a recording gives back what was recorded, warp by warp") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    const std::vector<isa::Instr> code = small_code();
    RecordingBuilder builder(code, {3, 2, 1}, 2);
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<Event>> warps;
    for (std::uint64_t cta = 6; cta-- > 0;) {
      for (std::uint32_t warp = 0; warp < 2; ++warp) {
        replay(builder, cta, warp, warps[{cta, warp}] = random_warp(random));
      }
    }
    const Kernel kernel = kernel_of(builder.finish());
    for (const auto& [place, events] : warps) {
      Walker walker(kernel, cta_at(place.first, kernel.grid), place.second);
      Step step;
      for (const Event& event : events) {
        REQUIRE(walker.next(step));
        REQUIRE(step.pc == event.pc);
        REQUIRE(step.active == event.active);
        REQUIRE(step.mask == event.mask);
        if (step.pc == 1 || step.pc == 2) {
          check_lanes(walker.addresses(AccessSlot::kPrimary), event.lanes[0], event.mask);
        }
        if (step.pc == 2) {
          check_lanes(walker.addresses(AccessSlot::kSharedDestination), event.lanes[1], event.mask);
        }
      }
      REQUIRE_FALSE(walker.next(step));
      REQUIRE_FALSE(walker.next(step));
    }
  }
}

TEST_CASE("warps that behave alike share one path, one pattern and one sequence of addresses") {
  const std::vector<isa::Instr> code = small_code();
  RecordingBuilder builder(code, {100, 1, 1}, 2);
  for (std::uint64_t cta = 0; cta < 100; ++cta) {
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      builder.begin_warp(cta, warp);
      for (Address iteration = 0; iteration < 1000; ++iteration) {
        builder.step(1, kAllLanes, kAllLanes);
        builder.access(AccessSlot::kPrimary, strided(0x1000 * cta + 0x100 * warp + 0x80 * iteration, 4), kAllLanes);
        builder.step(3, kAllLanes, kAllLanes);
      }
      builder.end_warp();
    }
  }
  const Recording recording = builder.finish();
  const std::shared_ptr<const RecordedCtas> ctas = recording.source->around(0);
  CHECK(ctas->shared->steps.size() == 2);
  CHECK(ctas->shared->path_items.size() == 1);
  CHECK(ctas->shared->runs.size() == 1);
  CHECK(ctas->shared->patterns.size() == 1);
  CHECK(ctas->paths.is_expression());
  CHECK(recording.pattern_count == 1);
}

namespace {

/// Loads of two warps a CTA, at what `base(cta, warp)` says, `loads(cta, warp)` of them one after the other.
template <class Base, class Loads>
Recording loads_at(const Base& base, const Loads& loads) {
  const std::vector<isa::Instr> code = small_code();
  RecordingBuilder builder(code, {4, 3, 1}, 2);
  for (std::uint64_t cta = 0; cta < 12; ++cta) {
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      builder.begin_warp(cta, warp);
      for (Address i = 0; i < loads(cta, warp); ++i) {
        builder.step(1, kAllLanes, kAllLanes);
        builder.access(AccessSlot::kPrimary, strided(base(cta, warp) + 0x80 * i, 4), kAllLanes);
      }
      builder.end_warp();
    }
  }
  return builder.finish();
}

}  // namespace

TEST_CASE("addresses are shown as the expression that they were stored as, with those who differ") {
  const auto affine = [](std::uint64_t cta, std::uint32_t warp) {
    return 0x10000 + 0x1000 * (cta % 4) - 0x200 * (cta / 4) + 0x400 * Address{warp};
  };
  const auto once = [](std::uint64_t, std::uint32_t) { return 1U; };
  CHECK(describe_stream(loads_at(affine, once), 0) == "0x10000 + 1024*warp + 4096*ctaid.x - 512*ctaid.y + 4*lane");
  const auto often = [](std::uint64_t cta, std::uint32_t warp) { return cta == 11 && warp == 1 ? 3U : 5U; };
  CHECK(describe_stream(loads_at(affine, often), 0) ==
        "0x10000 + 1024*warp + 4096*ctaid.x - 512*ctaid.y + 4*lane + 128*i, i < 5 (1 of 24 warps differ)");
  const auto anywhere = [](std::uint64_t cta, std::uint32_t warp) { return (cta * 7919 + warp) % 31 * 0x80; };
  CHECK(describe_stream(loads_at(anywhere, once), 0) == "recorded for each warp");
  CHECK(describe_stream(loads_at(affine, once), 1) == "no accesses");
}

TEST_CASE("a pattern of lane offsets that is used once has no id to remember it by") {
  const std::vector<isa::Instr> code = small_code();
  RecordingBuilder builder(code, {1, 1, 1}, 1);
  builder.begin_warp(0, 0);
  for (const Address stride : {Address{4}, Address{8}, Address{8}}) {
    builder.step(1, kAllLanes, kAllLanes);
    builder.access(AccessSlot::kPrimary, strided(0, stride), kAllLanes);
  }
  builder.end_warp();
  const Kernel kernel = kernel_of(builder.finish());
  CHECK(Walker::pattern_count(kernel) == 1);
  Walker walker(kernel, {}, 0);
  Step step;
  REQUIRE(walker.next(step));
  CHECK(walker.addresses(AccessSlot::kPrimary).pattern == LaneAddresses::kNoPattern);
  REQUIRE(walker.next(step));
  CHECK(walker.addresses(AccessSlot::kPrimary).pattern == 0);
}

TEST_CASE("a memory step without recorded addresses has address zero and does not shift later ones") {
  const std::vector<isa::Instr> code = small_code();
  RecordingBuilder builder(code, {1, 1, 1}, 1);
  builder.begin_warp(0, 0);
  builder.step(1, kAllLanes, kAllLanes);
  builder.step(1, kAllLanes, kAllLanes);
  builder.access(AccessSlot::kPrimary, strided(640, 4), kAllLanes);
  builder.end_warp();
  const Kernel kernel = kernel_of(builder.finish());
  Walker walker(kernel, {}, 0);
  Step step;
  REQUIRE(walker.next(step));
  CHECK(walker.addresses(AccessSlot::kPrimary).base == 0);
  REQUIRE(walker.next(step));
  CHECK(walker.addresses(AccessSlot::kPrimary).base == 640);
}

namespace {

/// One warp that copies `operands`, in a kernel of two mbarriers a CTA and clusters of two.
Kernel copying(const AsyncOperands& operands, std::uint32_t rank = 0) {
  const std::vector<isa::Instr> code{instr(isa::OpKind::kTensorCopy, isa::MemSpace::kNone)};
  RecordingBuilder builder(code, {2, 1, 1}, 2);
  builder.begin_warp(0, 0);
  builder.step(0, kAllLanes, 1);
  builder.command(operands, rank);
  builder.end_warp();
  Kernel kernel = kernel_of(builder.finish());
  kernel.code = code;
  kernel.cluster = {2, 1, 1};
  kernel.mbarriers.push_back({"", 0, 2, 0});
  return kernel;
}

AsyncOperands load_of(std::uint64_t bytes, std::uint32_t barrier) {
  AsyncOperands operands;
  operands.action = AsyncAction::kLoad;
  operands.bytes = bytes;
  operands.barrier = barrier;
  operands.global = 0x7f2000000000;
  return operands;
}

AsyncOperands read_again(const Kernel& kernel) {
  Walker walker(kernel, {}, 0);
  Step step;
  REQUIRE(walker.next(step));
  return walker.async_operands();
}

std::string refusal_of(const AsyncOperands& operands, std::uint32_t rank = 0) {
  try {
    static_cast<void>(read_again(copying(operands, rank)));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a recorded copy is read as it was recorded, its box cut at the edges of its tensor") {
  TensorMap map;
  map.base = 0x7f2000000000;
  map.element_bytes = 4;
  map.rank = 3;
  map.size = {40, 64, 8};
  map.stride = {4, 160, 160 * 64};
  map.box = {16, 8, 2};
  AsyncOperands operands = load_of(map.box_bytes(), 1);
  operands.global = 0;
  operands.map = &map;
  operands.multicast = 3;
  for (const std::array<std::int64_t, 3>& at :
       {std::array<std::int64_t, 3>{0, 0, 0}, {32, 60, 3}, {-4, -2, 7}, {0, 3, 0}, {40, 0, 0}}) {
    std::copy(at.begin(), at.end(), operands.at.begin());
    const Kernel kernel = copying(operands);
    const AsyncOperands again = read_again(kernel);
    CHECK(again.barrier == 1);
    CHECK(again.bytes == operands.bytes);
    CHECK(again.multicast == 3);
    BoxRows expected(operands);
    BoxRows found(again);
    for (; !expected.done() && !found.done(); expected.advance(), found.advance()) {
      CHECK(found.row().begin == expected.row().begin);
      CHECK(found.row().bytes == expected.row().bytes);
    }
    CHECK(found.done() == expected.done());
  }
}

TEST_CASE("a recorded command that names what its kernel does not have is refused") {
  CHECK(refusal_of(load_of(64, 1)) == "");
  CHECK(refusal_of(load_of(64, AsyncOperands::kNoBarrier)) == "");
  CHECK_THAT(refusal_of(load_of(64, 2)), Catch::Contains("warp 0 of CTA 0 names mbarrier 2, and a CTA has 2"));
  CHECK_THAT(refusal_of(load_of(1 << 20, 0)), Catch::Contains("asks for bytes: 1048576"));
  CHECK_THAT(refusal_of(load_of(64, 0), 2), Catch::Contains("names rank 2 of a cluster of 2"));
  AsyncOperands beyond = load_of(64, 0);
  beyond.multicast = 4;
  CHECK_THAT(refusal_of(beyond), Catch::Contains("asks for ranks of mask 4"));
  beyond = load_of(64, 0);
  beyond.global = (Address{1} << 49) - 32;
  CHECK_THAT(refusal_of(beyond), Catch::Contains("beyond a GPU's addresses"));
}

}  // namespace recorded_test
