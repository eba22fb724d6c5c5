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

#include "sim/model/isa/instr.h"
#include "sim/model/trace/async.h"
#include "sim/model/trace/lane_patterns.h"
#include "sim/model/trace/recorded_command.h"
#include "sim/model/trace/step.h"
#include "sim/model/trace/warp_column.h"

namespace gpusim::trace {

inline constexpr std::uint32_t kNoSite = 0xffffffffU;

/// Sequences that many warps have in common, each stored once and known by its number.
struct Vocabulary {
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  /// `repeats` executions, one after the other, of the steps of a segment.
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

  std::vector<Step> steps;
  std::vector<Range> segments;  ///< into steps
  std::vector<PathItem> path_items;
  std::vector<Range> paths;  ///< into path_items
  std::vector<AddressRun> runs;
  std::vector<Range> shapes;  ///< into runs
  LanePatterns patterns;
  /// What LaneAddresses calls each pattern: kNoPattern where it has but one use, which nobody need remember.
  std::vector<std::uint32_t> pattern_ids;

  [[nodiscard]] std::size_t bytes() const;
};

/// The warps of CTAs that follow one another.
struct RecordedCtas {
  /// The accesses of each warp at one site: a shape, moved to a base.
  struct SiteStreams {
    WarpColumn shapes;
    WarpColumn bases;
  };

  RecordedCtas(const WarpColumn::Frame& frame, std::uint32_t sites)
      : first(frame.first),
        paths(frame, WarpColumn::Kind::kIds),
        streams(sites, {WarpColumn(frame, WarpColumn::Kind::kIds), WarpColumn(frame, WarpColumn::Kind::kAddresses)}) {}
  [[nodiscard]] std::size_t bytes() const;
  // What a number means, which is one of the kernel's vocabulary or, beyond its end, of these CTAs' own.
  [[nodiscard]] std::span<const Vocabulary::PathItem> path(std::uint32_t id) const;
  [[nodiscard]] std::span<const Step> segment(std::uint32_t id) const;
  [[nodiscard]] std::span<const Vocabulary::AddressRun> runs(std::uint32_t shape) const;
  [[nodiscard]] const LaneOffsets& pattern(std::uint32_t id) const;  ///< valid until the thread's next call
  [[nodiscard]] std::uint32_t pattern_id(std::uint32_t id) const;    ///< what LaneAddresses calls it

  std::uint64_t first = 0;  ///< linear number of the first CTA
  std::uint64_t count = 0;
  WarpColumn paths;
  std::vector<SiteStreams> streams;          ///< by site; of a warp whose path is empty they say nothing
  std::shared_ptr<const Vocabulary> shared;  ///< the kernel's
  Vocabulary own;                            ///< what only these use; its numbers go on where the kernel's end
};

/// Where a recording's CTAs are: in memory, or in a file of which some parts are. Any thread may ask.
class CtaSource {
 public:
  virtual ~CtaSource() = default;
  /// Those around a CTA, given by its linear number. Throws InputError when they cannot be read.
  [[nodiscard]] virtual std::shared_ptr<const RecordedCtas> around(std::uint64_t cta) const = 0;
};

/// What a site has of each execution.
enum class SiteUse : std::uint8_t {
  kLanes,         ///< addresses of lanes
  kClusterLanes,  ///< the same, in the shared memory of one CTA of the cluster: its rank stands from bit 24 on
  kCommand        ///< what it asks of an mbarrier or of the TMA (recorded_command.h)
};

/// Where each instruction's accesses are: by pc and slot, kNoSite for none.
struct Sites {
  std::vector<std::array<std::uint32_t, kAccessSlots>> of;
  std::vector<SiteUse> uses;  ///< by site
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(uses.size()); }
};
/// Whether a recording has what instructions ask of mbarriers and of the TMA: the first containers do not.
enum class Commands : std::uint8_t { kRecorded, kNotRecorded };
/// `code` decides which instructions have accesses (is_memory; LDGSTS has both slots), and which have commands.
[[nodiscard]] Sites sites_of(std::span<const isa::Instr> code, Commands commands = Commands::kRecorded);
/// Whether an instruction asks something of an mbarrier or of the TMA.
[[nodiscard]] bool has_command(const isa::Instr& instr);
/// Whether the mbarrier that it names may be that of another CTA of the cluster.
[[nodiscard]] bool may_name_other_cta(const isa::Instr& instr, AsyncAction action);

/// Immutable once built; shared by all walkers of a kernel on all threads.
struct Recording {
  Dim3 grid;
  Sites sites;
  std::uint32_t pattern_count = 0;  ///< ids are below this
  std::shared_ptr<const CtaSource> source;
  std::vector<TensorMap> boxes{};  ///< shapes of what its copies move, by the numbers that commands have
};

