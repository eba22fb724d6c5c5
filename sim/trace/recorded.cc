// SPDX-License-Identifier: MIT
#include "sim/trace/recorded.h"

#include <bit>
#include <cassert>
#include <unordered_map>
#include <utility>

#include "sim/trace/intern.h"

namespace gpusim::trace {
namespace {

using Offsets = Recording::Offsets;

/// Accesses of one site of the warp being recorded.
struct OpenSite {
  Address base = 0;  ///< of its first access
  Address last = 0;
  std::vector<Recording::AddressRun> runs;
};

void append_access(OpenSite& site, Address base, std::uint32_t pattern) {
  if (site.runs.empty()) {
    site.base = base;
    site.runs.push_back({0, 0, 1, pattern});
    site.last = base;
    return;
  }
  Recording::AddressRun& run = site.runs.back();
  const auto stride = static_cast<std::int64_t>(base - site.last);
  const bool extends = run.pattern == pattern && run.count < ~std::uint32_t{0};
  if (extends && (run.count == 1 || run.stride == stride)) {
    run.stride = stride;
    ++run.count;
  } else {
    site.runs.push_back({static_cast<std::int64_t>(base - site.base), 0, 1, pattern});
  }
  site.last = base;
}

}  // namespace

struct RecordingBuilder::State {
  Recording out;
  SequenceInterner<Step> segments;
  SequenceInterner<Recording::PathItem> paths;
  SequenceInterner<Recording::AddressRun> shapes;
  SequenceInterner<std::int64_t> patterns;
  std::vector<std::uint64_t> pattern_uses;
  // The warp being recorded.
  std::uint64_t warp_index = 0;
  std::vector<Step> segment;
  std::vector<Recording::PathItem> path;
  std::vector<OpenSite> sites;
  std::array<bool, kAccessSlots> accessed{};

  void settle_last_step();
  void close_segment();
  void number_patterns();
};

RecordingBuilder::RecordingBuilder(std::span<const isa::Instr> code, const Dim3& grid, std::uint32_t warps_per_cta)
    : state_(std::make_unique<State>()) {
  Recording& out = state_->out;
  out.grid = grid;
  out.warps_per_cta = warps_per_cta;
  for (const isa::Instr& instr : code) {
    std::array<std::uint32_t, kAccessSlots> sites{kNoSite, kNoSite};
    if (instr.is_memory()) {
      sites[0] = out.sites++;
      if (instr.kind == isa::OpKind::kAsyncCopy) {
        sites[1] = out.sites++;
      }
    }
    out.site_of.push_back(sites);
  }
  state_->sites.resize(out.sites);
  // Path 0 and shape 0 are empty, for warps and sites that recorded nothing.
  state_->paths.intern({});
  state_->shapes.intern({});
  out.warps.resize(grid.volume() * warps_per_cta);
}

RecordingBuilder::~RecordingBuilder() = default;
RecordingBuilder::RecordingBuilder(RecordingBuilder&&) noexcept = default;
RecordingBuilder& RecordingBuilder::operator=(RecordingBuilder&&) noexcept = default;

void RecordingBuilder::begin_warp(std::uint64_t cta, std::uint32_t warp) {
  State& s = *state_;
  s.warp_index = cta * s.out.warps_per_cta + warp;
  assert(s.warp_index < s.out.warps.size());
  s.segment.clear();
  s.path.clear();
  for (OpenSite& site : s.sites) {
    site.runs.clear();
  }
}

void RecordingBuilder::State::settle_last_step() {
  // A memory step without an access still takes its turn at its site.
  if (segment.empty() || segment.back().mask == 0) {
    return;
  }
  const auto& site = out.site_of[segment.back().pc];
  for (std::size_t slot = 0; slot < kAccessSlots; ++slot) {
    if (site[slot] != kNoSite && !accessed[slot]) {
      const Offsets zero{};
      const std::uint32_t pattern = patterns.intern(zero);
      pattern_uses.resize(patterns.size());
      ++pattern_uses[pattern];
      append_access(sites[site[slot]], 0, pattern);
    }
  }
}

void RecordingBuilder::State::close_segment() {
  if (segment.empty()) {
    return;
  }
  const std::uint32_t id = segments.intern(segment);
  if (!path.empty() && path.back().segment == id && path.back().repeats < ~std::uint32_t{0}) {
    ++path.back().repeats;
  } else {
    path.push_back({id, 1});
  }
  segment.clear();
}

void RecordingBuilder::step(std::uint32_t pc, LaneMask active, LaneMask mask) {
  State& s = *state_;
  assert(pc < s.out.site_of.size());
  s.settle_last_step();
  // A pass over the code ends where it jumps back: loop iterations become repeats of one segment.
  if (!s.segment.empty() && pc <= s.segment.back().pc) {
    s.close_segment();
  }
  s.segment.push_back({pc, active, mask});
  s.accessed = {};
}

void RecordingBuilder::access(AccessSlot slot, std::span<const Address, kWarpLanes> addresses, LaneMask mask) {
  State& s = *state_;
  assert(!s.segment.empty());
  const auto which = static_cast<std::size_t>(slot);
  const Step& step = s.segment.back();
  const std::uint32_t site = s.out.site_of[step.pc][which];
  if (site == kNoSite || mask == 0 || step.mask == 0 || s.accessed[which]) {
    return;
  }
  const Address base = addresses[static_cast<std::size_t>(std::countr_zero(mask))];
  Offsets offsets{};
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1U) != 0) {
      offsets[lane] = static_cast<std::int64_t>(addresses[lane] - base);
    }
  }
  const std::uint32_t pattern = s.patterns.intern(offsets);
  s.pattern_uses.resize(s.patterns.size());
  ++s.pattern_uses[pattern];
  append_access(s.sites[site], base, pattern);
  s.accessed[which] = true;
}

