// SPDX-License-Identifier: MIT
// The table of torch.profiler: key_averages().table(sort_by="cuda_time_total").
#include <algorithm>
#include <map>
#include <vector>

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

/// Times that a name has beside its own: those of what it launched.
struct Launched {
  double cpu = 0;   ///< calls of CUDA
  double cuda = 0;  ///< work of GPUs
};
using LaunchedBy = std::map<std::string, Launched, std::less<>>;

/// What calls of a thread launched, in order of time, with sums of all before.
struct CallSums {
  std::vector<double> begins;
  std::vector<double> cpu{0};
  std::vector<double> cuda{0};

  void add(double begin, double cpu_ns, double cuda_ns) {
    begins.push_back(begin);
    cpu.push_back(cpu.back() + cpu_ns);
    cuda.push_back(cuda.back() + cuda_ns);
  }
  [[nodiscard]] Launched between(double from, double to) const {
    const auto first = static_cast<std::size_t>(std::ranges::lower_bound(begins, from) - begins.begin());
    const auto last = static_cast<std::size_t>(std::ranges::lower_bound(begins, to) - begins.begin());
    return {cpu[last] - cpu[first], cuda[last] - cuda[first]};
  }
};

/// Times of operators and ranges with what they launched. A call that launches a kernel is of the operator that its
/// thread did last; copies and collectives are of none.
LaunchedBy launched_by(const run::Timeline& timeline) {
  const auto& all = timeline.activities;
  std::vector<double> cuda(all.size(), 0);
  std::vector<bool> has_kernel(all.size(), false);
  for (const run::Activity& activity : all) {
    if (activity.is_on_gpu() && activity.end > 0) {
      cuda[activity.call] += activity.end - activity.begin;
      has_kernel[activity.call] = has_kernel[activity.call] || activity.kind == run::ActivityKind::kKernel;
    }
  }
  LaunchedBy found;
  std::vector<run::Index> operators(all.size(), run::kNone);
  std::map<run::Index, CallSums> calls;  // by thread
  for (std::size_t i = 0; i < all.size(); ++i) {
    const run::Activity& activity = all[i];
    const bool is_call = activity.kind == run::ActivityKind::kCall;
    if (activity.kind == run::ActivityKind::kWork) {
      operators[i] = static_cast<run::Index>(i);
    } else if (is_call && activity.previous != run::kNone) {
      operators[i] = operators[activity.previous];
    }
    const bool counts = activity.begin >= timeline.begin && activity.end > 0;
    if (!counts || activity.is_on_gpu() || activity.kind == run::ActivityKind::kRange) {
      continue;
    }
    calls[activity.thread].add(activity.begin, activity.end - activity.begin, cuda[i]);
    if (is_call && has_kernel[i] && operators[i] != run::kNone) {
      Launched& launched = found[timeline.names[all[operators[i]].name]];
      launched.cpu += activity.end - activity.begin;
      launched.cuda += cuda[i];
    }
  }
  for (const run::Activity& activity : all) {
    if (activity.kind == run::ActivityKind::kRange && activity.begin >= timeline.begin) {
      const Launched within = calls[activity.thread].between(activity.begin, activity.end);
      found[timeline.names[activity.name]].cpu += within.cpu;
      found[timeline.names[activity.name]].cuda += within.cuda;
    }
  }
  return found;
}

/// A line of the table, in nanoseconds.
struct Line {
  std::string name;
  double self_cpu = 0;
  double cpu = 0;
  double self_cuda = 0;
  double cuda = 0;
  std::size_t count = 0;
};

std::vector<Line> lines_of(const Report& report) {
  const LaunchedBy launched = launched_by(report.timeline);
  const auto of = [&launched](const Row& row) {
    const auto found = launched.find(row.name);
    return found == launched.end() ? Launched{} : found->second;
  };
  std::vector<Line> lines;
  for (const std::vector<Row>* const rows : {&report.kernels, &report.copies, &report.collectives}) {
    for (const Row& row : *rows) {
      lines.push_back({row.name, 0, 0, row.total, row.total, row.count});
    }
  }
  for (const Row& row : report.ranges) {
    const Launched within = of(row);
    lines.push_back({row.name, std::max(0.0, row.total - within.cpu), row.total, 0, within.cuda, row.count});
  }
  for (const Row& row : report.work) {
    const Launched own = of(row);
    lines.push_back({row.name, row.total, row.total + own.cpu, own.cuda, own.cuda, row.count});
  }
  for (const Row& row : report.calls) {
    lines.push_back({row.name, row.total, row.total, 0, 0, row.count});
  }
  std::ranges::stable_sort(
      lines, [](const Line& a, const Line& b) { return a.cuda > b.cuda || (a.cuda == b.cuda && a.cpu > b.cpu); });
  return lines;
}

}  // namespace

std::string to_pytorch(const Report& report) {
  const double cpu = total_of({&report.calls, &report.work});
  const double cuda = total_of({&report.kernels, &report.copies, &report.collectives});
  layout::Table table("lrrrrrrrrrr", {"Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg",
                                      "Self CUDA", "Self CUDA %", "CUDA total", "CUDA time avg", "# of Calls"});
  const auto share = [](double part, double all) { return fmt::format("{:.2f}%", all > 0 ? 100 * part / all : 0); };
  for (const Line& line : lines_of(report)) {
    const auto count = static_cast<double>(line.count);
    table.add({printable(line.name), share(line.self_cpu, cpu), time_text(line.self_cpu), share(line.cpu, cpu),
               time_text(line.cpu), time_text(line.cpu / count), time_text(line.self_cuda), share(line.self_cuda, cuda),
               time_text(line.cuda), time_text(line.cuda / count), std::to_string(line.count)});
  }
  return table.to_text(kUnwrapped) + "\nSelf CPU time total: " + time_text(cpu) +
         "\nSelf CUDA time total: " + time_text(cuda) + "\n";
}

}  // namespace gpusim::app
