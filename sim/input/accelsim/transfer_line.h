// SPDX-License-Identifier: MIT
// What an instruction line says of a bulk copy.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/input/accelsim/word_parser.h"

namespace gpusim::frontend::accelsim {

/// What a line says of a bulk copy: UTMALDG and kin.
struct TransferLine {
  bool is_complete = false;         ///< all of it is there; first recordings of Hopper have the addresses alone
  Address barrier = 0;              ///< address of a load's mbarrier in shared memory
  std::uint16_t ranks = 0;          ///< mask of the ranks that a load goes to; 0: its own CTA
  std::uint64_t bytes = 0;          ///< bytes of all, as an mbarrier counts them
  std::uint64_t outside_bytes = 0;  ///< those outside the tensor
  std::uint64_t width = 0;          ///< bytes at each address
  std::vector<Address> addresses;   ///< in global memory, inside the tensor
};

/// Reads what stands between the sources and the immediates of a bulk copy that the lanes of `mask` execute.
/// `words_behind` is how many words the line has at least behind it. False with `problem` filled in when malformed.
[[nodiscard]] bool parse_transfer(Tokens& tokens, std::uint64_t words_behind, LaneMask mask, TransferLine& line,
                                  LineProblem& problem);

}  // namespace gpusim::frontend::accelsim
