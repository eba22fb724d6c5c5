// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/roofline/command.h"
#include "sim/commands/roofline/values.h"

namespace gpusim::commands {
namespace {

void declare(CLI::App& app, RooflineOptions& options) {
  cli::add_text(app, "-a,--arch", options.arch, "FILE|NAME", "The GPU: an architecture file");
  cli::add_set(app, options.set);
  cli::add_repeated(app, "--flops", options.flops, "F", "Work of a point: 2.2 TFLOP, 1.5e12 (repeatable)");
  cli::add_repeated(app, "--bytes", options.bytes, "B", "What it moves: 64 MiB, 412 MB, 4e8 (one for each --flops)");
  cli::add_repeated(app, "--name", options.names, "N", "What it is called (one for each --flops, or none)");
  cli::add_text(app, "--type", options.type, "TYPE", "Of the arithmetic: fp32, fp64, fp16, bf16, tf32, fp8, int8, ...");
  cli::add_flag(app, "--sparse", options.sparse, "With 2:4 structured sparsity");
  cli::add_choice(app, "--level", options.level, {"dram", "l2", "l1", "shared"},
                  "The memory that --bytes go to and from");
  cli::add_choice(app, "--clock", options.clock, {"vendor", "sm"}, "Peaks as the vendor quotes them, or as simulated");
  cli::add_flag(app, "--operations", options.operations, "The operations of transformers, from their shapes");
  options.shape.resize(roofline::shape_fields().size());
  for (std::size_t i = 0; i < options.shape.size(); ++i) {
    const roofline::ShapeField& field = roofline::shape_fields()[i];
    cli::add_text(app, option_name(field).c_str(), options.shape[i], "N", std::string(field.meaning).c_str());
  }
  cli::add_text(app, "--result", options.result, "FILE", "The kernels of a result saved with --json, as they ran");
  cli::add_choice(app, "-f,--format", options.format, {"text", "json"}, "Of what is printed");
  cli::add_flag(app, "-d,--details", options.details, "Show how the operations are counted");
}

RooflineOptions checked(const CLI::App& app, const RooflineOptions& options) {
  if (!options.result.empty()) {
    cli::refuse_beside(app, "--result", {"--level", "--format", "--details"},
                       ", which brings the machine and the work");
    return options;
  }
  cli::require(app, options.arch, "--arch FILE|NAME, for example --arch h100, or --result FILE");
  if (options.flops.size() != options.bytes.size()) {
    throw UsageError("every --flops needs one --bytes: there are " + std::to_string(options.flops.size()) + " and " +
                     std::to_string(options.bytes.size()));
  }
  if (!options.names.empty() && options.names.size() != options.flops.size()) {
    throw UsageError("--name is for each point or for none: there are " + std::to_string(options.names.size()) +
                     " for " + std::to_string(options.flops.size()) + " points");
  }
  if (options.flops.empty() && !options.operations) {
    throw UsageError("'gpusim roofline' needs --flops and --bytes, or --operations, or --result");
  }
  for (std::size_t i = 0; i < options.shape.size() && !options.operations; ++i) {
    if (!options.shape[i].empty()) {
      throw UsageError(option_name(roofline::shape_fields()[i]) + " is for --operations");
    }
  }
  if (options.operations && options.level != "dram") {
    throw UsageError("--operations counts the bytes of DRAM: --level is for --flops and --bytes");
  }
  return options;
}

}  // namespace

void add_roofline_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<RooflineOptions>();
  CLI::App& command = commands.add(
      commands.root(), "roofline", "What bounds work of so many FLOPs and bytes, and the least time it takes",
      [options](const CLI::App& app) { return cli::run_with(roofline_command, checked(app, *options)); });
  declare(command, *options);
}

}  // namespace gpusim::commands
