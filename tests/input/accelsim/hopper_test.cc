// SPDX-License-Identifier: MIT
// What recordings of Hopper say beyond the older form: polls, named barriers, copies by the TMA, clusters' memory.
#include <catch2/catch.hpp>

#include "sim/input/accelsim/export.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/stats/result.h"

#include "tests/input/accelsim/folder.h"
#include "tests/input/accelsim/tracez.h"
#include "tests/support/same_kernel.h"

namespace hopper_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;
using frontend::accelsim::load_accelsim;

namespace {

const std::string kExit = "0100 ffffffff 0 EXIT 0 0 0 0 NoVal";

Tracez one_warp_of(std::vector<std::string> lines) {
  Tracez file;
  file.header = hopper_header("(1,1,1)", "(32,1,1)");
  lines.push_back(kExit);
  file.ctas.push_back({{}, {}, {}, 0, {std::move(lines)}});
  return file;
}

trace::Trace load(const Folder& folder, std::vector<std::string> lines) {
  return load_accelsim(folder.write("k.tracez", one_warp_of(std::move(lines)).bytes()));
}

std::string complaint_of(const Folder& folder, const std::string& line) {
  return complaint(folder.write("k.tracez", one_warp_of({line}).bytes()));
}

/// A poll of the mbarrier at `address` for the phase of `parity`.
std::string poll(const std::string& pc, const std::string& address, int parity) {
  return pc + " ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 " + address + " 0 0 0 Val 1 00000000 1 " +
         (parity != 0 ? "80000000" : "00000000");
}
std::string branch(const std::string& pc) {
  return pc + " ffffffff 0 BRA 0 0 0 0 NoVal";
}

/// The opcodes that the only warp executes.
std::vector<std::string> path_of(const trace::Trace& trace) {
  std::vector<std::string> opcodes;
  for (const trace::Step& step : steps_of(trace.kernels[0])) {
    opcodes.push_back(trace.kernels[0].texts[step.pc].opcode);
  }
  return opcodes;
}

const std::string kPoll = "SYNCS.PHASECHK.TRANS64.TRYWAIT";

}  // namespace

TEST_CASE("polls that repeat one wait are one, with what comes after their loop") {
  const Folder folder;
  const std::string product = "0080 ffffffff 1 R24 MOV 1 R4 0 0 0 NoVal";
  const std::vector<std::string> once{kPoll, "BRA", "MOV", "EXIT"};
  CHECK(path_of(load(folder, {poll("0010", "0x400", 0), branch("0020"), product})) == once);
  CHECK(path_of(load(folder, {poll("0010", "0x400", 0), branch("0020"), poll("0010", "0x400", 0), branch("0020"),
                              poll("0010", "0x400", 0), branch("0020"), product})) == once);
  CHECK(path_of(load(folder, {poll("0010", "0x400", 0), branch("0020"), poll("0050", "0x400", 0), branch("0060"),
                              branch("0070"), product})) == once);
}

TEST_CASE("polls for another phase, of another mbarrier or behind other work are waits of their own") {
  const Folder folder;
  const std::vector<std::string> twice{kPoll, "BRA", kPoll, "BRA", "EXIT"};
  const std::string first = poll("0010", "0x400", 0);
  CHECK(path_of(load(folder, {first, branch("0020"), poll("0010", "0x400", 1), branch("0020")})) == twice);
  CHECK(path_of(load(folder, {first, branch("0020"), poll("0010", "0x408", 0), branch("0020")})) == twice);
  CHECK(path_of(load(folder, {first, "0030 ffffffff 1 R2 LDS 1 R4 4 1 0x7f0000000000 4 0 0 NoVal",
                              poll("0010", "0x400", 0)})) == std::vector<std::string>{kPoll, "LDS", kPoll, "EXIT"});
}

TEST_CASE("calculation between two polls of one wait stays") {
  const Folder folder;
  const std::string move = "0030 ffffffff 1 R24 MOV 1 R4 0 0 0 NoVal";
  CHECK(path_of(load(folder, {poll("0010", "0x400", 0), branch("0020"), move, poll("0010", "0x400", 0), branch("0020"),
                              move})) == std::vector<std::string>{kPoll, "BRA", "MOV", "MOV", "EXIT"});
}

