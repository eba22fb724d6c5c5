// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/body_writer.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <limits>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/input/accelsim/signature.h"

namespace gpusim::frontend::accelsim {
namespace {

using trace::AccessSlot;

void append_hex(std::string& text, std::uint64_t number, std::size_t digits) {
  std::array<char, 16> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, 16).ptr;
  const auto size = static_cast<std::size_t>(end - buffer.data());
  text.append(size < digits ? digits - size : 0, '0');
  text.append(buffer.data(), size);
}

/// The one immediate that a line has room for.
std::int64_t immediate_of(const isa::Instr& instr) {
  switch (instr.kind) {
    case isa::OpKind::kWgmmaWait:
    case isa::OpKind::kDepbar: return instr.depbar_limit;
    case isa::OpKind::kSleep: return instr.sleep_ns;
    case isa::OpKind::kBarrier: return instr.barrier_id;
    default: return 0;
  }
}

/// Differences between successive lanes of `mask`; false when one does not fit into 32 bits, as other readers take
/// them.
bool differences(std::span<const Address, kWarpLanes> addresses, LaneMask mask, std::vector<std::int64_t>& out) {
  out.clear();
  Address last = addresses[static_cast<std::size_t>(std::countr_zero(mask))];
  for (LaneMask rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    const Address next = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
    out.push_back(static_cast<std::int64_t>(next - last));
    last = next;
  }
  return std::ranges::all_of(out, [](std::int64_t difference) {
    return difference >= std::numeric_limits<std::int32_t>::min() &&
           difference <= std::numeric_limits<std::int32_t>::max();
  });
}

/// Whether lanes follow one another without gaps.
bool is_contiguous(LaneMask mask) {
  const LaneMask low = mask >> std::countr_zero(mask);
  return (low & (low + 1)) == 0;
}

}  // namespace

BodyWriter::BodyWriter(const trace::Kernel& kernel, const Windows& windows, std::uint64_t first_cta, const Dim3& grid,
                       Copies copies, std::string file, Write write)
    : kernel_(kernel),
      windows_(windows),
      first_cta_(first_cta),
      grid_(grid),
      copies_(copies),
      file_(std::move(file)),
      write_(std::move(write)) {
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    signatures_.push_back(signature_of(kernel.texts[i].opcode, kernel.code[i]));
  }
}

void BodyWriter::begin_warp(std::uint64_t cta, std::uint32_t warp) {
  if (warp == 0) {
    const trace::CtaId place = trace::cta_at(cta - first_cta_, grid_);
    cta_text_ = "#BEGIN_TB\n\nthread block = " + std::to_string(place.x) + ',' + std::to_string(place.y) + ',' +
                std::to_string(place.z) + '\n';
  }
  warp_ = warp;
  instructions_ = 0;
  has_step_ = false;
  lines_.clear();
}

void BodyWriter::step(std::uint32_t pc, LaneMask active, LaneMask mask) {
  write_step();
  step_ = {pc, active, mask};
  has_step_ = true;
  accessed_ = {};
}

void BodyWriter::access(AccessSlot slot, std::span<const Address, kWarpLanes> addresses, LaneMask /*mask*/) {
  std::ranges::copy(addresses, addresses_[static_cast<std::size_t>(slot)].begin());
  accessed_[static_cast<std::size_t>(slot)] = true;
}

void BodyWriter::end_warp() {
  write_step();
  cta_text_ += "\nwarp = " + std::to_string(warp_) + "\ninsts = " + std::to_string(instructions_) + '\n' + lines_;
  if (warp_ + 1 == kernel_.warps_per_cta()) {
    write_(cta_text_ + "\n#END_TB\n\n");
  }
}

void BodyWriter::write_step() {
  if (!std::exchange(has_step_, false)) {
    return;
  }
  if (kernel_.code[step_.pc].kind == isa::OpKind::kAsyncCopy && copies_ == Copies::kBothSides) {
    write_line(AccessSlot::kSharedDestination);
  }
  write_line(AccessSlot::kPrimary);
}

