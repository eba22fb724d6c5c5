// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/commands/trace/summary.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::trace_summary {
namespace {

using Json = nlohmann::ordered_json;

/// Opcodes of the mix that are listed one by one in the text; JSON has all.
constexpr std::size_t kOpcodesShown = 12;
constexpr std::array<std::string_view, trace::kMemSpaces> kSpaceNames{"none",  "global",   "shared",
                                                                      "local", "constant", "cluster_shared"};

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

std::uint64_t all_flops(const KernelInfo& info) {
  const auto& flops = info.summary.flops;
  return std::accumulate(flops.begin(), flops.end(), std::uint64_t{0});
}

std::uint64_t global_bytes(const KernelInfo& info) {
  const trace::RequestedBytes& bytes = info.summary.of(isa::MemSpace::kGlobal);
  return bytes.read + bytes.written + bytes.atomic;
}

std::uint64_t touched_bytes(const KernelInfo& info) {
  return std::accumulate(info.footprint.begin(), info.footprint.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const trace::Touched& row) { return sum + row.bytes; });
}

std::string counted(std::uint64_t count, const char* what) {
  return with_thousands(count) + ' ' + what + (count == 1 ? "" : "s");
}

std::string size_text(const Dim3& dim) {
  return fmt::format("({}, {}, {})", dim.x, dim.y, dim.z);
}

std::string walked_text(const trace::Coverage& walked) {
  if (walked.complete()) {
    return "";
  }
  if (walked.ctas == 0) {
    return fmt::format(
        "  cut off after {} warp instructions of the first of {} CTAs: all that follows is of these alone\n",
        with_thousands(walked.steps), with_thousands(walked.of_ctas));
  }
  return fmt::format("  walked {} of {} CTAs, spread over the grid{}; counts are scaled to all, the footprint is not\n",
                     with_thousands(walked.ctas), with_thousands(walked.of_ctas),
                     walked.cut_off ? " up to where it was cut off" : "");
}

std::string flops_text(const KernelInfo& info) {
  std::string out;
  for (std::size_t i = 1; i < isa::kFlopClasses; ++i) {
    if (info.summary.flops[i] != 0) {
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ",
                         with_si_prefix(static_cast<double>(info.scaled(info.summary.flops[i])), "FLOP"),
                         isa::kFlopClassNames[i]);
    }
  }
  return out.empty() ? "none" : out;
}

std::string bytes_text(const KernelInfo& info) {
  std::string out;
  for (std::size_t i = 0; i < trace::kMemSpaces; ++i) {
    const trace::RequestedBytes& bytes = info.summary.bytes[i];
    std::string space;
    for (const auto& [count, what] :
         {std::pair(bytes.read, "read"), std::pair(bytes.written, "written"), std::pair(bytes.atomic, "by atomics")}) {
      if (count != 0) {
        space += fmt::format("{} {} {}", space.empty() ? "" : ",", with_binary_prefix(info.scaled(count)), what);
      }
    }
    if (!space.empty()) {
      out += fmt::format("{}{}{}", out.empty() ? "" : "; ", kSpaceNames[i], space);
    }
  }
  return out.empty() ? "none" : out;
}

std::string footprint_text(const KernelInfo& info) {
  std::string out;
  for (const trace::Touched& row : info.footprint) {
    out += fmt::format("{}{} {}{}", out.empty() ? "" : ", ", row.buffer.empty() ? "unnamed" : row.buffer,
                       with_binary_prefix(row.bytes),
                       row.of_bytes == 0 || row.of_bytes == row.bytes ? "" : " of " + with_binary_prefix(row.of_bytes));
  }
  return out.empty() ? "none" : out;
}

/// Three digits where they say something: "0.167", "34.1", "16,384".
std::string intensity_number(double value) {
  return value < 999.5 ? fmt::format("{:.3g}", value) : with_thousands(static_cast<std::uint64_t>(std::llround(value)));
}

std::string intensity_text(const KernelInfo& info) {
  std::string out =
      intensity_number(ratio(all_flops(info), global_bytes(info))) + " FLOP a byte asked of global memory";
  if (info.summary.walked.complete()) {
    out += ", " + intensity_number(ratio(all_flops(info), touched_bytes(info))) + " a byte of the footprint";
  }
  return out;
}

