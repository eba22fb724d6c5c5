// SPDX-License-Identifier: MIT
// Behaviour that was recorded instead of described: for every warp the instructions it issued, their masks, and the
// addresses of its memory accesses. Warps that behave alike share what they have in common: passes over the code
// (segments), whole paths, patterns of lane offsets, and sequences of addresses relative to the first one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/isa/instr.h"
#include "sim/trace/step.h"

namespace gpusim::trace {

inline constexpr std::uint32_t kNoSite = 0xffffffffU;

/// Immutable once built; shared by all walkers of a kernel on all threads.
struct Recording {
  /// `repeats` executions, one after the other, of steps [first, first + count).
  struct Segment {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  struct PathItem {
    std::uint32_t segment = 0;
    std::uint32_t repeats = 0;
    friend bool operator==(const PathItem&, const PathItem&) = default;
  };
  /// `count` accesses with one pattern, whose bases advance by `stride`; the first is `delta` bytes from the first
  /// base of its warp and site.
  struct AddressRun {
    std::int64_t delta = 0;
    std::int64_t stride = 0;
    std::uint32_t count = 0;
    std::uint32_t pattern = 0;
    friend bool operator==(const AddressRun&, const AddressRun&) = default;
  };
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  /// The accesses of one warp at one site: an interned shape, moved to a base.
  struct SiteStream {
    Address base = 0;
    std::uint32_t shape = 0;  ///< index into shapes
  };
  struct Warp {
    std::uint32_t path = 0;          ///< index into paths
    std::uint64_t first_stream = 0;  ///< into streams: one per site
  };
  using Offsets = std::array<std::int64_t, kWarpLanes>;

  std::uint32_t warps_per_cta = 1;
  Dim3 grid;
  std::vector<std::array<std::uint32_t, kAccessSlots>> site_of;  ///< by pc and slot; kNoSite
  std::uint32_t sites = 0;
  std::vector<Step> steps;
  std::vector<Segment> segments;
  std::vector<PathItem> path_items;
  std::vector<Range> paths;  ///< into path_items
  std::vector<AddressRun> runs;
  std::vector<Range> shapes;  ///< into runs
  std::vector<SiteStream> streams;
  std::vector<Warp> warps;  ///< by linear CTA and warp
  /// Patterns used more than once come first and have ids; the others are known only to their one access.
  std::vector<Offsets> patterns;
  std::uint32_t shared_patterns = 0;
};

/// Collects a Recording. Warps come in any order, each at most once; the calls for one warp are consecutive:
/// begin_warp, then per instruction step and for its memory accesses access, then end_warp. A memory instruction that
/// gets no access() has address 0 for all lanes. Warps never begun issue nothing.
class RecordingBuilder {
 public:
  /// `code` decides which instructions have accesses (is_memory; LDGSTS has both slots); not kept.
  RecordingBuilder(std::span<const isa::Instr> code, const Dim3& grid, std::uint32_t warps_per_cta);
  ~RecordingBuilder();
  RecordingBuilder(RecordingBuilder&&) noexcept;
  RecordingBuilder& operator=(RecordingBuilder&&) noexcept;

  /// `cta` is linear (x fastest), below grid.volume(); `warp` below warps_per_cta.
  void begin_warp(std::uint64_t cta, std::uint32_t warp);
  /// `pc` is an index into the code. `mask` must be a subset of `active`.
  void step(std::uint32_t pc, LaneMask active, LaneMask mask);
  /// Addresses in bytes of the lanes in `mask` for the instruction given by the last step(); other entries are ignored.
  void access(AccessSlot slot, std::span<const Address, kWarpLanes> addresses, LaneMask mask);
  void end_warp();
  /// The builder is empty afterwards.
  [[nodiscard]] Recording finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One warp's walk through a Recording, which must outlive it.
class RecordedCursor {
 public:
  RecordedCursor(const Recording& recording, CtaId cta, std::uint32_t warp);
  bool next(Step& step);
  LaneAddresses addresses(AccessSlot slot);

 private:
  /// Where in its runs one site is: `run` counts from the first of its shape.
  struct Position {
    std::uint32_t run = 0;
    std::uint32_t index = 0;
    bool started = false;
  };
  void enter_segment();
  void advance(std::uint32_t site);

  const Recording* recording_;
  const Recording::Warp* warp_;
  std::uint32_t item_ = 0;     ///< within the path
  std::uint32_t repeats_ = 0;  ///< of the current item, still to begin
  const Step* next_step_ = nullptr;
  const Step* segment_end_ = nullptr;
  std::uint32_t pc_ = 0;  ///< of the last step
  std::vector<Position> positions_;
};

}  // namespace gpusim::trace
