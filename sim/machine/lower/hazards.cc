// SPDX-License-Identifier: MIT
#include "sim/machine/lower/hazards.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/model/trace/walker.h"

namespace gpusim::lower {
namespace {

using isa::Instr;
using isa::OpKind;

constexpr std::uint8_t kFree = 255;  ///< no WGMMA operation has to do with the register
constexpr std::uint64_t kMostSteps =
    1'000'000;  ///< steps of all warps of a kernel's first CTA together: some milliseconds
constexpr std::size_t kLinesTold = 3;
constexpr std::size_t kRegisters = 256;

/// By general register: how many groups back the youngest operation is that may still write or read it. 0: its group is
/// open; 1: the group closed last; kFree: none.
struct InFlight {
  std::array<std::uint8_t, kRegisters> written{};
  std::array<std::uint8_t, kRegisters> read{};
  std::array<std::uint32_t, kRegisters> operation{};  ///< for the message

  InFlight() {
    written.fill(kFree);
    read.fill(kFree);
  }

  void close_group() {
    for (auto* const ages : {&written, &read}) {
      for (std::uint8_t& age : *ages) {
        age = static_cast<std::uint8_t>(age + (age < kFree - 1 ? 1 : 0));
      }
    }
  }

  /// At most `groups` are under way from here on.
  void wait(unsigned groups) {
    for (auto* const ages : {&written, &read}) {
      for (std::uint8_t& age : *ages) {
        age = age > groups ? kFree : age;
      }
    }
  }
};

template <class Do>
void for_registers(const isa::Operand& operand, const Do& act) {
  if (!operand.is_real() || operand.file != isa::RegFile::kGeneral) {
    return;
  }
  for (unsigned r = operand.index; r < std::min<unsigned>(operand.index + operand.width, kRegisters); ++r) {
    act(r);
  }
}

/// One warning per line, in their order; later ones of the same line are dropped.
using ByLine = std::map<std::uint32_t, std::string>;

std::string quoted(const isa::InstrText& text) {
  return "line " + std::to_string(text.line) + ": '" + text.text + "' ";
}

/// Walks the warps of the first CTA: on the ways that they take every wait is known, and none is suspected in vain.
class WgmmaHazards {
 public:
  explicit WgmmaHazards(const trace::Kernel& kernel) : kernel_(kernel) {}

  ByLine find() {
    const bool multiplies = std::ranges::any_of(kernel_.code, [](const Instr& i) { return i.kind == OpKind::kWgmma; });
    for (std::uint32_t warp = 0; multiplies && warp < kernel_.warps_per_cta(); ++warp) {
      try {
        walk(warp);
      } catch (const InputError&) {
        break;  // the run of the kernel reports it
      }
    }
    return std::move(found_);
  }

 private:
  void walk(std::uint32_t warp) {
    InFlight state;
    trace::Walker walker(kernel_, {}, warp);
    trace::Step step;
    for (; steps_ < kMostSteps && walker.next(step); ++steps_) {
      const Instr& instr = kernel_.code[step.pc];
      if (step.mask == 0) {
        continue;  // it does nothing
      }
      if (instr.kind == OpKind::kWgmma) {
        begin(step.pc, state);
      } else if (instr.kind == OpKind::kWgmmaWait) {
        state.wait(instr.depbar_limit);
      } else {
        check(step.pc, state);
      }
    }
  }

  /// Operations follow one another, so that they may share accumulators.
  void begin(std::uint32_t i, InFlight& state) const {
    const Instr& instr = kernel_.code[i];
    const auto take = [&](std::array<std::uint8_t, kRegisters>& ages) {
      return [&, i](unsigned r) {
        ages[r] = 0;
        state.operation[r] = i;
      };
    };
    std::ranges::for_each(instr.sources, [&](const isa::Operand& o) { for_registers(o, take(state.read)); });
    std::ranges::for_each(instr.destinations, [&](const isa::Operand& o) { for_registers(o, take(state.written)); });
    if (instr.wgmma.closes_group) {
      state.close_group();
    }
  }

  void check(std::uint32_t i, const InFlight& state) {
    const Instr& instr = kernel_.code[i];
    const auto tell = [&](unsigned r, const char* what, const char* still) {
      const isa::InstrText& operation = kernel_.texts[state.operation[r]];
      found_.emplace(kernel_.texts[i].line,
                     quoted(kernel_.texts[i]) + what + " R" + std::to_string(r) + ", which " + operation.opcode +
                         " of line " + std::to_string(operation.line) + still +
                         ": no WARPGROUP.DEPBAR before it waits for that WGMMA operation's group");
    };
    for (const isa::Operand& source : instr.sources) {
      for_registers(source, [&](unsigned r) {
        if (state.written[r] != kFree) {
          tell(r, "reads", " may still be adding to");
        }
      });
    }
    for (const isa::Operand& destination : instr.destinations) {
      for_registers(destination, [&](unsigned r) {
        if (state.written[r] != kFree || state.read[r] != kFree) {
          tell(r, "overwrites", state.written[r] != kFree ? " may still be adding to" : " may still be reading");
        }
      });
    }
  }

  const trace::Kernel& kernel_;
  std::uint64_t steps_ = 0;
  ByLine found_;
};

/// Counters that anything increments. Assigned ones are incremented for a DEPBAR by what closes groups, whichever it
/// names.
unsigned incremented_counters(const trace::Kernel& kernel) {
  unsigned incremented = 0;
  for (const Instr& instr : kernel.code) {
    if (kernel.control_recorded) {
      incremented |= (1U << instr.control.write_barrier) | (1U << instr.control.read_barrier);
    } else if (instr.kind == OpKind::kAsyncCommit || instr.kind == OpKind::kBulkCommit) {
      incremented = std::numeric_limits<unsigned>::max();
    }
  }
  return incremented;
}

ByLine empty_waits(const trace::Kernel& kernel) {
  const unsigned incremented = incremented_counters(kernel);
  ByLine found;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const Instr& instr = kernel.code[i];
    if (instr.kind == OpKind::kDepbar && (incremented >> instr.depbar_counter & 1U) == 0) {
      found.emplace(kernel.texts[i].line, quoted(kernel.texts[i]) + "waits for nothing: no instruction increments SB" +
                                              std::to_string(instr.depbar_counter));
    }
  }
  return found;
}

ByLine barriers_beyond(const trace::Kernel& kernel) {
  ByLine found;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const Instr& instr = kernel.code[i];
    if (instr.kind == OpKind::kBarrier && instr.barrier_id >= kernel.barriers) {
      found.emplace(kernel.texts[i].line, quoted(kernel.texts[i]) + "uses barrier " + std::to_string(instr.barrier_id) +
                                              ", and the kernel says that it has " +
                                              counted(kernel.barriers, "barrier") +
                                              ": occupancy is computed with that");
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> hazards_of(const trace::Kernel& kernel) {
  std::vector<std::string> warnings;
  for (const ByLine& found : {WgmmaHazards(kernel).find(), empty_waits(kernel), barriers_beyond(kernel)}) {
    std::size_t told = 0;
    for (const auto& [line, text] : found) {
      if (told++ == kLinesTold) {
        warnings.push_back("kernel '" + kernel.name + "': and " + counted(found.size() - kLinesTold, "more line") +
                           " of that kind");
        break;
      }
      warnings.push_back("kernel '" + kernel.name + "': " + text);
    }
  }
  return warnings;
}

}  // namespace gpusim::lower
