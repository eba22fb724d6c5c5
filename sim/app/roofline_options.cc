// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/app/options.h"
#include "sim/base/problem.h"

namespace gpusim::app {
namespace {

void declare(CLI::App& app, RooflineOptions& roofline) {
  add_text(app, "-a,--arch", roofline.arch, "FILE|NAME", "The GPU: an architecture file");
  add_set(app, roofline.set);
  add_repeated(app, "--flops", roofline.flops, "F", "Work of a point: 2.2 TFLOP, 1.5e12 (repeatable)");
  add_repeated(app, "--bytes", roofline.bytes, "B", "What it moves: 64 MiB, 412 MB, 4e8 (one for each --flops)");
  add_repeated(app, "--name", roofline.names, "N", "What it is called (one for each --flops, or none)");
  add_text(app, "--type", roofline.type, "TYPE", "Of the arithmetic: fp32, fp64, fp16, bf16, tf32, fp8, int8, ...");
  app.add_flag("--sparse", roofline.sparse, "With 2:4 structured sparsity");
  add_choice(app, "--level", roofline.level, {"dram", "l2", "l1", "shared"}, "The memory that --bytes go to and from");
  add_choice(app, "--clock", roofline.clock, {"vendor", "sm"}, "Peaks as the vendor quotes them, or as simulated");
  app.add_flag("--operations", roofline.operations, "The operations of transformers, from their shapes");
  for (std::size_t i = 0; i < kShapeOptions.size(); ++i) {
    add_text(app, kShapeOptions[i].name, roofline.shape[i], "N", kShapeOptions[i].what);
  }
  add_text(app, "--result", roofline.result, "FILE", "The kernels of a result saved with --json, as they ran");
  add_choice(app, "-f,--format", roofline.format, {"text", "json"}, "Of what is printed");
  app.add_flag("-d,--details", roofline.details, "Show how the operations are counted");
}

/// A saved result brings its own machine and work.
void refuse_beside_result(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && name != "--result" && name != "--level" && name != "--format" && name != "--quiet" &&
        name != "--color" && name != "--details") {
      throw UsageError(name + " does not go with --result, which brings the machine and the work");
    }
  }
}

RooflineOptions checked(const CLI::App& app, const RooflineOptions& roofline) {
  if (!roofline.result.empty()) {
    refuse_beside_result(app);
    return roofline;
  }
  require(app, roofline.arch, "--arch FILE|NAME, for example --arch h100, or --result FILE");
  if (roofline.flops.size() != roofline.bytes.size()) {
    throw UsageError("every --flops needs one --bytes: there are " + std::to_string(roofline.flops.size()) + " and " +
                     std::to_string(roofline.bytes.size()));
  }
  if (!roofline.names.empty() && roofline.names.size() != roofline.flops.size()) {
    throw UsageError("--name is for each point or for none: there are " + std::to_string(roofline.names.size()) +
                     " for " + std::to_string(roofline.flops.size()) + " points");
  }
  if (roofline.flops.empty() && !roofline.operations) {
    throw UsageError("'gpusim roofline' needs --flops and --bytes, or --operations, or --result");
  }
  for (std::size_t i = 0; i < kShapeOptions.size() && !roofline.operations; ++i) {
    if (!roofline.shape[i].empty()) {
      throw UsageError(std::string(kShapeOptions[i].name) + " is for --operations");
    }
  }
  if (roofline.operations && roofline.level != "dram") {
    throw UsageError("--operations counts the bytes of DRAM: --level is for --flops and --bytes");
  }
  return roofline;
}

}  // namespace

void add_roofline_options(CommandSet& commands) {
  const auto options = std::make_shared<RooflineOptions>();
  CLI::App& command = commands.add(commands.root(), "roofline",
                                   "What bounds work of so many FLOPs and bytes, and the least time it takes",
                                   [options](const CLI::App& app) { return checked(app, *options); });
  declare(command, *options);
}

}  // namespace gpusim::app
