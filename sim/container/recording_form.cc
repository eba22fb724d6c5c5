// SPDX-License-Identifier: MIT
#include "sim/container/recording_form.h"

#include <optional>
#include <utility>

#include "sim/container/columns.h"
#include "sim/container/form.pb.h"
#include "sim/container/table.h"

namespace gpusim::container {
namespace {

using trace::RecordedCtas;
using trace::Vocabulary;
using Column = google::protobuf::RepeatedField<std::uint32_t>;

void encode_sizes(const std::vector<Vocabulary::Range>& ranges, Column& out) {
  for (const Vocabulary::Range& range : ranges) {
    out.Add(range.count);
  }
}

void encode_steps(const Vocabulary& in, form::Vocabulary& out) {
  encode_sizes(in.segments, *out.mutable_segment_sizes());
  std::uint32_t next = 0;
  LaneMask active = kAllLanes;
  for (const trace::Step& step : in.steps) {
    out.add_pcs(static_cast<std::int32_t>(step.pc - next));
    out.add_active(step.active ^ active);
    out.add_masks(step.mask ^ step.active);
    next = step.pc + 1;
    active = step.active;
  }
}

void encode_paths(const Vocabulary& in, form::Vocabulary& out) {
  encode_sizes(in.paths, *out.mutable_path_sizes());
  Differences segments;
  for (const Vocabulary::PathItem& item : in.path_items) {
    out.add_path_segments(segments.of(item.segment));
    out.add_path_repeats(item.repeats);
  }
}

void encode_shapes(const Vocabulary& in, form::Vocabulary& out) {
  encode_sizes(in.shapes, *out.mutable_shape_sizes());
  Differences patterns;
  for (const Vocabulary::AddressRun& run : in.runs) {
    out.add_run_deltas(run.delta);
    out.add_run_strides(run.stride);
    out.add_run_counts(run.count);
    out.add_run_patterns(patterns.of(run.pattern));
  }
}

void encode_patterns(const Vocabulary& in, form::Vocabulary& out) {
  for (std::size_t i = 0; i < in.patterns.size(); ++i) {
    out.add_remembered(in.pattern_ids[i] != trace::LaneAddresses::kNoPattern ? 1 : 0);
    Differences first;
    Differences second;
    for (const std::int64_t offset : in.patterns[i]) {
      const std::int64_t step = first.of(static_cast<std::uint64_t>(offset));
      out.add_offsets(second.of(static_cast<std::uint64_t>(step)));
    }
  }
}

void fill(const Vocabulary& in, form::Vocabulary& out) {
  encode_steps(in, out);
  encode_paths(in, out);
  encode_shapes(in, out);
  encode_patterns(in, out);
}

class VocabularyDecoder {
 public:
  VocabularyDecoder(const form::Vocabulary& in, const RecordingFrame& frame, const VocabularySizes& shared,
                    const std::string& file)
      : in_(in), frame_(frame), shared_(shared), file_(file) {}

  Vocabulary decode() {
    steps();
    patterns();
    shapes();
    paths();
    return std::move(out_);
  }

 private:
  void check(bool holds, const char* what) const { require(holds, file_, what); }

  std::vector<Vocabulary::Range> ranges(const Column& sizes, int items, bool may_be_empty, const char* what) const {
    std::vector<Vocabulary::Range> out;
    out.reserve(static_cast<std::size_t>(sizes.size()));
    std::uint64_t first = 0;
    for (const std::uint32_t size : sizes) {
      check((size != 0 || may_be_empty) && first + size <= static_cast<std::uint64_t>(items), what);
      out.push_back({static_cast<std::uint32_t>(first), size});
      first += size;
    }
    check(first == static_cast<std::uint64_t>(items), what);
    return out;
  }

