// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/steps/step_keys.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/units.h"
#include "sim/commands/app/kinds/kinds.h"
#include "sim/commands/app/step/what_if.h"
#include "sim/system/config/changes.h"

namespace gpusim::sweep {
namespace {

using arch::Unit;

/// Options of the generator that are numbers. The others are words, which it checks itself.
constexpr std::array<std::string_view, 12> kCounts{"batch",    "sequence", "gpus",         "operations",
                                                   "elements", "size",     "streams",      "workers",
                                                   "tensor",   "pipeline", "microbatches", "pad-vocabulary"};

bool is_option(std::string_view name) {
  const auto fields = app::kind_fields();
  return name != "application" && name != "system" &&
         std::ranges::find(fields, name, &app::KindField::name) != fields.end();
}

class StepKeys final : public KeyBook {
 public:
  [[nodiscard]] std::optional<arch::Key> find(std::string_view key) const override {
    if (!key.starts_with(kMakePrefix)) {
      return app::find_what_if_key(key);
    }
    const std::string_view name = key.substr(kMakePrefix.size());
    if (!is_option(name)) {
      return std::nullopt;
    }
    const bool is_count = std::ranges::find(kCounts, name) != kCounts.end();
    const Unit unit = is_count ? Unit::kCount : name == "operator-time" ? Unit::kNanoseconds : Unit::kText;
    return arch::Key{std::string(key), unit, 0, kGiga, "", arch::PeakField{0}, {}};
  }

  [[nodiscard]] bool is_parameter(std::string_view key) const override {
    return key.starts_with("kernels.") && key.find(".params.") != std::string_view::npos;
  }

  [[nodiscard]] std::string_view arch_prefix() const override { return system::kGpuPrefix; }

  [[nodiscard]] std::string suggest(const std::string& key) const override {
    if (!key.starts_with(kMakePrefix)) {
      return app::suggest_what_if_key(key);
    }
    std::vector<std::string> known;
    for (const app::KindField& field : app::kind_fields()) {
      if (is_option(field.name)) {
        known.push_back(std::string(kMakePrefix) + std::string(field.name));
      }
    }
    return suggestion(key, std::vector<std::string_view>(known.begin(), known.end()));
  }
};

}  // namespace

const KeyBook& step_keys() {
  static const StepKeys kKeys;
  return kKeys;
}

}  // namespace gpusim::sweep
