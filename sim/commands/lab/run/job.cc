// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/job.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/base/cache_state.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/commands/lab/run/launched.h"
#include "sim/commands/lab/run/machine.h"
#include "sim/commands/launch/job.h"
#include "sim/commands/sweep/formula/quantity.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/arch/schema.h"
#include "sim/model/stats/stall.h"
#include "sim/model/trace/kernel.h"
#include "sim/output/compare/sums.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/writers.h"
#include "sim/output/view/view.h"

namespace gpusim::lab {
namespace {

/// The key under which a lab finds the state that most warp-cycles were spent in without issuing.
constexpr const char* kMainStall = "main_stall";

/// What is not there was not counted: zero.
void add(std::map<std::string, Scope::Value, std::less<>>& values, const std::string& key, const report::Value& value) {
  if (const auto* const whole = std::get_if<std::uint64_t>(&value)) {
    values[key] = static_cast<double>(*whole);
  } else if (const auto* const real = std::get_if<double>(&value)) {
    values[key] = *real;
  } else if (const auto* const text = std::get_if<std::string>(&value)) {
    values[key] = *text;
  } else if (const auto* const truth = std::get_if<bool>(&value)) {
    values[key] = *truth ? 1.0 : 0.0;
  } else if (std::holds_alternative<std::monostate>(value)) {
    values[key] = 0.0;
  }
}

/// Unlike stats::main_wait() it may be not_selected, which a lab may ask for.
std::string main_stall(const stats::Result& result) {
  stats::StallCycles sum{};
  for (const stats::KernelResult& kernel : result.kernels) {
    stats::add(sum, kernel.stalls);
  }
  sum[static_cast<std::size_t>(stats::Stall::kSelected)] = 0;
  const auto most = std::ranges::max_element(sum);
  return *most == 0 ? "none" : std::string(stats::kStalls[static_cast<std::size_t>(most - sum.begin())].key);
}

/// The keys of the architecture, in base units.
void add_arch(std::map<std::string, Scope::Value, std::less<>>& values, const arch::Sheet& sheet) {
  for (const arch::Key& key : arch::schema()) {
    const arch::Entry* const entry = sheet.find(key.path);
    if (const auto quantity = entry == nullptr ? std::nullopt : sweep::parse_quantity(entry->text)) {
      values["arch." + key.path] = quantity->value;
    }
  }
}

/// Throws InputError when the kernel that counts is not among them, or when a student's others could do its work.
void require_kernel(const Job& job, const trace::Trace& trace) {
  const auto is_wanted = [&job](const trace::Kernel& kernel) { return kernel.name == job.kernel; };
  if (job.kernel.empty()) {
    return;
  }
  if (std::ranges::any_of(trace.kernels, is_wanted)) {
    const auto other = std::ranges::find_if_not(trace.kernels, is_wanted);
    if (job.is_of_student && other != trace.kernels.end()) {
      throw InputError({{job.trace, 0, 0},
                        "runs a kernel '" + other->name + "' besides '" + job.kernel + "'",
                        "the check measures '" + job.kernel + "' alone, so that must do all the work"});
    }
    return;
  }
  std::string all;
  for (const trace::Kernel& kernel : trace.kernels) {
    all += (all.empty() ? "'" : ", '") + kernel.name + "'";
  }
  throw InputError({{job.trace, 0, 0},
                    "has no kernel '" + job.kernel + "', which the check looks for",
                    all.empty() ? "it has none at all" : "it has " + all});
}

/// Throws InputError for control bits that a student wrote: with them a kernel need not wait for what it loads.
void refuse_control_bits(const Job& job, const trace::Trace& trace) {
  for (const trace::Kernel& kernel : trace.kernels) {
    const auto written = std::ranges::find_if(kernel.code, &isa::Instr::has_control);
    if (job.is_of_student && written != kernel.code.end()) {
      const isa::InstrText& text = kernel.texts[static_cast<std::size_t>(written - kernel.code.begin())];
      throw InputError({{job.trace, text.line, 0},
                        "'" + text.opcode + "' has control bits, which a lab does not take",
                        "leave the brackets out: gpusim finds what each instruction waits for"});
    }
  }
}

}  // namespace

trace::Trace load_trace_of(const Job& job) {
  trace::Trace trace = job.launch.empty()
                           ? cli::load_trace(cli::find_trace(job.trace), cli::parse_parameters(job.params, false))
                           : launched(job)->trace(commands::Job::Values::kAll);
  require_kernel(job, trace);
  if (job.launch.empty()) {
    refuse_control_bits(job, trace);
  }
  return trace;
}

arch::Resolved arch_of(const Job& job) {
  const std::filesystem::path file = cli::find_file(job.arch, cli::architecture_files());
  if (job.has_own_arch) {
    require_own_files(file);
  }
  return arch::resolve_arch(file, arch::parse_overrides(job.set), cli::search_folders(cli::architecture_files()));
}

std::string compute_capability_of(const Job& job) {
  return arch_of(job).arch.compute_capability;
}

Simulated simulate_job(const Job& job, const trace::Trace& trace) {
  const arch::Resolved resolved = arch_of(job);
  Simulated simulated;
  gpu::SimulateOptions options;
  options.cache = cache_state_of(job.cache);
  options.take_memory = [&](std::unique_ptr<trace::DeviceMemory> memory) { simulated.memory = std::move(memory); };
  stats::Result result = gpu::simulate(resolved.arch, trace, options);
  if (!job.kernel.empty()) {
    std::erase_if(result.kernels, [&job](const stats::KernelResult& kernel) { return kernel.name != job.kernel; });
  }
  const compare::Grouped grouped = compare::group(result);
  const report::View view = report::explained_view(result.kernels.size() == 1 ? result : grouped.total);
  auto& values = simulated.values;
  for (const report::KernelColumn& column : report::kernel_columns()) {
    add(values, column.path, column.get(view.kernels.front()));
  }
  for (const report::RunColumn& column : report::run_columns()) {
    if (column.path.starts_with("machine.")) {
      add(values, column.path, column.get(view));
    }
  }
  add_arch(values, resolved.sheet);
  values[kMainStall] = main_stall(result);
  return simulated;
}

}  // namespace gpusim::lab
