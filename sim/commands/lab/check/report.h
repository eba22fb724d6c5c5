// SPDX-License-Identifier: MIT
// A check as text for people, JSON and JUnit XML for programs.
#pragma once

#include <string>
#include <string_view>

#include "sim/commands/lab/check/judge.h"
#include "sim/output/text/layout.h"

namespace gpusim::lab {

[[nodiscard]] std::string report_text(const Report& report, const layout::Look& look);
/// Schema gpusim.lab-check/1.
[[nodiscard]] std::string report_json(const Report& report);
/// One test suite, a test case a task.
[[nodiscard]] std::string report_junit(const Report& report);

/// A text as an attribute or as content of XML 1.0; control characters, which XML cannot hold, become '?'.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace gpusim::lab
