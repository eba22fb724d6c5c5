// SPDX-License-Identifier: MIT
#include "sim/exec/alike/record_cta.h"

#include <algorithm>
#include <utility>

#include "sim/base/problem.h"
#include "sim/code/flow/registers.h"
#include "sim/exec/alike/cta_record.h"
#include "sim/exec/alike/pattern_table.h"
#include "sim/exec/alike/slope.h"
#include "sim/exec/alike/warp_slopes.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/memory/checking_port.h"
#include "sim/exec/ops/addresses.h"
#include "sim/exec/run/interpreter.h"
#include "sim/model/trace/step.h"

namespace gpusim::exec {
namespace {

/// Why there is no record.
struct Unrecorded {};

class Recorder {
 public:
  Recorder(const Image& image, const RowsOfCode& rows, GlobalMemory& memory, PatternTable& patterns, trace::CtaId place)
      : image_(image),
        memory_(memory),
        port_(memory),
        interpreter_(image, port_),
        patterns_(patterns, image.code.size()),
        cta_(image, {place.x, place.y, place.z}) {
    record_->place = place;
    record_->warps.resize(cta_.warps().size());
    for (std::size_t i = 0; i < cta_.warps().size(); ++i) {
      slopes_.emplace_back(image, rows, record_->region);
    }
  }

  std::unique_ptr<const CtaRecord> run() {
    std::size_t ended = 0;
    while (ended < cta_.warps().size()) {
      bool moved = false;
      ended = 0;
      for (std::uint32_t warp = 0; warp < cta_.warps().size(); ++warp) {
        moved = turn(warp) || moved;
        ended += cta_.warps()[warp].has_exited() ? 1 : 0;
      }
      if (!moved && ended < cta_.warps().size()) {
        throw Unrecorded();
      }
    }
    return std::move(record_);
  }

 private:
  /// Until it waits for others, or ends. Returns whether it did anything.
  bool turn(std::uint32_t index) {
    Warp& warp = cta_.warps()[index];
    const std::size_t before = record_->warps[index].size();
    while (warp.resume()) {
      step(warp, index);
    }
    const auto steps = static_cast<std::uint32_t>(record_->warps[index].size() - before);
    if (steps != 0) {
      record_->turns.push_back({index, steps});
    }
    return steps != 0;
  }

  void step(Warp& warp, std::uint32_t index) {
    std::vector<CtaRecord::WarpStep>& steps = record_->warps[index];
    if (steps.size() == kMostRecordedSteps || record_->region.is_closed()) {
      throw Unrecorded();
    }
    const std::uint32_t pc = warp.pc;
    const sass::Op op = image_.instructions[pc].op;
    if (op == sass::Op::kBar && warp.active != warp.live()) {
      throw Unrecorded();  // which path goes on depends on when the barrier opens
    }
    WarpSlopes& slopes = slopes_[index];
    const LaneMask guard = warp.lanes_of(image_.code[pc].guard);
    const LaneMask active = warp.active;
    const LaneMask mask = active & guard;
    const bool is_executed = image_.in_slice[pc];
    const bool is_access = flow::role_of(op) == flow::Role::kAccess;
    if (is_executed) {
      slopes.before(warp, pc, image_.code[pc].uniform ? guard : mask);
    }
    const AccessSlopes access_slopes = is_access && mask != 0 ? slopes_of(slopes, pc, mask) : AccessSlopes();
    interpreter_.step(warp);
    if (is_executed) {
      slopes.after(warp);
    }
    steps.push_back({{pc, active, mask}, CtaRecord::kNoAccess});
    if (is_access && mask != 0) {
      add_accesses(steps.back(), access_slopes);
    }
  }

  struct AccessSlopes {
    Slope primary;
    Slope shared_destination;
  };

  AccessSlopes slopes_of(WarpSlopes& slopes, std::uint32_t pc, LaneMask mask) const {
    const MicroOp& op = image_.code[pc];
    const bool is_wide = op.bytes[kBaseWidthByte] == 2;
    AccessSlopes found;
    const std::int64_t unit = fill_unit(image_.instructions[pc]);
    found.primary =
        slopes.address_slope({op.sources[0], op.sources[1], op.bytes[kScaleByte], is_wide, is_global(pc), unit}, mask);
    if (image_.instructions[pc].op == sass::Op::kLdgsts) {
      found.shared_destination =
          slopes.address_slope({op.sources[kSharedBase], op.sources[kSharedUniform], 1, false, false}, mask);
    }
    return found;
  }

