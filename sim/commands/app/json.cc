// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "sim/commands/app/report.h"
#include "sim/commands/app/uses.h"

namespace gpusim::app {
namespace {

using Json = nlohmann::ordered_json;

Json rows_json(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) {
    list.push_back({{"name", row.name},
                    {"count", row.count},
                    {"total_us", row.total / kNsPerUs},
                    {"mean_us", row.average() / kNsPerUs},
                    {"median_us", row.median / kNsPerUs},
                    {"min_us", row.least / kNsPerUs},
                    {"max_us", row.most / kNsPerUs}});
    if (row.bytes.total > 0) {
      list.back()["bytes"] = row.bytes.total;
    }
  }
  return list;
}

Json kernels_json(const Report& report) {
  Json list = rows_json(report.kernels);
  for (std::size_t i = 0; i < report.kernels.size(); ++i) {
    const run::KernelCost& cost = report.times.costs[report.times.gpus.front().cost_row][report.kernels[i].kernel];
    list[i]["time_is"] = run::word_of(cost.how);
    list[i]["alone_us"] = report.kernels[i].alone / kNsPerUs;
    if (!cost.note.empty()) {
      list[i]["note"] = note_of(report.kernels[i], cost);
    }
    list[i]["slowdown_on_half_sms"] = cost.slowdown_on_half();
    list[i]["slowdown_is"] = run::how_slowdown_is_known(cost);
  }
  return list;
}

Json gpus_json(const Report& report) {
  Json list = Json::array();
  const double ns = report.timeline.end - report.timeline.begin;
  for (std::size_t i = 0; i < report.timeline.gpus.size(); ++i) {
    const run::GpuUse& gpu = report.timeline.gpus[i];
    const MfuPeak& peak = report.times.peaks[report.times.gpus[i].cost_row];
    list.push_back({{"name", gpu.name}, {"arch", gpu.arch}});
    for (const UseRow& row : kUses) {
      list.back()[std::string(row.key)] = row.of(gpu.usage, ns, peak.flops_per_ns);
    }
    list.back()["mfu_peak"] = peak.name;
    if (gpu.memory.peak_allocated > 0) {
      Json categories = Json::object();
      for (std::size_t c = 0; c < gpu.memory.at_peak.size(); ++c) {
        categories[report.application.categories[c]] = gpu.memory.at_peak[c];
      }
      list.back()["memory"] = {{"peak_allocated_bytes", gpu.memory.peak_allocated},
                               {"peak_reserved_bytes", gpu.memory.peak_reserved},
                               {"at_peak_bytes", categories}};
    }
  }
  return list;
}

}  // namespace

std::string to_json(const Report& report) {
  Json causes = Json::object();
  for (std::size_t i = 0; i < run::kCauses.size(); ++i) {
    causes[std::string(run::kCauses[i].key)] = report.causes[i] / kNsPerUs;
  }
  Json path = Json::array();
  for (const PathRow& row : report.path) {
    path.push_back({{"name", row.name}, {"us", row.ns / kNsPerUs}});
  }
  const Json root{{"schema", "gpusim.app/1"},
                  {"application", report.application.name},
                  {"system", report.system},
                  {"step_us", report.timeline.step_ns() / kNsPerUs},
                  {"rounds", report.timeline.repeats},
                  {"verdict", verdict(report)},
                  {"causes", causes},
                  {"gpus", gpus_json(report)},
                  {"kernels", kernels_json(report)},
                  {"collectives", rows_json(report.collectives)},
                  {"copies", rows_json(report.copies)},
                  {"calls", rows_json(report.calls)},
                  {"work", rows_json(report.work)},
                  {"ranges", rows_json(report.ranges)},
                  {"critical_path", path}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::app