  void steps() {
    constexpr const char* kWhat = "recorded instructions";
    check(in_.active_size() == in_.pcs_size() && in_.masks_size() == in_.pcs_size(), kWhat);
    out_.segments = ranges(in_.segment_sizes(), in_.pcs_size(), false, kWhat);
    std::uint32_t next = 0;
    LaneMask active = kAllLanes;
    out_.steps.reserve(static_cast<std::size_t>(in_.pcs_size()));
    for (int i = 0; i < in_.pcs_size(); ++i) {
      const std::uint32_t pc = next + static_cast<std::uint32_t>(in_.pcs(i));
      active ^= in_.active(i);
      const LaneMask mask = in_.masks(i) ^ active;
      check(pc < frame_.instructions && (mask & ~active) == 0, kWhat);
      out_.steps.push_back({pc, active, mask});
      next = pc + 1;
    }
  }

  void patterns() {
    constexpr const char* kWhat = "patterns of addresses";
    check(in_.offsets_size() == std::int64_t{in_.remembered_size()} * kWarpLanes, kWhat);
    std::uint32_t ids = 0;
    int at = 0;
    for (const std::uint32_t remembered : in_.remembered()) {
      out_.pattern_ids.push_back(remembered != 0 ? ids++ : trace::LaneAddresses::kNoPattern);
      Differences first;
      Differences second;
      for (std::int64_t& offset : out_.patterns.emplace_back()) {
        const std::uint64_t step = second.sum(in_.offsets(at++));
        offset = static_cast<std::int64_t>(first.sum(static_cast<std::int64_t>(step)));
      }
    }
  }

  void shapes() {
    constexpr const char* kWhat = "sequences of addresses";
    const int count = in_.run_deltas_size();
    check(in_.run_strides_size() == count && in_.run_counts_size() == count && in_.run_patterns_size() == count, kWhat);
    out_.shapes = ranges(in_.shape_sizes(), count, true, kWhat);
    Differences patterns;
    out_.runs.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      const std::uint64_t pattern = patterns.sum(in_.run_patterns(i));
      check(in_.run_counts(i) != 0 && pattern < shared_.patterns + out_.patterns.size(), kWhat);
      out_.runs.push_back(
          {in_.run_deltas(i), in_.run_strides(i), in_.run_counts(i), static_cast<std::uint32_t>(pattern)});
    }
  }

  void paths() {
    constexpr const char* kWhat = "paths of warps";
    check(in_.path_segments_size() == in_.path_repeats_size(), kWhat);
    out_.paths = ranges(in_.path_sizes(), in_.path_repeats_size(), true, kWhat);
    Differences segments;
    out_.path_items.reserve(static_cast<std::size_t>(in_.path_repeats_size()));
    for (int i = 0; i < in_.path_repeats_size(); ++i) {
      const std::uint64_t segment = segments.sum(in_.path_segments(i));
      check(in_.path_repeats(i) != 0 && segment < shared_.segments + out_.segments.size(), kWhat);
      out_.path_items.push_back({static_cast<std::uint32_t>(segment), in_.path_repeats(i)});
    }
  }

  const form::Vocabulary& in_;
  const RecordingFrame& frame_;
  const VocabularySizes& shared_;
  const std::string& file_;
  Vocabulary out_;
};

using Table = google::protobuf::RepeatedField<std::int64_t>;

/// Appends a table's entries less what those before let expect; `entry(i)` is nothing where the entry does not matter.
template <class Entry>
void encode_table(std::size_t count, const TableShape& shape, const Entry& entry, Table& out) {
  std::vector<std::uint64_t> table;
  table.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t guess = expected(table, i, shape);
    const std::uint64_t value = entry(i).value_or(guess);
    out.Add(static_cast<std::int64_t>(value - guess));
    table.push_back(value);
  }
}

/// The same the other way: the table that begins at `from`.
std::vector<std::uint64_t> decode_table(const Table& in, std::size_t from, std::size_t count, const TableShape& shape) {
  std::vector<std::uint64_t> table;
  table.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    table.push_back(expected(table, i, shape) + static_cast<std::uint64_t>(in[static_cast<int>(from + i)]));
  }
  return table;
}

