// SPDX-License-Identifier: MIT
// Register ports: bubbles of bank conflicts, the reuse cache, waits for a write port. Measured sequences are those
// of Huerta et al., MICRO 2025.
#include "sim/machine/sm/warps/register_file.h"

#include <array>
#include <random>
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/support/one_sm.h"

namespace register_file_test {

using namespace gpusim;
using stats::Stall;
using test::OneSmSetup;
using test::run_listing;

namespace {

using Cycles = std::vector<Cycle>;
using Listing = std::vector<std::string>;

OneSmSetup banked(std::uint32_t read_window = 3) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.sm.register_file = {arch::RegisterFileModel::kBanked, read_window};
  return setup;
}

/// One cycle after the other, nothing waited for.
Listing in_a_row(const Listing& instructions) {
  Listing listing;
  for (const std::string& instruction : instructions) {
    listing.push_back("[B------:R-:W-:-:S01] " + instruction);
  }
  listing.emplace_back("[B------:R-:W-:-:S01] EXIT");
  return listing;
}

/// Cycles between the clock reads around two FFMAs whose other operands are even-numbered.
Cycle between_clocks(const std::string& x, const std::string& y) {
  const auto run =
      run_listing(banked(), in_a_row({"CS2R.32 R40, SR_CLOCKLO", "NOP", "FFMA R11, R10, R12, R14",
                                      "FFMA R13, R16, " + x + ", " + y, "NOP", "CS2R.32 R41, SR_CLOCKLO"}));
  return run.issues(0)[5] - run.issues(0)[0];
}

/// Issue cycles of `instruction`, eight times in a row.
Cycles eight_times(const std::string& instruction) {
  Cycles issues = run_listing(banked(), in_a_row(Listing(8, instruction))).issues(0);
  issues.pop_back();
  return issues;
}

/// Issue cycles of three instructions and the EXIT, in a file that allows one cycle for the reads: two reads of a bank
/// make a bubble behind the instruction, so each bubble tells of a miss.
Cycles with_narrow_window(const Listing& three) {
  return run_listing(banked(1), in_a_row(three)).issues(0);
}

/// The reuse cache as a list: which warp keeps which register in each entry.
class ReuseList {
 public:
  /// Slots (mask) whose operand is there. `regs`: by slot; 255: none is asked for.
  unsigned look_up(std::uint32_t warp, const std::array<std::uint8_t, lower::kReuseSlots>& regs, unsigned kept) {
    unsigned hits = 0;
    for (unsigned slot = 0; slot < regs.size(); ++slot) {
      if (regs[slot] != kNone) {
        Operand& entry = entries_[lower::reuse_entry(regs[slot], slot)];
        const Operand asked{warp, regs[slot]};
        hits |= entry == asked ? 1U << slot : 0U;
        entry = (kept >> slot & 1U) != 0 ? asked : kEmpty;
      }
    }
    return hits;
  }
  void empty(unsigned entry) { entries_[entry] = kEmpty; }
  void forget(std::uint32_t warp) {
    for (Operand& entry : entries_) {
      entry = entry.first == warp ? kEmpty : entry;
    }
  }

  static constexpr std::uint8_t kNone = 255;

 private:
  using Operand = std::pair<std::uint32_t, std::uint8_t>;
  static constexpr Operand kEmpty{~0U, kNone};
  std::array<Operand, lower::kReuseEntries> entries_{kEmpty, kEmpty, kEmpty, kEmpty, kEmpty, kEmpty};
};

lower::ReuseBytes byte_of(unsigned entry, std::uint8_t value = 0xff) {
  return lower::ReuseBytes{value} << 8 * entry;
}

}  // namespace

