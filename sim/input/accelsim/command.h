// SPDX-License-Identifier: MIT
// What one line of a recording of Hopper asks of mbarriers and of the TMA. The operands follow the code of ptxas: the
// address of an mbarrier is an offset in shared memory with the rank of its CTA above, and what is arrived with, waited
// for or written into it is the value of the last source register (NVBit, and Accel-Sim 2.0's trace_driven.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/input/accelsim/instruction_line.h"
#include "sim/model/trace/async.h"

namespace gpusim::frontend::accelsim {

/// Lanes of one line that ask the same.
struct Command {
  LaneMask lanes = 0;
  trace::AsyncOperands operands;
  std::uint32_t rank = 0;  ///< rank of the CTA whose mbarrier is named: 0 for the own one, unless `names_rank`
  Address mbarrier = 0;    ///< bytes into the shared memory; only with an mbarrier
};

/// What a reader of lines has to know of one besides its commands.
struct CommandFacts {
  std::string lacks;         ///< what is missing, so that mbarriers cannot be simulated; empty: nothing
  std::string wrong;         ///< what makes no sense, and is refused; empty: nothing
  std::string hint;          ///< to `wrong`
  bool names_rank = false;   ///< it may name a CTA of its cluster
  bool is_no_box = false;    ///< pieces of a copy that do not make up a box: consecutive bytes are assumed
  bool has_outside = false;  ///< the pieces outside the tensor are listed, too
};

class CommandReader {
 public:
  /// Reads an instruction that speaks to mbarriers or the TMA, with at least one lane. The commands are valid until the
  /// next call, and so is the box that they may point to.
  [[nodiscard]] std::span<const Command> read(const InstructionLine& line);
  [[nodiscard]] const CommandFacts& facts() const { return facts_; }

 private:
  void read_copy(const InstructionLine& line);
  void read_mbarrier(const InstructionLine& line);
  void read_arrival(const InstructionLine& line);
  void add_all(const InstructionLine& line, const trace::AsyncOperands& operands);
  template <class Operands>
  void add_by_lane(const InstructionLine& line, const Operands& operands_of);
  void find_bytes(const TransferLine& transfer, trace::AsyncOperands& operands);
  void find_box(const TransferLine& transfer, std::uint64_t inside, trace::AsyncOperands& operands);
  void lack(const InstructionLine& line, const char* what);

  std::vector<Command> commands_;
  CommandFacts facts_;
  trace::TensorMap box_;
};

}  // namespace gpusim::frontend::accelsim
