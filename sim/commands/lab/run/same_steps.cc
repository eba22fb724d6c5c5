// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/same_steps.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/lab/run/work.h"
#include "sim/model/trace/trace.h"
#include "sim/model/trace/walker.h"

namespace gpusim::lab {
namespace {

/// An address of global memory as a place in a buffer: where buffers lie differs between two runs.
struct BufferPlace {
  const trace::Buffer* buffer = nullptr;
  Address offset = 0;  ///< bytes; the address itself where no buffer has it
  [[nodiscard]] bool is_that_of(const BufferPlace& other) const {
    const bool same_buffer =
        buffer == nullptr || other.buffer == nullptr ? buffer == other.buffer : buffer->name == other.buffer->name;
    return same_buffer && offset == other.offset;
  }
};

/// One warp of a kernel on its way.
class WarpWalk {
 public:
  WarpWalk(const trace::Kernel& kernel, trace::CtaId cta, std::uint32_t warp)
      : kernel_(kernel), walker_(kernel, cta, warp) {}

  /// The next step but for stores to the witness; false at the end.
  bool next(const std::string& witness, std::uint64_t& walked);
  [[nodiscard]] bool does_as(WarpWalk& other);
  [[nodiscard]] std::string text() const {
    const isa::InstrText& text = kernel_.texts[step_.pc];
    return fmt::format("'{}' at line {}", printable(text.text), text.line);
  }

 private:
  [[nodiscard]] const isa::Instr& instr() const { return kernel_.code[step_.pc]; }
  [[nodiscard]] bool is_access() const {
    return instr().space != isa::MemSpace::kNone && instr().space != isa::MemSpace::kConstant &&
           instr().kind != isa::OpKind::kTensorCopy && step_.mask != 0;
  }
  [[nodiscard]] BufferPlace place_of(Address at) const;
  [[nodiscard]] bool is_store_to(const std::string& witness);
  [[nodiscard]] bool has_addresses_of(WarpWalk& other, trace::AccessSlot slot);

  const trace::Kernel& kernel_;
  trace::Walker walker_;
  trace::Step step_;
};

Address lane_address(const trace::LaneAddresses& at, std::uint32_t lane) {
  return at.base + static_cast<Address>(at.offsets[lane]);
}

BufferPlace WarpWalk::place_of(Address at) const {
  const auto holds = [at](const trace::Buffer& buffer) {
    return buffer.space == isa::MemSpace::kGlobal && at >= buffer.base && at < buffer.base + buffer.bytes;
  };
  const auto found = std::ranges::find_if(kernel_.buffers, holds);
  return found == kernel_.buffers.end() ? BufferPlace{nullptr, at} : BufferPlace{&*found, at - found->base};
}

bool WarpWalk::is_store_to(const std::string& witness) {
  if (instr().kind != isa::OpKind::kStore || instr().space != isa::MemSpace::kGlobal || step_.mask == 0) {
    return false;
  }
  const trace::LaneAddresses at = walker_.addresses(trace::AccessSlot::kPrimary);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const bool is_on = (step_.mask >> lane & 1U) != 0;
    const BufferPlace place = is_on ? place_of(lane_address(at, lane)) : BufferPlace{};
    if (is_on && (place.buffer == nullptr || place.buffer->name != witness)) {
      return false;
    }
  }
  return true;
}

bool WarpWalk::next(const std::string& witness, std::uint64_t& walked) {
  do {
    if (!walker_.next(step_)) {
      return false;
    }
    if (++walked > kMostWalked) {
      throw CannotFinishError("this is longer than " + with_thousands(kMostWalked) +
                              " warp instructions, far more than this lab needs");
    }
  } while (is_store_to(witness));
  return true;
}

bool WarpWalk::has_addresses_of(WarpWalk& other, trace::AccessSlot slot) {
  // The addresses that a walker gives are valid until the next one gives some.
  const trace::LaneAddresses given = walker_.addresses(slot);
  std::array<Address, kWarpLanes> own{};
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    own[lane] = (step_.mask >> lane & 1U) != 0 ? lane_address(given, lane) : 0;
  }
  const bool is_global = instr().space == isa::MemSpace::kGlobal && slot == trace::AccessSlot::kPrimary;
  const trace::LaneAddresses theirs = other.walker_.addresses(slot);
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const bool is_on = (step_.mask >> lane & 1U) != 0;
    const Address at = is_on ? lane_address(theirs, lane) : 0;
    if (is_on && (is_global ? !place_of(own[lane]).is_that_of(other.place_of(at)) : own[lane] != at)) {
      return false;
    }
  }
  return true;
}

