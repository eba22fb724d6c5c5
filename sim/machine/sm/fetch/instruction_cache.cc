// SPDX-License-Identifier: MIT
#include "sim/machine/sm/fetch/instruction_cache.h"

#include <algorithm>

namespace gpusim::sm {

InstructionL1::InstructionL1(const arch::FrontEndConfig& config, std::uint32_t code_lines, std::uint32_t constant_lines)
    : miss_latency_(config.l1_miss_latency),
      all_lines_(code_lines + constant_lines),
      lines_(config.l1_bytes / kLineBytes, config.l1_ways, all_lines_) {}

void InstructionL1::load_all() {
  for (std::uint32_t line = 0; line < all_lines_; ++line) {
    lines_.insert(line, 0);
  }
}

Cycle InstructionL1::request(std::uint32_t line, Kind kind, Cycle now, std::uint32_t latency) {
  const Cycle enters = std::max(now, kind == Kind::kDemand ? demand_free_ : any_free_);
  demand_free_ = kind == Kind::kDemand ? enters + 1 : demand_free_;
  any_free_ = std::max(any_free_, enters) + 1;
  ++counters_.l1_lookups;
  const Cycle back = enters + latency;
  if (const Cycle there = lines_.use(line); there != kNever) {
    ++(there <= back ? counters_.l1_hits : counters_.l1_misses);
    return std::max(back, there);
  }
  ++counters_.l1_misses;
  lines_.insert(line, back + miss_latency_);
  return back + miss_latency_;
}

InstructionL0::InstructionL0(const arch::FrontEndConfig& config, std::uint32_t code_lines)
    : l1_latency_(config.l1_latency),
      prefetch_lines_(config.prefetch_lines),
      code_lines_(code_lines),
      lines_(config.l0_bytes / kLineBytes, config.l0_ways, code_lines) {}

Cycle InstructionL0::look_up(std::uint32_t line, Cycle now, InstructionL1& l1) {
  if (line >= code_lines_) {
    return now;
  }
  ++counters_.l0_lookups;
  if (const Cycle there = lines_.use(line); there != kNever) {
    const bool hit = there <= now;
    ++(hit ? counters_.l0_hits : counters_.l0_misses);
    counters_.l0_merges += hit ? 0 : 1;
    return std::max(now, there);
  }
  ++counters_.l0_misses;
  const Cycle arrival = miss(line, now, l1);
  lines_.insert(line, arrival);
  prefetch_behind(line, now, l1);
  return std::max(now, arrival);
}

/// From the stream buffer, what lies before it in the stream being passed over; else from the L1, and a new stream
/// begins behind it.
Cycle InstructionL0::miss(std::uint32_t line, Cycle now, InstructionL1& l1) {
  const auto found = std::ranges::find(stream_, line, &Streamed::line);
  if (found != stream_.end()) {
    const Cycle arrival = found->arrival;
    stream_.erase(stream_.begin(), found + 1);
    ++counters_.stream_hits;
    return arrival;
  }
  stream_.clear();
  prefetched_to_ = line;
  return l1.request(line, InstructionL1::Kind::kDemand, now, l1_latency_);
}

void InstructionL0::prefetch_behind(std::uint32_t line, Cycle now, InstructionL1& l1) {
  const std::uint32_t end = std::min(line + prefetch_lines_ + 1, code_lines_);
  for (std::uint32_t next = std::max(prefetched_to_, line) + 1; next < end; ++next) {
    prefetched_to_ = next;
    if (!lines_.has(next)) {
      stream_.push_back({next, l1.request(next, InstructionL1::Kind::kPrefetch, now, l1_latency_)});
      ++counters_.prefetches;
    }
  }
}

}  // namespace gpusim::sm
