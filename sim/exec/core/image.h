// SPDX-License-Identifier: MIT
// A kernel ready to be executed: its code as micro-operations, its constant banks with the parameters of one launch.
// Made once a launch by make_image() (sim/exec/run/make_image.h), then shared by all warps and threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/code/cubin/module.h"
#include "sim/code/sass/instruction.h"
#include "sim/exec/core/launch.h"
#include "sim/exec/core/micro_op.h"
#include "sim/exec/core/row_store.h"

namespace gpusim::exec {

/// How the rows of a warp are laid out. Rows of zeros come first, then rows that nobody reads (what is written to RZ),
/// then the registers, then the uniform registers. Every lane of a uniform register's row has its value.
struct RowLayout {
  static constexpr std::uint32_t kZeroRows = 4;
  static constexpr std::uint32_t kSinkRows = 4;
  static constexpr std::uint32_t kFirstRegister = kZeroRows + kSinkRows;

  std::uint32_t registers = 0;  ///< that the code names; more than the kernel's own count after setmaxnreg
  std::uint32_t uniforms = 0;

  [[nodiscard]] constexpr std::uint32_t rows() const { return kFirstRegister + registers + uniforms; }
  /// Words from the first row.
  [[nodiscard]] static constexpr std::uint32_t zero() { return 0; }
  [[nodiscard]] static constexpr std::uint32_t sink() { return kZeroRows * kRow; }
  [[nodiscard]] static constexpr std::uint32_t general(unsigned index) { return (kFirstRegister + index) * kRow; }
  [[nodiscard]] constexpr std::uint32_t uniform(unsigned index) const {
    return (kFirstRegister + registers + index) * kRow;
  }
};

/// Where special things of the launch are.
struct LaunchFacts {
  std::uint64_t shared_bytes = 0;  ///< bytes of a CTA: static and dynamic
  std::uint32_t local_bytes = 0;   ///< bytes of a thread
  std::uint32_t threads = 0;       ///< threads of a CTA
  std::uint32_t warps = 0;
  std::uint64_t ctas = 0;
  bool shared_has_rank = false;  ///< from sm_90 on shared addresses have the CTA's rank in their upper bits
};

struct Image {
  std::string kernel;  ///< demangled
  sass::Generation generation = sass::Generation::kSm80;
  Launch launch;
  LaunchFacts facts;
  RowLayout layout;
  std::vector<MicroOp> code;  ///< one per instruction, and one behind them for code that runs off its end
  std::vector<sass::Instruction> instructions;
  std::map<std::uint32_t, std::string> banks;
  RowStore pool;  ///< immediates and constants as rows
  std::vector<cubin::LineEntry> lines;
  std::vector<std::string> files;
  /// By instruction: whether it is executed; empty where all are. Otherwise those are that decide which ones execute,
  /// for which lanes and at which addresses, and what else registers and memory hold means nothing.
  std::vector<bool> in_slice;
  [[nodiscard]] bool has_values() const { return in_slice.empty(); }

  /// Null where no line is known.
  [[nodiscard]] const cubin::LineEntry* line_of(std::uint32_t pc) const;
  /// "saxpy.cu:7", or "" where no line is known.
  [[nodiscard]] std::string line_text(std::uint32_t pc) const;
  /// "0x00a0 LDG.E R2, desc[UR4][R2.64]"
  [[nodiscard]] std::string instruction_text(std::uint32_t pc) const;
};

}  // namespace gpusim::exec