  /// The low bits of a ZFILL's address count bytes that are zeros.
  static std::int64_t fill_unit(const sass::Instruction& instruction) {
    const auto size = static_cast<sass::Size>(instruction.modifier(sass::Mod::kSize));
    return instruction.has(sass::Mod::kZeroFill) ? bytes_of(size) : 1;
  }

  /// Whether its addresses have 64 bits.
  [[nodiscard]] bool is_global(std::uint32_t pc) const {
    switch (image_.instructions[pc].op) {
      case sass::Op::kLds:
      case sass::Op::kSts:
      case sass::Op::kLdl:
      case sass::Op::kStl:
      case sass::Op::kLdsm:
      case sass::Op::kStsm:
      case sass::Op::kAtoms:
      case sass::Op::kAtomsCas:
      case sass::Op::kAtomsCasCast:
      case sass::Op::kAtomsCount: return false;
      default: return true;
    }
  }

  /// A load's own predicate may be false in all lanes; LDGSTS then writes zeros to shared memory.
  void add_accesses(CtaRecord::WarpStep& step, const AccessSlopes& slopes) {
    const Access& primary = interpreter_.access();
    const Access& destination = interpreter_.shared_destination();
    if (primary.is_mixed) {
      throw Unrecorded();
    }
    if (primary.space == isa::MemSpace::kNone && destination.space == isa::MemSpace::kNone) {
      return;
    }
    step.access = static_cast<std::uint32_t>(record_->accesses.size());
    add_access(step.step, trace::AccessSlot::kPrimary, primary, slopes.primary);
    if (destination.space != isa::MemSpace::kNone) {
      add_access(step.step, trace::AccessSlot::kSharedDestination, destination, slopes.shared_destination);
    }
  }

  void add_access(const trace::Step& step, trace::AccessSlot slot, const Access& access, const Slope& slope) {
    if (access.space == isa::MemSpace::kNone) {
      record_->accesses.push_back({trace::kNowhere, {}, access.space});
      return;
    }
    stay_inside(access, slope);
    trace::LaneAddresses addresses =
        patterns_.of(step.pc, slot, access.addresses, access.addresses.of[lowest_lane(step.mask)], offsets_);
    if (addresses.pattern == trace::LaneAddresses::kNoPattern) {
      addresses.offsets = record_->offsets.emplace_back(offsets_).data();
    }
    record_->accesses.push_back({addresses, slope, access.space});
  }

  /// In other CTAs the addresses are in the same buffer or memory, and as aligned.
  void stay_inside(const Access& access, const Slope& slope) {
    const std::int64_t bytes = access.bytes;
    if (slope.x % bytes != 0 || slope.y % bytes != 0 || slope.z % bytes != 0) {
      record_->region.fix(slope);
    }
    for (const Address address : access.addresses.of) {
      Address begin = 0;
      std::uint64_t size = 0;
      switch (access.space) {
        case isa::MemSpace::kShared: size = image_.facts.shared_bytes; break;
        case isa::MemSpace::kLocal: size = image_.facts.local_bytes; break;
        default: {
          if (buffer_ == nullptr || !buffer_->holds(address, access.bytes)) {
            buffer_ = memory_.find(address);
          }
          if (buffer_ == nullptr) {
            throw Unrecorded();
          }
          begin = buffer_->address();
          size = buffer_->size();
          break;
        }
      }
      const auto offset = static_cast<std::int64_t>(address - begin);
      record_->region.require(slope, -offset, static_cast<std::int64_t>(size) - bytes - offset);
    }
  }

  const Image& image_;
  GlobalMemory& memory_;
  CheckingPort port_;
  Interpreter interpreter_;
  LastPatterns patterns_;
  Cta cta_;
  std::unique_ptr<CtaRecord> record_ = std::make_unique<CtaRecord>();
  std::vector<WarpSlopes> slopes_;  ///< by warp
  std::array<std::int64_t, kWarpLanes> offsets_{};
  const Buffer* buffer_ = nullptr;  ///< that of the address before
};

}  // namespace

std::unique_ptr<const CtaRecord> record_cta(const Image& image, const RowsOfCode& rows, GlobalMemory& memory,
                                            PatternTable& patterns, trace::CtaId place) {
  try {
    return Recorder(image, rows, memory, patterns, place).run();
  } catch (const Unrecorded&) {
    return nullptr;
  } catch (const InputError&) {
    return nullptr;  // found again, and told, when the CTA is executed
  }
}

}  // namespace gpusim::exec
