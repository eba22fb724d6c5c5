// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/run/prepare.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "sim/commands/sweep/run/inputs.h"
#include "sim/commands/sweep/run/reason.h"
#include "sim/commands/sweep/study/where.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/model/arch/override.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::sweep {
namespace {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// Architectures that are kept resolved.
constexpr std::size_t kMostVariants = 256;

/// Values of a point's architecture that its settings carried along: those that differ from the base and that nobody
/// set.
NamedValues derived_values(const arch::Resolved& base, const arch::Resolved& resolved, const Point& point) {
  NamedValues derived = changed_keys(base, resolved);
  std::erase_if(derived, [&point](const auto& pair) {
    return std::ranges::find(point.settings, pair.first, &Setting::key) != point.settings.end();
  });
  return derived;
}

/// "Tesla V100 lacks HMMA.16816.F32.BF16, LDGSTS.E.128"; empty when the GPU has every instruction of the trace.
std::string lacking_instructions(const arch::Arch& arch, const trace::Trace& trace) {
  constexpr std::size_t kMostNamed = 4;
  std::set<std::string> lacking;
  for (const trace::Kernel& kernel : trace.kernels) {
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
      if (!lower::lacking(kernel.code[i], arch.sm).empty()) {
        lacking.insert(kernel.texts[i].opcode);
      }
    }
  }
  std::string text;
  std::size_t named = 0;
  for (const std::string& opcode : lacking) {
    if (++named > kMostNamed) {
      return text + " and " + std::to_string(lacking.size() - kMostNamed) + " more";
    }
    text += (text.empty() ? arch.name + " lacks " : ", ") + opcode;
  }
  return text;
}

/// What a point sets of its architecture.
NamedValues variant_name(const Study& study, const Point& point) {
  NamedValues name{{study.archs[point.arch], ""}};
  for (const arch::Override& change : overrides_of(study, point)) {
    name.emplace_back(change.key, change.value);
  }
  return name;
}

/// What many points have in common, kept as long as it may be asked for again.
class Preparer {
 public:
  Preparer(Inputs& inputs, const gpu::SimulateOptions& options)
      : inputs_(inputs), options_(options), conditions_(conditions(inputs.study())) {}

  /// Nothing when a condition excludes the point.
  std::optional<Candidate> operator()(Point point) {
    Candidate out;
    out.row.arch = inputs_.study().archs[point.arch];
    out.row.trace = inputs_.study().traces[point.trace];
    for (const Setting& setting : point.settings) {
      out.row.parameters.emplace_back(setting.key, setting.text);
    }
    out.point = std::move(point);
    try {
      if (!fill(out)) {
        return std::nullopt;
      }
    } catch (const InputError& error) {
      out.row.status = kSkipped;
      out.row.reason = reason_of(error);
    }
    return out;
  }

 private:
  /// A resolved architecture and what follows from it.
  struct Variant {
    arch::Resolved resolved;
    std::string digest;
    NamedValues derived;
  };

  bool fill(Candidate& out) {
    const Variant& variant = variant_of(out.point);
    out.row.derived = variant.derived;
    const std::shared_ptr<const LoadedTrace> loaded = inputs_.load(out.point);
    const Parameters parameters = loaded->parameters();
    if (!std::ranges::all_of(
            conditions_, [&](const Condition& condition) { return condition.holds(variant.resolved, parameters); })) {
      return false;
    }
    out.work = loaded->work;
    if (std::string lacks = lacking_instructions(variant.resolved.arch, loaded->trace); !lacks.empty()) {
      out.row.status = kSkipped;
      out.row.reason = std::move(lacks);
      return true;
    }
    gpu::require_runnable(variant.resolved.arch, loaded->trace, options_);
    out.row.key = point_key(variant.digest, loaded->digest, options_);
    return true;
  }

  const Variant& variant_of(const Point& point) {
    NamedValues id = variant_name(inputs_.study(), point);
    const auto known = variants_.find(id);
    if (known != variants_.end()) {
      return known->second;
    }
    if (variants_.size() == kMostVariants) {
      variants_.clear();
    }
    arch::Resolved resolved = inputs_.resolve(point);
    Variant variant{{}, arch_digest(resolved.arch), derived_values(inputs_.bases()[point.arch], resolved, point)};
    variant.resolved = std::move(resolved);
    return variants_.emplace(std::move(id), std::move(variant)).first->second;
  }

  Inputs& inputs_;
  const gpu::SimulateOptions& options_;
  std::vector<Condition> conditions_;
  std::map<NamedValues, Variant> variants_;
};

/// All positions of the plan, such that few architectures and traces are wanted again after others: blocks of as many
/// variants of architectures as are kept, and in a block those of one trace together.
std::vector<std::uint64_t> by_inputs(const Plan& plan, const Study& study) {
  struct Place {
    std::size_t block;
    std::size_t trace;
    std::uint64_t position;
    auto operator<=>(const Place&) const = default;
  };
  std::map<NamedValues, std::size_t> variants;
  std::map<std::pair<std::size_t, Choices>, std::size_t> traces;
  std::vector<Place> places;
  for (std::uint64_t i = 0; i < plan.size(); ++i) {
    const Point point = plan[i];
    const std::size_t variant = variants.emplace(variant_name(study, point), variants.size()).first->second;
    const std::size_t trace =
        traces.emplace(std::pair(point.trace, parameters_of(study, point)), traces.size()).first->second;
    places.push_back({variant / kMostVariants, trace, i});
  }
  std::ranges::sort(places);
  std::vector<std::uint64_t> order;
  std::ranges::transform(places, std::back_inserter(order), &Place::position);
  return order;
}

}  // namespace

Prepared prepare(Inputs& inputs, const Plan& plan, const gpu::SimulateOptions& options,
                 const std::function<bool(std::uint64_t)>& tell) {
  Preparer one(inputs, options);
  std::vector<std::optional<Candidate>> candidates(plan.size());
  std::uint64_t ready = 0;
  for (const std::uint64_t position : by_inputs(plan, inputs.study())) {
    if (tell && !tell(ready++)) {
      return {};
    }
    candidates[position] = one(plan[position]);
  }
  Prepared out;
  for (std::optional<Candidate>& candidate : candidates) {
    if (candidate) {
      out.points.push_back(std::move(*candidate));
    } else {
      ++out.left_out;
    }
  }
  return out;
}

}  // namespace gpusim::sweep
