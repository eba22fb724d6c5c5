// SPDX-License-Identifier: MIT
#include "sim/commands/validate/metric.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <variant>

#include "sim/commands/validate/case.h"
#include "sim/commands/validate/program.h"
#include "sim/model/arch/value.h"
#include "sim/model/isa/instr.h"
#include "sim/model/stats/result.h"
#include "sim/model/stats/stall.h"
#include "sim/output/report/columns.h"

namespace gpusim::validate {
namespace {

using arch::in_quotes;

[[noreturn]] void refuse(const Measurable& run, const std::string& message) {
  throw InputError({run.from_case->where, message, ""});
}

std::uint32_t line_of(const Measurable& run, const std::string& label) {
  return run.program->labels.at(label);
}

/// The cycle at which the marked instruction issued.
Cycle cycle_of(const Measurable& run, const std::string& text) {
  const Mark mark = parse_mark(text).value();
  const std::uint32_t line = line_of(run, mark.label);
  std::vector<Cycle> cycles;
  for (const Issue& issue : run.issues) {
    if (issue.warp == mark.warp && issue.line == line) {
      cycles.push_back(issue.cycle);
    }
  }
  if (cycles.empty() || mark.nth > cycles.size()) {
    refuse(run, in_quotes(text) + " is not issued: warp " + std::to_string(mark.warp) + " issues that line " +
                    std::to_string(cycles.size()) + " times");
  }
  return cycles[mark.nth == 0 ? cycles.size() - 1 : mark.nth - 1];
}

double distance(Cycle from, Cycle to) {
  return static_cast<double>(static_cast<std::int64_t>(to - from));
}

double issue_cycle(const Measurable& run) {
  return distance(cycle_of(run, run.from_case->from), cycle_of(run, run.from_case->to));
}

/// Is it a read of the clock: CS2R or S2R of SR_CLOCK, SR_CLOCKLO, SR_CLOCKHI?
bool reads_clock(const stats::PcResult& pc) {
  return pc.text.find("SR_CLOCK") != std::string::npos;
}

double clock_cycles(const Measurable& run) {
  std::vector<Cycle> reads;
  for (const Issue& issue : run.issues) {
    if (issue.warp == 0 && reads_clock(run.result->kernels.back().pcs[issue.pc])) {
      reads.push_back(issue.cycle);
    }
  }
  if (reads.size() < 2) {
    refuse(run, "warp 0 must read the clock twice at least, with CS2R R0, SR_CLOCKLO");
  }
  return distance(reads.front(), reads.back());
}

/// What a line did over the time between its first and its last issue: the issues in the last cycle begin what comes
/// after that time.
struct Span {
  double instructions = 0;
  double cycles = 0;
};

template <class Which>
Span span_of(const Measurable& run, const std::string& label, Which which) {
  const std::uint32_t line = line_of(run, label);
  std::vector<Cycle> cycles;
  for (const Issue& issue : run.issues) {
    if (issue.line == line && which(issue)) {
      cycles.push_back(issue.cycle);
    }
  }
  if (cycles.empty() || *std::ranges::min_element(cycles) == *std::ranges::max_element(cycles)) {
    refuse(run, in_quotes(label) + " must be issued in two cycles at least");
  }
  const Cycle last = *std::ranges::max_element(cycles);
  const auto before = std::ranges::count_if(cycles, [last](Cycle c) { return c < last; });
  return {static_cast<double>(before), distance(*std::ranges::min_element(cycles), last)};
}

double issue_interval(const Measurable& run) {
  const Span span = span_of(run, run.from_case->of, [](const Issue& issue) { return issue.sub_core == 0; });
  return span.cycles / span.instructions;
}

Span span_of_sm(const Measurable& run) {
  return span_of(run, run.from_case->of, [](const Issue&) { return true; });
}

double lanes_per_cycle(const Measurable& run) {
  const Span span = span_of_sm(run);
  return kWarpLanes * span.instructions / span.cycles;
}

double tensor_peak_pct(const Measurable& run) {
  const stats::KernelResult& kernel = run.result->kernels.back();
  double flops = 0;
  double at_peak = 0;  // cycles that the kernel's tensor FLOPs take at the dense peak
  for (std::size_t c = 0; c < isa::kFlopClasses; ++c) {
    if (isa::is_tensor(static_cast<isa::FlopClass>(c)) && kernel.flops[c] > 0) {
      flops += static_cast<double>(kernel.flops[c]);
      at_peak += static_cast<double>(kernel.flops[c]) / run.result->machine.flops_per_cycle_sm[c];
    }
  }
  std::uint64_t issued = 0;
  for (const stats::PcResult& pc : kernel.pcs) {
    const bool marked = pc.line == run.program->lines_before + line_of(run, run.from_case->of);
    issued += marked ? pc.warp_instructions : 0;
  }
  if (flops == 0 || issued == 0) {
    refuse(run, in_quotes(run.from_case->of) + " must mark the program's tensor instruction");
  }
  const Span span = span_of_sm(run);
  return 100.0 * at_peak / static_cast<double>(issued) * span.instructions / span.cycles;
}

constexpr std::array<Metric, 5> kProgramMetrics{{
    {"issue_cycle", false, true, "cycles from the issue of `from` to the issue of `to`", issue_cycle},
    {"clock_cycles", false, false,
     "cycles between the first and the last read of the clock (`CS2R R0, SR_CLOCKLO`) by warp 0", clock_cycles},
    {"issue_interval", true, false,
     "mean cycles between two issues of the line `of` by sub-core 0, whichever of its warps", issue_interval},
    {"lanes_per_cycle", true, false, "32 times the issues of the line `of` in an SM, a cycle: results a cycle and SM",
     lanes_per_cycle},
    {"tensor_peak_pct", true, false,
     "the FLOPs of the line `of`, the program's only tensor instruction, in per cent of what the SM's tensor cores do "
     "at their dense peak (`sm.tensor.flops_per_cycle`)",
     tensor_peak_pct},
}};

const report::KernelColumn* column_of(std::string_view name) {
  const auto& columns = report::kernel_columns();
  const auto found = std::ranges::find(columns, name, &report::KernelColumn::path);
  const bool is_number =
      found != columns.end() && (found->kind == report::ValueKind::kInteger || found->kind == report::ValueKind::kReal);
  return is_number ? &*found : nullptr;
}

double total_time(const Measurable& run) {
  double total = 0;
  for (const report::KernelView& kernel : report::make_view(*run.result).kernels) {
    total += kernel.time_us;
  }
  return total;
}

/// The same with what the host's launches take, one after the other.
double total_time_with_launches(const Measurable& run) {
  return total_time(run) + report::make_view(*run.result).launch_us;
}

/// The same of kernels between two events, on a GPU that was idle before.
double total_time_between_events(const Measurable& run) {
  return total_time_with_launches(run) + run.event_us;
}

/// Metrics that sum the time of all kernels of a trace.
struct TotalMetric {
  std::string_view name;
  double (*value)(const Measurable& run);
};
constexpr std::array<TotalMetric, 3> kTotalMetrics{{{"total_us", total_time},
                                                    {"total_with_launch_us", total_time_with_launches},
                                                    {"total_between_events_us", total_time_between_events}}};

const TotalMetric* find_total(std::string_view name) {
  const auto* const found = std::ranges::find(kTotalMetrics, name, &TotalMetric::name);
  return found == kTotalMetrics.end() ? nullptr : found;
}

constexpr std::string_view kTopStall = "top_stall";
constexpr std::string_view kStallPrefix = "stalls.";
/// Units in which stalls are told as Nsight Compute does; in any other they are warp-cycles.
constexpr std::string_view kShare = "%";
constexpr std::string_view kPerInstruction = "cycles/instruction";

bool is_stall(std::string_view name) {
  return name.starts_with(kStallPrefix);
}

/// The state in which warps spent most, without the one in which they issue: its number in stats::kStalls.
double top_stall(const Measurable& run) {
  stats::StallCycles stalls = report::make_view(*run.result).kernels.back().counts.stalls;
  stalls[static_cast<std::size_t>(stats::Stall::kSelected)] = 0;
  return static_cast<double>(std::ranges::max_element(stalls) - stalls.begin());
}

/// Warp-cycles of a stall in the case's unit.
double stall_in_unit(const Measurable& run, double warp_cycles) {
  const stats::StallCycles& stalls = report::make_view(*run.result).kernels.back().counts.stalls;
  const auto in_all = static_cast<double>(stats::total(stalls));
  const auto issued = static_cast<double>(stalls[static_cast<std::size_t>(stats::Stall::kSelected)]);
  if (run.from_case->unit == kShare) {
    return in_all > 0 ? 100.0 * warp_cycles / in_all : 0;
  }
  return run.from_case->unit == kPerInstruction && issued > 0 ? warp_cycles / issued : warp_cycles;
}

double result_value(const Measurable& run, const report::KernelColumn& column) {
  const report::View view = report::make_view(*run.result);
  const report::Value value = column.get(view.kernels.back());
  return std::holds_alternative<std::uint64_t>(value) ? static_cast<double>(std::get<std::uint64_t>(value))
                                                      : std::get<double>(value);
}

}  // namespace

const Metric* find_metric(std::string_view name) {
  const auto* const found = std::ranges::find(kProgramMetrics, name, &Metric::name);
  return found == kProgramMetrics.end() ? nullptr : found;
}

bool is_result_metric(std::string_view name) {
  return find_total(name) != nullptr || column_of(name) != nullptr || name == kTopStall;
}

bool is_time_metric(std::string_view name) {
  return find_total(name) != nullptr || name == "time_us" || name == "cycles";
}

std::vector<std::string_view> words_of_metric(std::string_view name) {
  std::vector<std::string_view> words;
  if (name == kTopStall) {
    std::ranges::transform(stats::kStalls, std::back_inserter(words), &stats::StallInfo::key);
  }
  return words;
}

std::string word_of_metric(std::string_view name, double value) {
  const std::vector<std::string_view> words = words_of_metric(name);
  const auto number = static_cast<std::size_t>(value);
  return number < words.size() ? std::string(words[number]) : "";
}

std::string metric_with_unit(const Case& of) {
  return is_stall(of.metric) ? of.metric + " in " + of.unit : of.metric;
}

std::vector<std::string_view> metric_names() {
  std::vector<std::string_view> names;
  for (const Metric& metric : kProgramMetrics) {
    names.push_back(metric.name);
  }
  for (const TotalMetric& metric : kTotalMetrics) {
    names.push_back(metric.name);
  }
  names.push_back(kTopStall);
  for (const report::KernelColumn& column : report::kernel_columns()) {
    if (is_result_metric(column.path)) {
      names.push_back(column.path);
    }
  }
  return names;
}

double measure(const Measurable& run) {
  const std::string& name = run.from_case->metric;
  const Metric* const metric = find_metric(name);
  if (metric != nullptr) {
    return metric->value(run);
  }
  if (name == kTopStall) {
    return top_stall(run);
  }
  const TotalMetric* const total = find_total(name);
  const double value = total != nullptr ? total->value(run) : result_value(run, *column_of(name));
  return is_stall(name) ? stall_in_unit(run, value) : value;
}

std::string metrics_markdown() {
  std::string out = "| metric | marks | meaning |\n| --- | --- | --- |\n";
  for (const Metric& metric : kProgramMetrics) {
    const std::string_view marks = metric.wants_of ? "`of`" : metric.wants_from_to ? "`from`, `to`" : "";
    out += "| `" + std::string(metric.name) + "` | " + std::string(marks) + " | " + std::string(metric.what) + " |\n";
  }
  out += "| `" + std::string(kTopStall) +
         "` |  | a word: the state in which warps spent most cycles but `selected`, such as `long_scoreboard` |\n";
  out += "| `" + std::string(kStallPrefix) +
         "X` |  | in the unit `%` the share of all warp-cycles, in `cycles/instruction` those for each instruction "
         "that issued |\n";
  return out;
}

}  // namespace gpusim::validate
