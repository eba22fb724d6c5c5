// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cassert>
#include <memory>
#include <optional>
#include <utility>

#include "sim/model/trace/intern.h"
#include "sim/model/trace/recorded.h"

namespace gpusim::trace {
namespace {

using AddressRun = Vocabulary::AddressRun;
using PathItem = Vocabulary::PathItem;

template <class T>
std::vector<Vocabulary::Range> ranges(const SequenceInterner<T>& interner) {
  std::vector<Vocabulary::Range> all;
  for (std::uint32_t id = 0; id < interner.size(); ++id) {
    all.push_back({interner.first(id), static_cast<std::uint32_t>(interner.at(id).size())});
  }
  return all;
}

/// All CTAs in memory.
class WholeGrid final : public CtaSource {
 public:
  explicit WholeGrid(RecordedCtas ctas) : ctas_(std::make_shared<const RecordedCtas>(std::move(ctas))) {}
  [[nodiscard]] std::shared_ptr<const RecordedCtas> around(std::uint64_t /*cta*/) const override { return ctas_; }

 private:
  std::shared_ptr<const RecordedCtas> ctas_;
};

}  // namespace

struct RecordingBuilder::State {
  /// Accesses of one site of the warp being recorded.
  struct OpenSite {
    Address base = 0;  ///< address of its first access
    Address last = 0;
    std::vector<AddressRun> runs;
    std::optional<std::uint32_t> pattern;  ///< pattern of the access before, also of another warp
    LaneOffsets offsets{};                 ///< that pattern

    void append(Address at, std::uint32_t number);
  };

  /// Whose vocabulary: the kernel's, or that of the CTAs at hand.
  enum class Level : std::uint8_t { kShared, kOwn };

  /// Numbers sequences: in the kernel's vocabulary as long as that may grow, else in that of the CTAs at hand.
  template <class T>
  class Numbering {
   public:
    std::uint32_t intern(std::span<const T> sequence, bool grows) {
      if (grows) {
        return at(Level::kShared).intern(sequence);
      }
      const std::optional<std::uint32_t> known = at(Level::kShared).find(sequence);
      return known ? *known : at(Level::kShared).size() + at(Level::kOwn).intern(sequence);
    }
    [[nodiscard]] bool equal(std::uint32_t id, std::span<const T> sequence) const {
      const std::uint32_t shared = at(Level::kShared).size();
      return id < shared ? at(Level::kShared).equal(id, sequence) : at(Level::kOwn).equal(id - shared, sequence);
    }
    [[nodiscard]] SequenceInterner<T>& at(Level level) { return levels_[static_cast<std::size_t>(level)]; }
    [[nodiscard]] const SequenceInterner<T>& at(Level level) const { return levels_[static_cast<std::size_t>(level)]; }

   private:
    std::array<SequenceInterner<T>, 2> levels_;
  };

  State(std::span<const isa::Instr> code, const Dim3& of_grid, std::uint32_t of_cta, std::size_t most)
      : grid(of_grid), warps_per_cta(of_cta), instruction_sites(sites_of(code)), most_shared(most), pending(open(0)) {
    sites.resize(instruction_sites.count());
    // Path 0 and shape 0 are empty, for warps and sites that recorded nothing.
    paths.intern({}, true);
    shapes.intern({}, true);
  }

  Dim3 grid;
  std::uint32_t warps_per_cta;
  Sites instruction_sites;
  std::uint32_t pattern_count = 0;
  std::size_t most_shared;
  RecordedCtas pending;     ///< those not taken yet
  std::vector<bool> begun;  ///< their warps that have begun
  bool may_grow = true;
  Numbering<Step> segments;
  Numbering<PathItem> paths;
  Numbering<AddressRun> shapes;
  Numbering<std::uint32_t> patterns;        ///< numbers of PackedOffsets
  std::vector<std::uint32_t> pattern_uses;  ///< uses of the patterns in the kernel's vocabulary
  BoxShapes shapes_of_copies;
  // The warp being recorded.
  std::uint64_t cta = 0;
  std::uint32_t warp = 0;
  std::vector<Step> segment;
  std::vector<PathItem> path;
  std::vector<OpenSite> sites;
  std::array<bool, kAccessSlots> accessed{};

