// SPDX-License-Identifier: MIT
#include <limits>

#include "sim/commands/occupancy/analysis.h"
#include "sim/commands/occupancy/json_parts.h"
#include "sim/model/arch/schema.h"

namespace gpusim::occupancy {
namespace {

Json limits_json(const stats::Occupancy& occupancy) {
  Json limits;
  for (std::size_t i = 0; i < occupancy.limit.size(); ++i) {
    const bool is_limit = occupancy.limit[i] != std::numeric_limits<std::uint32_t>::max();
    limits[std::string(stats::kLimiterNames[i])] = is_limit ? Json(occupancy.limit[i]) : Json();
  }
  return limits;
}

Json excesses_json(const Analysis& analysis) {
  Json list = Json::array();
  for (const Excess& excess : analysis.excesses) {
    list.push_back({{"limit", stats::kLimiterNames[static_cast<std::size_t>(excess.limiter)]},
                    {"what", excess.what},
                    {"allowed", excess.limit},
                    {"over", excess.over},
                    {"unit", excess.unit}});
  }
  return list;
}

Json curves_json(const Analysis& analysis) {
  Json curves;
  for (std::size_t i = 0; i < analysis.curves.size(); ++i) {
    const Knob knob = kCurves[i];
    const std::string name(stats::kKnobNames[static_cast<std::size_t>(knob)]);
    const std::uint64_t now = value_of(analysis.shape, knob);
    curves[name] = Json::array();
    for (const Point& point : analysis.curves[i]) {
      curves[name].push_back({{"value", point.value},
                              {"ctas_per_sm", point.ctas_per_sm},
                              {"occupancy_pct", point.occupancy_pct},
                              {"present", point.value == now}});
    }
  }
  return curves;
}

Json guesses_json(const Analysis& analysis) {
  Json list = Json::array();
  for (const arch::Guess& guess : analysis.guesses) {
    list.push_back(
        {{"key", guess.key}, {"value", guess.value}, {"kind", source_kind_text(guess.kind)}, {"source", guess.source}});
  }
  return list;
}

}  // namespace

Json launch_json(const LaunchShape& shape) {
  return {{"registers_per_thread", shape.registers_per_thread},
          {"threads_per_cta", shape.threads_per_cta},
          {"static_shared_bytes", shape.static_shared_bytes},
          {"dynamic_shared_bytes", shape.dynamic_shared_bytes},
          {"carveout_percent", shape.carveout_percent == kDriversCarveout ? Json() : Json(shape.carveout_percent)},
          {"barriers", shape.barriers},
          {"opt_in", shape.opt_in}};
}

void add_residency(Json& json, const Residency& residency) {
  const stats::Occupancy& occupancy = residency.occupancy;
  Json limiters = Json::array();
  for (const stats::Limiter limiter : occupancy.limiters) {
    limiters.push_back(stats::kLimiterNames[static_cast<std::size_t>(limiter)]);
  }
  json["ctas_per_sm"] = occupancy.ctas_per_sm;
  json["warps_per_cta"] = occupancy.warps_per_cta;
  json["warps_per_sm"] = occupancy.ctas_per_sm * occupancy.warps_per_cta;
  json["max_warps_per_sm"] = occupancy.max_warps_per_sm;
  json["occupancy_pct"] = occupancy.theoretical_pct();
  json["limiters"] = limiters;
  json["limit"] = limits_json(occupancy);
  json["allocated_registers_per_cta"] = residency.registers_per_cta;
  json["allocated_shared_bytes_per_cta"] = residency.shared_bytes_per_cta;
  json["shared_carveout_bytes"] = occupancy.shared_carveout_bytes;
  json["l1_bytes"] = occupancy.l1_bytes;
}

Json clusters_json(const LaunchShape& shape, std::uint64_t resident) {
  return {{"ctas_per_cluster", shape.ctas_per_cluster},
          {"resident_clusters", resident},
          {"resident_ctas", resident * shape.ctas_per_cluster}};
}

Json proposals_json(std::span<const Proposal> proposals) {
  Json list = Json::array();
  for (const Proposal& proposal : proposals) {
    Json changes = Json::array();
    for (const Change& change : proposal.changes) {
      changes.push_back({{"what", stats::kKnobNames[static_cast<std::size_t>(change.knob)]},
                         {"from", change.from},
                         {"to", change.to}});
    }
    list.push_back({{"changes", changes},
                    {"ctas_per_sm", proposal.ctas_per_sm},
                    {"occupancy_pct", proposal.occupancy_pct},
                    {"relative_change", proposal.relative_change}});
  }
  return list;
}

std::string to_json(const Analysis& analysis) {
  Json json{
      {"schema", "gpusim.occupancy/1"},
      {"arch", {{"name", analysis.arch_name}, {"path", analysis.arch_path}, {"maturity", analysis.arch_maturity}}},
      {"launch", launch_json(analysis.shape)}};
  add_residency(json, analysis.residency);
  json["excesses"] = excesses_json(analysis);
  json["clusters"] = analysis.clusters ? clusters_json(analysis.shape, *analysis.clusters) : Json();
  json["proposals"] = proposals_json(analysis.proposals);
  json["notes"] = analysis.notes;
  json["curves"] = curves_json(analysis);
  json["guesses"] = guesses_json(analysis);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::occupancy