TEST_CASE("a BAR has the barrier and the threads that its line says") {
  const Folder folder;
  const trace::Kernel kernel = load(folder, {"0010 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0 NoVal",
                                             "0020 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 1 128 NoVal",
                                             "0030 ffffffff 1 R6 BAR.ARV 0 0 256 0 Val 1 00000003",
                                             "0030 ffffffff 1 R6 BAR.ARV 0 0 256 0 Val 1 00000004"})
                                   .kernels[0];
  REQUIRE(kernel.code.size() == 5);
  CHECK(kernel.code[0].barrier_id == 0);
  CHECK(kernel.code[0].barrier_threads == 0);
  CHECK(kernel.code[1].barrier_id == 1);
  CHECK(kernel.code[1].barrier_threads == 128);
  CHECK(kernel.code[1].barrier_waits);
  CHECK(kernel.code[2].barrier_id == 3);
  CHECK(kernel.code[3].barrier_id == 4);
  CHECK(kernel.code[3].barrier_threads == 256);
  CHECK_FALSE(kernel.code[3].barrier_waits);
  CHECK(kernel.barriers == 5);
  CHECK_THAT(complaint_of(folder, "0010 ffffffff 0 BAR.SYNC 0 0 16 32 NoVal"), Contains("barrier '16,32' makes no"));
  CHECK_THAT(complaint_of(folder, "0010 ffffffff 0 BAR.SYNC 0 0 1 1025 NoVal"), Contains("barrier '1,1025' makes no"));
}

TEST_CASE("an export keeps apart the barriers that one BAR waits at in different warps") {
  const Folder folder;
  const trace::Trace trace = load(folder, {"0030 ffffffff 1 R6 BAR.ARV 0 0 256 0 Val 1 00000003",
                                           "0030 ffffffff 1 R6 BAR.ARV 0 0 256 0 Val 1 00000004",
                                           "0030 ffffffff 1 R6 BAR.ARV 0 0 256 0 Val 1 00000003"});
  frontend::accelsim::export_accelsim(trace, folder.path() / "raw");
  const trace::Trace again = load_accelsim(folder.path() / "raw" / "kernelslist.g");
  CHECK(testing::difference(trace.kernels[0], again.kernels[0]).empty());
  CHECK(testing::behaviour_difference(trace.kernels[0], again.kernels[0], false).empty());
}

TEST_CASE("a copy by the TMA is read in all forms in which it was recorded") {
  const Folder folder;
  for (const char* const rest : {
           "16 0x00000400 0 64 0 4 0x7f2000000000 4 16 16 16 0 0 NoVal",         // differences
           "16 0x00000400 1 0x0001 64 0 4 0x7f2000000000 4 16 16 16 0 0 NoVal",  // to CTAs of a mask
           "16 0x00000400 0 32 0 3 2 0x7f2000000000 0x7f2000000010 0 0 NoVal",   // a list
           "16 0x00000400 0 64 32 4 0x7f2000000000 4 16 0 0 NoVal",              // two of four lie outside
           "16 4 0x7f2000000000 4 16 16 16 0 0 NoVal",                           // the first recordings
           "16 1 0x7f2000000000 4 16 16 16 0 0 NoVal",                           // with other numbers
           "16 0 2 0x7f2000000000 0x7f2000000010 0 0 NoVal",
       }) {
    INFO(rest);
    CHECK(complaint_of(folder, "0010 00000001 0 UTMALDG.2D 0 " + std::string(rest)).empty());
  }
  CHECK(complaint_of(folder, "0010 00000000 0 UTMALDG.2D 0 0 0x0 0 0 0 4 0x0 0 0 0 NoVal").empty());
}

TEST_CASE("a copy by the TMA that makes no sense is refused") {
  const Folder folder;
  const auto said = [&](const std::string& rest) {
    return complaint_of(folder, "0010 00000001 0 UTMALDG.2D 0 " + rest + " 0 0 NoVal");
  };
  CHECK_THAT(said("16 0x400 2 64 0 4 0x7f00 4 16 16 16"), Contains("multicast '2' makes no sense"));
  CHECK_THAT(said("16 0x400 1 0x0 64 0 4 0x7f00 4 16 16 16"), Contains("mask of ranks '0x0' makes no sense"));
  CHECK_THAT(said("16 0x400 0 9999999 0 4 0x7f00 4"), Contains("bytes of the transfer '9999999' makes no sense"));
  CHECK_THAT(said("16 0x400 0 64 65 4 0x7f00 4"), Contains("bytes outside the tensor '65' makes no sense"));
  CHECK_THAT(said("16 0x400 0 64 0 7 0x7f00 4"), Contains("address mode '7' makes no sense"));
  CHECK_THAT(said("16 0x400 0 64 0 4 0x7f00 4 16 x 16"), Contains("address delta 'x' makes no sense"));
  CHECK_THAT(said("16 0x400 0 64 0 3 4 0x7f00 0x8f00"), Contains("address '0' makes no sense"));
  CHECK_THAT(said("16 0x400 0 32 0 4 0x1ffffffffff80 2 1024"), Contains("the copy has 16 bytes at 0x2000000000380"));
}

