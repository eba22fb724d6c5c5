// SPDX-License-Identifier: MIT
// docs/encodings.md, written from the table of encodings so that it cannot drift from it.
#pragma once

#include <string>

namespace gpusim::sass {

/// The whole file, in Markdown: a row for each row of the table.
[[nodiscard]] std::string encoding_reference();

/// "75, 80, 86": the SMs of a set of generations.
[[nodiscard]] std::string sms_text(unsigned generations);

}  // namespace gpusim::sass
