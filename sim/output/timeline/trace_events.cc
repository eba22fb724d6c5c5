// SPDX-License-Identifier: MIT
// The trace-event format: an object with the list traceEvents; metadata first, the rest in order of time.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/timeline/timeline.h"
#include "sim/output/timeline/watch_rows.h"

namespace gpusim::timeline {
namespace {

using stats::Stall;
using stats::WatchInterval;

// Process 1 is the GPU; SM n is a process, too, with one thread per warp slot and one thread per CTA slot.
constexpr std::uint32_t kGpu = 1;
constexpr std::uint32_t kKernels = 1;
constexpr std::uint32_t kFirstSm = 10;
constexpr std::uint32_t kFirstCtaSlot = 1'000'000;  ///< first CTA slot among an SM's threads, behind its warp slots
constexpr std::uint32_t kMostNumbered = 1'000'000;

/// Printable, so that it is UTF-8 whatever file it came from, and with what JSON needs before quotes.
std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  }
  return out + '"';
}

/// A duration (ph X), or with no length a counter (ph C).
struct Event {
  Cycle at = 0;
  Cycle cycles = 0;
  std::uint32_t process = kGpu;
  std::uint32_t thread = 0;
  std::string rest;  ///< name, category and args as JSON
};

class TraceWriter {
 public:
  explicit TraceWriter(std::size_t most) : most_(most) {}

  /// Writes the name of a process or thread. Does nothing if it has a name already.
  void name_process(std::uint32_t process, std::string_view name) {
    if (named_.emplace(process, 0).second) {
      add_metadata("process", process, 0, name, process);
    }
  }
  void name_thread(std::uint32_t process, std::uint32_t thread, std::string_view name) {
    if (named_.emplace(process, thread).second) {
      add_metadata("thread", process, thread, name, thread);
    }
  }
  void add(Event event) { events_.push_back(std::move(event)); }
  void add_counter(Cycle at, std::string_view name, std::string_view series, double value) {
    add_counters(at, name, json_string(series) + ":" + number(value));
  }
  /// `values`: "name":value, separated by commas.
  void add_counters(Cycle at, std::string_view name, const std::string& values) {
    if (!values.empty()) {
      events_.push_back({at, 0, kGpu, 0, fmt::format(R"("name":{},"args":{{{}}})", json_string(name), values)});
    }
  }
  /// JSON has no infinities.
  static std::string number(double value) { return fmt::format("{:.6g}", std::isfinite(value) ? value : 0); }

  /// The events are over; nothing may be added any more.
  TraceEvents finish(const stats::Result& result) {
    // An event that holds others stands before them.
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
      return std::tuple(a.at, b.cycles) < std::tuple(b.at, a.cycles);
    });
    TraceEvents out;
    if (events_.size() > most_) {
      out.left_out = fmt::format("{} events, of cycle {} and later, of {}", with_thousands(events_.size() - most_),
                                 with_thousands(events_[most_].at), with_thousands(events_.size()));
      events_.resize(most_);
    }
    out.json = fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"gpu\":{},\"trace\":{},\"unit\":\"1 us is one "
        "cycle of the SM\",\"sm_clock_mhz\":{},\"left_out\":{}}},\n\"traceEvents\":[\n",
        json_string(result.arch_name), json_string(result.trace_path), number(result.sm_clock_mhz),
        json_string(out.left_out));
    out.json += metadata_;
    for (const Event& event : events_) {
      append(event, out.json);
    }
    out.json.resize(out.json.size() - 2);  // the last comma and line end
    out.json += "\n]}\n";
    return out;
  }

 private:
  void add_metadata(std::string_view of, std::uint32_t process, std::uint32_t thread, std::string_view name,
                    std::uint32_t place) {
    metadata_ += fmt::format(R"({{"ph":"M","name":"{}_name","pid":{},"tid":{},"args":{{"name":{}}}}},)"
                             "\n"
                             R"({{"ph":"M","name":"{}_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}},)"
                             "\n",
                             of, process, thread, json_string(name), of, process, thread, place);
  }

  static void append(const Event& event, std::string& out) {
    if (event.cycles == 0) {
      out += fmt::format(R"({{"ph":"C","ts":{},"pid":{},"tid":{},{}}},)"
                         "\n",
                         event.at, event.process, event.thread, event.rest);
    } else {
      out += fmt::format(R"({{"ph":"X","ts":{},"dur":{},"pid":{},"tid":{},{}}},)"
                         "\n",
                         event.at, event.cycles, event.process, event.thread, event.rest);
    }
  }

  std::size_t most_;
  std::string metadata_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> named_;  ///< process, thread; 0: the process
  std::vector<Event> events_;
};

