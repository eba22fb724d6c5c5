// SPDX-License-Identifier: MIT
// The answer to --why for programs.
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/model/stats/result.h"
#include "sim/output/timeline/why_words.h"
#include "sim/output/view/instruction.h"

namespace gpusim::timeline {
namespace {

using Json = nlohmann::ordered_json;
using stats::WatchInterval;

Json instruction_json(const stats::Result& result, const WatchInterval& i, std::uint32_t index) {
  const stats::PcResult& pc = result.kernels[i.kernel].pcs[index];
  return {{"index", index},
          {"pc", pc.pc},
          {"line", pc.line == 0 ? Json(nullptr) : Json(pc.line)},
          {"text", report::instruction_text(pc)}};
}

Json warp_json(const WatchInterval& i) {
  return {{"warp_slot", i.warp_slot}, {"cta", i.cta}, {"warp", i.warp}};
}

/// A state of the warp, and the instruction that it issues or waits to issue.
Json interval_json(const stats::Result& result, const WatchInterval& i) {
  return {{"state", info_of(i.state).key},
          {"begin", i.begin},
          {"end", i.end},
          {"instruction", instruction_json(result, i, i.pc)}};
}

Json releaser_json(const stats::Result& result, const Reason& reason) {
  const WatchInterval& i = reason.interval;
  Json json{{"text", releaser_text(result, reason)}, {"instruction", nullptr}, {"cycle", nullptr}, {"warp", nullptr}};
  if (i.producer != stats::kNoProducer) {
    json["instruction"] = instruction_json(result, i, i.producer);
    json["cycle"] = reason.produced_at ? Json(*reason.produced_at) : Json(nullptr);
    json["warp"] = warp_json(i);
  } else if (reason.last_arrival) {
    json["instruction"] = instruction_json(result, i, reason.last_arrival->pc);
    json["cycle"] = reason.last_arrival->begin;
    json["warp"] = warp_json(*reason.last_arrival);
  }
  return json;
}

}  // namespace

std::string to_json(const stats::Result& result, const Reason& reason) {
  const WatchInterval& i = reason.interval;
  Json json{{"schema", "gpusim.why/1"},
            {"kernel", i.kernel},
            {"kernel_name", printable(result.kernels[i.kernel].name)},
            {"sm", i.sm},
            {"sub_core", i.sub_core}};
  json.update(warp_json(i));
  json["cycle"] = reason.moment.cycle;
  json.update(interval_json(result, i));
  json["waits_for"] = info_of(i.state).what;
  json["next"] = reason.next ? interval_json(result, *reason.next) : Json(nullptr);
  json["leaves"] = reason.leaves;
  json["released_by"] = releaser_json(result, reason);
  json["in_the_way"] = obstacle_text(result, reason);
  json["meanwhile"] = nullptr;
  if (reason.other) {
    json["meanwhile"] = warp_json(*reason.other);
    json["meanwhile"]["instruction"] = instruction_json(result, *reason.other, reason.other->pc);
  }
  return json.dump(1) + "\n";
}

}  // namespace gpusim::timeline
