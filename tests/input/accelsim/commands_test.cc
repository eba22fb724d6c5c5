// SPDX-License-Identifier: MIT
// Recorded copies by the TMA move their bytes, recorded waits wait for them, and accesses to other CTAs of a cluster go
// there.
#include "tests/input/accelsim/commands.h"

#include <catch2/catch.hpp>

#include "sim/input/accelsim/export.h"
#include "sim/model/trace/box.h"

#include "tests/support/same_kernel.h"

namespace commands_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;
using frontend::accelsim::load_accelsim;
using trace::AsyncAction;

namespace {

trace::Trace load(const Folder& folder, const Tracez& file) {
  return load_accelsim(folder.write("k.tracez", file.bytes()));
}
trace::Trace load_lines(const Folder& folder, const Lines& only_warp) {
  return load(folder, recording_of({{only_warp + Lines{kEnd}}}));
}

std::string refusal(const Folder& folder, const Lines& only_warp) {
  return complaint(folder.write("k.tracez", recording_of({{only_warp + Lines{kEnd}}}).bytes()));
}

/// A warp that loads a box and waits for it, and one that only waits.
Tracez producer_and_consumer(unsigned rows) {
  const Lines wait{wait_for("0060", "0x400", 0), kEnd};
  return recording_of({{Lines{initialise("0010", "0x400", 1), kCtaBarrier, arrive("0030", "0x400", "", rows * 128),
                              load_box("0040", "0x400", rows)} +
                            wait,
                        Lines{kCtaBarrier} + wait}});
}

/// What the only warp asks of the engines, one after the other.
std::vector<trace::AsyncOperands> commands_of(const trace::Kernel& kernel) {
  std::vector<trace::AsyncOperands> commands;
  trace::Walker walker(kernel, {}, 0);
  for (trace::Step step; walker.next(step);) {
    const trace::AsyncOperands operands = walker.async_operands();
    if (operands.action != AsyncAction::kNone) {
      commands.push_back(operands);
    }
  }
  return commands;
}

std::uint64_t bytes_of(const trace::AsyncOperands& copy) {
  std::uint64_t bytes = 0;
  for (trace::BoxRows rows(copy); !rows.done(); rows.advance()) {
    bytes += rows.row().bytes;
  }
  return bytes;
}

const std::uint64_t kSharedBase = 0x7f0000000000;

/// A load of four bytes of each lane from the shared memory of the CTA of this rank.
std::string load_from(unsigned rank) {
  return "0050 ffffffff 1 R6 LD.E 1 R2 4 1 0x" + hex(kSharedBase + rank * 0x1000000ULL + 0x800) + " 4 0 0 NoVal";
}

Tracez pair_of(const Lines& first, const Lines& second) {
  return recording_of({{kClusterBarrier + first + kClusterBarrier + Lines{kEnd}},
                       {kClusterBarrier + second + kClusterBarrier + Lines{kEnd}}});
}

}  // namespace

/// `copies` copies of other boxes; behind each the warp waits for it, or at the end for all.
Tracez chain(unsigned copies, bool waits_for_each) {
  Lines lines{initialise("0010", "0x400", 1)};
  Lines waits;
  for (unsigned i = 0; i < copies; ++i) {
    const std::string mbarrier = "0x" + hex(0x400 + (waits_for_each ? 0 : 8 * i));
    if (i != 0 && !waits_for_each) {
      lines.insert(lines.begin(), initialise("0010", mbarrier, 1));
    }
    lines.push_back(arrive("0030", mbarrier, "", 128));
    lines.push_back(load_box("0040", mbarrier, 1, "", 0x7f2000000000 + 0x100000 * i));
    (waits_for_each ? lines : waits)
        .push_back(wait_for("0060", mbarrier, waits_for_each ? static_cast<int>(i % 2) : 0));
  }
  return recording_of({{lines + waits + Lines{kEnd}}});
}

TEST_CASE("recorded waits for an mbarrier last until the bytes of its copy have come") {
  const Folder folder;
  constexpr Cycle kLeastOfL2 = 150;
  const trace::Trace one_by_one = load(folder, chain(8, true));
  CHECK(one_by_one.warnings.empty());
  const Cycle together = run(load(folder, chain(8, false))).cycles;
  CHECK(run(one_by_one).cycles > together + 7 * kLeastOfL2);
  CHECK(run(one_by_one).l1.bulk_sectors == 8 * 128 / 32);
}

