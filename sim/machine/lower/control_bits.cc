// SPDX-License-Identifier: MIT
#include "sim/machine/lower/control_bits.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/machine/lower/counters.h"
#include "sim/machine/lower/flow_graph.h"
#include "sim/machine/lower/lookahead.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::lower {
namespace {

using isa::ControlBits;
using isa::Instr;

constexpr unsigned kMostStall = std::numeric_limits<std::uint8_t>::max();
constexpr std::uint8_t kStallBeforeWaiter = 2;  ///< the increment of a counter is visible one cycle after issue
constexpr unsigned kDepbarStall = 4;            ///< docs/model/sm.md
/// Basic blocks times registers of a kernel: three bytes each are kept. 200,000 blocks with 320 registers still fit.
constexpr std::uint64_t kMostStates = 64ULL << 20U;

/// What may still be outstanding at a place, by dense register number: cycles until a fixed-latency result can be
/// used, and the counters of variable-latency instructions that may still write or read the register.
struct Outstanding {
  std::vector<std::uint8_t> cycles;
  std::vector<std::uint8_t> writers;
  std::vector<std::uint8_t> readers;

  explicit Outstanding(std::size_t registers) : cycles(registers), writers(registers), readers(registers) {}

  /// Unites two ways of coming here: the largest distances, all counters. True when this changed. `with_cycles`: false
  /// where the way waits for what it needs before it comes here.
  bool join(const Outstanding& other, bool with_cycles) {
    bool changed = false;
    for (std::size_t r = 0; r < cycles.size(); ++r) {
      const std::uint8_t still = with_cycles ? other.cycles[r] : std::uint8_t{0};
      changed = changed || still > cycles[r] || (other.writers[r] & ~writers[r]) != 0 ||
                (other.readers[r] & ~readers[r]) != 0;
      cycles[r] = std::max(cycles[r], still);
      writers[r] = static_cast<std::uint8_t>(writers[r] | other.writers[r]);
      readers[r] = static_cast<std::uint8_t>(readers[r] | other.readers[r]);
    }
    return changed;
  }
};

void require_bounded(const trace::Kernel& kernel, std::uint64_t blocks, std::uint64_t registers) {
  if (blocks * registers > kMostStates) {
    throw InputError({kernel.where,
                      "kernel '" + kernel.name + "' has " + with_thousands(blocks) + " basic blocks and " +
                          with_thousands(registers) + " registers: too many to assign control bits to",
                      "at most " + with_thousands(kMostStates) + " blocks times registers"});
  }
}

unsigned capped(std::uint64_t cycles) {
  return static_cast<unsigned>(std::min<std::uint64_t>(cycles, kMostStall));
}

/// Walks a block with a clock that advances by stall counts, so that only what an instruction touches is visited.
class Pass {
 public:
  Pass(const trace::Kernel& kernel, const isa::TimingTable& timing, std::uint32_t guard_extra)
      : kernel_(kernel),
        timing_(timing),
        guard_extra_(capped(guard_extra)),
        use_(kernel),
        blocks_(build_blocks(kernel)) {
    require_bounded(kernel, blocks_.size(), use_.count());
    entries_ = loop_entries(blocks_);
    incremented_ = assign_counters(kernel, timing, Lookahead(kernel, use_, blocks_));
    bits_.resize(kernel.code.size());
  }

