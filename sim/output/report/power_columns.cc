// SPDX-License-Identifier: MIT
#include "sim/output/report/power_columns.h"

#include <string>
#include <utility>

#include "sim/model/stats/kernel_counts.h"
#include "sim/model/stats/power.h"
#include "sim/output/report/column_builders.h"

namespace gpusim::report {
namespace {

using stats::KernelCounts;

std::vector<KernelColumn> all_columns() {
  const auto energy = [](const KernelView& view) { return view.energy_mj; };
  const auto watts = [](const KernelView& view) { return view.counts.power.watts(); };
  const auto limit = [](auto& kernel) -> auto& {
    return kernel.power.limit;
  };
  const auto clock = [](auto& kernel) -> auto& {
    return kernel.power.sustained_mhz;
  };
  std::vector<KernelColumn> columns{
      derived<KernelView, KernelCounts>("power.watts", "W", "drawn on average, an estimate at the simulated clock",
                                        "sum of power.parts", watts),
      given<KernelView, KernelCounts>("power.limit_watts", "W", "what the card may draw for long", limit),
      given<KernelView, KernelCounts>("power.sustained_clock_mhz", "MHz",
                                      "SM clock that limit and tensor cores leave, at most the simulated one", clock),
      derived<KernelView, KernelCounts>("power.energy_mj", "mJ", "drawn in the kernel's cycles",
                                        "power.watts x cycles / clock_mhz / 1000", energy)};
  for (const stats::PowerPart& part : stats::kPowerParts) {
    const auto member = [member = part.member](auto& kernel) -> auto& {
      return kernel.power.*member;
    };
    columns.push_back(
        given<KernelView, KernelCounts>("power.parts." + std::string(part.name) + "_watts", "W", part.what, member));
  }
  return columns;
}

}  // namespace

void add_power_columns(std::vector<KernelColumn>& columns) {
  for (KernelColumn& column : all_columns()) {
    column.is_later = true;
    column.is_if_any = true;
    column.get = [get = column.get](const KernelView& view) {
      return view.counts.power.is_known() ? get(view) : Value();
    };
    columns.push_back(std::move(column));
  }
}

}  // namespace gpusim::report