TEST_CASE("the bytes that recorded copies move are those that the recording has") {
  const Folder folder;
  const trace::Trace trace = load(folder, producer_and_consumer(16));
  const std::vector<trace::AsyncOperands> commands = commands_of(trace.kernels[0]);
  REQUIRE(commands.size() == 4);
  CHECK(commands[0].action == AsyncAction::kInitialise);
  CHECK(commands[0].count == 1);
  CHECK(commands[0].barrier == 0x400 / 8);
  CHECK(commands[1].action == AsyncAction::kArrive);
  CHECK(commands[1].count == 1);
  CHECK(commands[1].bytes == 16 * 128);
  CHECK(commands[2].action == AsyncAction::kLoad);
  CHECK(commands[2].bytes == 16 * 128);
  CHECK(bytes_of(commands[2]) == 16 * 128);
  const trace::BoxRow first = trace::BoxRows(commands[2]).row();
  CHECK(first.begin == 0x7f2000000000);
  CHECK(first.bytes == 128);
  CHECK(commands[3].action == AsyncAction::kWait);
  CHECK_FALSE(commands[3].parity);
}

TEST_CASE("a copy whose box is cut off at its tensor signals all bytes and moves those inside") {
  const Folder folder;
  const trace::Trace trace =
      load_lines(folder, {initialise("0010", "0x400", 1), arrive("0020", "0x400", "", 64),
                          "0030 00000001 0 UTMALDG.2D 0 16 0x00000400 0 64 32 4 0x7f2000000000 2 16 0 0 NoVal",
                          wait_for("0040", "0x400", 0)});
  const std::vector<trace::AsyncOperands> commands = commands_of(trace.kernels[0]);
  REQUIRE(commands.size() == 4);
  CHECK(commands[2].bytes == 64);
  CHECK(bytes_of(commands[2]) == 32);
  CHECK(run(trace).l1.bulk_sectors == 1);
}

TEST_CASE("a copy whose pieces do not make up a box moves as many consecutive bytes, which is a guess") {
  const Folder folder;
  const trace::Trace trace =
      load_lines(folder, {"0030 00000001 0 UTMASTG.2D 0 16 0x0 0 64 0 3 4 0x7f2000000000 0x7f2000000100 0x7f2000000300 "
                          "0x7f2000000340 0 0 NoVal"});
  REQUIRE(trace.warnings.size() == 1);
  CHECK_THAT(trace.warnings[0], Contains("guess: kernel 'k': line ") && Contains("(1 time like that)") &&
                                    Contains("do not make up a box: it is taken to move consecutive bytes"));
  CHECK(bytes_of(commands_of(trace.kernels[0]).at(0)) == 64);
}

TEST_CASE("a copy to several CTAs of a cluster comes to each of them") {
  const Folder folder;
  const Lines setup{initialise("0010", "0x400", 1)};
  const Lines expect{arrive("0030", "0x400", "", 2048)};
  const Lines wait{wait_for("0060", "0x400", 0)};
  const Tracez file = recording_of(
      {{setup + kClusterBarrier + expect + Lines{load_box("0040", "0x400", 16, "0x0003")} + wait + Lines{kEnd}},
       {setup + kClusterBarrier + expect + wait + Lines{kEnd}}});
  const trace::Trace trace = load(folder, file);
  CHECK(trace.warnings.empty());
  const stats::KernelResult result = run(trace);
  CHECK(result.l1.bulk_sectors == 2048 / 32);
  CHECK(result.dsmem.multicast_sectors == 2048 / 32);
}

TEST_CASE("recorded accesses to the shared memory of another CTA go to that CTA") {
  const Folder folder;
  const stats::KernelResult result = run(load(folder, pair_of({load_from(1)}, {load_from(0)})));
  CHECK(result.dsmem.requests == 2);
  CHECK(result.dsmem.read_sectors == 2 * 128 / 32);
  CHECK(result.dsmem.served_sectors == 2 * 128 / 32);
}

TEST_CASE("an instruction that goes to another CTA in some warp goes to its own by way of the cluster in others") {
  const Folder folder;
  const trace::Trace trace = load(folder, pair_of({load_from(1)}, {load_from(1)}));
  const stats::KernelResult result = run(trace);
  CHECK(result.dsmem.requests == 1);
  CHECK(result.dsmem.read_sectors == 128 / 32);
}

