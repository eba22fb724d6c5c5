// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/launched.h"

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/code/array/compare.h"
#include "sim/code/launch/launch_file.h"
#include "sim/commands/lab/run/work.h"
#include "sim/exec/run/run_grid.h"

namespace gpusim::lab {
namespace {

/// Sums of a few hundred numbers around 1 in another order.
constexpr double kTolerance = 1e-4;

/// The numbers of the job, and those that the student's launch file says and neither the job nor any run of the lab:
/// with a smaller problem a kernel would do less.
std::vector<std::string> numbers_for(const Job& job) {
  std::vector<std::string> out = job.params;
  if (job.own_numbers.empty()) {
    return out;
  }
  const launch::Request known = launch::read_launch_file(job.launch);
  for (const launch::NamedText& own : launch::read_launch_file(job.own_numbers).parameters) {
    const auto sets = [&own](const std::string& param) { return param.substr(0, param.find('=')) == own.name; };
    const bool is_set =
        std::ranges::any_of(job.params, sets) || std::ranges::find(job.lab_numbers, own.name) != job.lab_numbers.end();
    if (has_number(known, own.name) && !is_set) {
      out.push_back(own.name + "=" + own.text);
    }
  }
  return out;
}

void execute(commands::Job& job) {
  exec::DirectPort port(job.device().memory());
  for (const launch::Launch& launch : job.plan().launches) {
    exec::run_grid(job.image_of(launch), port, {kMostWalked});
  }
}

/// What a buffer holds; nothing when there is no such buffer of this type.
array::View view_of(commands::Job& job, const launch::Buffer& buffer) {
  const auto& all = job.device().memory().buffers();
  const auto found = std::ranges::find_if(all, [&](const auto& each) { return each->name() == buffer.name; });
  if (found == all.end() || (*found)->size() != buffer.bytes()) {
    return {buffer.element, 0, nullptr};
  }
  return {buffer.element, buffer.count, reinterpret_cast<const char*>((*found)->data())};
}

}  // namespace

bool has_number(const launch::Request& request, std::string_view name) {
  return std::ranges::find(request.parameters, name, &launch::NamedText::name) != request.parameters.end();
}

std::unique_ptr<commands::Job> launched(const Job& job) {
  commands::LaunchOptions options;
  options.file = job.launch;
  return std::make_unique<commands::Job>(options, numbers_for(job), commands::KernelName{job.trace, job.kernel},
                                         commands::part_of(arch_of(job).arch), [](const std::string&) {});
}

Work compare_values(commands::Job& own, commands::Job& like) {
  execute(own);
  execute(like);
  for (const launch::Buffer& buffer : like.plan().buffers) {
    const array::View expected = view_of(like, buffer);
    const array::View actual = view_of(own, buffer);
    if (actual.count != expected.count) {
      continue;  // the bytes that a kernel writes are compared by name already
    }
    const array::Comparison comparison = array::compare(actual, expected, kTolerance);
    if (comparison.mismatches != 0) {
      return {"other-values", "Executed, '" + buffer.name + "' holds other values than it should: " +
                                  array::to_text(comparison, kTolerance) + "."};
    }
  }
  return {};
}

}  // namespace gpusim::lab
