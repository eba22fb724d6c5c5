// SPDX-License-Identifier: MIT
#include "sim/commands/validate/step_estimate.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/app/kinds/kinds.h"
#include "sim/commands/app/step/step.h"
#include "sim/commands/app/times/database.h"
#include "sim/commands/cli/simulate_shown.h"
#include "sim/commands/system/find_system.h"
#include "sim/commands/validate/case.h"
#include "sim/model/arch/value.h"

namespace gpusim::commands {
namespace {

constexpr std::string_view kTimeKey = "time";

/// Whether the kernels alone are compared, not the whole step.
bool is_of_kernels(const validate::Case& of) {
  static constexpr std::array<std::string_view, 2> kWords{"step", "kernels"};
  const auto key = std::ranges::find(of.estimate, kTimeKey, &validate::NamedText::first);
  if (key == of.estimate.end()) {
    return false;
  }
  if (std::ranges::find(kWords, key->second) == kWords.end()) {
    throw InputError({of.where, "'time' is " + arch::in_quotes(key->second), suggestion(key->second, kWords)});
  }
  return key->second == kWords.back();
}

/// The kernels of the first GPU, one after the other, a round.
double kernels_ns(const run::Timeline& timeline) {
  double sum = 0;
  for (const run::Activity& activity : timeline.activities) {
    const bool counts = activity.kind == run::ActivityKind::kKernel && activity.gpu == 0;
    if (counts && activity.begin >= timeline.begin && activity.begin < timeline.end) {
      sum += activity.end - activity.begin;
    }
  }
  return sum / timeline.repeats;
}

app::KindOptions kind_options(const validate::Case& of) {
  app::KindOptions options;
  for (const auto& [name, text] : of.estimate) {
    if (name == kTimeKey) {
      continue;
    }
    const auto field = std::ranges::find(app::kind_fields(), name, &app::KindField::name);
    if (field == app::kind_fields().end()) {
      std::vector<std::string_view> known;
      std::ranges::transform(app::kind_fields(), std::back_inserter(known), &app::KindField::name);
      known.push_back(kTimeKey);
      throw InputError({of.where, "unknown key '" + name + "' of 'estimate'", suggestion(name, known)});
    }
    options.*field->member = text;
  }
  return options;
}

}  // namespace

bool is_step(const validate::Case& of) {
  return std::ranges::find(of.estimate, "application", &validate::NamedText::first) != of.estimate.end();
}

double step_us(const validate::Case& of) {
  constexpr double kNsPerUs = 1000;
  const application::Application application = app::make_application(kind_options(of));
  const system::System system = cli::find_system(application.system);
  const app::TimesOptions times{app::default_database(), cli::host_threads("all"), false, false};
  const run::Timeline timeline = app::run_step(application, system, times).timeline;
  return (is_of_kernels(of) ? kernels_ns(timeline) : timeline.step_ns()) / kNsPerUs;
}

}  // namespace gpusim::commands
