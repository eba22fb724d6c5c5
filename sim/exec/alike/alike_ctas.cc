// SPDX-License-Identifier: MIT
#include "sim/exec/alike/alike_ctas.h"

#include <algorithm>

#include "sim/exec/alike/record_cta.h"
#include "sim/exec/ops/special_numbers.h"

namespace gpusim::exec {
namespace {

/// Whether all CTAs, at any time and on any SM, read the same, or their place in the grid.
bool is_of_any_cta(const sass::Instruction& instruction) {
  const auto number = static_cast<std::uint32_t>(instruction.operands[1].value);
  const bool is_place = number == kCtaX || number == kCtaY || number == kCtaZ;
  switch (number) {
    case kClock:
    case kClockLow:
    case kClockHigh:
    case kTimerLow:
    case kTimerHigh:
    case kVirtualId:
    case kVirtualSm: return false;
    default: return !is_place || instruction.op != sass::Op::kCs2r;
  }
}

/// What depends on time, or on other CTAs.
bool is_alone(const sass::Instruction& instruction) {
  using sass::Op;
  switch (instruction.op) {
    case Op::kS2r:
    case Op::kS2ur:
    case Op::kCs2r: return is_of_any_cta(instruction);
    case Op::kArrives:
    case Op::kUcgabarArv:
    case Op::kUcgabarWait:
    case Op::kUsetmaxreg:
    case Op::kSyncsExch:
    case Op::kSyncsCctl:
    case Op::kSyncsCctlAll:
    case Op::kSyncsArrive:
    case Op::kSyncsPhasechk:
    case Op::kUtmaldg:
    case Op::kUtmaldgExtra:
    case Op::kUtmastg:
    case Op::kUtmaredg:
    case Op::kUtmapf:
    case Op::kUblkcp:
    case Op::kUblkred:
    case Op::kUblkpf:
    case Op::kStas:
    case Op::kRedas: return false;
    default: return true;
  }
}

bool can_be_recorded(const Image& image) {
  if (image.has_values() || image.launch.cluster.volume() != 1) {
    return false;
  }
  for (std::size_t pc = 0; pc < image.instructions.size(); ++pc) {
    if (image.in_slice[pc] && !is_alone(image.instructions[pc])) {
      return false;
    }
  }
  return true;
}

std::uint64_t steps_of(const CtaRecord& record) {
  std::uint64_t steps = 0;
  for (const auto& warp : record.warps) {
    steps += warp.size();
  }
  return steps;
}

}  // namespace

AlikeCtas::AlikeCtas(const Image& image, PatternTable& patterns)
    : image_(image), patterns_(patterns), rows_(image), can_record_(can_be_recorded(image)) {}

std::shared_ptr<const CtaRecord> AlikeCtas::record_for(trace::CtaId cta, GlobalMemory& memory) {
  const std::scoped_lock lock(mutex_);
  ++asked_;
  const auto stands = [cta](const std::shared_ptr<const CtaRecord>& record) { return record->stands_for(cta); };
  if (const auto found = std::ranges::find_if(records_, stands); found != records_.end()) {
    return *found;
  }
  if (!can_record_ || !is_worth_recording()) {
    return nullptr;
  }
  std::shared_ptr<const CtaRecord> record = record_cta(image_, rows_, memory, patterns_, cta);
  if (record == nullptr) {
    can_record_ = false;
    return nullptr;
  }
  steps_ += steps_of(*record);
  return records_.emplace_back(std::move(record));
}

}  // namespace gpusim::exec
