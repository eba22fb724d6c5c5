// SPDX-License-Identifier: MIT
// One "-gpusim code" line: an instruction with all that is known of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/isa/instr.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::frontend::accelsim {

/// Barriers that a CTA has, on every GPU (CUDA Programming Guide).
inline constexpr std::uint32_t kMostNamedBarriers = 16;

struct CodeLine {
  isa::Instr instr;
  isa::InstrText text;
  std::vector<std::uint32_t> next;  ///< numbers of code lines; trace::kExitNode leaves
};

/// The line's value: what stands behind "-gpusim code = ".
[[nodiscard]] std::string to_text(const CodeLine& line);

/// False when malformed; `wrong` is then the word that makes no sense.
[[nodiscard]] bool parse_code_line(std::string_view value, CodeLine& line, std::string_view& wrong);

}  // namespace gpusim::frontend::accelsim
