// SPDX-License-Identifier: MIT
#include "sim/exec/alike/alike_ctas.h"

#include <utility>

#include "sim/code/flow/registers.h"
#include "sim/exec/alike/cta_record.h"
#include "sim/exec/alike/record_cta.h"
#include "sim/exec/core/image.h"
#include "sim/exec/ops/special_numbers.h"

namespace gpusim::exec {
namespace {

/// Whether all CTAs, at any time and on any SM, read the same, or their place in the grid.
bool is_of_any_cta(const sass::Instruction& instruction) {
  switch (static_cast<std::uint32_t>(instruction.operands[1].value)) {
    case kLaneId:
    case kThread:
    case kThreadX:
    case kThreadY:
    case kThreadZ:
    case kSharedWindowHigh:
    case kSharedWindowLow:
    case kSharedSize:
    case kLocalWindowLow:
    case kEqualMask:
    case kLessMask:
    case kLessEqualMask:
    case kGreaterMask:
    case kGreaterEqualMask:
    case kClusterRank:  // a cluster of one
    case kNone: return true;
    case kCtaX:
    case kCtaY:
    case kCtaZ: return instruction.op != sass::Op::kCs2r;
    default: return false;
  }
}

/// Acts that depend on neither time nor other CTAs: control flow, the CTA's own barriers, fences and the like.
bool is_act_of_cta(sass::Op op) {
  using sass::Op;
  switch (op) {
    case Op::kBra:
    case Op::kBraDiv:
    case Op::kBraUniform:
    case Op::kBrx:
    case Op::kBrxu:
    case Op::kJmp:
    case Op::kJmx:
    case Op::kCallRel:
    case Op::kCallAbs:
    case Op::kCallAbsRegister:
    case Op::kCallRelRegister:
    case Op::kRet:
    case Op::kExit:
    case Op::kKill:
    case Op::kBpt:
    case Op::kLepc:
    case Op::kBssy:
    case Op::kBsync:
    case Op::kBreak:
    case Op::kBmovFrom:
    case Op::kBmovTo:
    case Op::kBmovSave:
    case Op::kBmovRestore:
    case Op::kWarpsync:
    case Op::kEndcollective:
    case Op::kRpcmovTo:
    case Op::kRpcmovFrom:
    case Op::kNanosleep:
    case Op::kYield:
    case Op::kNop:
    case Op::kPmtrig:
    case Op::kBar:
    case Op::kB2r:
    case Op::kDepbar:
    case Op::kLdgdepbar:
    case Op::kMembar:
    case Op::kErrbar:
    case Op::kCctl:
    case Op::kCgaerrbar:
    case Op::kPreexit:
    case Op::kAcqbulk:
    case Op::kWarpgroup:
    case Op::kFenceViewAsync: return true;
    default: return false;
  }
}

bool is_alone(const sass::Instruction& instruction) {
  using sass::Op;
  const Op op = instruction.op;
  if (op == Op::kS2r || op == Op::kS2ur || op == Op::kCs2r) {
    return is_of_any_cta(instruction);
  }
  return flow::role_of(op) != flow::Role::kAct || is_act_of_cta(op);
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
    : image_(image), patterns_(patterns), can_record_(can_be_recorded(image)) {}

void AlikeCtas::forget() {
  const std::scoped_lock lock(mutex_);
  records_.clear();
  rows_.reset();
  replayed_ = 0;
  steps_ = 0;
}

std::shared_ptr<const CtaRecord> AlikeCtas::known_record_for(trace::CtaId cta) {
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const std::size_t at = (last_ + i) % records_.size();
    if (records_[at]->stands_for(cta)) {
      last_ = at;
      return records_[at];
    }
  }
  return nullptr;
}

std::shared_ptr<const CtaRecord> AlikeCtas::record_for(trace::CtaId cta, GlobalMemory& memory) {
  const std::scoped_lock lock(mutex_);
  if (std::shared_ptr<const CtaRecord> known = known_record_for(cta)) {
    ++replayed_;
    return known;
  }
  if (!can_record_ || !is_worth_recording()) {
    return nullptr;
  }
  if (!rows_) {
    rows_.emplace(image_);
  }
  std::shared_ptr<const CtaRecord> record = record_cta(image_, *rows_, memory, patterns_, cta);
  if (record == nullptr) {
    can_record_ = false;
    return nullptr;
  }
  steps_ += steps_of(*record);
  return records_.emplace_back(std::move(record));
}

}  // namespace gpusim::exec
