// SPDX-License-Identifier: MIT
#include "sim/machine/lower/code_layout.h"

#include <algorithm>
#include <limits>

#include "sim/model/trace/kernel.h"

namespace gpusim::lower {
namespace {

/// Whether the program counters ascend in whole instructions, over a range that 32 bits can count.
bool are_addresses(const std::vector<isa::InstrText>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].pc % kInstrBytes != 0 || (i > 0 && texts[i].pc <= texts[i - 1].pc)) {
      return false;
    }
  }
  return !texts.empty() &&
         (texts.back().pc - texts.front().pc) / kInstrBytes < std::numeric_limits<std::uint32_t>::max() / 2;
}

}  // namespace

CodeLayout layout_of(const trace::Kernel& kernel) {
  CodeLayout layout;
  layout.places.resize(kernel.code.size());
  const bool recorded = are_addresses(kernel.texts);
  const std::uint64_t base = recorded ? kernel.texts.front().pc / kLineBytes * kLineBytes : 0;
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    layout.places[i] = static_cast<std::uint32_t>(recorded ? (kernel.texts[i].pc - base) / kInstrBytes : i);
  }
  layout.lines = layout.places.empty() ? 0 : layout.places.back() / kInstrsPerLine + 1;
  return layout;
}

}  // namespace gpusim::lower