std::string mix_text(const trace::KernelSummary& summary, const layout::Look& look) {
  layout::Table table("lrl", {"opcode", "%", "pipe"});
  const double all = static_cast<double>(std::max<std::uint64_t>(1, summary.total.issues));
  std::uint64_t rest = summary.total.issues;
  const std::size_t shown = std::min(summary.by_opcode.size(), kOpcodesShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const trace::OpcodeCount& row = summary.by_opcode[i];
    rest -= row.count.issues;
    table.add({row.opcode, fmt::format("{:.1f}", 100.0 * static_cast<double>(row.count.issues) / all),
               std::string(isa::kPipeNames[static_cast<std::size_t>(row.pipe)])});
  }
  if (rest != 0) {
    table.add({fmt::format("{} more", summary.by_opcode.size() - shown),
               fmt::format("{:.1f}", 100.0 * static_cast<double>(rest) / all), ""});
  }
  return table.to_text(look);
}

std::string kernel_text(const KernelInfo& info, const layout::Look& look) {
  const trace::Kernel& kernel = *info.kernel;
  const trace::KernelSummary& summary = info.summary;
  std::string out =
      fmt::format("\nkernel {}: grid {}, block {}: {} of {}\n", printable(kernel.name), size_text(kernel.grid),
                  size_text(kernel.block), counted(kernel.ctas(), "CTA"), counted(kernel.warps_per_cta(), "warp"));
  if (kernel.ctas_per_cluster() > 1) {
    out +=
        fmt::format("  in clusters of {}: {}\n", size_text(kernel.cluster), counted(kernel.ctas_per_cluster(), "CTA"));
  }
  out += fmt::format("  {} instructions, {} registers a thread, {} of shared memory a CTA, dependences {}\n",
                     kernel.code.size(), kernel.registers_per_thread,
                     with_binary_prefix(kernel.shared_static_bytes + kernel.shared_dynamic_bytes),
                     kernel.control_recorded ? "recorded" : "to be assigned");
  out += walked_text(summary.walked);
  out += fmt::format("  {:<18} {}\n", "warp instructions", with_thousands(info.scaled(summary.total.issues)));
  out +=
      fmt::format("  {:<18} {:.1f} of 32 on the path, {:.1f} let through by guards\n", "lanes",
                  ratio(summary.active_lanes, summary.total.issues), ratio(summary.total.lanes, summary.total.issues));
  out += fmt::format("  {:<18} {}\n", "FLOPs", flops_text(info));
  out += fmt::format("  {:<18} {}\n", "bytes asked for", bytes_text(info));
  out += fmt::format("  {:<18} {}\n", "footprint", footprint_text(info));
  out += fmt::format("  {:<18} {}\n", "intensity", intensity_text(info));
  return out + mix_text(summary, look);
}

std::string parameters_text(const trace::Trace& trace) {
  std::string out;
  for (const trace::Parameter& p : trace.parameters) {
    out +=
        fmt::format("  --param {} = {}  (default {}{})  {}\n", p.name, p.text_of(p.value), p.text_of(p.default_value),
                    p.test_value ? fmt::format(", test {}", p.text_of(*p.test_value)) : "", p.what);
  }
  return out.empty() ? "  no parameters\n" : out;
}

Json size_json(const Dim3& dim) {
  return {dim.x, dim.y, dim.z};
}

Json mix_json(const KernelInfo& info) {
  Json mix = Json::array();
  for (const trace::OpcodeCount& row : info.summary.by_opcode) {
    mix.push_back({{"opcode", row.opcode},
                   {"pipe", isa::kPipeNames[static_cast<std::size_t>(row.pipe)]},
                   {"warp_instructions", info.scaled(row.count.issues)},
                   {"thread_instructions", info.scaled(row.count.lanes)}});
  }
  return mix;
}

