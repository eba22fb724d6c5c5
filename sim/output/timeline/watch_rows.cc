// SPDX-License-Identifier: MIT
#include "sim/output/timeline/watch_rows.h"

#include <tuple>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/view/instruction.h"

namespace gpusim::timeline {
namespace {

constexpr std::size_t kLongestInstruction = 60;

auto identity(const stats::WatchInterval& i) {
  return std::tuple(i.kernel, i.sm, i.warp_slot, i.cta, i.warp);
}

}  // namespace

std::vector<Row> rows_of(std::span<const stats::WatchInterval> watch) {
  std::vector<Row> rows;
  for (std::size_t begin = 0; begin < watch.size();) {
    std::size_t end = begin;
    while (end < watch.size() && identity(watch[end]) == identity(watch[begin])) {
      ++end;
    }
    rows.push_back(watch.subspan(begin, end - begin));
    begin = end;
  }
  return rows;
}

std::string warp_label(const stats::WatchInterval& interval) {
  return fmt::format("w{} {}.{}", interval.warp_slot, interval.cta, interval.warp);
}

std::string place_text(const stats::PcResult& pc) {
  return report::place_text(pc, "pc ");
}

std::string placed_text(const stats::PcResult& pc) {
  return place_text(pc) + ": " + clipped(report::instruction_text(pc), kLongestInstruction);
}

std::vector<Cycle> kernel_begins(const stats::Result& result) {
  std::vector<Cycle> begins;
  Cycle begin = 0;
  for (const stats::KernelResult& kernel : result.kernels) {
    begins.push_back(begin);
    begin += kernel.cycles;
  }
  return begins;
}

}  // namespace gpusim::timeline