  std::vector<ControlBits> run() {
    std::vector<Outstanding> entry(blocks_.size(), Outstanding(use_.count()));
    std::set<std::uint32_t> work;
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      work.insert(b);  // code that no recorded edge reaches gets bits as well
    }
    while (!work.empty()) {
      const std::uint32_t block = *work.begin();
      work.erase(work.begin());
      const Outstanding exit = walk(blocks_[block], entry[block]);
      for (const std::uint32_t next : blocks_[block].successors) {
        if (entry[next].join(exit, !enters_loop(block, next))) {
          work.insert(next);
        }
      }
    }
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      if (!entries_[b].empty()) {
        wait_before_loops(b, walk(blocks_[b], entry[b]));
      }
    }
    separate_increments_from_waits();
    return std::move(bits_);
  }

 private:
  Outstanding walk(const Block& block, const Outstanding& entry) {
    now_ = 0;
    writers_ = entry.writers;
    readers_ = entry.readers;
    ready_.assign(entry.cycles.begin(), entry.cycles.end());
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      issue(i);
      unsigned stall = own_stall(kernel_.code[i]);
      if (i + 1 < block.end) {
        stall = std::max(stall, stall_before(i, i + 1));
      } else {
        for (const std::uint32_t next : block.successors) {
          stall = std::max(stall, stall_before(i, blocks_[next].first));
        }
      }
      bits_[i].stall = static_cast<std::uint8_t>(stall);
      now_ += stall;
    }
    return snapshot();
  }

  [[nodiscard]] bool enters_loop(std::uint32_t from, std::uint32_t to) const {
    return std::ranges::find(entries_[from], to) != entries_[from].end();
  }

  /// What a loop needs of the results that are under way when it is entered is waited for once, at the end of the block
  /// before it, and not in every turn: as many cycles as the first instruction to need one would come too early.
  void wait_before_loops(std::uint32_t block, const Outstanding& exit) {
    ControlBits& last = bits_[blocks_[block].end - 1];
    unsigned late = 0;
    for (const std::uint32_t head : entries_[block]) {
      late = std::max(late, lateness(head, exit));
    }
    last.stall = static_cast<std::uint8_t>(std::min(kMostStall, last.stall + late));
  }

  /// By how many cycles the code from the beginning of a block on comes too early for what is outstanding there, on the
  /// shortest ways: blocks in the order of their distance.
  [[nodiscard]] unsigned lateness(std::uint32_t head, const Outstanding& at) const {
    if (at.cycles.empty()) {
      return 0;  // the kernel names no register
    }
    const unsigned horizon = *std::ranges::max_element(at.cycles) + 1U;
    unsigned late = 0;
    std::set<std::pair<unsigned, std::uint32_t>> work{{0, head}};
    std::set<std::uint32_t> seen;
    while (!work.empty()) {
      const auto [distance, block] = *work.begin();
      work.erase(work.begin());
      if (!seen.insert(block).second) {
        continue;
      }
      unsigned now = distance;
      for (std::uint32_t i = blocks_[block].first; i < blocks_[block].end && now <= horizon; ++i) {
        const auto needed = static_cast<unsigned>(earliest(i, at.cycles));
        late = std::max(late, needed > now ? needed - now : 0);
        now += bits_[i].stall;
      }
      for (const std::uint32_t next : blocks_[block].successors) {
        if (now <= horizon) {
          work.emplace(now, next);
        }
      }
    }
    return late;
  }

  /// At a join an instruction may wait for a counter on behalf of another way than the one just taken; such a wait
  /// must see the increment of the instruction before it as well, because it counts as having waited for it.
  void separate_increments_from_waits() {
    for (const Block& block : blocks_) {
      ControlBits& last = bits_[block.end - 1];
      for (const std::uint32_t next : block.successors) {
        if ((bits_[blocks_[next].first].wait_mask & incremented_mask(last)) != 0) {
          last.stall = std::max<std::uint8_t>(last.stall, kStallBeforeWaiter);
        }
      }
    }
  }

  [[nodiscard]] static unsigned own_stall(const Instr& instr) {
    return instr.kind == isa::OpKind::kDepbar ? kDepbarStall : 1;
  }

  [[nodiscard]] bool is_variable(std::uint32_t i) const {
    return isa::info(kernel_.code[i].timing).kind == isa::LatencyKind::kVariable;
  }
  [[nodiscard]] unsigned latency(std::uint32_t i) const {
    return capped(timing_[static_cast<std::size_t>(kernel_.code[i].timing)].latency);
  }

  [[nodiscard]] std::uint8_t wait_mask(std::uint32_t i) const {
    unsigned mask = 0;
    for (const std::uint16_t r : use_.reads(i)) {
      mask |= writers_[r];
    }
    for (const std::uint16_t r : use_.writes(i)) {
      mask |= writers_[r] | readers_[r];
    }
    return static_cast<std::uint8_t>(mask);
  }

  void issue(std::uint32_t i) {
    ControlBits& bits = bits_[i];
    bits.wait_mask = wait_mask(i);
    bits.write_barrier = incremented_[i].write;
    bits.read_barrier = incremented_[i].read;
    if (bits.wait_mask != 0) {
      clear(bits.wait_mask);
    }
    for (const std::uint16_t r : use_.writes(i)) {
      writers_[r] = mask_of(bits.write_barrier);
      ready_[r] = is_variable(i) || latency(i) == 0 ? 0 : now_ + latency(i) + guard_extra(r);
    }
    if (bits.read_barrier != isa::kNoBarrier) {
      for (const std::uint16_t r : use_.late_reads(i)) {
        readers_[r] = static_cast<std::uint8_t>(readers_[r] | mask_of(bits.read_barrier));
      }
    }
  }

  [[nodiscard]] static std::uint8_t mask_of(std::uint8_t counter) {
    return counter == isa::kNoBarrier ? std::uint8_t{0} : static_cast<std::uint8_t>(1U << counter);
  }

  [[nodiscard]] static unsigned incremented_mask(const ControlBits& bits) {
    return mask_of(bits.write_barrier) | mask_of(bits.read_barrier);
  }

  void clear(std::uint8_t counters) {
    const auto drop = [counters](std::uint8_t& mask) { mask = static_cast<std::uint8_t>(mask & ~counters); };
    std::for_each(writers_.begin(), writers_.end(), drop);
    std::for_each(readers_.begin(), readers_.end(), drop);
  }

  /// By how many cycles a result is later for instructions that it guards than for those that take it as a source.
  [[nodiscard]] unsigned guard_extra(std::uint16_t r) const { return use_.is_predicate(r) ? guard_extra_ : 0; }

  /// When a source may be read, of a register that guards from the cycle `ready` on; 0: nothing is pending.
  [[nodiscard]] std::uint64_t source_ready(std::uint16_t r, std::uint64_t ready) const {
    return ready - std::min<std::uint64_t>(ready, guard_extra(r));
  }

  /// The cycle from which on an instruction may issue, where `ready` says when fixed-latency results are there for
  /// guards.
  template <class Cycles>
  [[nodiscard]] std::uint64_t earliest(std::uint32_t next, const Cycles& ready) const {
    std::uint64_t cycle = 0;
    const std::uint64_t address_cycle = is_variable(next) ? 1 : 0;
    for (const std::uint16_t r : use_.late_reads(next)) {
      if (const std::uint64_t there = source_ready(r, ready[r]); there != 0) {
        cycle = std::max(cycle, there + address_cycle);
      }
    }
    for (const std::uint16_t r : use_.guard(next)) {
      cycle = std::max<std::uint64_t>(cycle, ready[r]);
    }
    for (const std::uint16_t r : use_.writes(next)) {
      // The later of two writes must land later; a variable latency may be short.
      const std::uint64_t own = is_variable(next) ? 0 : latency(next);
      if (const std::uint64_t there = source_ready(r, ready[r]); there != 0 && there + 1 > own) {
        cycle = std::max(cycle, there + (own == 0 ? 0U : 1U) - own);
      }
    }
    return cycle;
  }

  /// The stall count instruction `i`, just issued, needs so that `next` may follow it.
  [[nodiscard]] unsigned stall_before(std::uint32_t i, std::uint32_t next) const {
    std::uint64_t cycle = std::max(now_ + 1, earliest(next, ready_));
    if ((waited_by(next) & incremented_mask(bits_[i])) != 0) {
      cycle = std::max(cycle, now_ + kStallBeforeWaiter);
    }
    return capped(cycle - now_);
  }

  [[nodiscard]] unsigned waited_by(std::uint32_t i) const {
    const Instr& instr = kernel_.code[i];
    const unsigned depbar = instr.kind == isa::OpKind::kDepbar ? mask_of(instr.depbar_counter) : 0U;
    return wait_mask(i) | depbar;
  }

  [[nodiscard]] Outstanding snapshot() const {
    Outstanding out(use_.count());
    out.writers = writers_;
    out.readers = readers_;
    for (std::size_t r = 0; r < ready_.size(); ++r) {
      out.cycles[r] = static_cast<std::uint8_t>(ready_[r] > now_ ? capped(ready_[r] - now_) : 0);
    }
    return out;
  }

  const trace::Kernel& kernel_;
  const isa::TimingTable& timing_;
  unsigned guard_extra_;  ///< cycles of a predicate
  RegisterUse use_;
  std::vector<Block> blocks_;
  std::vector<std::vector<std::uint32_t>> entries_;  ///< entries of loops, by block
  std::vector<IncrementedCounters> incremented_;
  std::vector<ControlBits> bits_;

  std::uint64_t now_ = 0;
  std::vector<std::uint64_t> ready_;  ///< 0: nothing pending
  std::vector<std::uint8_t> writers_;
  std::vector<std::uint8_t> readers_;
};

std::vector<ControlBits> recorded_bits(const trace::Kernel& kernel) {
  std::vector<ControlBits> bits;
  bits.reserve(kernel.code.size());
  for (const Instr& instr : kernel.code) {
    bits.push_back(instr.control);
  }
  return bits;
}

}  // namespace

std::vector<ControlBits> assign_control_bits(const trace::Kernel& kernel, const isa::TimingTable& timing,
                                             std::uint32_t guard_extra) {
  return kernel.control_recorded ? recorded_bits(kernel) : Pass(kernel, timing, guard_extra).run();
}

}  // namespace gpusim::lower
