// SPDX-License-Identifier: MIT
// The tables of `nsys stats`, in its order and with its columns.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

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

/// What columns beside the times are called, and what stands in that of the style.
struct Columns {
  std::string_view count;
  std::string_view name;
  std::string_view style{};  ///< how a range was made; empty: no such column
};

std::string table(std::string_view title, const std::vector<Row>& rows, const Columns& columns) {
  if (rows.empty()) {
    return "";
  }
  const bool has_style = !columns.style.empty();
  std::vector<std::string> header{"Time (%)", "Total Time (ns)", std::string(columns.count),
                                  "Avg (ns)", "Med (ns)",        "Min (ns)",
                                  "Max (ns)", "StdDev (ns)"};
  if (has_style) {
    header.emplace_back("Style");
  }
  header.emplace_back(columns.name);
  Table out(has_style ? "rrrrrrrrll" : "rrrrrrrrl", std::move(header));
  const double total = total_of(rows);
  for (const Row& row : rows) {
    std::vector<std::string> cells{tenth(100 * row.total / total),
                                   whole(row.total),
                                   std::to_string(row.count),
                                   tenth(row.average()),
                                   tenth(row.median),
                                   whole(row.least),
                                   whole(row.most),
                                   tenth(row.deviation)};
    if (has_style) {
      cells.emplace_back(columns.style);
    }
    cells.push_back(printable(row.name));
    out.add(std::move(cells));
  }
  return fmt::format("\n ** {}:\n\n{}", title, out.to_text(kUnwrapped));
}

std::string size_table(std::vector<Row> rows) {
  if (rows.empty()) {
    return "";
  }
  const auto mb = [](double bytes) { return fmt::format("{:.3f}", bytes / kBytesPerMb); };
  std::ranges::stable_sort(rows, std::greater<>(), [](const Row& row) { return row.bytes.total; });
  Table out("rrrrrrrl",
            {"Total (MB)", "Count", "Avg (MB)", "Med (MB)", "Min (MB)", "Max (MB)", "StdDev (MB)", "Operation"});
  for (const Row& row : rows) {
    out.add({mb(row.bytes.total), std::to_string(row.count), mb(row.bytes.total / static_cast<double>(row.count)),
             mb(row.bytes.median), mb(row.bytes.least), mb(row.bytes.most), mb(row.bytes.deviation), row.name});
  }
  return "\n ** CUDA GPU MemOps Summary (by Size) (cuda_gpu_mem_size_sum):\n\n" + out.to_text(kUnwrapped);
}

}  // namespace

std::string to_nsys(const Report& report) {
  std::vector<Row> kernels = report.kernels;
  kernels.insert(kernels.end(), report.collectives.begin(), report.collectives.end());
  std::ranges::stable_sort(kernels, std::greater<>(), &Row::total);
  return table("NVTX Range Summary (nvtx_sum)", report.ranges, {"Instances", "Range", "PushPop"}) +
         table("CUDA API Summary (cuda_api_sum)", report.calls, {"Num Calls", "Name"}) +
         table("CUDA GPU Kernel Summary (cuda_gpu_kern_sum)", kernels, {"Instances", "Name"}) +
         table("CUDA GPU MemOps Summary (by Time) (cuda_gpu_mem_time_sum)", report.copies, {"Count", "Operation"}) +
         size_table(report.copies);
}

}  // namespace gpusim::app
