// SPDX-License-Identifier: MIT
// Kanata logs, version 4, as Konata's docs/kanata-log-format.md has them.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/output/timeline/timeline.h"
#include "sim/output/timeline/watch_rows.h"

namespace gpusim::timeline {
namespace {

using stats::Stall;
using stats::WatchInterval;

/// An instruction that a warp issued: its waits, its issue, and for the last one the warp's drain.
struct Op {
  Row intervals;
  Cycle offset = 0;  ///< first cycle of its kernel
  const stats::PcResult* pc = nullptr;
  std::vector<std::pair<Cycle, const Op*>> wakers{};  ///< the ops that it waited for, and until when
  std::size_t id = 0;
  [[nodiscard]] Cycle begin() const { return offset + intervals.front().begin; }
  [[nodiscard]] Cycle end() const { return offset + intervals.back().end; }
};

/// A line of the log.
struct Line {
  Cycle cycle = 0;
  std::size_t op = 0;
  std::size_t order = 0;  ///< order among the lines of an op
  std::string text;
  bool retires = false;  ///< the number of retirements so far goes in between
};

std::string stage_of(Stall state) {
  return state == Stall::kNotSelected ? "ns" : std::string(1, info_of(state).glyph);
}

/// The ops of one warp; what does not issue in the recording is none.
void add_ops(Row row, std::span<const stats::PcResult> pcs, Cycle offset, std::vector<Op>& ops) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i].state != Stall::kSelected) {
      continue;
    }
    std::size_t end = i + 1;
    while (end < row.size() && row[end].state == Stall::kDrain) {
      ++end;
    }
    if (row[i].pc < pcs.size()) {
      ops.push_back({row.subspan(first, end - first), offset, &pcs[row[i].pc]});
    }
    first = end;
  }
}

/// Links the ops [first, end) of one warp to what they waited for: the last issue of the producer before.
void link_ops(std::vector<Op>& ops, std::size_t first) {
  std::map<std::uint32_t, std::size_t> last_issue;  // by instruction
  for (std::size_t i = first; i < ops.size(); ++i) {
    for (const WatchInterval& interval : ops[i].intervals) {
      if (interval.state == Stall::kSelected) {
        last_issue[interval.pc] = i;
      } else if (const auto known = last_issue.find(interval.producer); known != last_issue.end()) {
        ops[i].wakers.emplace_back(ops[i].offset + interval.end, &ops[known->second]);
      }
    }
  }
}

std::string waits_text(const Op& op, std::span<const stats::PcResult> pcs) {
  std::string text;
  for (const WatchInterval& interval : op.intervals) {
    if (interval.state != Stall::kSelected) {
      text += fmt::format("{}{} {} cycles", text.empty() ? "" : "; ", info_of(interval.state).key,
                          interval.end - interval.begin);
      text += interval.producer < pcs.size() ? " for " + placed_text(pcs[interval.producer]) : "";
    }
  }
  return text;
}

void add_lines(const Op& op, std::span<const stats::PcResult> pcs, std::vector<Line>& lines) {
  std::size_t order = 0;
  const auto add = [&](Cycle cycle, std::string text) { lines.push_back({cycle, op.id, order++, std::move(text)}); };
  const WatchInterval& head = op.intervals.front();
  add(op.begin(), fmt::format("I\t{}\t{}\t{}", op.id, head.pc, head.warp_slot));
  add(op.begin(), fmt::format("L\t{}\t0\t{} {}", op.id, warp_label(head), placed_text(*op.pc)));
  if (const std::string waits = waits_text(op, pcs); !waits.empty()) {
    add(op.begin(), fmt::format("L\t{}\t1\t{}", op.id, waits));
  }
  for (const WatchInterval& interval : op.intervals) {
    add(op.offset + interval.begin, fmt::format("S\t{}\t0\t{}", op.id, stage_of(interval.state)));
    add(op.offset + interval.end, fmt::format("E\t{}\t0\t{}", op.id, stage_of(interval.state)));
  }
  for (const auto& [cycle, producer] : op.wakers) {
    add(cycle, fmt::format("W\t{}\t{}\t0", op.id, producer->id));
  }
  lines.push_back({op.end(), op.id, order, fmt::format("R\t{}\t", op.id), true});
}

void require_one_sm(const stats::Result& result) {
  std::set<std::uint32_t> sms;
  for (const WatchInterval& interval : result.watch) {
    sms.insert(interval.sm);
  }
  if (sms.size() != 1) {
    throw InputError({{result.trace_path, 0, 0},
                      "a log for Konata is of one SM: the result has the warps of " + counted(sms.size(), "SM"),
                      "record one with --record warps=SM[:A..B]"});
  }
}

std::vector<Op> ops_of(const stats::Result& result) {
  const std::vector<Cycle> begins = kernel_begins(result);
  std::vector<Op> ops;
  ops.reserve(result.watch.size());  // ops point to each other
  for (const Row& row : rows_of(result.watch)) {
    const std::uint32_t kernel = row.front().kernel;
    if (kernel < result.kernels.size()) {
      const std::size_t first = ops.size();
      add_ops(row, result.kernels[kernel].pcs, begins[kernel], ops);
      link_ops(ops, first);
    }
  }
  return ops;
}

}  // namespace

std::string to_konata(const stats::Result& result) {
  require_one_sm(result);
  std::vector<Op> ops = ops_of(result);
  std::vector<Op*> order;
  for (Op& op : ops) {
    order.push_back(&op);
  }
  std::stable_sort(order.begin(), order.end(), [](const Op* a, const Op* b) { return a->begin() < b->begin(); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i]->id = i;
  }
  std::vector<Line> lines;
  for (const Op* op : order) {
    add_lines(*op, result.kernels[op->intervals.front().kernel].pcs, lines);
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return std::tie(a.cycle, a.op, a.order) < std::tie(b.cycle, b.op, b.order);
  });
  std::string out = "Kanata\t0004\n";
  Cycle now = lines.empty() ? 0 : lines.front().cycle;
  out += fmt::format("C=\t{}\n", now);
  std::size_t retired = 0;
  for (const Line& line : lines) {
    if (line.cycle != now) {
      out += fmt::format("C\t{}\n", line.cycle - now);
      now = line.cycle;
    }
    out += line.text + (line.retires ? fmt::format("{}\t0", retired++) : "") + "\n";
  }
  return out;
}

}  // namespace gpusim::timeline
