// SPDX-License-Identifier: MIT
// Which line of constant memory an instruction reads, for the constant caches.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/machine/lower/kernel_image.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::lower {

inline constexpr std::uint32_t kConstantLineBytes = 64;
inline constexpr std::uint32_t kConstantBankBytes = 64 * 1024;

/// A place in constant memory. An offset in a register is not known before run time: it stands for the bank's start.
struct ConstantPlace {
  std::uint32_t bank = 0;
  std::uint32_t offset = 0;  ///< bytes
  friend bool operator==(const ConstantPlace&, const ConstantPlace&) = default;
};

/// The operand c[bank][offset] in the text of an instruction; nothing when there is none that the hardware could have.
[[nodiscard]] std::optional<ConstantPlace> constant_operand(std::string_view text);

/// Numbers the lines that the kernel's instructions name, in order of appearance, and tells each op its own. The lines
/// of the instruction L1, twice as long, are numbered from image.code_lines on.
void name_constants(const trace::Kernel& kernel, KernelImage& image);

}  // namespace gpusim::lower
