// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/commands/app/report.h"
#include "sim/commands/app/uses.h"

namespace gpusim::app {
namespace {

constexpr std::size_t kMostRows = 15;
constexpr std::size_t kBarWidth = 30;

std::string ms(double ns) {
  return fmt::format("{:.3f}", ns / kNsPerMs);
}

std::string us(double ns) {
  return fmt::format("{:.2f}", ns / kNsPerUs);
}

std::string pct(double part, double whole) {
  return fmt::format("{:.1f} %", whole > 0 ? 100 * part / whole : 0);
}

std::string causes_table(const Report& report, const layout::Look& look) {
  const double step = report.timeline.step_ns();
  layout::Table table("lrrl", {"cause", "ms", "share", ""});
  for (std::size_t i = 0; i < run::kCauses.size(); ++i) {
    const double ns = report.causes[i];
    if (ns <= 0) {
      continue;
    }
    table.add(
        {std::string(run::kCauses[i].name), ms(ns), pct(ns, step), layout::bar(100 * ns / step, kBarWidth, look)});
  }
  return table.to_text(look);
}

std::string use_table(const Report& report, const layout::Look& look) {
  const double ns = report.timeline.end - report.timeline.begin;
  layout::Table table("lrlL", {"on " + report.timeline.gpus.front().name, "share", "", "what it counts"});
  const MfuPeak& peak = report.times.peaks[report.times.gpus.front().cost_row];
  for (const UseRow& row : kUses) {
    const double share = row.of(report.timeline.gpus.front().usage, ns, peak.flops_per_ns);
    table.add({std::string(row.name), pct(share, 1), layout::bar(100 * share, kBarWidth / 2, look),
               std::string(row.meaning)});
  }
  return table.to_text(look);
}

const run::KernelCost& cost_of(const Report& report, const Row& row) {
  return report.times.costs[report.times.gpus.front().cost_row][row.kernel];
}

std::string how_text(const Report& report, const Row& row) {
  const run::KernelCost& cost = cost_of(report, row);
  const std::string_view how = run::word_of(cost.how);
  return cost.note.empty() ? std::string(how) : std::string(how) + ": " + note_of(row, cost);
}

/// Kernels that took longer than alone, since others had SMs or DRAM, and how the loss of SMs slows each; else nothing.
std::string slowed_table(const Report& report, const layout::Look& look) {
  constexpr double kNotable = 1.01;
  layout::Table table("LrrrrL", {"kernel", "alone us", "mean us", "slower", "on half its SMs", "source"});
  std::size_t rows = 0;
  for (const Row& row : report.kernels) {
    if (row.average() < kNotable * row.alone || rows == kMostRows) {
      continue;
    }
    ++rows;
    const run::KernelCost& cost = cost_of(report, row);
    table.add({printable(row.name), us(row.alone), us(row.average()),
               fmt::format("{:.2f} x", row.average() / row.alone), fmt::format("{:.2f} x", cost.slowdown_on_half()),
               std::string(run::how_slowdown_is_known(cost))});
  }
  return rows == 0
             ? ""
             : layout::heading("Kernels slowed by others", "others hold SMs or use DRAM", look) + table.to_text(look);
}

std::string memory_table(const Report& report, const layout::Look& look) {
  const run::MemoryUse& memory = report.timeline.gpus.front().memory;
  layout::Table table("lr", {"at the peak", "bytes"});
  for (std::size_t i = 0; i < memory.at_peak.size(); ++i) {
    if (memory.at_peak[i] > 0) {
      table.add({printable(report.application.categories[i]), with_binary_prefix(memory.at_peak[i])});
    }
  }
  table.add({"allocated", with_binary_prefix(memory.peak_allocated)});
  table.add({"reserved", with_binary_prefix(memory.peak_reserved)});
  return table.to_text(look);
}

std::string kernel_table(const Report& report, const layout::Look& look) {
  layout::Table table("LrrrrL", {"kernel", "a step", "ms a step", "share", "mean us", "its time is"});
  const double repeats = report.timeline.repeats * static_cast<double>(report.timeline.gpus.size());
  for (std::size_t i = 0; i < std::min(kMostRows, report.kernels.size()); ++i) {
    const Row& row = report.kernels[i];
    table.add({printable(row.name), fmt::format("{:g}", static_cast<double>(row.count) / repeats),
               ms(row.total / repeats), pct(row.total / repeats, report.timeline.step_ns()), us(row.average()),
               how_text(report, row)});
  }
  const std::size_t more = report.kernels.size() - std::min(kMostRows, report.kernels.size());
  return table.to_text(look) +
         (more > 0 ? layout::wrapped(counted(more, "kernel") + " more in --format json", layout::kIndent) : "");
}

std::string moves_table(const Report& report, const layout::Look& look) {
  layout::Table table("lrrrr", {"copies and collectives", "a step", "ms a step", "mean us", "GB/s"});
  const double repeats = report.timeline.repeats * static_cast<double>(report.timeline.gpus.size());
  for (const std::vector<Row>* const rows : {&report.copies, &report.collectives}) {
    for (const Row& row : *rows) {
      table.add({row.name, fmt::format("{:g}", static_cast<double>(row.count) / repeats), ms(row.total / repeats),
                 us(row.average()), fmt::format("{:.1f}", row.bytes.total / row.total)});
    }
  }
  return table.to_text(look);
}

std::string path_table(const Report& report, const layout::Look& look) {
  layout::Table table("Lrr", {"critical path", "ms a step", "share"});
  for (std::size_t i = 0; i < std::min(kMostRows, report.path.size()); ++i) {
    const PathRow& row = report.path[i];
    table.add({printable(row.name), ms(row.ns), pct(row.ns, report.timeline.step_ns())});
  }
  return table.to_text(look);
}

}  // namespace

std::string to_text(const Report& report, const layout::Look& look) {
  const run::Timeline& timeline = report.timeline;
  const std::string name = report.application.name.empty() ? "The application" : report.application.name;
  const std::string rounds =
      counted(timeline.repeats, "round") +
      (report.application.warm_up > 0 ? ", after " + counted(report.application.warm_up, "round") + " to warm up" : "");
  std::string text = layout::wrapped(
      fmt::format("{} on {}: {} ms a step ({}).", printable(name), report.system, ms(timeline.step_ns()), rounds),
      layout::kIndent, look.width);
  text += layout::wrapped(verdict(report), layout::kIndent, look.width);
  text += layout::heading("Where a step's time goes", "on " + timeline.gpus.front().name, look) +
          causes_table(report, look);
  text += layout::heading("Utilisation, in five senses", "", look) + use_table(report, look);
  const std::string gpus = timeline.gpus.size() == 1 ? "" : "on a GPU, the mean of all";
  if (!report.kernels.empty()) {
    text += layout::heading("Kernels", gpus, look) + kernel_table(report, look) + slowed_table(report, look);
  }
  if (!report.copies.empty() || !report.collectives.empty()) {
    text += layout::heading("Copies, fills and collectives", gpus, look) + moves_table(report, look);
  }
  if (timeline.gpus.front().memory.peak_allocated > 0) {
    text += layout::heading("Memory", "on " + timeline.gpus.front().name, look) + memory_table(report, look);
  }
  text += layout::heading("Critical path", "each part waited for the one before", look) + path_table(report, look);
  return text;
}

}  // namespace gpusim::app
