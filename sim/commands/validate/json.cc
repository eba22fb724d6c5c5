// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "sim/commands/validate/metric.h"
#include "sim/commands/validate/report.h"

namespace gpusim::validate {
namespace {

using Json = nlohmann::ordered_json;

Json summary_json(const Summary& summary) {
  Json json{{"cases", summary.cases},
            {"mean_abs_error_pct", summary.mean_abs_error_pct},
            {"median_abs_error_pct", summary.median_abs_error_pct},
            {"p90_abs_error_pct", summary.p90_abs_error_pct},
            {"max_abs_error_pct", summary.max_abs_error_pct},
            {"mean_error_pct", summary.mean_error_pct},
            {"log_correlation", summary.log_correlation},
            {"outside_tolerance", summary.outside}};
  return json;
}

Json groups_json(std::span<const Group> groups) {
  Json json = Json::array();
  for (const Group& group : groups) {
    json.push_back(summary_json(group.summary));
    json.back()["name"] = group.name;
  }
  return json;
}

Json case_json(const Outcome& outcome) {
  const Case& of = outcome.of;
  Json json{{"id", of.id}, {"suite", of.suite}, {"gpu", of.gpu}, {"arch", outcome.arch}, {"metric", of.metric}};
  json["mechanism"] = of.mechanism;
  json["file"] = std::filesystem::path(of.where.file).filename().string();
  json["line"] = of.where.line;
  json["slow"] = of.slow;
  json["simulated"] = outcome.simulated ? Json(*outcome.simulated) : Json(nullptr);
  json["measured"] = outcome.measured;
  if (of.measured.is_range()) {
    json["measured_range"] = {of.measured.low, of.measured.high};
  }
  json["unit"] = of.unit;
  json["error_pct"] = outcome.error_pct;
  if (of.is_word()) {  // whose numbers mean nothing outside the program
    for (const char* const key : {"simulated", "measured", "error_pct"}) {
      json[key] = nullptr;
    }
    json["simulated_word"] = outcome.simulated ? Json(word_of_metric(of.metric, *outcome.simulated)) : Json(nullptr);
    json["measured_word"] = of.measured_word;
    json["word_counted"] = of.counted && outcome.simulated.has_value();
  }
  json["tolerance"] = std::isfinite(of.tolerance.value) ? Json(of.tolerance.value) : Json(nullptr);
  json["tolerance_is_percent"] = of.tolerance.is_percent;
  json["within_tolerance"] = outcome.is_within();
  json["source"] = of.source;
  json["confidence"] = kConfidenceNames[static_cast<std::size_t>(of.confidence)];
  json["counted"] = outcome.is_counted();
  json["note"] = of.note;
  if (of.is_kernel()) {
    json["kind"] = of.kind;
    json["missing"] = of.missing;
    json["clock_mhz"] = of.clock_mhz > 0 ? Json(of.clock_mhz) : Json(nullptr);  // null: that of the architecture
    json["unlocked"] = of.is_unlocked;
    json["cache"] = cache_state_text(of.cache);
    json["refusal"] = outcome.refusal;
    json["fault"] = outcome.fault;
  }
  return json;
}

}  // namespace

std::string to_json(std::span<const Outcome> outcomes, bool complete) {
  Json cases = Json::array();
  for (const Outcome& outcome : outcomes) {
    cases.push_back(case_json(outcome));
  }
  Json summary = summary_json(summarize(outcomes));
  summary["shown"] = outcomes.size();
  if (const Words words = words_of(outcomes); words.cases > 0) {
    summary["words"] = words.cases;
    summary["equal_words"] = words.equal;
  }
  Json json{{"schema", kSchema}, {"complete", complete}, {"cases", std::move(cases)}, {"summary", std::move(summary)}};
  if (has_kernels(outcomes)) {
    json["by_kind"] = groups_json(by_kind(outcomes));
    json["by_part"] = groups_json(by_part(outcomes));
  }
  if (const std::vector<Group> mechanisms = by_mechanism(outcomes); !mechanisms.empty()) {
    json["by_mechanism"] = groups_json(mechanisms);
  }
  // Texts come from files: what is not UTF-8 is replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::validate
