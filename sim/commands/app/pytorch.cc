// SPDX-License-Identifier: MIT
// The table of torch.profiler: key_averages().table(sort_by="cuda_time_total").
#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/app/report.h"

namespace gpusim::app {
namespace {

/// As the profiler prints it: us, ms or s with three decimals.
std::string time_text(double ns) {
  return ns < 1e6   ? fmt::format("{:.3f}us", ns / 1e3)
         : ns < 1e9 ? fmt::format("{:.3f}ms", ns / 1e6)
                    : fmt::format("{:.3f}s", ns / 1e9);
}

double total_of(std::initializer_list<const std::vector<Row>*> lists) {
  double total = 0;
  for (const std::vector<Row>* const rows : lists) {
    for (const Row& row : *rows) {
      total += row.total;
    }
  }
  return total;
}

}  // namespace

std::string to_pytorch(const Report& report) {
  const double cpu = total_of({&report.calls, &report.work});
  const double cuda = total_of({&report.kernels, &report.copies, &report.collectives});
  layout::Table table("lrrrrrrrrrr", {"Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg",
                                      "Self CUDA", "Self CUDA %", "CUDA total", "CUDA time avg", "# of Calls"});
  const auto share = [](double part, double all) { return fmt::format("{:.2f}%", all > 0 ? 100 * part / all : 0); };
  const auto add = [&](const Row& row, bool is_cuda) {
    const double on_cpu = is_cuda ? 0 : row.total;
    const double on_cuda = is_cuda ? row.total : 0;
    const auto count = static_cast<double>(row.count);
    table.add({printable(row.name), share(on_cpu, cpu), time_text(on_cpu), share(on_cpu, cpu), time_text(on_cpu),
               time_text(on_cpu / count), time_text(on_cuda), share(on_cuda, cuda), time_text(on_cuda),
               time_text(on_cuda / count), std::to_string(row.count)});
  };
  std::vector<Row> on_gpu = report.kernels;
  on_gpu.insert(on_gpu.end(), report.copies.begin(), report.copies.end());
  on_gpu.insert(on_gpu.end(), report.collectives.begin(), report.collectives.end());
  std::ranges::stable_sort(on_gpu, std::greater<>(), &Row::total);
  std::ranges::for_each(on_gpu, [&](const Row& row) { add(row, true); });
  std::ranges::for_each(report.work, [&](const Row& row) { add(row, false); });
  std::ranges::for_each(report.calls, [&](const Row& row) { add(row, false); });
  return table.to_text(kUnwrapped) + "\nSelf CPU time total: " + time_text(cpu) +
         "\nSelf CUDA time total: " + time_text(cuda) + "\n";
}

}  // namespace gpusim::app
