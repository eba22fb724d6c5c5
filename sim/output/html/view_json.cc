// SPDX-License-Identifier: MIT
#include "sim/output/html/view_json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/model/isa/decode.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/model/stats/kernel_record.h"
#include "sim/model/stats/occupancy.h"
#include "sim/output/report/verdict.h"
#include "sim/output/view/kernel_names.h"

namespace gpusim::html {
namespace {

using Json = nlohmann::ordered_json;
using report::KernelView;

Json states_json() {
  Json out = Json::array();
  for (const stats::StallInfo& state : stats::kStalls) {
    out.push_back({{"key", state.key},
                   {"label", state.label},
                   {"glyph", std::string(1, state.glyph)},
                   {"detail", stats::kStallDetails[static_cast<std::size_t>(state.detail)]},
                   {"what", state.what},
                   {"remedy", state.remedy},
                   {"releaser", state.releaser},
                   {"obstacle", state.obstacle}});
  }
  return out;
}

Json units_json(const KernelView& view) {
  Json out = Json::array();
  for (const report::UnitRow& unit : view.units) {
    out.push_back({{"name", unit.name},
                   {"pct", unit.pct},
                   {"note", unit.note},
                   {"bounds", unit.bound == view.bound},
                   {"deciding_pct", unit.deciding_pct}});
  }
  return out;
}

/// Traffic between two boxes of the memory chart. What is unknown is null.
struct Link {
  std::string_view from;
  std::string_view to;
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;
  std::optional<double> peak_pct{};
  std::optional<double> hit_pct{};  ///< hit rate of the box `to`
};

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json links_json(const KernelView& view) {
  const stats::KernelCounts& counts = view.counts;
  const std::uint64_t l1_reads = counts.l1.load_sectors + counts.l1.bypass_sectors;
  const std::uint64_t l1_writes = counts.l1.store_sectors + counts.l1.atomic_sectors;
  const std::array links{
      Link{"SM", "Shared", counts.sm.shared_read_bytes, counts.sm.shared_write_bytes, view.throughput.shared_pct},
      Link{"SM", "L1", l1_reads * kSectorBytes, l1_writes * kSectorBytes, view.throughput.l1_stage_pct,
           view.levels[0].hit_pct},
      Link{"L1", "L2", counts.l2.read_sectors * kSectorBytes,
           (counts.l2.write_sectors + counts.l2.atomic_sectors) * kSectorBytes, view.throughput.l2_slices_pct,
           view.levels[2].hit_pct},
      Link{"L2", "L2 far half", counts.l2.far_sectors * kSectorBytes, 0, std::nullopt,
           counts.l2.far_sectors == 0 ? std::nullopt
                                      : std::optional(report::percent(static_cast<double>(counts.l2.far_hits),
                                                                      static_cast<double>(counts.l2.far_sectors)))},
      Link{"L2", "DRAM", counts.dram.read_bytes, counts.dram.write_bytes, view.throughput.dram_pct},
  };
  Json out = Json::array();
  for (const Link& link : links) {
    out.push_back({{"from", link.from},
                   {"to", link.to},
                   {"read_bytes", link.read_bytes},
                   {"write_bytes", link.write_bytes},
                   {"peak_pct", or_null(link.peak_pct)},
                   {"hit_pct", or_null(link.hit_pct)}});
  }
  return out;
}

/// What a page calls the property that a curve is over, by Knob.
constexpr std::array<std::string_view, stats::kKnobNames.size()> kCurveNames{
    "threads a CTA", "registers a thread", "shared memory a CTA (bytes)", "barriers a CTA"};

Json occupancy_json(const KernelView& view) {
  Json curves = Json::array();
  if (view.record != nullptr && view.has_details) {
    for (const stats::OccupancyCurve& curve : view.record->occupancy_curves) {
      curves.push_back({{"name", kCurveNames[static_cast<std::size_t>(curve.of)]},
                        {"x", curve.values},
                        {"warps", curve.warps},
                        {"at", curve.at}});
    }
  }
  Json limiters = Json::array();
  for (const stats::Limiter limiter : view.counts.occupancy.limiters) {
    limiters.push_back(stats::kLimiterNames[static_cast<std::size_t>(limiter)]);
  }
  return {{"theoretical_pct", view.counts.occupancy.theoretical_pct()},
          {"achieved_pct", view.achieved_pct},
          {"limiters", std::move(limiters)},
          {"curves", std::move(curves)}};
}

/// The pipe that each instruction issues to, in code order.
Json instructions_json(const KernelView& view) {
  Json out = Json::array();
  for (std::size_t i = 0; i < view.instructions.size(); ++i) {
    const isa::Pipe pipe = isa::decode_opcode(view.instructions[i].opcode).pipe();
    out.push_back({{"index", i}, {"pipe", view.pipes[static_cast<std::size_t>(pipe)].name}});
  }
  return out;
}

/// Empty where each kernel has a name of its own: the list of kernels says it all then.
Json names_json(const report::View& view) {
  const std::vector<report::KernelNameRow> rows = report::kernels_by_name(view);
  Json out = Json::array();
  if (rows.size() == view.kernels.size()) {
    return out;
  }
  for (const report::KernelNameRow& row : rows) {
    out.push_back({{"name", row.name},
                   {"instances", row.instances},
                   {"time_pct", row.time_pct},
                   {"total_us", row.total_us},
                   {"average_us", row.average_us},
                   {"median_us", row.median_us},
                   {"least_us", row.least_us},
                   {"most_us", row.most_us},
                   {"deviation_us", row.deviation_us}});
  }
  return out;
}

}  // namespace

std::string view_json(const report::View& view) {
  Json kernels = Json::array();
  for (const KernelView& kernel : view.kernels) {
    kernels.push_back({{"verdict", report::verdict(kernel)},
                       {"units", units_json(kernel)},
                       {"links", links_json(kernel)},
                       {"occupancy", occupancy_json(kernel)},
                       {"details_left_out", !kernel.has_details},
                       {"instructions", kernel.has_details ? instructions_json(kernel) : Json::array()}});
  }
  const Json root{{"states", states_json()}, {"kernel_names", names_json(view)}, {"kernels", std::move(kernels)}};
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gpusim::html
