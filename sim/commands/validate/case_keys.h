// SPDX-License-Identifier: MIT
// The keys of a case: one table. Internal to the module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/validate/case_draft.h"
#include "sim/commands/validate/case_values.h"

namespace gpusim::validate {

/// A key that is read: its value goes into the draft.
struct KeyOfCase {
  const CaseValues& values;
  const arch::YamlItem& item;
  CaseDraft& draft;
};

struct CaseKey {
  std::string_view name;
  void (*take)(const KeyOfCase& key);
  std::string_view what;
};

[[nodiscard]] const std::vector<CaseKey>& case_keys();
/// Null when there is none of that name.
[[nodiscard]] const CaseKey* find_case_key(std::string_view name);

}  // namespace gpusim::validate
