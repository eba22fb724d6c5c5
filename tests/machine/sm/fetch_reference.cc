// SPDX-License-Identifier: MIT
#include "tests/machine/sm/fetch_reference.h"

#include <algorithm>
#include <numeric>

#include "sim/machine/lower/code_layout.h"
#include "sim/model/arch/arch.h"

namespace gpusim::test {

FetchReference::FetchReference(const arch::SmConfig& config, const lower::KernelImage& image, bool warm_code)
    : config_(config.front_end),
      image_(image),
      sub_cores_(config.sub_cores),
      l1_(config.front_end, image.code_lines, image.constant_lines),
      l0s_(config.sub_cores, sm::InstructionL0(config.front_end, image.code_lines)),
      last_(config.sub_cores),
      streams_(config.limits.warps_per_sm) {
  std::iota(last_.begin(), last_.end(), 0U);
  if (warm_code) {
    l1_.load_all();
  }
}

void FetchReference::observe(const sm::Sm& sm, Cycle now) {
  launch(sm, now);
  for (std::uint32_t i = 0; i < sub_cores_; ++i) {
    fetch(i, now);
  }
  for (std::uint32_t slot = 0; slot < streams_.size(); ++slot) {
    if (streams_[slot].resident && !streams_[slot].exited) {
      compare(sm, slot, now);
    }
    streams_[slot].resident = sm.warp(slot).resident;
  }
}

/// Warps come slot by slot, as long as there is one CTA at a time.
void FetchReference::launch(const sm::Sm& sm, Cycle now) {
  for (std::uint32_t slot = 0; slot < streams_.size(); ++slot) {
    const sm::Warp& warp = sm.warp(slot);
    if (warp.resident && warp.resident_since == now) {
      streams_[slot] = {};
      streams_[slot].resident = true;
      streams_[slot].launched = launched_++;
    }
  }
}

void FetchReference::fetch(std::uint32_t sub_core, Cycle now) {
  const auto can = [&](const Stream& stream) {
    return stream.resident && !stream.exited && stream.buffer.size() < config_.buffer_entries &&
           stream.blocked_until <= now;
  };
  Stream* chosen = nullptr;
  for (std::uint32_t slot = sub_core; slot < streams_.size(); slot += sub_cores_) {
    Stream& stream = streams_[slot];
    if (can(stream) && (chosen == nullptr || stream.launched > chosen->launched)) {
      chosen = &stream;
    }
  }
  if (can(streams_[last_[sub_core]])) {
    chosen = &streams_[last_[sub_core]];
  }
  if (chosen == nullptr) {
    return;
  }
  if (const std::uint32_t line = chosen->next / lower::kInstrsPerLine; line != chosen->line) {
    chosen->line = line;
    const auto slot = static_cast<std::uint32_t>(chosen - streams_.data());
    chosen->blocked_until = l0s_[sub_core].look_up(line, now, l1_, slot / sub_cores_);
    if (chosen->blocked_until > now) {
      return;
    }
  }
  chosen->buffer.push_back(now + config_.fetch_latency);
  ++chosen->next;
}

void FetchReference::compare(const sm::Sm& sm, std::uint32_t slot, Cycle now) {
  const sm::Warp& warp = sm.warp(slot);
  const Stream& stream = streams_[slot];
  const bool issued = !warp.resident || (warp.gap_begin == now + 1 && warp.stalls.wait > now);
  const bool waits = !issued && (warp.waits & mask_of(stats::Stall::kNoInstruction)) != 0;
  const bool empty = stream.buffer.empty() || stream.buffer.front() > now;
  if (waits != empty && difference_.empty()) {
    difference_ = "cycle " + std::to_string(now) + ", warp slot " + std::to_string(slot) + ", instruction " +
                  std::to_string(stream.pc) + (empty ? ": not in the buffer" : ": in the buffer");
  }
  if (issued && !empty) {
    issue(warp, slot, now);
  }
}

void FetchReference::issue(const sm::Warp& warp, std::uint32_t slot, Cycle now) {
  Stream& stream = streams_[slot];
  stream.exited = !warp.resident || warp.exited;
  if (stream.exited) {
    return;
  }
  last_[slot % sub_cores_] = slot;
  stream.buffer.pop_front();
  const std::uint32_t from = image_.ops[stream.pc].place;
  stream.pc = warp.next->pc;
  if (image_.ops[stream.pc].place != from + 1) {
    const std::uint32_t resolve = std::max(config_.branch_latency, config_.fetch_latency) - config_.fetch_latency;
    stream.buffer.clear();
    stream.next = image_.ops[stream.pc].place;
    stream.line = kNone;
    stream.blocked_until = now + 1 + resolve;
  }
}

stats::FetchCounters FetchReference::counters() const {
  stats::FetchCounters sum = l1_.counters();
  for (const sm::InstructionL0& l0 : l0s_) {
    stats::add(sum, l0.counters());
  }
  return sum;
}

}  // namespace gpusim::test