/// Takes what warps do. The calls for one warp are consecutive: begin_warp, then per instruction step and for its
/// memory accesses access, then end_warp. A memory instruction that gets no access() has address 0 for all lanes.
class WarpSink {
 public:
  virtual ~WarpSink() = default;
  /// `cta` is linear (x fastest), below the grid's volume; `warp` below warps_per_cta.
  virtual void begin_warp(std::uint64_t cta, std::uint32_t warp) = 0;
  /// `pc` is an index into the code. `mask` must be a subset of `active`.
  virtual void step(std::uint32_t pc, LaneMask active, LaneMask mask) = 0;
  /// Addresses in bytes of the lanes in `mask` for the instruction given by the last step(); other entries are ignored.
  /// In the shared memory of another CTA its rank stands from bit kRankBit on, the same for all lanes.
  virtual void access(AccessSlot slot, std::span<const Address, kWarpLanes> addresses, LaneMask mask) = 0;
  /// What the instruction given by the last step() asks of an mbarrier or of the TMA; `rank` is that of the CTA whose
  /// mbarrier it names. Nothing by default: not every form has a place for it.
  virtual void command(const AsyncOperands& /*operands*/, std::uint32_t /*rank*/) {}
  virtual void end_warp() = 0;
};

/// Collects a Recording. Warps come in any order, each at most once; those never begun issue nothing.
class RecordingBuilder final : public WarpSink {
 public:
  /// `code` is not kept. The kernel's vocabulary does not grow beyond `most_shared` bytes: what does not fit belongs to
  /// the CTAs that use it.
  RecordingBuilder(std::span<const isa::Instr> code, const Dim3& grid, std::uint32_t warps_per_cta,
                   std::size_t most_shared = ~std::size_t{0});
  ~RecordingBuilder() override;
  RecordingBuilder(RecordingBuilder&&) noexcept;
  RecordingBuilder& operator=(RecordingBuilder&&) noexcept;

  void begin_warp(std::uint64_t cta, std::uint32_t warp) override;
  void step(std::uint32_t pc, LaneMask active, LaneMask mask) override;
  void access(AccessSlot slot, std::span<const Address, kWarpLanes> addresses, LaneMask mask) override;
  void command(const AsyncOperands& operands, std::uint32_t rank) override;
  void end_warp() override;
  /// The last call.
  [[nodiscard]] Recording finish();

  /// For recordings that are stored as they grow: the CTAs below `end` that were not taken yet, which get no more
  /// warps.
  [[nodiscard]] RecordedCtas take(std::uint64_t end);
  /// Bytes of what take() would give, and of the warp that is being recorded.
  [[nodiscard]] std::size_t pending_bytes() const;
  /// The kernel's vocabulary, and the shapes of its copies; behind the last take().
  [[nodiscard]] Vocabulary take_vocabulary();
  [[nodiscard]] std::vector<TensorMap> take_boxes();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One warp's walk through a Recording, which must outlive it.
class RecordedCursor {
 public:
  RecordedCursor(const Recording& recording, CtaId cta, std::uint32_t warp, const CommandLimits& limits = {});
  bool next(Step& step);
  LaneAddresses addresses(AccessSlot slot);
  // As those of Walker.
  [[nodiscard]] AsyncOperands async_operands() const;
  [[nodiscard]] std::uint32_t target_rank() const;

 private:
  /// How far one site is.
  struct Position {
    std::span<const Vocabulary::AddressRun> runs;  ///< from the present one on
    Address base = 0;
    std::uint32_t index = 0;  ///< within the present run
    bool started = false;
  };
  void enter_segment();
  void advance(std::uint32_t site);
  /// What stands at a site, one number per lane, as it was recorded.
  [[nodiscard]] LaneAddresses at(std::uint32_t site) const;
  [[nodiscard]] RecordedCommand command(std::uint32_t site) const;
  void start(std::uint32_t site);

  const Recording* recording_;
  std::uint64_t cta_;  ///< linear
  std::uint32_t warp_;
  std::shared_ptr<const RecordedCtas> ctas_;
  std::span<const Vocabulary::PathItem> path_;  ///< from the present item on
  std::uint32_t repeats_ = 0;                   ///< repeats of the present item that began
  const Step* next_step_ = nullptr;
  const Step* segment_end_ = nullptr;
  std::uint32_t pc_ = 0;  ///< pc of the last step
  LaneMask mask_ = 0;     ///< its lanes
  CommandLimits limits_;
  std::vector<Position> positions_;
};

}  // namespace gpusim::trace
