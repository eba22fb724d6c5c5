// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/roofline/command.h"
#include "sim/commands/roofline/values.h"

namespace gpusim::commands {
namespace {

constexpr const char* kExamples = R"(gpusim roofline --arch h100 --flops '2.2 TFLOP' --bytes '412 MB'
gpusim roofline --arch h100 --operations --seq 8192
gpusim roofline --result result.json)";

void declare(CLI::App& app, RooflineOptions& options) {
  cli::start_group(app, "Machine");
  cli::add_text(app, "-a,--arch", options.arch, "GPU", "GPU: a name such as h100, or an architecture file");
  cli::add_set(app, options.set);
  cli::add_choice(app, "--clock", options.clock, {"vendor", "sm"},
                  "Clock of the peaks: as the vendor quotes them (the default), or as simulated");
  cli::start_group(app, "Points of your own");
  cli::add_repeated(app, "--flops", options.flops, "F", "Work of a point, such as '2.2 TFLOP' or 1.5e12 (repeatable)");
  cli::add_repeated(app, "--bytes", options.bytes, "B", "Bytes that it moves, such as '412 MB' (one for each --flops)");
  cli::add_repeated(app, "--name", options.names, "N", "Name of the point (one for each --flops, or none)");
  cli::add_text(app, "--type", options.type, "TYPE", "Data type: fp32, fp64, fp16, bf16, tf32, fp8, int8, ...");
  cli::add_flag(app, "--sparse", options.sparse, "Count the peak with 2:4 structured sparsity");
  cli::add_choice(app, "--level", options.level, {"dram", "l2", "l1", "shared"},
                  "Memory level for --bytes (default: dram)");
  cli::start_group(app, "The operations of a transformer");
  cli::add_flag(app, "--operations", options.operations, "Analyse the operations of a transformer of this shape");
  options.shape.resize(roofline::shape_fields().size());
  for (std::size_t i = 0; i < options.shape.size(); ++i) {
    const roofline::ShapeField& field = roofline::shape_fields()[i];
    cli::add_text(app, option_name(field).c_str(), options.shape[i], "N", std::string(field.meaning).c_str());
  }
  cli::start_group(app, "Simulated kernels");
  cli::add_text(app, "--result", options.result, "FILE", "Result that --json saved: analyse its kernels");
  cli::start_group(app, "Output");
  cli::add_choice(app, "-f,--format", options.format, {"text", "json"}, "Output format (default: text)");
  cli::add_flag(app, "-d,--details", options.details, "Show how the operations are counted");
  cli::set_examples(app, kExamples);
}

RooflineOptions checked(const CLI::App& app, const RooflineOptions& options) {
  if (!options.result.empty()) {
    cli::refuse_beside(app, "--result", {"--level", "--format", "--details"},
                       ", which brings the machine and the work");
    return options;
  }
  cli::require(app, options.arch, "--arch GPU, for example --arch h100, or --result FILE");
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
  CLI::App& command =
      commands.add(commands.root(), "roofline", "Compute what bounds some work, and the least time it takes",
                   [options](const CLI::App& app) { return cli::run_with(roofline_command, checked(app, *options)); });
  declare(command, *options);
}

}  // namespace gpusim::commands