double ratio(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

/// What is counted of a whole kernel, over its time.
void add_kernel_counters(const stats::Result& result, const stats::KernelResult& kernel, Cycle begin,
                         TraceWriter& writer) {
  const auto cycles = static_cast<double>(kernel.cycles);
  const auto warp_cycles = static_cast<double>(stats::total(kernel.stalls));
  const double sm_cycles = cycles * result.machine.sms;
  const auto add = [&](std::string_view name, std::string_view series, double value) {
    writer.add_counter(begin, name, series, value);
    writer.add_counter(begin + kernel.cycles, name, series, 0);
  };
  add("instructions", "a cycle and SM", ratio(static_cast<double>(kernel.sm.warp_instructions), sm_cycles));
  add("warps of an SM", "all", ratio(warp_cycles, sm_cycles));
  add("DRAM", "bytes a cycle",
      ratio(static_cast<double>(kernel.dram.read_bytes) + static_cast<double>(kernel.dram.write_bytes), cycles));
}

/// Warps of an SM by state; only states that the kernel has, the same ones in each interval.
std::string states_json(const stats::StallCycles& states, const stats::StallCycles& of_kernel, double sm_cycles) {
  std::string values;
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    if (of_kernel[s] != 0) {
      values += fmt::format("{}\"{}\":{}", values.empty() ? "" : ",", stats::kStalls[s].key,
                            TraceWriter::number(ratio(static_cast<double>(states[s]), sm_cycles)));
    }
  }
  return values;
}

/// What is counted of an interval of `cycles`, from `at` on.
void add_interval_counters(const stats::TrafficCounters& traffic, double cycles, Cycle at, TraceWriter& writer) {
  const auto add = [&](std::string_view name, std::string_view series, std::uint64_t part, double whole) {
    writer.add_counter(at, name, series, ratio(static_cast<double>(part), whole));
  };
  constexpr double kPercent = 0.01;
  add("DRAM", "bytes a cycle", traffic.dram_read_bytes + traffic.dram_write_bytes, cycles);
  add("L2", "sectors a cycle", traffic.l2_sectors, cycles);
  add("L2 hits", "%", traffic.l2_hits, static_cast<double>(traffic.l2_lookups) * kPercent);
  add("L1", "sectors a cycle", traffic.l1_sectors, cycles);
  add("L1 hits", "%", traffic.l1_hits, static_cast<double>(traffic.l1_lookups) * kPercent);
  add("shared memory", "wavefronts a cycle", traffic.shared_wavefronts, cycles);
}

/// What was recorded over time.
void add_series(const stats::Result& result, const stats::KernelResult& kernel, Cycle begin, TraceWriter& writer) {
  const stats::TimeSeries& series = kernel.record->series;
  const std::size_t intervals = std::min(series.states.size(), series.traffic.size());
  for (std::size_t i = 0; i < intervals && i * series.interval_cycles < kernel.cycles; ++i) {
    const Cycle from = i * series.interval_cycles;
    const auto cycles = static_cast<double>(std::min(series.interval_cycles, kernel.cycles - from));
    const double sm_cycles = cycles * result.machine.sms;
    const auto issued = static_cast<double>(series.states[i][static_cast<std::size_t>(Stall::kSelected)]);
    writer.add_counter(begin + from, "instructions", "a cycle and SM", ratio(issued, sm_cycles));
    writer.add_counters(begin + from, "warps of an SM", states_json(series.states[i], kernel.stalls, sm_cycles));
    add_interval_counters(series.traffic[i], static_cast<double>(series.interval_cycles), begin + from, writer);
  }
  const Cycle end = begin + kernel.cycles;
  writer.add_counter(end, "instructions", "a cycle and SM", 0);
  writer.add_counters(end, "warps of an SM", states_json({}, kernel.stalls, 0));
  add_interval_counters({}, 0, end, writer);
}

