// SPDX-License-Identifier: MIT
#include "sim/machine/lower/wait_producers.h"

#include "sim/machine/lower/flow_graph.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::lower {
namespace {

/// The last writer of each register in the block that is walked, and when its result is there.
class LastWriters {
 public:
  explicit LastWriters(std::size_t registers) : entries_(registers) {}

  void begin_block() { ++block_; }
  void write(std::uint16_t register_number, std::uint32_t instr, std::uint64_t ready) {
    entries_[register_number] = {instr, block_, ready};
  }
  /// Forgets a register whose writer has no fixed latency.
  void forget(std::uint16_t register_number) { entries_[register_number] = {}; }

  struct Entry {
    std::uint32_t instr = kNoProducer;
    std::uint32_t block = 0;
    std::uint64_t ready = 0;
  };
  /// The last writer of a register in this block; `instr` is kNoProducer when there is none.
  [[nodiscard]] Entry of(std::uint16_t register_number) const {
    const Entry& entry = entries_[register_number];
    return entry.block == block_ ? entry : Entry{};
  }

 private:
  std::vector<Entry> entries_;
  std::uint32_t block_ = 0;
};

/// The writer whose result an instruction can read last.
std::uint32_t latest(const RegisterUse& use, std::uint32_t instr, const LastWriters& writers,
                     std::uint32_t guard_extra) {
  LastWriters::Entry best;
  const auto consider = [&](LastWriters::Entry entry, std::uint32_t extra) {
    entry.ready += extra;
    if (entry.instr != kNoProducer && (best.instr == kNoProducer || entry.ready > best.ready)) {
      best = entry;
    }
  };
  for (const std::uint16_t r : use.late_reads(instr)) {
    consider(writers.of(r), 0);
  }
  for (const std::uint16_t r : use.guard(instr)) {
    consider(writers.of(r), use.is_predicate(r) ? guard_extra : 0);
  }
  return best.instr;
}

}  // namespace

std::vector<std::uint32_t> find_wait_producers(const trace::Kernel& kernel, std::span<const WarpOp> ops,
                                               std::uint32_t guard_extra) {
  const RegisterUse use(kernel);
  LastWriters writers(use.count());
  std::vector<std::uint32_t> producers(ops.size(), kNoProducer);
  for (const Block& block : build_blocks(kernel)) {
    writers.begin_block();
    std::uint64_t now = 0;
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      producers[i] = latest(use, i, writers, guard_extra);
      if (producers[i] == kNoProducer && i > block.first) {
        producers[i] = i - 1;
      }
      const bool fixed = isa::info(kernel.code[i].timing).kind == isa::LatencyKind::kFixed;
      for (const std::uint16_t r : use.writes(i)) {
        fixed ? writers.write(r, i, now + ops[i].latency) : writers.forget(r);
      }
      now += ops[i].stall;
    }
  }
  return producers;
}

}  // namespace gpusim::lower
