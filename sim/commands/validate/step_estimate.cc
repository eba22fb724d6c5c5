// SPDX-License-Identifier: MIT
#include "sim/commands/validate/step_estimate.h"

#include <algorithm>
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

namespace gpusim::commands {
namespace {

app::KindOptions kind_options(const validate::Case& of) {
  app::KindOptions options;
  for (const auto& [name, text] : of.estimate) {
    const auto field = std::ranges::find(app::kind_fields(), name, &app::KindField::name);
    if (field == app::kind_fields().end()) {
      std::vector<std::string_view> known;
      std::ranges::transform(app::kind_fields(), std::back_inserter(known), &app::KindField::name);
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
  return app::run_step(application, system, times).timeline.step_ns() / kNsPerUs;
}

}  // namespace gpusim::commands