void RecordingBuilder::end_warp() {
  State& s = *state_;
  s.settle_last_step();
  s.close_segment();
  Recording::Warp& warp = s.out.warps[s.warp_index];
  warp.path = s.paths.intern(s.path);
  warp.first_stream = s.out.streams.size();
  for (const OpenSite& site : s.sites) {
    s.out.streams.push_back({site.runs.empty() ? Address{0} : site.base, s.shapes.intern(site.runs)});
  }
}

void RecordingBuilder::State::number_patterns() {
  std::vector<std::uint32_t> number(patterns.size());
  for (const bool shared : {true, false}) {
    for (std::uint32_t id = 0; id < patterns.size(); ++id) {
      if ((pattern_uses[id] > 1) == shared) {
        number[id] = static_cast<std::uint32_t>(out.patterns.size());
        Offsets& offsets = out.patterns.emplace_back();
        const std::span<const std::int64_t> values = patterns.at(id);
        std::copy(values.begin(), values.end(), offsets.begin());
      }
    }
    if (shared) {
      out.shared_patterns = static_cast<std::uint32_t>(out.patterns.size());
    }
  }
  for (Recording::AddressRun& run : out.runs) {
    run.pattern = number[run.pattern];
  }
}

Recording RecordingBuilder::finish() {
  State& s = *state_;
  const auto ranges = [](const auto& interner) {
    std::vector<Recording::Range> all;
    for (std::uint32_t id = 0; id < interner.size(); ++id) {
      all.push_back({interner.first(id), static_cast<std::uint32_t>(interner.at(id).size())});
    }
    return all;
  };
  for (const Recording::Range& range : ranges(s.segments)) {
    s.out.segments.push_back({range.first, range.count});
  }
  s.out.paths = ranges(s.paths);
  s.out.shapes = ranges(s.shapes);
  s.out.steps = s.segments.take();
  s.out.path_items = s.paths.take();
  s.out.runs = s.shapes.take();
  s.number_patterns();
  Recording done = std::move(s.out);
  state_ = std::make_unique<State>();
  return done;
}

RecordedCursor::RecordedCursor(const Recording& recording, CtaId cta, std::uint32_t warp)
    : recording_(&recording),
      warp_(&recording.warps[linear_cta(cta, recording.grid) * recording.warps_per_cta + warp]),
      positions_(recording.sites) {}

void RecordedCursor::enter_segment() {
  const Recording::Range path = recording_->paths[warp_->path];
  if (repeats_ == 0) {
    if (item_ == path.count) {
      return;
    }
    repeats_ = recording_->path_items[path.first + item_].repeats;
    ++item_;
  }
  --repeats_;
  const Recording::PathItem& item = recording_->path_items[path.first + item_ - 1];
  const Recording::Segment& segment = recording_->segments[item.segment];
  next_step_ = recording_->steps.data() + segment.first;
  segment_end_ = next_step_ + segment.count;
}

bool RecordedCursor::next(Step& step) {
  if (next_step_ == segment_end_) {
    enter_segment();
    if (next_step_ == segment_end_) {
      return false;
    }
  }
  step = *next_step_++;
  pc_ = step.pc;
  if (step.mask != 0) {
    for (const std::uint32_t site : recording_->site_of[pc_]) {
      if (site != kNoSite) {
        advance(site);
      }
    }
  }
  return true;
}

void RecordedCursor::advance(std::uint32_t site) {
  Position& position = positions_[site];
  if (!position.started) {
    position.started = true;
    return;
  }
  const Recording::Range shape = recording_->shapes[recording_->streams[warp_->first_stream + site].shape];
  if (++position.index == recording_->runs[shape.first + position.run].count) {
    position.index = 0;
    ++position.run;
  }
}

LaneAddresses RecordedCursor::addresses(AccessSlot slot) {
  static constexpr Offsets kZero{};
  const std::uint32_t site = recording_->site_of[pc_][static_cast<std::size_t>(slot)];
  if (site == kNoSite || !positions_[site].started) {
    return {0, kZero.data(), LaneAddresses::kNoPattern};
  }
  const Position& position = positions_[site];
  const Recording::SiteStream& stream = recording_->streams[warp_->first_stream + site];
  const Recording::AddressRun& run = recording_->runs[recording_->shapes[stream.shape].first + position.run];
  const auto distance = run.delta + run.stride * static_cast<std::int64_t>(position.index);
  const std::uint32_t id = run.pattern < recording_->shared_patterns ? run.pattern : LaneAddresses::kNoPattern;
  return {stream.base + static_cast<Address>(distance), recording_->patterns[run.pattern].data(), id};
}

}  // namespace gpusim::trace