TEST_CASE("lanes that go to several CTAs at once are an access to each, which is a guess") {
  const Folder folder;
  std::string line = "0050 00000003 1 R6 LD.E 1 R2 4 0";
  line += " 0x" + hex(kSharedBase + 0x800) + " 0x" + hex(kSharedBase + 0x1000804) + " 0 0 NoVal";
  const trace::Trace trace = load(folder, pair_of({line}, {}));
  REQUIRE(trace.warnings.size() == 1);
  CHECK_THAT(trace.warnings[0], Contains("issue once for each of them"));
  std::vector<LaneMask> masks;
  for (const trace::Step& step : steps_of(trace.kernels[0])) {
    if (trace.kernels[0].texts[step.pc].opcode == "LD.E") {
      masks.push_back(step.mask);
    }
  }
  CHECK(masks == std::vector<LaneMask>{1, 2});
  CHECK(run(trace).dsmem.requests == 1);
}

TEST_CASE("arrivals at the mbarrier of another CTA release the warps that wait there") {
  const Folder folder;
  const Lines setup{initialise("0010", "0x400", 1)};
  const Tracez file = recording_of(
      {{setup + kClusterBarrier + Lines{arrive("0040", "0x1000400", ".RED.A1T0")} + kClusterBarrier + Lines{kEnd}},
       {setup + kClusterBarrier + Lines{wait_for("0060", "0x1000400", 0)} + kClusterBarrier + Lines{kEnd}}});
  const trace::Trace trace = load(folder, file);
  CHECK(trace.warnings.empty());
  CHECK(run(trace).dsmem.requests == 1);
}

TEST_CASE("lanes that arrive at different mbarriers are as many operations") {
  const Folder folder;
  const Lines lines{initialise("0010", "0x400", 1), initialise("0018", "0x408", 1),
                    "0020 00000003 1 R255 SYNCS.ARRIVE.TRANS64.A1T0 2 R2 R3 8 1 0x400 8 0 0 Val 1 0 1 0 1 0",
                    wait_for("0030", "0x400", 0), wait_for("0038", "0x408", 0)};
  const trace::Trace trace = load_lines(folder, lines);
  const std::vector<trace::AsyncOperands> commands = commands_of(trace.kernels[0]);
  REQUIRE(commands.size() == 6);
  CHECK(commands[2].barrier == 0x400 / 8);
  CHECK(commands[3].barrier == 0x408 / 8);
  CHECK(run(trace).cycles > 0);
}

TEST_CASE("a recorded arrival that opts out is one that later phases do not expect") {
  const Folder folder;
  const trace::Trace trace = load_lines(
      folder, {initialise("0010", "0x400", 2), arrive("0020", "0x400", ".OPTOUT.A1T0"), arrive("0030", "0x400"),
               wait_for("0040", "0x400", 0), arrive("0030", "0x400"), wait_for("0040", "0x400", 1)});
  CHECK(commands_of(trace.kernels[0]).at(1).action == AsyncAction::kDrop);
  CHECK(run(trace).cycles > 0);
}

TEST_CASE("a warp that waits for a phase that never ends is named with its mbarrier") {
  const Folder folder;
  const trace::Trace trace =
      load_lines(folder, {initialise("0010", "0x400", 2), arrive("0020", "0x400"), wait_for("0030", "0x400", 0)});
  CHECK_THROWS_WITH(run(trace), Contains("cannot finish") &&
                                    Contains("mbarrier 'at 0x400', parity 0: phase 0 has 1 of 2 arrivals made"));
}

TEST_CASE("an mbarrier that a recording initialises again begins anew") {
  const Folder folder;
  const trace::Trace trace = load_lines(
      folder, {initialise("0010", "0x400", 1), arrive("0020", "0x400"), wait_for("0030", "0x400", 0),
               initialise("0040", "0x400", 2), arrive("0050", "0x400", ".ART0", 2), wait_for("0060", "0x400", 0)});
  CHECK(run(trace).cycles > 0);
}

TEST_CASE("where a recording says too little no mbarrier is simulated, and copies move their bytes all the same") {
  const Folder folder;
  const std::string without_values = "0010 00000001 1 UR8 SYNCS.EXCH.64 2 UR4 UR6 8 1 0x400 0 0 0 NoVal";
  const trace::Trace trace = load_lines(folder, {without_values, arrive("0020", "0x400", "", 2048),
                                                 load_box("0030", "0x400", 16), wait_for("0040", "0x400", 0)});
  REQUIRE(trace.warnings.size() == 1);
  CHECK_THAT(
      trace.warnings[0],
      Contains("guess: kernel 'k': line ") &&
          Contains("SYNCS.EXCH.64 does not say how many arrivals its mbarrier expects: no mbarrier is simulated"));
  CHECK(trace.kernels[0].mbarriers.empty());
  CHECK(run(trace).l1.bulk_sectors == 2048 / 32);
}

