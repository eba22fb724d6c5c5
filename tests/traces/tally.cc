// SPDX-License-Identifier: MIT
#include "tests/traces/tally.h"

#include <algorithm>
#include <array>
#include <set>

#include "sim/input/text/load.h"
#include "sim/model/trace/walker.h"

namespace gpusim::testing {
namespace {

constexpr unsigned kBanks = 32;
constexpr unsigned kWordBytes = 4;
constexpr unsigned kRowBytes = kBanks * kWordBytes;
constexpr unsigned kLineBytes = 128;

trace::Trace load(const std::string& name, const Overrides& overrides, bool use_test_set) {
  trace::ParameterChoice choice;
  choice.overrides = overrides;
  choice.use_test_set = use_test_set;
  return frontend::load_trace_text(GPUSIM_SOURCE_DIR "/traces/" + name + ".trace", choice);
}

/// Whether an access takes more than one pass for each 128 bytes: within as many lanes as fill the banks once, two
/// different words of one bank.
bool conflicts(const trace::LaneAddresses& at, LaneMask mask, unsigned bytes) {
  const unsigned lanes_per_pass = std::min(kWarpLanes, kRowBytes / bytes);
  for (unsigned first = 0; first < kWarpLanes; first += lanes_per_pass) {
    std::array<std::set<Address>, kBanks> words;
    for (unsigned lane = first; lane < first + lanes_per_pass; ++lane) {
      const Address begin = at.base + static_cast<Address>(at.offsets[lane]);
      for (unsigned i = 0; (mask >> lane & 1U) != 0 && i < bytes; i += kWordBytes) {
        const Address word = (begin + i) / kWordBytes;
        words[word % kBanks].insert(word);
      }
    }
    if (std::any_of(words.begin(), words.end(), [](const auto& bank) { return bank.size() > 1; })) {
      return true;
    }
  }
  return false;
}

class Counter {
 public:
  explicit Counter(const trace::Kernel& kernel) : kernel_(kernel) {}
  Tally result;

  void walk(trace::CtaId cta, std::uint32_t warp) {
    trace::Walker walker(kernel_, cta, warp);
    trace::Step step;
    while (walker.next(step)) {
      const isa::Instr& instr = kernel_.code[step.pc];
      const auto lanes = static_cast<std::uint64_t>(__builtin_popcount(step.mask));
      ++result.instructions;
      result.active_lanes += static_cast<std::uint64_t>(__builtin_popcount(step.active));
      if (lanes == 0) {
        continue;
      }
      ++result.opcodes[kernel_.texts[step.pc].opcode];
      const bool tensor = isa::is_tensor(instr.flop_class);
      result.flops += instr.flops * (tensor ? 1 : lanes);
      result.tensor_flops += tensor ? instr.flops : 0;
      count_access(walker, instr, step.mask);
    }
  }

 private:
  void count_access(trace::Walker& walker, const isa::Instr& instr, LaneMask mask) {
    if (instr.kind == isa::OpKind::kAsyncCopy) {
      count_shared(walker.addresses(trace::AccessSlot::kSharedDestination), instr, mask);
      count_lines(walker.addresses(trace::AccessSlot::kPrimary), instr, mask);
    }
    if (instr.space == isa::MemSpace::kGlobal) {
      count_global(walker.addresses(trace::AccessSlot::kPrimary), instr, mask);
    } else if (instr.space == isa::MemSpace::kShared) {
      count_shared(walker.addresses(trace::AccessSlot::kPrimary), instr, mask);
    }
  }

  void count_shared(const trace::LaneAddresses& at, const isa::Instr& instr, LaneMask mask) {
    constexpr unsigned kMatrixRowBytes = 16;
    result.conflicts += conflicts(at, mask, instr.matrices != 0 ? kMatrixRowBytes : instr.bytes_per_lane) ? 1 : 0;
  }

  void count_lines(const trace::LaneAddresses& at, const isa::Instr& instr, LaneMask mask) {
    std::set<Address> lines;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const Address begin = at.base + static_cast<Address>(at.offsets[lane]);
      if ((mask >> lane & 1U) != 0) {
        lines.insert(begin / kLineBytes);
        lines.insert((begin + instr.bytes_per_lane - 1) / kLineBytes);
      }
    }
    result.lines_copied += lines.size();
  }

  void count_global(const trace::LaneAddresses& at, const isa::Instr& instr, LaneMask mask) {
    auto& bytes = instr.kind == isa::OpKind::kStore ? result.bytes_written : result.bytes_read;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if ((mask >> lane & 1U) != 0) {
        bytes[buffer_at(at.base + static_cast<Address>(at.offsets[lane]))] += instr.bytes_per_lane;
      }
    }
  }

  [[nodiscard]] std::string buffer_at(Address address) const {
    for (const trace::Buffer& buffer : kernel_.buffers) {
      if (buffer.space == isa::MemSpace::kGlobal && address >= buffer.base && address < buffer.base + buffer.bytes) {
        return buffer.name;
      }
    }
    return "outside";
  }

  const trace::Kernel& kernel_;
};

}  // namespace

trace::Trace shipped(const std::string& name, const Overrides& overrides) {
  return load(name, overrides, true);
}

trace::Trace shipped_at_defaults(const std::string& name, const Overrides& overrides) {
  return load(name, overrides, false);
}

std::uint64_t Tally::count(std::string_view prefix) const {
  std::uint64_t sum = 0;
  for (const auto& [opcode, instructions_] : opcodes) {
    sum += opcode.starts_with(prefix) ? instructions_ : 0;
  }
  return sum;
}

Tally tally(const trace::Kernel& kernel, std::uint64_t every) {
  Counter counter(kernel);
  for (std::uint64_t cta = 0; cta < kernel.ctas(); cta += every) {
    for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp) {
      counter.walk(trace::cta_at(cta, kernel.grid), warp);
    }
  }
  return std::move(counter.result);
}

unsigned registers_used(const trace::Kernel& kernel) {
  unsigned used = 0;
  const auto see = [&](const isa::Operand& operand) {
    if (operand.file == isa::RegFile::kGeneral && operand.is_real()) {
      used = std::max(used, unsigned{operand.index} + operand.width);
    }
  };
  for (const isa::Instr& instr : kernel.code) {
    std::for_each(instr.destinations.begin(), instr.destinations.end(), see);
    std::for_each(instr.sources.begin(), instr.sources.end(), see);
  }
  return used;
}

}  // namespace gpusim::testing
