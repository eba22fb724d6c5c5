// SPDX-License-Identifier: MIT
// Random programs on random paths, checked by a machine that knows nothing but what the bits mean: a variable-latency
// instruction is done only when somebody has waited for its counter, so any missing wait or stall shows.
#include <algorithm>
#include <random>

#include <catch2/catch.hpp>

#include "sim/machine/lower/control_bits.h"

#include "tests/machine/lower/listing.h"
#include "tests/support/thorough.h"

using namespace gpusim;

namespace {

using Random = std::mt19937;

unsigned below(Random& random, unsigned limit) {
  return static_cast<unsigned>(random() % limit);
}

std::string random_line(Random& random) {
  const auto reg = [&] { return "R" + std::to_string(below(random, 12)); };
  const auto pair = [&] { return "R" + std::to_string(2 * below(random, 6)); };
  const auto predicate = [&] { return "P" + std::to_string(below(random, 3)); };
  const std::string guard = below(random, 4) == 0 ? "@" + predicate() + " " : "";
  switch (below(random, 14)) {
    case 0: return guard + "LDG.E.64 " + pair() + ", [" + pair() + ".64]";
    case 1: return guard + "LDS " + reg() + ", [" + reg() + "]";
    case 2: return guard + "STG.E.64 [" + pair() + ".64], " + pair();
    case 3: return guard + "STS [" + reg() + "+UR4], " + reg();
    case 4: return guard + "MUFU.EX2 " + reg() + ", " + reg();
    case 5: return "IMAD.WIDE " + pair() + ", " + reg() + ", " + reg() + ", " + pair();
    case 6: return "ISETP.GE.AND " + predicate() + ", PT, " + reg() + ", " + reg() + ", PT";
    case 7: return "HMMA.16816.F32 R4, R8, R2, R4";
    case 8: return "UIADD3 UR4, UR4, UR5, URZ";
    case 9: return "R2UR UR5, " + reg();
    case 10: return "DSETP.GT.AND " + predicate() + ", PT, " + pair() + ", " + pair() + ", PT";
    case 11: return guard + "SHFL.BFLY PT, " + reg() + ", " + reg() + ", " + reg() + ", 0x1f";
    case 12: return "LDGSTS.E.128 [" + reg() + "], [" + pair() + ".64]";
    default: return guard + "FFMA " + reg() + ", " + reg() + ", " + reg() + ", " + reg();
  }
}

std::string random_listing(Random& random) {
  const unsigned lines = 4 + below(random, 40);
  std::string listing;
  for (unsigned i = 0; i < lines; ++i) {
    listing += "L" + std::to_string(i) + ": ";
    if (below(random, 8) == 0) {
      listing += (below(random, 6) == 0 ? "BRA L" : "@P0 BRA L") + std::to_string(below(random, lines)) + "\n";
    } else {
      listing += random_line(random) + "\n";
    }
  }
  return listing + "EXIT\n";
}

/// What the machine still has in flight.
struct Flight {
  const isa::Instr* instr;
  std::uint64_t issued;
  std::uint8_t write_counter;  ///< kNoBarrier: nobody can ever wait for it
  std::uint8_t read_counter;
  bool is_written = false;
  bool is_read = false;
  bool is_overwritten = false;
};

bool overlap(const isa::Operand& a, const isa::Operand& b) {
  return a.is_real() && b.is_real() && a.file == b.file && a.index < b.index + b.width && b.index < a.index + a.width;
}

template <typename As, typename Bs>
bool any_overlap(const As& as, const Bs& bs) {
  return std::any_of(as.begin(), as.end(), [&](const isa::Operand& a) {
    return std::any_of(bs.begin(), bs.end(), [&](const isa::Operand& b) { return overlap(a, b); });
  });
}

bool is_variable(const isa::Instr& instr) {
  return isa::info(instr.timing).kind == isa::LatencyKind::kVariable;
}

constexpr std::uint32_t kGuardExtra = 9;  ///< cycles that a predicate is later for what it guards

class Machine {
 public:
  explicit Machine(const isa::TimingTable& timing) : timing_(timing) {}

  /// Issues at the earliest time the bits allow; the text of what goes wrong, or "".
  std::string issue(const isa::Instr& instr, const isa::ControlBits& bits) {
    wait(bits.wait_mask);
    const std::array guard{instr.guard};
    for (Flight& flight : flights_) {
      const std::string wrong = check(instr, guard, flight);
      if (!wrong.empty()) {
        return wrong;
      }
      flight.is_overwritten = flight.is_overwritten || any_overlap(instr.destinations, flight.instr->destinations);
    }
    flights_.push_back({&instr, now_, bits.write_barrier, bits.read_barrier});
    now_ += bits.stall;
    return "";
  }

 private:
  void wait(unsigned mask) {
    for (Flight& flight : flights_) {
      const bool visible = now_ >= flight.issued + 2;  // visible a cycle after issue
      flight.is_written = flight.is_written || (visible && waits(mask, flight.write_counter));
      flight.is_read = flight.is_read || flight.is_written || (visible && waits(mask, flight.read_counter));
    }
    std::erase_if(flights_, [&](const Flight& flight) {
      return is_variable(*flight.instr) ? flight.is_written : now_ > flight.issued + 1000;
    });
  }

