// SPDX-License-Identifier: MIT
#include "sim/exec/core/image.h"

#include <algorithm>
#include <cstdio>

#include "sim/code/sass/code.h"
#include "sim/code/sass/text.h"

namespace gpusim::exec {

const cubin::LineEntry* Image::line_of(std::uint32_t pc) const {
  const std::uint64_t offset = std::uint64_t{pc} * sass::kInstructionBytes;
  const auto after = std::ranges::upper_bound(lines, offset, {}, &cubin::LineEntry::offset);
  return after == lines.begin() ? nullptr : &*std::prev(after);
}

std::string Image::line_text(std::uint32_t pc) const {
  const cubin::LineEntry* const line = line_of(pc);
  return line == nullptr || line->file >= files.size() ? "" : files[line->file] + ":" + std::to_string(line->line);
}

std::string Image::instruction_text(std::uint32_t pc) const {
  const std::uint64_t address = std::uint64_t{pc} * sass::kInstructionBytes;
  char offset[24];
  std::snprintf(offset, sizeof offset, "0x%04llx ", static_cast<unsigned long long>(address));
  return offset + (pc < instructions.size() ? sass::to_text(instructions[pc], address) : "(the end of the code)");
}

}  // namespace gpusim::exec