bool WarpWalk::does_as(WarpWalk& other) {
  const isa::InstrText& own = kernel_.texts[step_.pc];
  const isa::InstrText& theirs = other.kernel_.texts[other.step_.pc];
  // The text of a branch has its target, which moves with the code before it. Where it leads the next steps show.
  const bool has_target = instr().kind == isa::OpKind::kBranch || instr().kind == isa::OpKind::kNop;  // BSSY is a kNop
  const bool same_text = has_target || own.text == theirs.text;
  if (own.opcode != theirs.opcode || !same_text || step_.mask != other.step_.mask || is_access() != other.is_access()) {
    return false;
  }
  return !is_access() ||
         (has_addresses_of(other, trace::AccessSlot::kPrimary) &&
          (instr().kind != isa::OpKind::kAsyncCopy || has_addresses_of(other, trace::AccessSlot::kSharedDestination)));
}

/// How both go on from where they part; empty when they end together.
std::string parting_of(WarpWalk& seen, WarpWalk& timed, const std::string& witness, std::uint64_t& walked) {
  for (;;) {
    const bool seen_goes_on = seen.next(witness, walked);
    const bool timed_goes_on = timed.next("", walked);
    if (!seen_goes_on && !timed_goes_on) {
      return "";
    }
    if (seen_goes_on && timed_goes_on && seen.does_as(timed)) {
      continue;
    }
    const bool is_elsewhere = seen_goes_on && timed_goes_on && seen.text() == timed.text();
    if (is_elsewhere) {
      return seen.text() + " for other lanes, or at other addresses, while the check looks into it";
    }
    return fmt::format("{} while the check looks into it, and {} in the run that is measured",
                       seen_goes_on ? seen.text() : "nothing more", timed_goes_on ? timed.text() : "nothing more");
  }
}

bool is_launched_as(const trace::Kernel& one, const trace::Kernel& other) {
  return one.name == other.name && one.grid == other.grid && one.block == other.block && one.cluster == other.cluster &&
         one.registers_per_thread == other.registers_per_thread &&
         one.shared_static_bytes == other.shared_static_bytes && one.shared_dynamic_bytes == other.shared_dynamic_bytes;
}

std::string parting_of(const trace::Kernel& seen, const trace::Kernel& timed, const std::string& witness,
                       std::uint64_t& walked) {
  if (!is_launched_as(seen, timed)) {
    return "'" + printable(seen.name) +
           "' has another grid, CTA, number of registers or size of shared memory while the check looks into it";
  }
  for (std::uint64_t number = 0; number < seen.ctas(); ++number) {
    const trace::CtaId cta = trace::cta_at(number, seen.grid);
    for (std::uint32_t warp = 0; warp < seen.warps_per_cta(); ++warp) {
      WarpWalk own(seen, cta, warp);
      WarpWalk other(timed, cta, warp);
      if (const std::string parting = parting_of(own, other, witness, walked); !parting.empty()) {
        return fmt::format("warp {} of CTA {},{},{} does {}", warp, cta.x, cta.y, cta.z, parting);
      }
    }
  }
  return "";
}

}  // namespace

std::string other_steps(const trace::Trace& seen, const trace::Trace& timed, const std::string& witness) {
  if (seen.kernels.size() != timed.kernels.size()) {
    return "there are other kernels while the check looks into it";
  }
  std::uint64_t walked = 0;
  for (std::size_t i = 0; i < seen.kernels.size(); ++i) {
    if (const std::string parting = parting_of(seen.kernels[i], timed.kernels[i], witness, walked); !parting.empty()) {
      return parting;
    }
  }
  return "";
}

}  // namespace gpusim::lab
