// SPDX-License-Identifier: MIT
// Results that --json wrote: what is accepted is written again, read again, and shown in every form.
#include <string>

#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stats::Result result;
  if (!fuzz::is_accepted([&] { result = report::parse_json(fuzz::text_of(data, size), "x.json"); })) {
    return 0;
  }
  const std::string json = report::to_json(result);
  fuzz::require(report::to_json(report::parse_json(json, "y.json")) == json, "a result reads back as it was written");
  report::TextOptions all;
  all.details = true;
  (void)report::to_text(result, all);
  (void)report::to_csv(result);
  (void)report::to_ncu_csv(result);
  return 0;
}
