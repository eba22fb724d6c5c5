// SPDX-License-Identifier: MIT
// What bounds work of given FLOPs and bytes: points of the user, operations of transformers, kernels of a result.
#include "sim/commands/roofline/command.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_arch.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/roofline/report.h"
#include "sim/commands/roofline/saved_kernels.h"
#include "sim/commands/roofline/values.h"
#include "sim/model/arch/loader.h"

namespace gpusim::commands {
namespace {

roofline::Shape shape_of(const RooflineOptions& options) {
  roofline::Shape shape;
  const auto fields = roofline::shape_fields();
  const auto given = [&](std::uint64_t roofline::Shape::*member) {
    const auto field = std::ranges::find(fields, member, &roofline::ShapeField::member);
    return !options.shape[static_cast<std::size_t>(field - fields.begin())].empty();
  };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!options.shape[i].empty()) {
      shape.*fields[i].member = cli::parse_count(option_name(fields[i]), options.shape[i], 1, fields[i].most);
    }
  }
  if (!given(&roofline::Shape::hidden)) {
    shape.hidden = shape.heads * shape.head_dim;
  }
  if (!given(&roofline::Shape::ffn)) {
    shape.ffn = 4 * shape.hidden;
  }
  return shape;
}

std::vector<roofline::Work> points_of(const RooflineOptions& options) {
  std::vector<roofline::Work> points;
  for (std::size_t i = 0; i < options.flops.size(); ++i) {
    roofline::Work work;
    work.name = options.names.empty() ? fmt::format("point {}", i + 1) : options.names[i];
    work.flops = parse_flops("--flops", options.flops[i]);
    work.bytes = parse_bytes("--bytes", options.bytes[i]);
    points.push_back(std::move(work));
  }
  return points;
}

roofline::Report report_of_arch(const RooflineOptions& options) {
  roofline::Report report;
  report.points = points_of(options);
  if (options.operations) {
    report.shape = shape_of(options);
  }
  const arch::Arch arch = cli::load_arch(options.arch, options.set);
  report.roofs =
      roofline::make_roofs(arch, {options.type, options.sparse, options.level,
                                  options.clock == "sm" ? roofline::ClockChoice::kSm : roofline::ClockChoice::kVendor});
  report.guesses = roofline::guesses_behind(arch, report.roofs);
  if (report.shape) {
    report.shape->element_bytes = roofline::element_bytes(report.roofs.compute.front().name);
    const roofline::Letters letters(*report.shape);
    for (const roofline::Operation& op : roofline::operations()) {
      report.points.push_back({std::string(op.name), op.flops(letters), op.bytes(letters), 0, 0});
    }
  }
  return report;
}

}  // namespace

int roofline_command(const RooflineOptions& options, const cli::Common& common) {
  const roofline::Report report =
      options.result.empty() ? report_of_arch(options) : roofline_of_result(options.result, options.level);
  cli::print(options.format == "json" ? roofline::to_json(report)
                                      : roofline::to_text(report, cli::look_of(common), options.details));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