TEST_CASE("the reuse cache has of random instructions what a list of its entries has") {
  std::mt19937 numbers(5);
  const auto random = [&numbers] { return static_cast<std::uint32_t>(numbers()); };
  sm::RegisterFile file({arch::RegisterFileModel::kBanked, 0});
  ReuseList list;
  bool all = true;
  for (Cycle now = 100; now < 100 * 20000; now += 100) {
    const std::uint32_t warp = random() % 4 + (random() % 8 == 0 ? 28 : 0);
    if (random() % 16 == 0) {
      file.forget(warp);
      list.forget(warp);
    }
    lower::RegisterPorts ports;
    ports.uses_ports = ports.reserves = true;
    for (unsigned hits = 0; hits < ports.reads.size(); ++hits) {
      ports.reads[hits][0] = static_cast<std::uint8_t>(hits);  // the bubbles behind the instruction tell the hits
    }
    std::array<std::uint8_t, lower::kReuseSlots> regs{ReuseList::kNone, ReuseList::kNone, ReuseList::kNone};
    const unsigned kept = random() % 8;
    for (unsigned slot = 0; slot < regs.size(); ++slot) {
      if (random() % 4 != 0) {
        regs[slot] = static_cast<std::uint8_t>(random() % 3 + (random() % 8 == 0 ? 252 : 0));
        const unsigned entry = lower::reuse_entry(regs[slot], slot);
        ports.operands |= byte_of(entry, regs[slot]);
        ports.asks |= byte_of(entry);
        ports.keeps |= (kept >> slot & 1U) != 0 ? byte_of(entry) : 0;
      }
    }
    ports.empties = ports.asks & ~ports.keeps;
    const unsigned hits = list.look_up(warp, regs, kept);
    if (const unsigned other = random() % unsigned{lower::kReuseEntries}; (ports.asks & byte_of(other)) == 0) {
      ports.empties |= byte_of(other);
      list.empty(other);
    }
    all = all && file.issue(ports, warp, 1, now) == hits;
  }
  CHECK(all);
}

TEST_CASE("a variable-latency result finds the write ports taken that a list of cycles says are") {
  std::mt19937 numbers(6);
  const auto random = [&numbers] { return static_cast<std::uint32_t>(numbers()); };
  sm::RegisterFile file({arch::RegisterFileModel::kBanked, 3});
  std::set<std::pair<Cycle, unsigned>> taken;
  bool all = true;
  Cycle now = 0;
  for (int i = 0; i < 20000; ++i, now += random() % 4 == 0 ? random() % 80 : random() % 3) {
    const auto banks = static_cast<std::uint8_t>(random() % 4);
    if (random() % 2 == 0) {
      const std::uint32_t latency = 1 + random() % 63;
      lower::RegisterPorts ports;
      ports.uses_ports = true;
      ports.fixed_writes = banks;
      all = all && file.issue(ports, 0, latency, now) == 0;
      for (unsigned bank = 0; bank < lower::kRegisterBanks; ++bank) {
        if ((banks >> bank & 1U) != 0) {
          taken.insert({now + latency, bank});
        }
      }
      continue;
    }
    unsigned refused = 0;
    for (unsigned bank = 0; bank < lower::kRegisterBanks; ++bank) {
      if ((banks >> bank & 1U) != 0) {
        refused |= taken.insert({now, bank}).second ? 0U : 1U << bank;
      }
    }
    all = all && file.write(banks, now) == refused;
  }
  CHECK(all);
}

TEST_CASE("two FFMAs in a row have 0, 1 or 2 bubbles, by the banks of the second one's operands") {
  CHECK(between_clocks("R19", "R21") == 5);
  CHECK(between_clocks("R18", "R21") == 6);
  CHECK(between_clocks("R18", "R20") == 7);
}

