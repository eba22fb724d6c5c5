// SPDX-License-Identifier: MIT
#include "sim/commands/run/advise.h"

#include <algorithm>
#include <set>
#include <vector>

#include "sim/commands/run/what_ifs.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/metrics.h"
#include "sim/output/advice/rules.h"
#include "sim/output/view/view.h"

namespace gpusim::commands {
namespace {

using FindingIds = std::set<std::string_view>;

/// By kernel.
std::vector<FindingIds> found_in(const stats::Result& result) {
  std::vector<FindingIds> ids;
  for (const report::KernelView& kernel : report::make_view(result).kernels) {
    FindingIds& of_kernel = ids.emplace_back();
    for (const report::Finding& finding : advice::all_findings(kernel)) {
      of_kernel.insert(finding.id);
    }
  }
  return ids;
}

double time_of(const stats::Result& result, std::size_t kernel, const WhatIf& what_if) {
  const stats::KernelResult& of = result.kernels[kernel];
  return stats::time_us(result, of) + (what_if.with_launch ? of.launch_us : 0);
}

/// Whether the other machine is another one for the kernel. If not, it neither proves nor refutes a finding.
bool differs(const WhatIf& what_if, const stats::KernelResult& before, const stats::KernelResult& after) {
  return !what_if.adds_residency || after.occupancy.ctas_per_sm > before.occupancy.ctas_per_sm;
}

}  // namespace

bool advise(const arch::Arch& arch, AdviseScope scope, const SimulateAgain& simulate, stats::Result& result) {
  const std::vector<FindingIds> found = found_in(result);
  for (const WhatIf& what_if : what_ifs()) {
    const auto asks = [&](const FindingIds& ids) { return ids.contains(what_if.finding); };
    if (scope == AdviseScope::kFound && std::ranges::none_of(found, asks)) {
      continue;
    }
    arch::Arch other = arch;
    what_if.apply(other);
    const stats::Result again = simulate(other, what_if.name);
    if (!again.complete) {
      return false;
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
      const bool is_tested = differs(what_if, result.kernels[k], again.kernels[k]);
      if (scope == AdviseScope::kAll || (asks(found[k]) && is_tested)) {
        stats::WhatIf row{std::string(what_if.name), time_of(result, k, what_if), time_of(again, k, what_if), {}};
        if (is_tested) {
          row.findings.emplace_back(what_if.finding);
        }
        result.kernels[k].advice.push_back(std::move(row));
      }
    }
  }
  return true;
}

}  // namespace gpusim::commands