/// Generic instructions say by the window of an address where it is, and a copy's two sides are told apart by it: what
/// a reader would take for something else is refused.
BodyWriter::Lanes BodyWriter::written(AccessSlot slot) const {
  const bool is_destination = slot == AccessSlot::kSharedDestination;
  const isa::MemSpace space = is_destination ? isa::MemSpace::kShared : kernel_.code[step_.pc].space;
  Address window = 0;
  if (!is_destination && is_generic(kernel_.texts[step_.pc].opcode) && space != isa::MemSpace::kGlobal) {
    window = space == isa::MemSpace::kShared ? windows_.shared : windows_.local;
  }
  const Lanes& addresses = addresses_[static_cast<std::size_t>(slot)];
  Lanes out{};
  for (LaneMask rest = step_.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    out[lane] = addresses[lane] + window;
    if (!reads_back(out[lane], addresses[lane], slot, space)) {
      throw InputError(Problem{{file_, 0, 0},
                               "address " + std::to_string(out[lane]) + " of " + kernel_.texts[step_.pc].text +
                                   " would be taken for one of another memory space",
                               "this trace cannot be exported"});
    }
  }
  return out;
}

/// Whether a reader of `address` finds where the lane went: to `from` in `space`.
bool BodyWriter::reads_back(Address address, Address from, AccessSlot slot, isa::MemSpace space) const {
  const bool is_copy = kernel_.code[step_.pc].kind == isa::OpKind::kAsyncCopy;
  const bool is_destination = slot == AccessSlot::kSharedDestination;
  const bool right_side = !is_copy || windows_.is_of_shared_side(address) == is_destination;
  const bool right_space = !is_generic(kernel_.texts[step_.pc].opcode) || windows_.space_of(address) == space;
  return right_side && right_space && windows_.offset(address, space) == from;
}

void BodyWriter::write_line(AccessSlot slot) {
  const bool has_addresses = accessed_[static_cast<std::size_t>(slot)];
  const isa::Instr& instr = kernel_.code[step_.pc];
  append_hex(lines_, kernel_.texts[step_.pc].pc, 4);
  lines_ += ' ';
  append_hex(lines_, step_.mask, 8);
  lines_ += ' ';
  lines_ += signatures_[step_.pc];
  lines_ += ' ';
  const bool is_access = instr.is_memory() && (has_addresses || step_.mask == 0);
  append_number(lines_, is_access ? std::uint64_t{instr.bytes_per_lane} : 0);
  if (is_access && step_.mask == 0) {
    lines_ += " 1 0x0 0";
  } else if (is_access) {
    write_addresses(written(slot), step_.mask);
  }
  lines_ += ' ';
  append_number(lines_, immediate_of(instr));
  if (instr.kind == isa::OpKind::kBarrier && (instr.barrier_id != 0 || instr.barrier_threads != 0)) {
    lines_ += ' ';
    append_number(lines_, std::uint64_t{instr.barrier_threads});
  }
  lines_ += '\n';
  ++instructions_;
}

void BodyWriter::write_addresses(const Lanes& addresses, LaneMask mask) {
  std::vector<std::int64_t> steps;
  const bool fits = differences(addresses, mask, steps);
  const bool even = std::ranges::adjacent_find(steps, std::not_equal_to<>()) == steps.end();
  const auto mode = !fits ? 0 : even && is_contiguous(mask) ? 1 : 2;
  lines_ += mode == 0 ? " 0" : mode == 1 ? " 1" : " 2";
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    lines_ += " 0x";
    append_hex(lines_, addresses[static_cast<std::size_t>(std::countr_zero(rest))], 1);
    if (mode != 0) {
      break;
    }
  }
  if (mode == 1) {
    steps.resize(1);  // one lane alone has stride 0
  }
  for (const std::int64_t step : mode == 0 ? std::vector<std::int64_t>{} : steps) {
    lines_ += ' ';
    append_number(lines_, step);
  }
}

}  // namespace gpusim::frontend::accelsim
