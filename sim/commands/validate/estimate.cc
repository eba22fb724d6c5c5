// SPDX-License-Identifier: MIT
#include "sim/commands/validate/estimate.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/system/find_system.h"
#include "sim/commands/validate/step_estimate.h"
#include "sim/system/collective/model.h"

namespace gpusim::commands {
namespace {

using validate::Case;

constexpr std::array<std::string_view, 6> kEstimateKeys{"collective", "system", "gpus", "bytes", "launch", "algorithm"};

/// The keys of one calculation.
class EstimateKeys {
 public:
  explicit EstimateKeys(const Case& of) : of_(of) {
    for (const validate::NamedText& pair : of.estimate) {
      if (std::ranges::find(kEstimateKeys, pair.first) == kEstimateKeys.end()) {
        refuse("unknown key '" + pair.first + "' of 'estimate'", suggestion(pair.first, kEstimateKeys));
      }
    }
  }

  /// "" when it is not there.
  [[nodiscard]] std::string text(std::string_view key) const {
    const auto found = std::ranges::find(of_.estimate, key, &validate::NamedText::first);
    return found == of_.estimate.end() ? "" : found->second;
  }
  /// The value that the key's word stands for; nothing when the key is not there.
  template <class E>
  [[nodiscard]] std::optional<E> word(std::string_view key) const {
    const std::string written = text(key);
    if (written.empty()) {
      return std::nullopt;
    }
    if (const std::optional<E> value = arch::find_value<E>(written)) {
      return value;
    }
    refuse("'" + std::string(key) + "' is '" + written + "'", suggestion(written, arch::all_words<E>()));
  }
  [[noreturn]] void refuse(std::string message, std::string hint) const {
    throw InputError({of_.where, std::move(message), std::move(hint)});
  }

 private:
  const Case& of_;
};

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
  return model
      .estimate({*of, cli::parse_size("bytes", keys.text("bytes")), keys.word<collective::Algorithm>("algorithm"), {}})
      .microseconds;
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
  const EstimateKeys keys(of);
  try {
    return collective_us(keys);
  } catch (const UsageError& error) {
    keys.refuse(error.what(), "");
  }
}

}  // namespace gpusim::commands
