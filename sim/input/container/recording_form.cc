// SPDX-License-Identifier: MIT
#include "sim/input/container/recording_form.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/input/container/columns.h"
#include "sim/input/container/form.pb.h"
#include "sim/input/container/table.h"

namespace gpusim::container {
namespace {

using trace::RecordedCtas;
using trace::Vocabulary;
using trace::WarpColumn;
using Column = google::protobuf::RepeatedField<std::uint32_t>;

/// How many entries the kernel's vocabulary has: those of CTAs are numbered from there on.
struct VocabularySizes {
  VocabularySizes() = default;
  explicit VocabularySizes(const Vocabulary& vocabulary)
      : segments(vocabulary.segments.size()),
        paths(vocabulary.paths.size()),
        shapes(vocabulary.shapes.size()),
        patterns(vocabulary.patterns.size()) {}

  std::size_t segments = 0;
  std::size_t paths = 0;
  std::size_t shapes = 0;
  std::size_t patterns = 0;
};

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
  for (std::uint32_t i = 0; i < in.patterns.size(); ++i) {
    out.add_remembered(in.pattern_ids[i] != trace::LaneAddresses::kNoPattern ? 1 : 0);
    Differences first;
    Differences second;
    for (const std::int64_t offset : in.patterns.at(i)) {
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
      Differences first;
      Differences second;
      trace::LaneOffsets offsets{};
      for (std::int64_t& offset : offsets) {
        const std::uint64_t step = second.sum(in_.offsets(at++));
        offset = static_cast<std::int64_t>(first.sum(static_cast<std::int64_t>(step)));
      }
      const auto id = static_cast<std::uint32_t>(out_.patterns.size());
      out_.patterns.add(offsets);
      if (remembered != 0) {
        out_.patterns.unpack(id);
      }
      out_.pattern_ids.push_back(remembered != 0 ? ids++ : trace::LaneAddresses::kNoPattern);
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

using Values = google::protobuf::RepeatedField<std::int64_t>;

/// The rows of a column less what the entries before let expect.
void encode_rows(std::span<const std::uint64_t> rows, const TableShape& shape, Values& out) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.Add(static_cast<std::int64_t>(rows[i] - expected(rows, i, shape)));
  }
}

void encode_column(const WarpColumn& column, WarpColumn::Kind kind, const TableShape& shape, form::Ctas& out) {
  out.add_tables(column.is_expression() ? 0 : 1);
  if (!column.is_expression()) {
    encode_rows(column.table(), shape, *out.mutable_values());
    return;
  }
  if (kind == WarpColumn::Kind::kAddresses) {
    for (const std::uint64_t coefficient : column.coefficients()) {
      out.add_values(static_cast<std::int64_t>(coefficient));
    }
  }
  encode_rows(column.row(), shape, *out.mutable_values());
}

/// Takes the columns of CTAs one after the other.
class ColumnDecoder {
 public:
  ColumnDecoder(const form::Ctas& in, const RecordingFrame& frame, std::uint64_t first, std::uint64_t count,
                const std::string& file)
      : in_(in),
        frame_{first, frame.warps_per_cta, frame.grid},
        shape_{first, frame.warps_per_cta, frame.grid.x},
        count_(count),
        file_(file) {}

  WarpColumn next(WarpColumn::Kind kind) {
    check(column_ < in_.tables_size());
    if (in_.tables(column_++) != 0) {
      check(count_ <= left() / frame_.warps);
      return {frame_, rows(count_)};
    }
    WarpColumn::Coefficients coefficients{};
    if (kind == WarpColumn::Kind::kAddresses) {
      check(left() >= coefficients.size());
      for (std::uint64_t& coefficient : coefficients) {
        coefficient = static_cast<std::uint64_t>(in_.values(value_++));
      }
    }
    check(left() >= frame_.warps);
    return {frame_, coefficients, rows(1)};
  }

