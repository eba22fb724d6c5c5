// SPDX-License-Identifier: MIT
// The kernels of a run together.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/output/report/section_text.h"
#include "sim/output/report/sections.h"
#include "sim/output/view/kernel_names.h"

namespace gpusim::report {
namespace {

constexpr std::size_t kKernelsListed = 20;
constexpr std::size_t kNamesListed = 20;

/// Indices of the kernels to list, in order of the run.
std::vector<std::size_t> listed(const View& view, const TextOptions& options) {
  std::vector<std::size_t> order(view.kernels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!options.details && order.size() > kKernelsListed) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return view.kernels[a].counts.cycles > view.kernels[b].counts.cycles;
    });
    order.resize(kKernelsListed);
    std::sort(order.begin(), order.end());
  }
  return order;
}

/// Sums of kernels that share a row.
struct KernelSum {
  std::uint64_t ctas = 0;
  std::uint64_t cycles = 0;
  double time_us = 0;
  double launch_us = 0;
  double time_pct = 0;

  void add(const KernelView& kernel) {
    ctas += kernel.counts.simulated_ctas;
    cycles += kernel.counts.cycles;
    time_us += kernel.time_us;
    launch_us += kernel.counts.launch_us;
    time_pct += kernel.time_pct;
  }

  [[nodiscard]] std::vector<std::string> cells(std::string name) const {
    return {"",
            std::move(name),
            with_thousands(ctas),
            with_thousands(cycles),
            decimal(time_us, 2),
            decimal(time_pct, 1),
            decimal(launch_us, 2),
            "",
            ""};
  }
};

std::vector<std::string> kernel_cells(std::size_t index, const KernelView& kernel) {
  return {std::to_string(index),
          printable(kernel.counts.name),
          with_thousands(kernel.counts.simulated_ctas),
          with_thousands(kernel.counts.cycles),
          decimal(kernel.time_us, 2),
          decimal(kernel.time_pct, 1),
          decimal(kernel.counts.launch_us, 2),
          decimal(kernel.ipc_active, 2),
          std::string(stats::name_of(kernel.bound))};
}

}  // namespace

std::string kernels_section(const View& view, const TextOptions& options) {
  layout::Table table("lLRrrrrRl", {"", "kernel", "CTAs", "cycles", "us", "% time", "launch us", "IPC", "bound"});
  const std::vector<std::size_t> order = listed(view, options);
  KernelSum total;
  KernelSum others;
  for (std::size_t i = 0, next = 0; i < view.kernels.size(); ++i) {
    total.add(view.kernels[i]);
    if (next < order.size() && order[next] == i) {
      table.add(kernel_cells(i, view.kernels[i]));
      ++next;
    } else {
      others.add(view.kernels[i]);
    }
  }
  if (order.size() < view.kernels.size()) {
    table.add(others.cells(fmt::format("{} others", with_thousands(view.kernels.size() - order.size()))));
  }
  table.add(total.cells("total"));
  return layout::heading("Kernels",
                         order.size() < view.kernels.size()
                             ? fmt::format("the {} longest, in order (--details: all)", order.size())
                             : "in order",
                         options) +
         table.to_text(options);
}

std::string kernel_names_section(const View& view, const TextOptions& options) {
  const std::vector<KernelNameRow> rows = kernels_by_name(view);
  if (rows.size() == view.kernels.size()) {
    return {};
  }
  layout::Table table("rrrrrrrRL", {"% time", "total us", "instances", "avg", "med", "min", "max", "stddev", "name"});
  const std::size_t shown = options.details ? rows.size() : std::min(rows.size(), kNamesListed);
  for (std::size_t i = 0; i < shown; ++i) {
    const KernelNameRow& row = rows[i];
    table.add({decimal(row.time_pct, 1), decimal(row.total_us, 2), with_thousands(row.instances),
               decimal(row.average_us, 2), decimal(row.median_us, 2), decimal(row.least_us, 2), decimal(row.most_us, 2),
               decimal(row.deviation_us, 2), printable(row.name)});
  }
  const std::string more = shown == rows.size()
                               ? ""
                               : sentence(fmt::format("and {} more {} (--details)", with_thousands(rows.size() - shown),
                                                      rows.size() - shown == 1 ? "name" : "names"),
                                          options);
  return layout::heading("Kernels by name", "times in us", options) + table.to_text(options) + more;
}

}  // namespace gpusim::report
