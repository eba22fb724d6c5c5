// SPDX-License-Identifier: MIT
// docs/opcodes.md, written from the table of opcodes and the table of encodings so that it cannot drift from them.
#pragma once

#include <string>

namespace gpusim::sass {

/// The whole file, in Markdown: timing classes, then the rows of the opcode table.
[[nodiscard]] std::string opcode_reference();

}  // namespace gpusim::sass
