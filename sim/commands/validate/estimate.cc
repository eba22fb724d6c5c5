// SPDX-License-Identifier: MIT
#include "sim/commands/validate/estimate.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/system/find_system.h"
#include "sim/commands/validate/estimate_keys.h"
#include "sim/commands/validate/memory_estimate.h"
#include "sim/commands/validate/step_estimate.h"
#include "sim/system/collective/model.h"

namespace gpusim::commands {
namespace {

using validate::Case;

constexpr std::array<std::string_view, 7> kCollectiveKeys{"collective", "system",    "gpus",   "bytes",
                                                          "launch",     "algorithm", "library"};

double collective_us(const EstimateKeys& keys) {
  const auto of = keys.word<collective::Collective>("collective");
  if (!of) {
    keys.refuse("'estimate' lacks 'collective'", "such as all-reduce");
  }
  const system::System system = cli::find_system(keys.text("system"));
  std::vector<system::NodeId> gpus = system::nodes_of<system::Gpu>(system);
  if (gpus.size() < 2) {
    keys.refuse("'" + system.name + "' has one GPU, and a collective needs two", "");
  }
  if (const std::string count = keys.text("gpus"); !count.empty()) {
    gpus.resize(cli::parse_count("gpus", count, 2, gpus.size()));
  }
  const system::Fabric fabric(system);
  const collective::Launch launch = keys.word<collective::Launch>("launch").value_or(collective::Launch::kOneProcess);
  const collective::Model model(system, gpus, collective::reach_of(fabric, gpus), launch);
  const collective::Job job{*of,
                            cli::parse_size("bytes", keys.text("bytes")),
                            keys.word<collective::Algorithm>("algorithm"),
                            {},
                            keys.word<collective::Library>("library").value_or(collective::Library::kNccl)};
  return model.estimate(job).microseconds;
}

/// The same, with what is wrong with an option said of the case.
double step_estimate(const Case& of) {
  try {
    return step_us(of);
  } catch (const UsageError& error) {
    throw InputError({of.where, error.what(), ""});
  }
}

}  // namespace

double estimate_of(const Case& of) {
  if (is_step(of)) {
    return step_estimate(of);
  }
  const auto is_memory = [](const validate::NamedText& pair) { return pair.first == "memory"; };
  const bool of_memory = std::ranges::any_of(of.estimate, is_memory);
  const EstimateKeys keys(of, of_memory ? memory_keys() : std::span<const std::string_view>(kCollectiveKeys));
  try {
    return of_memory ? memory_gib(keys) : collective_us(keys);
  } catch (const UsageError& error) {
    keys.refuse(error.what(), "");
  }
}

}  // namespace gpusim::commands
