// SPDX-License-Identifier: MIT
#include "sim/model/trace/poll_filter.h"

namespace gpusim::trace {
namespace {

/// What a loop of polls consists of, besides them.
bool is_of_loop(isa::OpKind kind) {
  return kind == isa::OpKind::kBranch || kind == isa::OpKind::kSleep || kind == isa::OpKind::kNop;
}

}  // namespace

bool PollFilter::is_of_repeat(isa::OpKind kind) {
  polls_ = polls_ && (is_of_loop(kind) || kind == isa::OpKind::kCompute);
  repeats_ = repeats_ && is_of_loop(kind);
  return repeats_;
}

bool PollFilter::is_repeat(Address mbarrier, std::uint64_t phase) {
  repeats_ = polls_ && mbarrier == mbarrier_ && phase == phase_;
  polls_ = true;
  mbarrier_ = mbarrier;
  phase_ = phase;
  return repeats_;
}

}  // namespace gpusim::trace