  [[nodiscard]] RecordedCtas open(std::uint64_t first) const {
    return RecordedCtas({first, warps_per_cta, grid}, instruction_sites.count());
  }
  /// Whether so much more goes into the kernel's vocabulary.
  [[nodiscard]] bool fits(std::size_t more) const { return may_grow && more <= most_shared - shared_bytes(); }
  [[nodiscard]] std::size_t shared_bytes() const { return std::min(most_shared, bytes(Level::kShared)); }
  [[nodiscard]] std::size_t open_bytes() const;
  void record_access(OpenSite& site, Address base, const LaneOffsets& offsets);
  void settle_last_step();
  void close_segment();
  [[nodiscard]] std::size_t bytes(Level level) const;
  [[nodiscard]] Vocabulary take_vocabulary(Level level);
  void settle_missing_warps(std::uint64_t ctas);
  [[nodiscard]] RecordedCtas take_ctas(std::uint64_t end);
};

void RecordingBuilder::State::OpenSite::append(Address at, std::uint32_t number) {
  if (runs.empty()) {
    base = at;
    last = at;
    runs.push_back({0, 0, 1, number});
    return;
  }
  AddressRun& run = runs.back();
  const auto stride = static_cast<std::int64_t>(at - last);
  const bool extends = run.pattern == number && run.count < ~std::uint32_t{0};
  if (extends && (run.count == 1 || run.stride == stride)) {
    run.stride = stride;
    ++run.count;
  } else {
    runs.push_back({static_cast<std::int64_t>(at - base), 0, 1, number});
  }
  last = at;
}

RecordingBuilder::RecordingBuilder(std::span<const isa::Instr> code, const Dim3& grid, std::uint32_t warps_per_cta,
                                   std::size_t most_shared)
    : state_(std::make_unique<State>(code, grid, warps_per_cta, most_shared)) {}

RecordingBuilder::~RecordingBuilder() = default;
RecordingBuilder::RecordingBuilder(RecordingBuilder&&) noexcept = default;
RecordingBuilder& RecordingBuilder::operator=(RecordingBuilder&&) noexcept = default;

void RecordingBuilder::begin_warp(std::uint64_t cta, std::uint32_t warp) {
  State& s = *state_;
  assert(cta >= s.pending.first && cta < s.grid.volume() && warp < s.warps_per_cta);
  s.cta = cta;
  s.warp = warp;
  const std::uint64_t index = (cta - s.pending.first) * s.warps_per_cta + warp;
  s.begun.resize(std::max<std::size_t>(s.begun.size(), index + 1));
  s.begun[index] = true;
  s.segment.clear();
  s.path.clear();
  for (State::OpenSite& site : s.sites) {
    site.runs.clear();
  }
}

void RecordingBuilder::State::record_access(OpenSite& site, Address base, const LaneOffsets& offsets) {
  // Most accesses have the pattern of the one before: comparing is cheaper than searching.
  const bool again = site.pattern && site.offsets == offsets;
  may_grow = may_grow && (again || fits(sizeof offsets));
  const std::uint32_t pattern = again ? *site.pattern : patterns.intern(PackedOffsets(offsets).words(), may_grow);
  site.pattern = pattern;
  site.offsets = offsets;
  if (pattern < patterns.at(Level::kShared).size()) {
    pattern_uses.resize(patterns.at(Level::kShared).size());
    ++pattern_uses[pattern];
  }
  site.append(base, pattern);
}

void RecordingBuilder::State::settle_last_step() {
  // A memory step without an access still takes its turn at its site.
  if (segment.empty() || segment.back().mask == 0) {
    return;
  }
  const auto& site = instruction_sites.of[segment.back().pc];
  for (std::size_t slot = 0; slot < kAccessSlots; ++slot) {
    if (site[slot] != kNoSite && !accessed[slot]) {
      record_access(sites[site[slot]], 0, LaneOffsets{});
    }
  }
}

void RecordingBuilder::State::close_segment() {
  if (segment.empty()) {
    return;
  }
  // What belongs to the kernel never refers to what belongs to some CTAs: once this is false it stays so.
  may_grow = fits(std::span(segment).size_bytes());
  const bool again = !path.empty() && segments.equal(path.back().segment, segment);
  if (again && path.back().repeats < ~std::uint32_t{0}) {
    ++path.back().repeats;
  } else {
    path.push_back({segments.intern(segment, may_grow), 1});
  }
  segment.clear();
}

void RecordingBuilder::step(std::uint32_t pc, LaneMask active, LaneMask mask) {
  State& s = *state_;
  assert(pc < s.instruction_sites.of.size());
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
  const std::uint32_t site = s.instruction_sites.of[step.pc][which];
  if (site == kNoSite || mask == 0 || step.mask == 0 || s.accessed[which]) {
    return;
  }
  const Address base = addresses[static_cast<std::size_t>(std::countr_zero(mask))];
  LaneOffsets offsets{};
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1U) != 0) {
      offsets[lane] = static_cast<std::int64_t>(addresses[lane] - base);
    }
  }
  s.record_access(s.sites[site], base, offsets);
  s.accessed[which] = true;
}

