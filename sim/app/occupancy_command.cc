// SPDX-License-Identifier: MIT
// gpusim occupancy: one launch on one GPU, the kernels of a trace, or a file of launches.
#include <memory>

#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/find_file.h"
#include "sim/app/interrupt.h"
#include "sim/app/library.h"
#include "sim/app/occupancy_batch.h"
#include "sim/app/program.h"
#include "sim/app/render.h"
#include "sim/app/values.h"
#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/commands/occupancy/answer.h"
#include "sim/commands/occupancy/kernels.h"
#include "sim/model/arch/loader.h"

namespace gpusim::app {
namespace {

/// Far above any part, near enough to keep every product of them within 64 bits.
constexpr std::uint64_t kMost = 1'000'000;

std::uint32_t count(std::string_view option, const std::string& text, std::uint64_t least) {
  return static_cast<std::uint32_t>(parse_count(option, text, least, kMost));
}

int carveout(const std::string& text) {
  constexpr std::uint64_t kAll = 100;
  if (text.empty() || text == std::to_string(occupancy::kDriversCarveout)) {
    return occupancy::kDriversCarveout;
  }
  const std::size_t end = text.ends_with('%') ? text.size() - 1 : text.size();
  return static_cast<int>(parse_count("--carveout", std::string_view(text).substr(0, end), 0, kAll));
}

occupancy::LaunchShape launch_of(const OccupancyOptions& options) {
  occupancy::LaunchShape shape;
  shape.registers_per_thread = count("--regs", options.registers, 0);
  shape.threads_per_cta = count("--block", options.block, 1);
  if (!options.shared.empty()) {
    const std::size_t plus = options.shared.find('+');
    shape.static_shared_bytes = parse_size("--smem", std::string_view(options.shared).substr(0, plus));
    if (plus != std::string::npos) {
      shape.dynamic_shared_bytes = parse_size("--smem", std::string_view(options.shared).substr(plus + 1));
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
  std::vector<arch::Override> overrides;
  for (const std::string& text : options.set) {
    overrides.push_back(arch::parse_override(text));
  }
  arch::Arch arch =
      arch::load_arch(find_file(options.arch, architecture_files()), overrides, search_folders(architecture_files()));
  // Answers name files as the user did, so that they are the same bytes on every machine.
  arch.path = options.arch;
  return arch;
}

std::string answer_one(const OccupancyOptions& options, const layout::Look& look) {
  const occupancy::LaunchShape shape = launch_of(options);
  const arch::Arch arch = load_part(options);
  require_clusters(arch, shape.ctas_per_cluster);
  const occupancy::Answer answer = occupancy::answer(arch, shape, !options.cluster.empty());
  return options.format == "json" ? occupancy::to_json(answer) : occupancy::to_text(answer, look);
}

std::string answer_trace(const OccupancyOptions& options, const layout::Look& look) {
  const arch::Arch arch = load_part(options);
  trace::Trace trace = load_trace(find_trace(options.trace), parse_parameters(options.param, options.test_params));
  trace.path = options.trace;
  keep_kernels(trace, options.kernel);
  const occupancy::TraceAnswer answer = occupancy::answer(arch, trace);
  return options.format == "json" ? occupancy::to_json(answer) : occupancy::to_text(answer, look);
}

int answer_batch(const OccupancyOptions& options) {
  // From here on an interrupt may not leave a temporary file behind.
  catch_interrupt();
  const auto file = options.output.empty() ? nullptr : std::make_unique<OutputFile>(options.output);
  const std::optional<std::string> answers = occupancy_batch(options.batch);
  if (!answers) {
    log_warning("interrupted: nothing is written");
    return interrupt_code();
  }
  if (file) {
    file->commit(*answers);
  } else {
    print(*answers);
  }
  return Exit::kDone;
}

}  // namespace

int occupancy_command(const OccupancyOptions& options, const Common& common) {
  if (!options.batch.empty()) {
    return answer_batch(options);
  }
  print(options.trace.empty() ? answer_one(options, look_of(common)) : answer_trace(options, look_of(common)));
  return Exit::kDone;
}

}  // namespace gpusim::app
