// SPDX-License-Identifier: MIT
#include "sim/commands/launch/request.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/base/problem.h"
#include "sim/code/array/element.h"
#include "sim/code/launch/launch_file.h"
#include "sim/commands/cli/launch_options.h"
#include "sim/commands/cli/values.h"

namespace gpusim::commands {
namespace {

using launch::Text;

/// "NAME=VALUE", whose name is that of an argument.
launch::NamedText named(const std::string& option, const std::string& text, const std::string& example) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos || !launch::is_argument_name(name)) {
    throw UsageError(option + ": " + cli::in_quotes(text) + " is not of the form NAME=VALUE, such as " + example);
  }
  return {name, text.substr(equals + 1), {option + " " + name, 0, 0}};
}

void set_size(const std::string& option, const std::string& value, std::optional<Text> launch::LaunchText::*part,
              launch::Request& request) {
  if (value.empty()) {
    return;
  }
  if (request.launches.size() != 1) {
    throw UsageError(option + " does not go with a launch file of several launches");
  }
  request.launches.front().*part = Text{value, {option, 0, 0}};
}

double tolerance_of(const std::string& text) {
  const std::optional<array::Number> number = array::parse_number(text);
  if (!number || !std::isfinite(number->real) || number->real < 0) {
    throw UsageError("--tolerance: " + cli::in_quotes(text) + " is not a number from 0 on, such as 1e-5");
  }
  return number->real;
}

void set_results(const cli::LaunchOptions& options, launch::Request& request) {
  for (const std::string& text : options.outputs) {
    launch::set_text(request.outputs, named("--out", text, "y=y.npy"));
  }
  for (const std::string& text : options.expectations) {
    launch::NamedText one = named("--expect", text, "y=ref.npy");
    request.expectations.push_back({std::move(one.name), std::move(one.text), std::nullopt, std::move(one.where)});
  }
  if (!options.tolerance.empty()) {
    request.tolerance = tolerance_of(options.tolerance);
  }
}

}  // namespace

launch::Request request_of(const cli::LaunchOptions& options, const std::vector<std::string>& params,
                           const cli::KernelName& name) {
  launch::Request request;
  if (options.file.empty()) {
    request.from_command_line = true;
    request.launches.emplace_back();
    request.launches.front().where = {name.file.string(), 0, 0};
  } else {
    request = launch::read_launch_file(options.file);
  }
  if (!name.file.empty()) {
    request.file = Text{name.file.string(), {"", 0, 0}};
  }
  set_size("the name of a kernel", name.kernel, &launch::LaunchText::kernel, request);
  set_size("--grid", options.grid, &launch::LaunchText::grid, request);
  set_size("--block", options.block, &launch::LaunchText::block, request);
  set_size("--cluster", options.cluster, &launch::LaunchText::cluster, request);
  set_size("--shared", options.shared, &launch::LaunchText::shared, request);
  for (const std::string& text : options.arguments) {
    const launch::NamedText argument = named("--arg", text, "n=1024 or x=f32[n]:random");
    for (launch::LaunchText& one : request.launches) {
      launch::set_text(one.arguments, argument);
    }
  }
  for (const std::string& text : params) {
    launch::set_text(request.parameters, named("--param", text, "n=4096"));
  }
  set_results(options, request);
  return request;
}

}  // namespace gpusim::commands
