// SPDX-License-Identifier: MIT
#include "sim/machine/sm/fetch/instruction_cache.h"

#include <algorithm>

#include "sim/model/arch/sm_config.h"

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
      is_per_warp_(config.stream_per == arch::StreamPer::kWarp),
      code_lines_(code_lines),
      lines_(config.l0_bytes / kLineBytes, config.l0_ways, code_lines) {}

Cycle InstructionL0::look_up(std::uint32_t line, Cycle now, InstructionL1& l1, std::uint32_t warp) {
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
  const std::uint32_t stream = is_per_warp_ ? warp : 0;
  streams_.resize(std::max<std::size_t>(streams_.size(), stream + 1));
  const Cycle arrival = miss(line, now, l1, streams_[stream]);
  lines_.insert(line, arrival);
  prefetch_behind(line, now, l1, streams_[stream]);
  return std::max(now, arrival);
}

const InstructionL0::Streamed* InstructionL0::streamed(std::uint32_t line) const {
  for (const Stream& stream : streams_) {
    if (const auto found = std::ranges::find(stream.lines, line, &Streamed::line); found != stream.lines.end()) {
      return &*found;
    }
  }
  return nullptr;
}

/// From its own stream, what lies before it in the stream being passed over; else from where another warp's stream
/// or the L1 has it, and a new stream begins behind it.
Cycle InstructionL0::miss(std::uint32_t line, Cycle now, InstructionL1& l1, Stream& own) {
  const Streamed* const found = streamed(line);
  const Cycle arrival =
      found != nullptr ? found->arrival : l1.request(line, InstructionL1::Kind::kDemand, now, l1_latency_);
  counters_.stream_hits += found != nullptr ? 1 : 0;
  if (const auto mine = std::ranges::find(own.lines, line, &Streamed::line); mine != own.lines.end()) {
    own.lines.erase(own.lines.begin(), mine + 1);
  } else {
    own.lines.clear();
    own.prefetched_to = line;
  }
  return arrival;
}

void InstructionL0::prefetch_behind(std::uint32_t line, Cycle now, InstructionL1& l1, Stream& own) {
  const std::uint32_t end = std::min(line + prefetch_lines_ + 1, code_lines_);
  for (std::uint32_t next = std::max(own.prefetched_to, line) + 1; next < end; ++next) {
    own.prefetched_to = next;
    if (!lines_.has(next) && streamed(next) == nullptr) {
      own.lines.push_back({next, l1.request(next, InstructionL1::Kind::kPrefetch, now, l1_latency_)});
      ++counters_.prefetches;
    }
  }
}

}  // namespace gpusim::sm