/// One thread per CTA slot of each SM.
void add_ctas(const stats::KernelResult& kernel, Cycle begin, TraceWriter& writer) {
  for (const stats::CtaSpan& cta : kernel.record->ctas) {
    if (cta.begin >= cta.end || cta.sm >= kMostNumbered || cta.slot >= kMostNumbered) {
      continue;  // a Result may have come from anywhere
    }
    const std::uint32_t process = kFirstSm + cta.sm;
    const std::uint32_t thread = kFirstCtaSlot + cta.slot;
    writer.name_process(process, fmt::format("SM {}", cta.sm));
    writer.name_thread(process, thread, fmt::format("CTA slot {}", cta.slot));
    writer.add({begin + cta.begin, cta.end - cta.begin, process, thread,
                fmt::format(R"("name":"CTA {}","cat":"cta","args":{{"cta":{}}})", cta.cta, cta.cta)});
  }
}

void add_kernels(const stats::Result& result, TraceWriter& writer) {
  writer.name_process(kGpu, result.arch_name);
  writer.name_thread(kGpu, kKernels, "kernels");
  const std::vector<Cycle> begins = kernel_begins(result);
  for (std::size_t k = 0; k < result.kernels.size(); ++k) {
    const stats::KernelResult& kernel = result.kernels[k];
    if (kernel.cycles == 0) {
      continue;
    }
    writer.add({begins[k], kernel.cycles, kGpu, kKernels,
                fmt::format(R"("name":{},"cat":"kernel","args":{{"kernel":{},"cycles":{},"CTAs":{}}})",
                            json_string(clipped(kernel.name, 100)), k, kernel.cycles, kernel.simulated_ctas)});
    if (kernel.record && !kernel.record->series.states.empty()) {
      add_series(result, kernel, begins[k], writer);
    } else {
      add_kernel_counters(result, kernel, begins[k], writer);
    }
    if (kernel.record) {
      add_ctas(kernel, begins[k], writer);
    }
  }
}

std::string state_json(const WatchInterval& interval, std::span<const stats::PcResult> pcs) {
  const stats::PcResult& pc = pcs[interval.pc];
  if (interval.state == Stall::kSelected) {
    return fmt::format(R"("name":{},"cat":"issue","args":{{"instruction":{},"lanes":"{:08x}"}})",
                       json_string(clipped(pc.opcode, 40)), json_string(placed_text(pc)), interval.lanes_on);
  }
  const std::string producer =
      interval.producer < pcs.size() ? ",\"waits for\":" + json_string(placed_text(pcs[interval.producer])) : "";
  return fmt::format(R"("name":"{}","cat":"wait","args":{{"next":{}{}}})", info_of(interval.state).key,
                     json_string(placed_text(pc)), producer);
}

/// A warp's stay holds its states.
void add_warp(const Row& row, Cycle begin, std::span<const stats::PcResult> pcs, TraceWriter& writer) {
  const WatchInterval& head = row.front();
  const std::uint32_t process = kFirstSm + head.sm;
  const std::uint32_t thread = head.warp_slot + 1;
  writer.add({begin + head.begin, row.back().end - head.begin, process, thread,
              fmt::format(R"("name":"CTA {} warp {}","cat":"warp","args":{{"cta":{},"warp":{}}})", head.cta, head.warp,
                          head.cta, head.warp)});
  for (const WatchInterval& interval : row) {
    if (interval.pc < pcs.size()) {
      writer.add({begin + interval.begin, interval.end - interval.begin, process, thread, state_json(interval, pcs)});
    }
  }
}

void add_warps(const stats::Result& result, TraceWriter& writer) {
  const std::vector<Cycle> begins = kernel_begins(result);
  for (const Row& row : rows_of(result.watch)) {
    const WatchInterval& head = row.front();
    if (head.kernel >= result.kernels.size()) {
      continue;
    }
    writer.name_process(kFirstSm + head.sm, fmt::format("SM {}", head.sm));
    writer.name_thread(kFirstSm + head.sm, head.warp_slot + 1,
                       fmt::format("warp slot {} (sub-core {})", head.warp_slot, head.sub_core));
    add_warp(row, begins[head.kernel], result.kernels[head.kernel].pcs, writer);
  }
}

}  // namespace

TraceEvents to_trace_events(const stats::Result& result, std::size_t most_events) {
  TraceWriter writer(most_events);
  add_kernels(result, writer);
  add_warps(result, writer);
  return writer.finish(result);
}

}  // namespace gpusim::timeline