TableShape shape_of(const RecordingFrame& frame, std::uint64_t first) {
  return {first, frame.warps_per_cta, frame.grid.x};
}

}  // namespace

std::string encode_vocabulary(const Vocabulary& vocabulary) {
  form::Vocabulary out;
  fill(vocabulary, out);
  return out.SerializeAsString();
}

Vocabulary decode_vocabulary(std::string_view message, const RecordingFrame& frame, const std::string& file) {
  form::Vocabulary in;
  if (!in.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    fail_damaged(file, "a vocabulary cannot be read");
  }
  const VocabularySizes none;
  return VocabularyDecoder(in, frame, none, file).decode();
}

std::string encode_ctas(const RecordedCtas& ctas, const RecordingFrame& frame) {
  using Entry = std::optional<std::uint64_t>;
  form::Ctas out;
  fill(ctas.own, *out.mutable_own());
  const TableShape shape = shape_of(frame, ctas.first);
  const std::size_t count = ctas.warps.size();
  encode_table(
      count, shape, [&](std::size_t i) { return Entry(ctas.warps[i].path); }, *out.mutable_paths());
  for (std::uint32_t site = 0; site < frame.sites; ++site) {
    // A warp without a path has no streams; a stream without accesses has no base.
    const auto stream = [&](std::size_t i) -> const RecordedCtas::SiteStream* {
      return ctas.warps[i].path == 0 ? nullptr : &ctas.streams[ctas.warps[i].first_stream + site];
    };
    const auto shape_at = [&](std::size_t i) { return Entry(stream(i) == nullptr ? 0 : stream(i)->shape); };
    const auto base_at = [&](std::size_t i) { return shape_at(i) == 0U ? Entry() : Entry(stream(i)->base); };
    encode_table(count, shape, shape_at, *out.mutable_shapes());
    encode_table(count, shape, base_at, *out.mutable_bases());
  }
  return out.SerializeAsString();
}

RecordedCtas decode_ctas(std::string_view message, const RecordingFrame& frame, const VocabularySizes& shared,
                         std::uint64_t first, std::uint64_t count, const std::string& file) {
  form::Ctas in;
  if (!in.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    fail_damaged(file, "CTAs cannot be read");
  }
  constexpr const char* kWhat = "tables of warps";
  const auto warps = static_cast<std::size_t>(in.paths_size());
  require(warps == count * frame.warps_per_cta, file, kWhat);
  const std::size_t streams = warps * frame.sites;
  require(static_cast<std::size_t>(in.shapes_size()) == streams, file, kWhat);
  require(static_cast<std::size_t>(in.bases_size()) == streams, file, kWhat);
  RecordedCtas out{first,
                   count,
                   std::vector<RecordedCtas::SiteStream>(streams),
                   {},
                   VocabularyDecoder(in.own(), frame, shared, file).decode()};
  out.own.pattern_ids.assign(out.own.patterns.size(), trace::LaneAddresses::kNoPattern);
  const TableShape shape = shape_of(frame, first);
  std::uint64_t first_stream = 0;
  for (const std::uint64_t path : decode_table(in.paths(), 0, warps, shape)) {
    require(path < shared.paths + out.own.paths.size(), file, kWhat);
    out.warps.push_back({static_cast<std::uint32_t>(path), first_stream});
    first_stream += frame.sites;
  }
  for (std::size_t site = 0; site < frame.sites; ++site) {
    const std::vector<std::uint64_t> shapes = decode_table(in.shapes(), site * warps, warps, shape);
    const std::vector<std::uint64_t> bases = decode_table(in.bases(), site * warps, warps, shape);
    for (std::size_t i = 0; i < warps; ++i) {
      require(shapes[i] < shared.shapes + out.own.shapes.size(), file, kWhat);
      out.streams[i * frame.sites + site] = {bases[i], static_cast<std::uint32_t>(shapes[i])};
    }
  }
  return out;
}

}  // namespace gpusim::container