  /// A column of numbers below `end`.
  WarpColumn ids(std::size_t end) {
    WarpColumn column = next(WarpColumn::Kind::kIds);
    const std::span<const std::uint64_t> all = column.is_expression() ? column.row() : column.table();
    check(std::ranges::all_of(all, [&](std::uint64_t id) { return id < end; }));
    return column;
  }

  void finish() const { check(column_ == in_.tables_size() && left() == 0); }

 private:
  void check(bool holds) const { require(holds, file_, "columns of warps"); }
  [[nodiscard]] std::uint64_t left() const { return static_cast<std::uint64_t>(in_.values_size() - value_); }

  std::vector<std::uint64_t> rows(std::uint64_t ctas) {
    std::vector<std::uint64_t> table;
    const std::uint64_t count = ctas * frame_.warps;
    table.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      table.push_back(expected(table, i, shape_) + static_cast<std::uint64_t>(in_.values(value_++)));
    }
    return table;
  }

  const form::Ctas& in_;
  WarpColumn::Frame frame_;
  TableShape shape_;
  std::uint64_t count_;
  const std::string& file_;
  int column_ = 0;  ///< the next
  int value_ = 0;   ///< its first
};

}  // namespace

std::string encode_vocabulary(const Vocabulary& vocabulary) {
  form::Vocabulary out;
  fill(vocabulary, out);
  return out.SerializeAsString();
}

Vocabulary decode_vocabulary(std::string_view message, const RecordingFrame& frame, std::uint32_t patterns,
                             const std::string& file) {
  form::Vocabulary in;
  if (!in.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    fail_damaged(file, "a vocabulary cannot be read");
  }
  Vocabulary out = VocabularyDecoder(in, frame, {}, file).decode();
  std::uint32_t ids = 0;
  for (const std::uint32_t id : out.pattern_ids) {
    ids += id != trace::LaneAddresses::kNoPattern ? 1 : 0;
  }
  require(ids == patterns, file, "patterns of addresses");
  return out;
}

std::string encode_ctas(const RecordedCtas& ctas, const RecordingFrame& frame) {
  form::Ctas out;
  fill(ctas.own, *out.mutable_own());
  const TableShape shape{ctas.first, frame.warps_per_cta, frame.grid.x};
  encode_column(ctas.paths, WarpColumn::Kind::kIds, shape, out);
  for (const RecordedCtas::SiteStreams& site : ctas.streams) {
    encode_column(site.shapes, WarpColumn::Kind::kIds, shape, out);
    encode_column(site.bases, WarpColumn::Kind::kAddresses, shape, out);
  }
  return out.SerializeAsString();
}

RecordedCtas decode_ctas(std::string_view message, const RecordingFrame& frame,
                         std::shared_ptr<const Vocabulary> shared, std::uint64_t first, std::uint64_t count,
                         const std::string& file) {
  form::Ctas in;
  if (!in.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    fail_damaged(file, "CTAs cannot be read");
  }
  const VocabularySizes sizes(*shared);
  RecordedCtas out({first, frame.warps_per_cta, frame.grid}, 0);
  out.count = count;
  out.shared = std::move(shared);
  out.own = VocabularyDecoder(in.own(), frame, sizes, file).decode();
  out.own.pattern_ids.assign(out.own.patterns.size(), trace::LaneAddresses::kNoPattern);
  ColumnDecoder columns(in, frame, first, count, file);
  out.paths = columns.ids(sizes.paths + out.own.paths.size());
  for (std::size_t site = 0; site < frame.sites.size(); ++site) {
    WarpColumn shapes = columns.ids(sizes.shapes + out.own.shapes.size());
    out.streams.push_back({std::move(shapes), columns.next(WarpColumn::Kind::kAddresses)});
  }
  columns.finish();
  check_addresses(out, frame.grid, frame.sites, file);
  return out;
}

}  // namespace gpusim::container
