// SPDX-License-Identifier: MIT
// A check as text for people, JSON and JUnit XML for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/lab/check/judge.h"
#include "sim/output/text/layout.h"

namespace gpusim::lab {

[[nodiscard]] std::string report_text(const Report& report, const layout::Look& look);
/// Schema gpusim.lab-check/1.
[[nodiscard]] std::string report_json(const Report& report);
/// One test suite, a test case a task. Whatever is not right is a failure, be it that it waits for an answer.
[[nodiscard]] std::string report_junit(const Report& report);

/// The same of work that cannot be checked, such as that of another student: no task, and why.
[[nodiscard]] std::string refusal_json(const std::vector<std::string>& problems);
/// One test case, with an error.
[[nodiscard]] std::string refusal_junit(const std::vector<std::string>& problems);

/// A text as an attribute or as content of XML 1.0; control characters, which XML cannot hold, become '?'.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace gpusim::lab
