// SPDX-License-Identifier: MIT
// gpusim occupancy: one launch on one GPU, the kernels of a trace, or a file of launches.
#include "sim/commands/occupancy/command.h"

#include <memory>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_arch.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/occupancy/analysis.h"
#include "sim/commands/occupancy/batch.h"
#include "sim/commands/occupancy/kernels.h"

namespace gpusim::commands {
namespace {

/// Far above any GPU, near enough to keep every product of them within 64 bits.
constexpr std::uint64_t kMost = 1'000'000;

std::uint32_t count(std::string_view option, const std::string& text, std::uint64_t least) {
  return static_cast<std::uint32_t>(cli::parse_count(option, text, least, kMost));
}

int carveout(const std::string& text) {
  constexpr std::uint64_t kAll = 100;
  if (text.empty() || text == std::to_string(occupancy::kDriversCarveout)) {
    return occupancy::kDriversCarveout;
  }
  const std::size_t end = text.ends_with('%') ? text.size() - 1 : text.size();
  return static_cast<int>(cli::parse_count("--carveout", std::string_view(text).substr(0, end), 0, kAll));
}

occupancy::LaunchShape launch_of(const OccupancyOptions& options) {
  occupancy::LaunchShape shape;
  shape.registers_per_thread = count("--regs", options.registers, 0);
  shape.threads_per_cta = count("--block", options.block, 1);
  if (!options.shared.empty()) {
    const std::size_t plus = options.shared.find('+');
    shape.static_shared_bytes = cli::parse_size("--smem", std::string_view(options.shared).substr(0, plus));
    if (plus != std::string::npos) {
      shape.dynamic_shared_bytes = cli::parse_size("--smem", std::string_view(options.shared).substr(plus + 1));
    }
  }
  shape.carveout_percent = carveout(options.carveout);
  shape.barriers = options.barriers.empty() ? 1 : count("--barriers", options.barriers, 0);
  shape.opt_in = options.opt_in;
  shape.ctas_per_cluster = options.cluster.empty() ? 1 : count("--cluster", options.cluster, 1);
  return shape;
}

void require_clusters(const arch::Arch& arch, std::uint32_t ctas) {
  const std::uint32_t most = arch.sm.limits.ctas_per_cluster;
  if (ctas > 1 && most == 0) {
    throw InputError({{"--cluster", 0, 0}, arch.name + " has no clusters", ""});
  }
  if (ctas > 1 && ctas > most) {
    throw InputError({{"--cluster", 0, 0},
                      std::to_string(ctas) + " CTAs are more than a cluster of " + arch.name + " has",
                      "at most " + std::to_string(most)});
  }
}

arch::Arch load_part(const OccupancyOptions& options) {
  arch::Arch arch = cli::load_arch(options.arch, options.set);
  // Answers name files as the user did, so that they are the same bytes on every machine.
  arch.path = options.arch;
  return arch;
}

std::string answer_one(const OccupancyOptions& options, const layout::Look& look) {
  const occupancy::LaunchShape shape = launch_of(options);
  const arch::Arch arch = load_part(options);
  require_clusters(arch, shape.ctas_per_cluster);
  const occupancy::Analysis analysis = occupancy::analyse(arch, shape, !options.cluster.empty());
  return options.format == "json" ? occupancy::to_json(analysis) : occupancy::to_text(analysis, look);
}

std::string answer_trace(const OccupancyOptions& options, const layout::Look& look) {
  const arch::Arch arch = load_part(options);
  trace::Trace trace =
      cli::load_trace(cli::find_trace(options.trace), cli::parse_parameters(options.param, options.test_params));
  trace.path = options.trace;
  cli::log_warnings(trace);
  cli::keep_kernels(trace, options.kernel);
  const occupancy::TraceAnalysis analysis = occupancy::analyse(arch, trace);
  return options.format == "json" ? occupancy::to_json(analysis) : occupancy::to_text(analysis, look);
}

int answer_batch(const OccupancyOptions& options) {
  // From here on an interrupt may not leave a temporary file behind.
  cli::catch_interrupt();
  const auto file = options.output.empty() ? nullptr : std::make_unique<OutputFile>(options.output);
  const std::optional<std::string> answers = occupancy_batch(options.batch);
  if (!answers) {
    cli::log_warning("interrupted: nothing is written");
    return cli::interrupt_code();
  }
  if (file) {
    cli::commit_told(*file, *answers);
  } else {
    cli::print(*answers);
  }
  return cli::Exit::kDone;
}

}  // namespace

int occupancy_command(const OccupancyOptions& options, const cli::Common& common) {
  if (!options.batch.empty()) {
    return answer_batch(options);
  }
  cli::print(options.trace.empty() ? answer_one(options, cli::look_of(common))
                                   : answer_trace(options, cli::look_of(common)));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
