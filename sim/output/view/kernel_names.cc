// SPDX-License-Identifier: MIT
#include "sim/output/view/kernel_names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sim/model/stats/kernel_counts.h"

namespace gpusim::report {
namespace {

KernelNameRow row_of(std::string_view name, std::vector<double> times, double all) {
  std::ranges::sort(times);
  const std::size_t count = times.size();
  KernelNameRow row;
  row.name = name;
  row.instances = count;
  row.total_us = std::accumulate(times.begin(), times.end(), 0.0);
  row.time_pct = percent(row.total_us, all);
  row.average_us = row.total_us / static_cast<double>(count);
  row.median_us = (times[(count - 1) / 2] + times[count / 2]) / 2;
  row.least_us = times.front();
  row.most_us = times.back();
  double squares = 0;
  for (const double time : times) {
    squares += (time - row.average_us) * (time - row.average_us);
  }
  row.deviation_us = count > 1 ? std::sqrt(squares / static_cast<double>(count - 1)) : 0.0;
  return row;
}

}  // namespace

std::vector<KernelNameRow> kernels_by_name(const View& view) {
  std::map<std::string_view, std::vector<double>> times;
  std::vector<std::string_view> order;
  for (const KernelView& kernel : view.kernels) {
    std::vector<double>& of_name = times[kernel.counts.name];
    if (of_name.empty()) {
      order.push_back(kernel.counts.name);
    }
    of_name.push_back(kernel.time_us);
  }
  std::vector<KernelNameRow> rows;
  rows.reserve(order.size());
  for (const std::string_view name : order) {
    rows.push_back(row_of(name, times[name], view.total_us));
  }
  std::ranges::stable_sort(rows,
                           [](const KernelNameRow& a, const KernelNameRow& b) { return a.total_us > b.total_us; });
  return rows;
}

}  // namespace gpusim::report
