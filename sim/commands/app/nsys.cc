// SPDX-License-Identifier: MIT
// The tables of `nsys stats`, in its order and with its columns.
#include <cmath>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/app/report.h"

namespace gpusim::app {
namespace {

using layout::Table;

constexpr double kBytesPerMb = 1e6;

std::string whole(double value) {
  return with_thousands(static_cast<std::uint64_t>(std::llround(value)));
}

std::string tenth(double value) {
  return fmt::format("{:.1f}", value);
}

double total_of(const std::vector<Row>& rows) {
  double total = 0;
  for (const Row& row : rows) {
    total += row.total;
  }
  return total;
}

std::string table(std::string_view title, const std::vector<Row>& rows, std::string_view count, std::string_view name) {
  if (rows.empty()) {
    return "";
  }
  Table out("rrrrrrrrl", {"Time (%)", "Total Time (ns)", std::string(count), "Avg (ns)", "Med (ns)", "Min (ns)",
                          "Max (ns)", "StdDev (ns)", std::string(name)});
  const double total = total_of(rows);
  for (const Row& row : rows) {
    out.add({tenth(100 * row.total / total), whole(row.total), std::to_string(row.count), tenth(row.average()),
             tenth(row.median), whole(row.least), whole(row.most), tenth(row.deviation), printable(row.name)});
  }
  return fmt::format("\n ** {}:\n\n{}", title, out.to_text(kUnwrapped));
}

std::string size_table(const std::vector<Row>& rows) {
  if (rows.empty()) {
    return "";
  }
  Table out("rrrl", {"Total (MB)", "Count", "Avg (MB)", "Operation"});
  for (const Row& row : rows) {
    out.add({fmt::format("{:.3f}", row.bytes / kBytesPerMb), std::to_string(row.count),
             fmt::format("{:.3f}", row.bytes / kBytesPerMb / static_cast<double>(row.count)), row.name});
  }
  return "\n ** CUDA GPU MemOps Summary (by Size) (cuda_gpu_mem_size_sum):\n\n" + out.to_text(kUnwrapped);
}

}  // namespace

std::string to_nsys(const Report& report) {
  std::vector<Row> kernels = report.kernels;
  kernels.insert(kernels.end(), report.collectives.begin(), report.collectives.end());
  return table("NVTX Range Summary (nvtx_sum)", report.ranges, "Instances", "Range") +
         table("CUDA API Summary (cuda_api_sum)", report.calls, "Num Calls", "Name") +
         table("CUDA GPU Kernel Summary (cuda_gpu_kern_sum)", kernels, "Instances", "Name") +
         table("CUDA GPU MemOps Summary (by Time) (cuda_gpu_mem_time_sum)", report.copies, "Count", "Operation") +
         size_table(report.copies);
}

}  // namespace gpusim::app
