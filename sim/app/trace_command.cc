// SPDX-License-Identifier: MIT
// gpusim trace info | check | dump.
#include <algorithm>

#include <fmt/format.h>

#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/find_file.h"
#include "sim/app/load_trace.h"
#include "sim/app/program.h"
#include "sim/app/values.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/trace/dump.h"
#include "sim/trace/summary.h"
#include "sim/trace/walker.h"

namespace gpusim::app {
namespace {

constexpr std::uint64_t kStepsShown = 1000;
/// What `info` walks of a kernel: enough for the mix of instructions, quick for any size.
constexpr trace::WalkLimit kInfoLimit{1, 2'000'000};

std::string size_text(const Dim3& dim) {
  return fmt::format("({}, {}, {})", dim.x, dim.y, dim.z);
}

std::string parameters_text(const trace::Trace& trace) {
  std::string out;
  for (const trace::Parameter& p : trace.parameters) {
    out += fmt::format("  --param {} = {}  (default {}{})  {}\n", p.name, p.value, p.default_value,
                       p.test_value ? fmt::format(", test {}", *p.test_value) : "", p.what);
  }
  return out.empty() ? "  no parameters\n" : out;
}

std::string mix_text(const trace::KernelSummary& summary) {
  std::string out =
      fmt::format("  {} {}: {} warp instructions\n", summary.walked.ctas,
                  summary.walked.cut_off ? "CTAs and a part" : "CTA", with_thousands(summary.total.issues));
  for (const trace::OpcodeCount& row : summary.by_opcode) {
    out += fmt::format("    {:<28} {:>12}  {:>5.1f} %  {}\n", row.opcode, with_thousands(row.count.issues),
                       100.0 * static_cast<double>(row.count.issues) /
                           static_cast<double>(std::max<std::uint64_t>(1, summary.total.issues)),
                       isa::kPipeNames[static_cast<std::size_t>(row.pipe)]);
  }
  return out;
}

std::string kernel_text(const trace::Kernel& kernel) {
  std::string out =
      fmt::format("\nkernel {}: grid {}, block {}: {} CTAs of {} warps\n", kernel.name, size_text(kernel.grid),
                  size_text(kernel.block), with_thousands(kernel.ctas()), kernel.warps_per_cta());
  out += fmt::format("  {} instructions, {} registers a thread, {} of shared memory a CTA, dependences {}\n",
                     kernel.code.size(), kernel.registers_per_thread,
                     with_binary_prefix(kernel.shared_static_bytes + kernel.shared_dynamic_bytes),
                     kernel.control_recorded ? "recorded" : "to be assigned");
  return out + mix_text(trace::summarize(kernel, kInfoLimit));
}

void print_info(const trace::Trace& trace) {
  print(fmt::format("{}: {}\n", trace.path, trace.title.empty() ? trace.origin : trace.title));
  print(parameters_text(trace));
  for (const trace::Kernel& kernel : trace.kernels) {
    print(kernel_text(kernel));
  }
}

void print_check(const trace::Trace& trace) {
  const trace::CheckResult result = trace::check(trace);
  if (!result.problems.empty()) {
    throw InputError(result.problems);
  }
  for (std::size_t i = 0; i < trace.kernels.size(); ++i) {
    const trace::Coverage& walked = result.walked[i];
    print(fmt::format("kernel {}: no problems; walked {} of {} CTAs, {} warp instructions{}\n", trace.kernels[i].name,
                      with_thousands(walked.ctas), with_thousands(walked.of_ctas), with_thousands(walked.steps),
                      walked.cut_off ? " (cut off)" : ""));
  }
}

/// `text` as a count from 0 to `most`, or `otherwise` when the option was not given.
std::uint64_t count_or(const char* option, const std::string& text, std::uint64_t otherwise, std::uint64_t most) {
  return text.empty() ? otherwise : parse_count(option, text, 0, most);
}

std::string dump_text(const trace::Kernel& kernel, const TraceOptions& options) {
  if (options.cta.empty() && options.warp.empty()) {
    return trace::dump_program(kernel);
  }
  const std::uint64_t cta = count_or("--cta", options.cta, 0, kernel.ctas() - 1);
  const std::uint64_t warp = count_or("--warp", options.warp, 0, kernel.warps_per_cta() - 1);
  return trace::dump_warp(kernel, trace::cta_at(cta, kernel.grid), static_cast<std::uint32_t>(warp),
                          count_or("--most", options.most, kStepsShown, kNever));
}

void print_dump(const trace::Trace& trace, const TraceOptions& options) {
  for (const trace::Kernel& kernel : trace.kernels) {
    print(dump_text(kernel, options));
  }
}

}  // namespace

int trace_command(const TraceOptions& options) {
  const trace::ParameterChoice choice{parse_parameters(options.param), options.test_params};
  trace::Trace trace = load_trace(find_file(options.name, trace_files()), choice);
  keep_kernels(trace, options.kernel);
  for (const std::string& warning : trace.warnings) {
    log_warning(warning);
  }
  switch (options.action) {
    case TraceAction::kInfo: print_info(trace); break;
    case TraceAction::kCheck: print_check(trace); break;
    case TraceAction::kDump: print_dump(trace, options); break;
  }
  return Exit::kDone;
}

}  // namespace gpusim::app
