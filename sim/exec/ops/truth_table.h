// SPDX-License-Identifier: MIT
// LOP3 and PLOP3: functions of three bits, given by a table.
#pragma once

#include <cstdint>

namespace gpusim::exec {

/// A function of three bits, for each bit of three words: bit 4a + 2b + c of the table is its value.
/// Inline in any case: sim/exec/lanes is compiled for two sets of instructions, and may not share the code.
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr Word by_table(std::uint32_t table, Word a, Word b, Word c) {
  const auto pick = [table](unsigned bit) { return static_cast<Word>(0U - (table >> bit & 1U)); };
  const Word without_a = (~b & ((~c & pick(0)) | (c & pick(1)))) | (b & ((~c & pick(2)) | (c & pick(3))));
  const Word with_a = (~b & ((~c & pick(4)) | (c & pick(5)))) | (b & ((~c & pick(6)) | (c & pick(7))));
  return (~a & without_a) | (a & with_a);
}

}  // namespace gpusim::exec