TEST_CASE("an LDGSTS without its line for shared memory writes there side by side") {
  const Folder folder;
  const trace::Trace trace = load(folder, {"0010 0000000f 0 LDGSTS.E.128 2 R2 R4 16 1 0x7f2000000000 64 0 0 NoVal"});
  REQUIRE(trace.warnings.size() == 1);
  CHECK_THAT(trace.warnings[0], Contains("where LDGSTS writes in shared memory is not recorded"));
  const std::vector<Address> to = addresses_of(trace.kernels[0], 0, trace::AccessSlot::kSharedDestination);
  CHECK(to[0] == 0);
  CHECK(to[3] == 48);
  CHECK(addresses_of(trace.kernels[0], 0)[3] == 0x7f20000000c0);
}

TEST_CASE("a generic address in the shared memory of another CTA of a cluster is of shared memory") {
  const Folder folder;
  Tracez file = one_warp_of({"0010 ffffffff 1 R6 LD.E 1 R2 4 1 0x00007f0001000010 4 0 0 NoVal",
                             "0020 ffffffff 1 R6 LD.E 1 R2 4 1 0x00007f0000000010 4 0 0 NoVal",
                             "0030 ffffffff 1 R6 LD.E 1 R2 4 1 0x00007f0010000010 4 0 0 NoVal"});
  file.header = hopper_header("(2,1,1)", "(32,1,1)");
  file.ctas.push_back({{1, 0, 0}, {}, {1, 0, 0}, 1, {{kExit}}});
  const trace::Kernel kernel = load_accelsim(folder.write("k.tracez", file.bytes())).kernels[0];
  CHECK(kernel.code[0].space == isa::MemSpace::kClusterShared);
  CHECK(kernel.code[1].space == isa::MemSpace::kShared);
  CHECK(kernel.code[2].space == isa::MemSpace::kGlobal);
}

TEST_CASE("a recording of Hopper runs on an H100, in clusters and with barriers of some warps") {
  const Folder folder;
  const std::vector<std::string> cluster{"0000 ffffffff 0 UCGABAR_ARV 0 0 0 0 NoVal",
                                         "0010 ffffffff 0 UCGABAR_WAIT 0 0 0 0 NoVal"};
  Tracez file;
  file.header = hopper_header("(2,1,1)", "(128,1,1)");
  for (std::uint32_t cta = 0; cta < 2; ++cta) {
    Tracez::Cta& made = file.ctas.emplace_back(Tracez::Cta{{cta, 0, 0}, {}, {cta, 0, 0}, cta, {}});
    for (std::uint32_t warp = 0; warp < 4; ++warp) {
      std::vector<std::string>& lines = made.warps.emplace_back(cluster);
      lines.emplace_back("0020 ffffffff 1 R24 HGMMA.64x64x16.F32 2 R24 UR4 1 0 0 0 NoVal");
      lines.emplace_back("0030 ffffffff 0 WARPGROUP.DEPBAR 0 0 0 0 NoVal");
      if (warp < 2) {
        lines.emplace_back("0040 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 1 64 NoVal");
      } else {
        lines.emplace_back("0050 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 2 64 NoVal");
        lines.emplace_back("0060 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 2 64 NoVal");
      }
      lines.push_back(kExit);
    }
  }
  const arch::Arch h100 = arch::load_arch(GPUSIM_SOURCE_DIR "/configs/h100.yaml", {}, {});
  const auto cycles_of = [&h100](const std::filesystem::path& path) {
    return gpu::simulate(h100, load_accelsim(path), {}).kernels[0].cycles;
  };
  const Cycle cycles = cycles_of(folder.write("k.tracez", file.bytes()));
  CHECK(cycles > 0);
  CHECK(cycles == cycles_of(folder.write("k.traceg", file.text())));
}

}  // namespace hopper_test