Json kernel_json(const KernelInfo& info) {
  const trace::Kernel& kernel = *info.kernel;
  const trace::KernelSummary& summary = info.summary;
  Json out{{"name", kernel.name}, {"grid", size_json(kernel.grid)}, {"block", size_json(kernel.block)}};
  if (kernel.ctas_per_cluster() > 1) {
    out["cluster"] = size_json(kernel.cluster);
  }
  out["registers"] = kernel.registers_per_thread;
  out["shared_bytes"] = kernel.shared_static_bytes + kernel.shared_dynamic_bytes;
  out["instructions"] = kernel.code.size();
  out["control_bits"] = kernel.control_recorded ? "recorded" : "assigned";
  out["walked"] = {
      {"ctas", summary.walked.ctas}, {"of_ctas", summary.walked.of_ctas}, {"complete", summary.walked.complete()}};
  // Counts are of the whole launch, as in the text. Without a whole CTA they are of a part of the first, and nothing
  // follows for the launch.
  out["walked"]["cut_off"] = summary.walked.cut_off;
  out["walked"]["warp_instructions"] = summary.total.issues;
  out["warp_instructions"] = info.scaled(summary.total.issues);
  out["thread_instructions"] = info.scaled(summary.total.lanes);
  out["lanes_on_path"] = ratio(summary.active_lanes, summary.total.issues);
  out["lanes_through_guards"] = ratio(summary.total.lanes, summary.total.issues);
  out["flops"] = Json::object();
  for (std::size_t i = 1; i < isa::kFlopClasses; ++i) {
    if (summary.flops[i] != 0) {
      out["flops"][std::string(isa::kFlopClassNames[i])] = info.scaled(summary.flops[i]);
    }
  }
  out["bytes"] = Json::object();
  for (std::size_t i = 1; i < trace::kMemSpaces; ++i) {
    const trace::RequestedBytes& bytes = summary.bytes[i];
    if (i == static_cast<std::size_t>(isa::MemSpace::kClusterShared) && kernel.ctas_per_cluster() == 1) {
      continue;
    }
    out["bytes"][std::string(kSpaceNames[i])] = {{"read", info.scaled(bytes.read)},
                                                 {"written", info.scaled(bytes.written)},
                                                 {"atomic", info.scaled(bytes.atomic)}};
  }
  out["flop_per_byte"] = ratio(all_flops(info), global_bytes(info));
  out["footprint"] = Json::array();
  for (const trace::Touched& row : info.footprint) {
    out["footprint"].push_back({{"buffer", row.buffer}, {"bytes", row.bytes}, {"of_bytes", row.of_bytes}});
  }
  out["mix"] = mix_json(info);
  return out;
}

void walk(KernelInfo& info, std::uint64_t ctas, std::uint64_t most_steps) {
  trace::Footprint footprint;
  info.summary = trace::summarize(*info.kernel, {ctas, most_steps, true}, &footprint);
  info.footprint = footprint.by_buffer(*info.kernel);
}

}  // namespace

std::uint64_t KernelInfo::scaled(std::uint64_t count) const {
  const trace::Coverage& walked = summary.walked;
  if (walked.complete() || walked.ctas == 0) {
    return count;
  }
  return static_cast<std::uint64_t>(static_cast<double>(count) * static_cast<double>(walked.of_ctas) /
                                    static_cast<double>(walked.ctas));
}

KernelInfo summarize_kernel(const trace::Kernel& kernel, std::uint64_t most_steps) {
  KernelInfo info;
  info.kernel = &kernel;
  // What the first CTA takes says how many fit; the last CTA of a grid is often shorter, the first seldom.
  const trace::KernelSummary first = trace::summarize(kernel, {1, most_steps});
  const std::uint64_t ctas =
      std::clamp<std::uint64_t>(most_steps / std::max<std::uint64_t>(first.total.issues, 1), 1, kernel.ctas());
  walk(info, ctas, 2 * most_steps);
  if (info.summary.walked.cut_off && info.summary.walked.ctas > 1) {
    // The first CTA was one of the shortest. Where work grows evenly over the grid, the mean is at most twice that of
    // the part which was walked; half of what that leaves is for safety.
    walk(info, std::max<std::uint64_t>(info.summary.walked.ctas / 4, 1), 2 * most_steps);
  }
  return info;
}

std::string info_text(const TraceInfo& info, const layout::Look& look) {
  const trace::Trace& trace = *info.trace;
  std::string out =
      fmt::format("{}: {}\n", trace.path,
                  trace.title.empty() ? std::string(trace_origin_text(trace.origin)) : printable(trace.title));
  out += parameters_text(trace);
  if (info.file_bytes != 0) {
    out += fmt::format("  {} on disk\n", with_binary_prefix(info.file_bytes));
  }
  for (const KernelInfo& kernel : info.kernels) {
    out += kernel_text(kernel, look);
  }
  return out;
}

std::string info_json(const TraceInfo& info) {
  const trace::Trace& trace = *info.trace;
  Json root{{"schema", "gpusim.trace-info/1"},
            {"file", trace.path},
            {"origin", trace_origin_text(trace.origin)},
            {"title", trace.title}};
  root["file_bytes"] = info.file_bytes;
  root["parameters"] = Json::object();
  for (const trace::Parameter& p : trace.parameters) {
    root["parameters"][p.name] = p.words.empty() ? Json(p.value) : Json(p.text_of(p.value));
  }
  root["kernels"] = Json::array();
  for (const KernelInfo& kernel : info.kernels) {
    root["kernels"].push_back(kernel_json(kernel));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::trace_summary
