// SPDX-License-Identifier: MIT
#include "tools/silicon/host/registry.h"

#include <algorithm>
#include <stdexcept>

#include "tools/silicon/host/json.h"

namespace gpusim::silicon {
namespace {

bool has(Feature feature, ComputeCapability gpu) {
  switch (feature) {
    case Feature::Sm80: return gpu.major >= 8;
    case Feature::Sm90: return gpu.major >= 9;
    case Feature::Sm90a: return gpu.major == 9 && gpu.minor == 0;
  }
  return false;
}

bool is_well_formed(std::string_view name) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789_-/";
  return !name.empty() && name.find_first_not_of(kAllowed) == std::string_view::npos;
}

}  // namespace

std::string_view to_text(Feature feature) {
  switch (feature) {
    case Feature::Sm80: return "sm_80";
    case Feature::Sm90: return "sm_90";
    case Feature::Sm90a: break;
  }
  return "sm_90a";
}

std::optional<Feature> missing_feature(const Experiment& experiment, ComputeCapability gpu) {
  const auto missing = std::find_if(experiment.needs.begin(), experiment.needs.end(),
                                    [&](Feature feature) { return !has(feature, gpu); });
  return missing == experiment.needs.end() ? std::nullopt : std::optional(*missing);
}

std::string to_json(const Experiment& experiment, std::optional<ComputeCapability> gpu) {
  std::vector<std::string> needs;
  for (const Feature feature : experiment.needs) {
    needs.emplace_back(to_text(feature));
  }
  JsonObject object;
  object.add("name", experiment.name)
      .add("priority", experiment.priority)
      .add("seconds", experiment.seconds)
      .add("needs", std::span<const std::string>(needs))
      .add("supported", gpu && !missing_feature(experiment, *gpu));
  return object.text();
}

void Registry::add(Experiment experiment) {
  if (!is_well_formed(experiment.name)) {
    throw std::invalid_argument("'" + experiment.name + "' is not a name of an experiment");
  }
  if (find(experiment.name) != nullptr) {
    throw std::invalid_argument("two experiments are called " + experiment.name);
  }
  experiments_.push_back(std::move(experiment));
}

std::vector<Experiment> Registry::sorted() const {
  std::vector<Experiment> all = experiments_;
  std::sort(all.begin(), all.end(), [](const Experiment& a, const Experiment& b) {
    return a.priority != b.priority ? a.priority > b.priority : a.name < b.name;
  });
  return all;
}

const Experiment* Registry::find(std::string_view name) const {
  const auto found = std::find_if(experiments_.begin(), experiments_.end(),
                                  [&](const Experiment& experiment) { return experiment.name == name; });
  return found == experiments_.end() ? nullptr : &*found;
}

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace gpusim::silicon