TEST_CASE("where no mbarrier is simulated, arrivals at those of other CTAs signal nobody") {
  const Folder folder;
  const Lines lines{arrive("0040", "0x400", ".RED.A1T0"), arrive("0048", "0x1000400", ".RED.A1T0")};
  const trace::Trace trace = load(folder, pair_of(lines, lines));
  REQUIRE(trace.warnings.size() == 1);
  CHECK_THAT(trace.warnings[0], Contains("is never initialised: no mbarrier is simulated"));
  CHECK(run(trace).dsmem.requests == 0);
}

TEST_CASE("an mbarrier that nobody initialises is named, and none is simulated") {
  const Folder folder;
  const trace::Trace trace =
      load_lines(folder, {initialise("0010", "0x400", 1), arrive("0020", "0x408"), wait_for("0040", "0x400", 0)});
  REQUIRE(trace.warnings.size() == 1);
  CHECK_THAT(trace.warnings[0], Contains("the mbarrier at 0x408 is never initialised"));
  CHECK(run(trace).cycles > 0);
}

TEST_CASE("what a recording of Hopper cannot have is refused at its line") {
  const Folder folder;
  CHECK_THAT(refusal(folder, {initialise("0010", "0x404", 1)}),
             Contains("k.tracez:") && Contains("SYNCS.EXCH.64 names an mbarrier at 0x404 (expected a multiple of 8"));
  CHECK_THAT(refusal(folder, {arrive("0010", "0x20000")}), Contains("names an mbarrier at 0x20000"));
  CHECK_THAT(refusal(folder, {arrive("0010", "0x400", "", 1 << 20)}),
             Contains("1,048,576 bytes of each of 1 lane (an mbarrier counts up to 1048575)"));
  CHECK_THAT(refusal(folder, {"0010 00000001 0 UTMALDG.2D 0 16 0x400 0 128 0 4 0x7f2000000000 4 16 16 16 0 0 NoVal"}),
             Contains("a copy of 128 bytes, 0 of them outside the tensor, lists 4 pieces of 16 bytes"));
  CHECK_THAT(refusal(folder, {load_box("0010", "0x400", 1, "0x0004")}),
             Contains("names the CTA of rank 2 in its cluster (the clusters of this launch have 1 CTA)"));
  CHECK_THAT(refusal(folder, {load_from(3)}), Contains("names the CTA of rank 3 in its cluster"));
}

TEST_CASE("a rank beyond the clusters of a launch is refused at its line") {
  const Folder folder;
  const auto of_second = [&folder](const std::string& line) {
    const Lines lines{initialise("0010", "0x400", 1)};
    return complaint(folder.write("k.tracez", pair_of(lines, lines + Lines{line}).bytes()));
  };
  const std::string two = "names the CTA of rank 2 in its cluster (the clusters of this launch have 2 CTAs)";
  CHECK_THAT(of_second(arrive("0040", "0x2000400", ".RED.A1T0")), Contains("k.tracez:") && Contains(two));
  CHECK_THAT(of_second(load_box("0040", "0x400", 1, "0x0006")), Contains(two));
  CHECK_THAT(of_second(load_from(2)), Contains(two));
}

TEST_CASE("an export refuses what it has no words for") {
  const Folder folder;
  const auto said = [&folder](const trace::Trace& trace) {
    try {
      frontend::accelsim::export_accelsim(trace, folder.path() / "raw");
      return std::string();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  CHECK_THAT(said(load_lines(folder, {initialise("0010", "0x400", 1)})),
             Contains("'SYNCS.EXCH.64 UR8, UR4, UR6' commands an mbarrier, which an export cannot say"));
  CHECK_THAT(said(load_lines(folder, {"0030 00000001 0 UBLKPF 0 16 4 0x7f2000000000 1 0 0 NoVal"})),
             Contains("'UBLKPF' commands the TMA, which an export cannot say"));
}

TEST_CASE("a file whose CTAs are in another order asks the same of the engines") {
  const Folder folder;
  Tracez file =
      pair_of({initialise("0010", "0x400", 1), arrive("0020", "0x1000400", ".RED.A1T0"), wait_for("0030", "0x400", 0)},
              {initialise("0010", "0x400", 1), arrive("0020", "0x400", ".RED.A1T0"), wait_for("0030", "0x1000400", 0)});
  const trace::Trace sorted = load(folder, file);
  std::swap(file.ctas[0], file.ctas[1]);
  const trace::Trace unsorted = load_accelsim(folder.write("u.traceg", file.text()));
  CHECK(testing::behaviour_difference(sorted.kernels[0], unsorted.kernels[0]).empty());
  CHECK(run(sorted).cycles == run(unsorted).cycles);
}

}  // namespace commands_test