  static bool waits(unsigned mask, std::uint8_t counter) {
    return counter != isa::kNoBarrier && ((mask >> counter) & 1U) != 0;
  }

  std::string check(const isa::Instr& instr, const std::array<isa::Operand, 1>& guard, const Flight& flight) const {
    const isa::Instr& older = *flight.instr;
    const bool is_guarded = any_overlap(guard, older.destinations);
    const bool reads = any_overlap(instr.sources, older.destinations) || is_guarded;
    const bool writes = any_overlap(instr.destinations, older.destinations);
    if (is_variable(older)) {
      if (reads || writes) {
        return "a pending result is touched";
      }
      const bool spoils = any_overlap(instr.destinations, older.sources);
      return spoils && !flight.is_read ? "a source not yet read is overwritten" : "";
    }
    const std::uint64_t ready = flight.issued + latency(older);
    if (any_overlap(instr.sources, older.destinations) && now_ < ready + (is_variable(instr) ? 1 : 0)) {
      return "a fixed latency is not over";
    }
    const bool is_vector = instr.guard.file == isa::RegFile::kPredicate;
    if (is_guarded && !flight.is_overwritten && now_ < ready + (is_vector ? kGuardExtra : 0U)) {
      return "a predicate is not there for what it guards";
    }
    if (writes && now_ + (is_variable(instr) ? 0 : latency(instr)) < ready + (is_variable(instr) ? 0 : 1)) {
      return "writes land in the wrong order";
    }
    return "";
  }

  std::uint64_t latency(const isa::Instr& instr) const {
    return timing_[static_cast<std::size_t>(instr.timing)].latency;
  }

  const isa::TimingTable& timing_;
  std::uint64_t now_ = 1;
  std::vector<Flight> flights_;
};

std::string walk(const trace::Kernel& kernel, const std::vector<isa::ControlBits>& bits, Random& random) {
  const isa::TimingTable timing = test::test_timing();
  Machine machine(timing);
  std::uint32_t at = 0;
  for (int step = 0; step < 300 && at != trace::kExitNode; ++step) {
    const std::string wrong = machine.issue(kernel.code[at], bits[at]);
    if (!wrong.empty()) {
      return wrong + " at instruction " + std::to_string(at);
    }
    std::vector<std::uint32_t> next;
    for (const trace::Edge& edge : kernel.edges) {
      if (edge.from == at) {
        next.push_back(edge.to);
      }
    }
    at = next[below(random, static_cast<unsigned>(next.size()))];
  }
  return "";
}

}  // namespace

TEST_CASE("no random program issues before its operands are ready or overwrites what is still to be read") {
  for (unsigned seed = 0; seed < test::thorough_or(1500U, 150U); ++seed) {
    Random random(seed);
    const std::string listing = random_listing(random);
    const trace::Kernel kernel = test::kernel_from(listing);
    const auto bits = lower::assign_control_bits(kernel, test::test_timing(), kGuardExtra);
    for (int path = 0; path < 6; ++path) {
      INFO("seed " << seed << "\n" << listing);
      REQUIRE(walk(kernel, bits, random) == "");
    }
  }
}

TEST_CASE("the checker notices a missing wait, a missing read barrier and a short stall") {
  const auto spoiled = [](const std::string& listing, const auto& spoil) {
    const trace::Kernel kernel = test::kernel_from(listing);
    auto bits = lower::assign_control_bits(kernel, test::test_timing(), kGuardExtra);
    spoil(bits);
    Random random(1);
    return walk(kernel, bits, random);
  };
  using Bits = std::vector<isa::ControlBits>;
  CHECK(spoiled("LDS R0, [R2]\nFADD R1, R0, R0\nEXIT", [](Bits& b) { b[1].wait_mask = 0; }) != "");
  CHECK(spoiled("LDS R0, [R2]\nFADD R1, R0, R0\nEXIT", [](Bits& b) { b[0].stall = 1; }) != "");
  CHECK(spoiled("STS [R2], R0\nMOV R0, R1\nEXIT", [](Bits& b) { b[0].read_barrier = isa::kNoBarrier; }) != "");
  CHECK(spoiled("FADD R0, R1, R1\nFADD R1, R0, R0\nEXIT", [](Bits& b) { b[0].stall = 3; }) != "");
  CHECK(spoiled("ISETP.NE.AND P0, PT, R0, R1, PT\n@P0 LDS R1, [R0]\nEXIT", [](Bits& b) { b[0].stall = 12; }) != "");
}

TEST_CASE("the walk along a long straight program takes little more than its length") {
  std::string listing;
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    listing += random_line(random) + "\n";
  }
  const trace::Kernel kernel = test::kernel_from(listing + "EXIT");
  CHECK(lower::assign_control_bits(kernel, test::test_timing()).size() == 20001);
}