TEST_CASE("in the long run two sources in one bank cost one bubble per instruction, three cost two") {
  // The first windows have room to spare; from then on the port is the limit: an instruction in two cycles, in three.
  CHECK(eight_times("FFMA R1, R3, R5, R2") == Cycles{0, 1, 2, 4, 6, 8, 10, 12});
  CHECK(eight_times("FFMA R1, R2, R4, R6") == Cycles{0, 1, 4, 7, 10, 13, 16, 19});
  CHECK(eight_times("FFMA R1, R3, c[0x0][0x160], R2") == Cycles{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("a register that two operands name is read once") {
  CHECK(eight_times("FFMA R1, R3, R3, R2") == Cycles{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("the ideal register file has ports for all") {
  OneSmSetup setup = banked();
  setup.arch.sm.register_file.model = gpusim::arch::RegisterFileModel::kIdeal;
  CHECK(run_listing(setup, in_a_row(Listing(3, "FFMA R1, R2, R4, R6"))).issues(0) == Cycles{0, 1, 2, 3});
}

TEST_CASE("an operand kept once hits in the second instruction and misses in the third") {
  // IADD3: R4 and R6 are read, a bubble. FFMA: R8 alone. IADD3: R4 and R12, a bubble.
  CHECK(with_narrow_window({"IADD3 R1, R4.reuse, R3, R6", "FFMA R5, R4, R7, R8", "IADD3 R10, R4, R12, R13"}) ==
        Cycles{0, 2, 3, 5});
}

TEST_CASE("an operand kept twice hits in both") {
  CHECK(with_narrow_window({"IADD3 R1, R4.reuse, R3, R6", "FFMA R5, R4.reuse, R7, R8", "IADD3 R10, R4, R12, R13"}) ==
        Cycles{0, 2, 3, 4});
}

TEST_CASE("a register in another slot misses; one of the other bank in its slot does not end it") {
  CHECK(with_narrow_window({"IADD3 R1, R4.reuse, R3, R6", "FFMA R5, R7, R4, R8", "IADD3 R10, R4, R12, R13"}) ==
        Cycles{0, 2, 4, 5});
}

TEST_CASE("a read of the same bank and slot ends what is kept there") {
  CHECK(with_narrow_window({"IADD3 R1, R4.reuse, R3, R6", "FFMA R5, R2, R7, R8", "IADD3 R10, R4, R12, R13"}) ==
        Cycles{0, 2, 4, 6});
}

TEST_CASE("a variable-latency read of the same bank and slot ends it too, without a bubble of its own") {
  CHECK(with_narrow_window({"IADD3 R1, R4.reuse, R3, R6", "MUFU.EX2 R5, R2", "IADD3 R10, R4, R12, R13"}) ==
        Cycles{0, 2, 3, 5});
  CHECK(with_narrow_window({"IADD3 R1, R4.reuse, R3, R6", "MUFU.EX2 R5, R3", "IADD3 R10, R4, R12, R13"}) ==
        Cycles{0, 2, 3, 4});
}

TEST_CASE("what one warp keeps is not another's") {
  // Warps 0 and 4 share a sub-core. Warp 0 keeps R4 at 0 and reads it again at 15; in between, at 2, warp 4 reads its
  // own R4 from the same slot: a miss, with a bubble in 3, that ends what warp 0 kept. So warp 0 has one in 16.
  OneSmSetup setup = banked(1);
  const Listing listing{"[B------:R-:W-:-:S15] IADD3 R1, R4.reuse, R3, R6",
                        "[B------:R-:W-:-:S01] IADD3 R10, R4, R12, R13", "[B------:R-:W-:-:S01] NOP",
                        "[B------:R-:W-:-:S01] EXIT"};
  CHECK(run_listing(setup, listing).issues(0) == Cycles{0, 15, 16, 17});
  setup.threads_per_cta = 32 * 5;
  setup.path = [](std::uint32_t, std::uint32_t warp) {
    return warp == 4 ? std::vector<std::uint32_t>{1, 2, 3} : std::vector<std::uint32_t>{0, 1, 2, 3};
  };
  const auto run = run_listing(setup, listing);
  CHECK(run.issues(4) == Cycles{2, 4, 5});
  CHECK(run.issues(0) == Cycles{0, 15, 17, 18});
}

TEST_CASE("while the allocate stage waits no warp of the sub-core issues, and each is charged a dispatch stall") {
  // Warps 0 and 4 share a sub-core, warp 1 has its own. Each FFMA reads three registers of one bank.
  //   warp 0: FFMA 0 (reads 0-2), FFMA 1 (reads 3-5 of a window that ends with 3: two bubbles), EXIT 4
  //   warp 4: waits its turn in 0, 1 and 4, for the port in 2 and 3; FFMA 5 (reads 6-8, window until 7: one bubble),
  //           FFMA 7 (reads 9-11, window until 9: two bubbles), EXIT 10
  OneSmSetup setup = banked();
  setup.threads_per_cta = 32 * 5;
  const auto run = run_listing(setup, in_a_row(Listing(2, "FFMA R1, R2, R4, R6")));
  CHECK(run.issues(0) == Cycles{0, 1, 4});
  CHECK(run.issues(4) == Cycles{5, 7, 10});
  CHECK(run.issues(1) == Cycles{0, 1, 4});
  CHECK(run.cycles(0, Stall::kDispatchStall) == 2);
  CHECK(run.cycles(4, Stall::kDispatchStall) == 5);
  CHECK(run.cycles(4, Stall::kNotSelected) == 3);
}

TEST_CASE("a cycle in which both a register port and a pipe are waited for is a dispatch stall") {
  // The MUFU of 8 cycles keeps the next one out until 8; the FFMAs at 1 and 2 hold the sub-core in 3 and 4.
  OneSmSetup setup = banked();
  setup.arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kMufu)].interval = Ratio{8, 1};
  const auto run = run_listing(
      setup, in_a_row({"MUFU.EX2 R1, R2", "FFMA R3, R2, R4, R6", "FFMA R5, R2, R4, R6", "MUFU.EX2 R7, R2"}));
  CHECK(run.issues(0) == Cycles{0, 1, 2, 8, 9});
  CHECK(run.cycles(0, Stall::kDispatchStall) == 2);
  CHECK(run.cycles(0, Stall::kMathPipeThrottle) == 3);
}

TEST_CASE("an instruction that names more registers than any real one holds its sub-core until they are read") {
  // R0 to R254 have 128 even registers: 127 reads are beyond the window of one cycle, and again behind each of the two
  // others. Warps 0 and 4 share a sub-core.
  OneSmSetup setup = banked(1);
  setup.threads_per_cta = 32 * 5;
  trace::Kernel kernel = test::kernel_of(setup, in_a_row(Listing(3, "FADD R1, R0, 1")));
  for (std::size_t i = 0; i < 3; ++i) {
    kernel.code[i].sources[0].width = 255;
  }
  const auto run = test::run_kernel(setup, kernel);
  REQUIRE(run.finished);
  CHECK(run.issues(1) == Cycles{0, 128, 256, 384});
  CHECK(run.cycles(1, Stall::kDispatchStall) == 3 * 127);
  CHECK(run.issues(0) == Cycles{0, 128, 256, 384});
  CHECK(run.issues(4) == Cycles{385, 513, 641, 769});
}

TEST_CASE("matrix instructions read their fragments in the slots that others leave") {
  OneSmSetup setup = banked();
  setup.arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kHmma16816F32)].interval = Ratio{8, 1};
  const auto run =
      run_listing(setup, in_a_row({"HMMA.16816.F32 R4, R8, R12, R4", "FFMA R1, R3, c[0x0][0x160], R2", "NOP", "NOP"}));
  CHECK(run.issues(0) == Cycles{0, 1, 2, 3, 4});
}

TEST_CASE("a load gives way for a cycle to a fixed-latency result for the same bank") {
  // The load is there at 29; an FADD that issues at 25 writes at 29.
  OneSmSetup setup = banked();
  setup.arch.sm.shared.latency = 29;
  const auto consumer_of_load = [&setup](const std::string& result) {
    return run_listing(setup, {"[B------:R-:W0:-:S15] LDS R2, [R20]", "[B------:R-:W-:-:S10] NOP",
                               "[B------:R-:W-:-:S02] FADD " + result + ", R21, R22",
                               "[B0-----:R-:W-:-:S01] FADD R24, R2, R21", "[B------:R-:W-:-:S01] EXIT"})
        .issues(0)[3];
  };
  CHECK(consumer_of_load("R4") == 30);
  CHECK(consumer_of_load("R5") == 29);
}

TEST_CASE("a wide load takes the write port of each bank when that is free") {
  // Results of FADDs land in 29 (even), 30 (odd) and 31 (odd): the load's even half goes in 30, its odd half in 29.
  OneSmSetup setup = banked();
  setup.arch.sm.shared.latency = 28;  // and a wavefront more
  setup.arch.sm.lsu.return_cycles = 1;
  const auto run = run_listing(
      setup, {"[B------:R-:W0:-:S15] LDS.64 R2, [R20]", "[B------:R-:W-:-:S10] NOP",
              "[B------:R-:W-:-:S01] FADD R4, R21, R22", "[B------:R-:W-:-:S01] FADD R5, R21, R22",
              "[B------:R-:W-:-:S01] FADD R7, R21, R22", "[B0-----:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0)[5] == 30);
}

TEST_CASE("a variable-latency instruction reads after the fixed-latency ones before it") {
  // Three reads of the even bank at 10 and three at 11 (two bubbles) take the port in 10 to 15; what issues at 14 has a
  // window of 14 to 16: one read is in time, the second comes a cycle late.
  OneSmSetup setup = banked();
  const sm::RegisterFile fresh(setup.arch.sm.register_file);
  lower::RegisterPorts one;
  one.reads.fill({1, 0});
  CHECK(fresh.read_delay(one, 10) == 0);
  sm::RegisterFile file(setup.arch.sm.register_file);
  lower::RegisterPorts three;
  three.reads.fill({3, 0});
  three.reserves = true;
  three.uses_ports = true;
  CHECK(file.issue(three, 0, 4, 10) == 0);
  CHECK(file.read_delay(one, 11) == 0);
  CHECK(file.issue(three, 0, 4, 11) == 2);
  CHECK(file.read_delay(one, 14) == 0);
  lower::RegisterPorts two;
  two.reads.fill({2, 0});
  CHECK(file.read_delay(two, 14) == 1);
}

}  // namespace register_file_test
