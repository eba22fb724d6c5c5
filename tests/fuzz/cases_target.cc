// SPDX-License-Identifier: MIT
// Files of cases: what is accepted is reported, and its programs run a little.
#include <set>
#include <string>
#include <vector>

#include "sim/commands/validate/case_file.h"
#include "sim/commands/validate/program.h"
#include "sim/commands/validate/report.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const validate::GpuNames gpus{{"a card", {"a6000.yaml", {{"sm.count", "2"}}}}, {"unknown to us", {}}};
  std::vector<validate::Case> cases;
  fuzz::is_accepted(
      [&] { cases = validate::parse_cases(std::string(fuzz::text_of(data, size)), "x.yaml", "own", gpus); });
  std::set<std::string> ids;
  std::vector<validate::Outcome> outcomes;
  constexpr std::size_t kMostRun = 4;
  for (const validate::Case& of : cases) {
    fuzz::require(ids.insert(of.id).second, "ids are given once");
    fuzz::require(of.trace.empty() + of.program.empty() + of.make.empty() == 2, "a case says what it runs once");
    if (!of.program.empty() && outcomes.size() < kMostRun) {
      fuzz::is_accepted([&of] { fuzz::simulate_a_little(validate::make_program(of).trace); });
    }
    outcomes.emplace_back().of = of;
  }
  (void)validate::to_json(outcomes, true);
  (void)validate::to_text(outcomes, {});
  return 0;
}
