// SPDX-License-Identifier: MIT
#include <algorithm>

#include <nlohmann/json.hpp>

#include "sim/commands/roofline/report.h"
#include "sim/model/arch/schema.h"

namespace gpusim::roofline {
namespace {

using Json = nlohmann::ordered_json;

Json compute_json(const Ceiling& ceiling) {
  return {{"name", ceiling.name},
          {"rate", ceiling.rate},
          {"unit", word_of(ceiling.unit)},
          {"clock", ceiling.clock},
          {"clock_hz", ceiling.hertz}};
}

Json levels_json(const Roofs& roofs) {
  Json levels = Json::array();
  for (const Ceiling& level : roofs.levels) {
    Json ridges = Json::object();
    for (const Ceiling& compute : roofs.compute) {
      if (level.rate > 0) {
        ridges[compute.name] = Roofs::ridge(compute, level);
      }
    }
    levels.push_back({{"name", level.name},
                      {"bytes_per_second", level.rate},
                      {"clock", level.clock},
                      {"clock_hz", level.hertz},
                      {"ridge_flop_per_byte", ridges}});
  }
  return levels;
}

Json point_json(const Roofs& roofs, const Work& work) {
  const Estimate e = estimate(roofs, work);
  Json point{{"name", work.name},
             {"type", roofs.compute[work.compute].name},
             {"flops", work.flops},
             {"bytes", work.bytes},
             {"flop_per_byte", e.intensity},
             {"ridge_flop_per_byte", e.ridge},
             {"bound", to_text(e.bound)},
             {"attainable_flops_per_second", e.attainable},
             {"peak_pct", e.peak_pct},
             {"least_seconds", e.seconds}};
  if (work.seconds > 0) {
    const double reached = work.flops / work.seconds;
    point["seconds"] = work.seconds;
    point["flops_per_second"] = reached;
    point["attainable_pct"] = 100.0 * reached / e.attainable;
  }
  return point;
}

Json shape_json(const Shape& shape) {
  Json json = Json::object();
  for (const ShapeField& field : shape_fields()) {
    json[std::string(field.name)] = shape.*field.member;
  }
  json["element_bytes"] = shape.element_bytes;
  return json;
}

Json operations_json() {
  Json all = Json::array();
  for (const Operation& op : operations()) {
    all.push_back({{"name", op.name},
                   {"shape", op.shape},
                   {"flops", op.flops_formula},
                   {"bytes", op.bytes_formula},
                   {"assumes", op.assumes}});
  }
  return all;
}

Json guesses_json(const std::vector<arch::Guess>& guesses) {
  Json all = Json::array();
  for (const arch::Guess& guess : guesses) {
    all.push_back(
        {{"key", guess.key}, {"value", guess.value}, {"kind", source_kind_text(guess.kind)}, {"source", guess.source}});
  }
  return all;
}

}  // namespace

std::string to_json(const Report& report) {
  Json json{{"schema", "gpusim.roofline/1"}, {"machine", report.roofs.machine}};
  json["compute"] = Json::array();
  for (const Ceiling& compute : report.roofs.compute) {
    json["compute"].push_back(compute_json(compute));
  }
  json["levels"] = levels_json(report.roofs);
  json["level"] = report.roofs.levels[report.roofs.level].name;
  json["points"] = Json::array();
  for (const Work& work : report.points) {
    json["points"].push_back(point_json(report.roofs, work));
  }
  if (report.shape) {
    json["shape"] = shape_json(*report.shape);
    json["operations"] = operations_json();
  }
  json["remarks"] = report.remarks;
  json["guesses"] = guesses_json(report.guesses);
  // Names come from the command line and from files: what is not UTF-8 is replaced, not refused.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::roofline