void RecordingBuilder::command(const AsyncOperands& operands, std::uint32_t rank) {
  access(AccessSlot::kPrimary, command_row(operands, rank, state_->shapes_of_copies), kAllLanes);
}

void RecordingBuilder::end_warp() {
  State& s = *state_;
  s.settle_last_step();
  s.close_segment();
  s.pending.paths.set(s.cta, s.warp, s.paths.intern(s.path, s.fits(std::span(s.path).size_bytes())));
  if (s.path.empty()) {
    return;
  }
  for (std::size_t i = 0; i < s.sites.size(); ++i) {
    const State::OpenSite& site = s.sites[i];
    RecordedCtas::SiteStreams& streams = s.pending.streams[i];
    streams.shapes.set(s.cta, s.warp, s.shapes.intern(site.runs, s.fits(std::span(site.runs).size_bytes())));
    if (!site.runs.empty()) {
      streams.bases.set(s.cta, s.warp, site.base);
    }
  }
}

Vocabulary RecordingBuilder::State::take_vocabulary(Level level) {
  Vocabulary taken;
  taken.segments = ranges(segments.at(level));
  taken.paths = ranges(paths.at(level));
  taken.shapes = ranges(shapes.at(level));
  taken.patterns = LanePatterns(patterns.at(level));
  for (std::uint32_t id = 0; id < taken.patterns.size(); ++id) {
    const bool remembered = level == Level::kShared && pattern_uses[id] > 1;
    if (remembered) {
      taken.patterns.unpack(id);
    }
    taken.pattern_ids.push_back(remembered ? pattern_count++ : LaneAddresses::kNoPattern);
  }
  taken.steps = segments.at(level).take();
  taken.path_items = paths.at(level).take();
  taken.runs = shapes.at(level).take();
  return taken;
}

std::size_t RecordingBuilder::State::bytes(Level level) const {
  return segments.at(level).bytes() + paths.at(level).bytes() + shapes.at(level).bytes() +
         patterns.at(level).size() * sizeof(LaneOffsets);  // as if unpacked: containers have always been cut so
}

/// Warps that never came have the empty path.
void RecordingBuilder::State::settle_missing_warps(std::uint64_t ctas) {
  begun.resize(ctas * warps_per_cta);
  for (std::uint64_t i = 0; i < begun.size(); ++i) {
    if (!begun[i]) {
      pending.paths.set(pending.first + i / warps_per_cta, static_cast<std::uint32_t>(i % warps_per_cta), 0);
    }
  }
  begun.clear();
}

RecordedCtas RecordingBuilder::State::take_ctas(std::uint64_t end) {
  const std::uint64_t count = end - pending.first;
  settle_missing_warps(count);
  RecordedCtas taken = std::exchange(pending, open(end));
  taken.count = count;
  taken.paths.extend(count);
  for (RecordedCtas::SiteStreams& site : taken.streams) {
    site.shapes.extend(count);
    site.bases.extend(count);
  }
  taken.own = take_vocabulary(Level::kOwn);
  for (OpenSite& site : sites) {
    site.pattern.reset();  // which may have been one of theirs
  }
  return taken;
}

RecordedCtas RecordingBuilder::take(std::uint64_t end) {
  return state_->take_ctas(end);
}

/// Bytes that the warp being recorded takes.
std::size_t RecordingBuilder::State::open_bytes() const {
  std::size_t sum = std::span(segment).size_bytes() + std::span(path).size_bytes();
  for (const OpenSite& site : sites) {
    sum += std::span(site.runs).size_bytes();
  }
  return sum;
}

std::size_t RecordingBuilder::pending_bytes() const {
  return state_->pending.bytes() + state_->bytes(State::Level::kOwn) + state_->open_bytes();
}

Vocabulary RecordingBuilder::take_vocabulary() {
  return state_->take_vocabulary(State::Level::kShared);
}

std::vector<TensorMap> RecordingBuilder::take_boxes() {
  return state_->shapes_of_copies.take();
}

Recording RecordingBuilder::finish() {
  State& s = *state_;
  RecordedCtas all = s.take_ctas(s.grid.volume());
  all.shared = std::make_shared<const Vocabulary>(s.take_vocabulary(State::Level::kShared));
  return {s.grid, s.instruction_sites, s.pattern_count, std::make_shared<const WholeGrid>(std::move(all)),
          take_boxes()};
}

}  // namespace gpusim::trace
