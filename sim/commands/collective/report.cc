// SPDX-License-Identifier: MIT
#include "sim/commands/collective/report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/base/units.h"

namespace gpusim::collective {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kGiga = 1e9;
constexpr std::array<SizeClass, 4> kSizeClasses{{{"to 64 KiB", 64 * kKi + 1},
                                                 {"to 4 MiB", 4 * kMi + 1},
                                                 {"to 64 MiB", 64 * kMi + 1},
                                                 {"above 64 MiB", std::numeric_limits<std::uint64_t>::max()}}};

std::string microseconds(double us) {
  return us < 99.995 ? fmt::format("{:.2f}", us) : us < 9999.5 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

std::string gigabytes(double bytes_per_second) {
  return fmt::format("{:.2f}", bytes_per_second / kGiga);
}

std::string algorithm_name(const Choice& choice) {
  std::string name(arch::word_of(choice.algorithm));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

std::string protocol_name(const Choice& choice) {
  if (is_custom(choice.algorithm)) {
    return "-";
  }
  switch (choice.protocol) {
    case Protocol::kLl: return "LL";
    case Protocol::kLl128: return "LL128";
    case Protocol::kSimple: return "Simple";
  }
  return "";
}

std::string calculated_table(const Report& report, const layout::Look& look) {
  layout::Table table("rrrrrrllr",
                      {"size", "time", "line rate", "algbw", "busbw", "wire", "algorithm", "protocol", "CTAs"});
  for (const Row& row : report.rows) {
    const Estimate& e = row.estimate;
    table.add({with_binary_prefix(e.bytes), microseconds(e.microseconds), microseconds(report.line_us(row)),
               gigabytes(e.algorithm_bandwidth()), gigabytes(e.bus_bandwidth(report.of, report.gpus)),
               with_binary_prefix(static_cast<std::uint64_t>(e.wire_bytes)), algorithm_name(e.choice),
               protocol_name(e.choice), std::to_string(e.choice.channels)});
  }
  return table.to_text(look);
}

/// Beyond this a user should look for a reason.
constexpr double kUsualPct = 25;

std::string judgement(const Row& row) {
  const double slower = 100 * (row.measured_us / row.estimate.microseconds - 1);
  return slower > kUsualPct ? "slower than usual" : slower < -kUsualPct ? "quicker than usual" : "as usual";
}

std::string compared_table(const Report& report, const layout::Look& look) {
  layout::Table table("rrrrrrl", {"size", "measured", "calculated", "off", "busbw", "calculated", "so it is"});
  for (const Row& row : report.rows) {
    const Estimate& e = row.estimate;
    const double measured_bus =
        static_cast<double>(e.bytes) / row.measured_us * 1e6 * bus_factor(report.of, report.gpus);
    table.add({with_binary_prefix(e.bytes), microseconds(row.measured_us), microseconds(e.microseconds),
               fmt::format("{:+.1f} %", row.error_pct()), gigabytes(measured_bus),
               gigabytes(e.bus_bandwidth(report.of, report.gpus)), judgement(row)});
  }
  return table.to_text(look);
}

struct ClassError {
  std::size_t rows = 0;
  double sum_pct = 0;
};

std::map<const SizeClass*, ClassError> class_errors(const Report& report) {
  std::map<const SizeClass*, ClassError> errors;
  for (const Row& row : report.rows) {
    ClassError& of = errors[&class_of(row.estimate.bytes)];
    ++of.rows;
    of.sum_pct += std::abs(row.error_pct());
  }
  return errors;
}

std::string class_table(const Report& report, const layout::Look& look) {
  layout::Table table("lrr", {"sizes", "rows", "mean error"});
  for (const auto& [of, error] : class_errors(report)) {
    table.add({std::string(of->name), std::to_string(error.rows),
               fmt::format("{:.1f} %", error.sum_pct / static_cast<double>(error.rows))});
  }
  return table.to_text(look);
}

std::string_view launch_text(Launch launch) {
  switch (launch) {
    case Launch::kOneProcess: return "called by one process for all GPUs";
    case Launch::kProcessPerGpu: return "called by a process for each GPU";
    case Launch::kFramework: return "called from PyTorch";
  }
  return "";
}

/// What is to be said of rows that NCCL does not run.
std::string custom_note(const Report& report) {
  const bool has_any =
      std::ranges::any_of(report.rows, [](const Row& row) { return is_custom(row.estimate.choice.algorithm); });
  return has_any ? " ONE-SHOT and TWO-SHOT: an all-reduce of the framework's own, in which each GPU reads the others' "
                   "memory, as vLLM's; its rates were fitted on H100, and follow the links."
                 : "";
}

}  // namespace

const SizeClass& class_of(std::uint64_t bytes) {
  return *std::ranges::find_if(kSizeClasses, [bytes](const SizeClass& c) { return bytes < c.below; });
}

double Report::line_us(const Row& row) const {
  return wire_bytes(of, row.estimate.choice.algorithm, Protocol::kSimple, gpus, row.estimate.bytes) / line_rate * 1e6;
}

std::string to_text(const Report& report, const layout::Look& look) {
  const std::string title = fmt::format("{} of {} GPUs of {}, {}", arch::word_of(report.of), report.gpus, report.system,
                                        launch_text(report.launch));
  const std::string trust =
      report.is_fitted ? "The rates are those that the system's file gives; gpusim system show has their sources."
                       : "Nothing was measured on this system: the rates follow from its links by rule.";
  std::string text = layout::wrapped(printable(title), layout::kIndent) + "\n";
  if (report.has_measured()) {
    return text + compared_table(report, look) + "\n" + class_table(report, look) + "\n" +
           layout::wrapped(
               "Times in us, busbw in GB/s as nccl-tests defines it. off: calculated against measured. " + trust,
               layout::kIndent);
  }
  return text + calculated_table(report, look) + "\n" +
         layout::wrapped(
             "times in us, algbw and busbw in GB/s as nccl-tests defines them. line rate: what the data would "
             "take at the " +
                 gigabytes(report.line_rate) +
                 " GB/s of the slowest link each way. wire: bytes that a GPU puts on its links, flags of "
                 "the protocol included. CTAs: SMs taken from other kernels. " +
                 trust + custom_note(report) + report.note,
             layout::kIndent);
}

std::string to_json(const Report& report) {
  Json root{{"schema", "gpusim.collective/1"},
            {"system", report.system},
            {"collective", arch::word_of(report.of)},
            {"gpus", report.gpus},
            {"launch", arch::word_of(report.launch)},
            {"fitted", report.is_fitted},
            {"line_rate_bytes_per_second", report.line_rate},
            {"rows", Json::array()}};
  for (const Row& row : report.rows) {
    const Estimate& e = row.estimate;
    Json out{{"bytes", e.bytes},
             {"time_us", e.microseconds},
             {"line_rate_us", report.line_us(row)},
             {"algbw_bytes_per_second", e.algorithm_bandwidth()},
             {"busbw_bytes_per_second", e.bus_bandwidth(report.of, report.gpus)},
             {"wire_bytes", e.wire_bytes},
             {"algorithm", arch::word_of(e.choice.algorithm)},
             {"channels", e.choice.channels}};
    if (!is_custom(e.choice.algorithm)) {
      out["protocol"] = arch::word_of(e.choice.protocol);
      out["nccl_time_us"] = e.choice.microseconds;
    }
    if (row.measured_us > 0) {
      out["measured_us"] = row.measured_us;
      out["error_pct"] = row.error_pct();
    }
    root["rows"].push_back(std::move(out));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_csv(const Report& report) {
  std::string text =
      "bytes,time_us,algbw_gbs,busbw_gbs,wire_bytes,algorithm,protocol,channels,measured_us,line_rate_us\n";
  for (const Row& row : report.rows) {
    const Estimate& e = row.estimate;
    text += fmt::format("{},{:.3f},{:.3f},{:.3f},{:.0f},{},{},{},{},{:.3f}\n", e.bytes, e.microseconds,
                        e.algorithm_bandwidth() / kGiga, e.bus_bandwidth(report.of, report.gpus) / kGiga, e.wire_bytes,
                        arch::word_of(e.choice.algorithm),
                        is_custom(e.choice.algorithm) ? "" : arch::word_of(e.choice.protocol), e.choice.channels,
                        row.measured_us > 0 ? fmt::format("{:g}", row.measured_us) : "", report.line_us(row));
  }
  return text;
}

}  // namespace gpusim::collective
