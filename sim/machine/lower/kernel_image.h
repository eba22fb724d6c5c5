// SPDX-License-Identifier: MIT
// A kernel made ready for one machine: per instruction, the few bytes the SM looks at on every issue. Built once a
// kernel, shared by all SMs, never written again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/machine/lower/warp_op.h"
#include "sim/model/isa/instr.h"
#include "sim/model/trace/step.h"

namespace gpusim::arch {
struct Arch;
struct SmConfig;
}  // namespace gpusim::arch
namespace gpusim::trace {
struct Kernel;
}

namespace gpusim::lower {

class RegisterUse;

/// 64 bytes of constant memory that an instruction reads.
struct ConstantLine {
  std::uint32_t number = 0;     ///< in all banks together
  std::uint32_t l1_number = 0;  ///< number of its 128 bytes, in the L1 that instructions and constants share
};

/// What an instruction with a generic address is where that leads elsewhere than to global memory. Only a kernel that
/// is executed has some: where an address leads is known when it issues.
struct GenericForms {
  WarpOp local;
  WarpOp shared;
  WarpOp cluster_shared;
};

/// A predicate register's place among the answers of polls: P0 to P6 are 0 to 6, UP0 to UP6 are 8 to 14.
[[nodiscard]] constexpr std::uint8_t predicate_bit(const isa::Operand& predicate) {
  const unsigned file = predicate.file == isa::RegFile::kUniformPredicate ? 8U : 0U;
  return static_cast<std::uint8_t>(predicate.is_real() ? file + predicate.index : 15U);
}

struct KernelImage {
  const trace::Kernel* kernel = nullptr;  ///< must outlive the image
  std::vector<WarpOp> ops;                ///< parallel to kernel->code
  std::uint32_t code_lines = 0;           ///< lines of 128 bytes
  std::vector<ConstantLine> constants;    ///< that instructions name
  std::vector<GenericForms> generic_forms;
  std::uint32_t constant_lines = 0;  ///< the same in lines of 128 bytes
  /// By instruction: the index of the one for whose fixed-latency result its stall (`wait`) is; kNoProducer: for none.
  std::vector<std::uint32_t> wait_producers;
  bool uses_clusters = false;
  bool has_streaks = false;  ///< some of its instructions begin one
  trace::Simt simt = trace::Simt::kStack;
  std::uint64_t most_walked = trace::kMostWalked;  ///< instructions of a warp in loops, before it is given up
  /// Where a scoreboard takes the place of control bits; else null.
  std::shared_ptr<const RegisterUse> registers = nullptr;

  /// The form of `op`, which has generic_forms, for addresses in `space`.
  [[nodiscard]] const WarpOp& form_in(isa::MemSpace space, const WarpOp& op) const;
};

/// Whether the kernel is launched in clusters, or has an instruction of theirs.
[[nodiscard]] bool uses_clusters(const trace::Kernel& kernel);

/// Why the GPU has no such instruction; empty when it has.
[[nodiscard]] std::string lacking(const isa::Instr& instr, const arch::SmConfig& sm);

/// Assigns control bits where the trace has none and looks up timings. Throws InputError when the kernel uses an
/// instruction that the GPU does not have, naming line, opcode and GPU.
[[nodiscard]] KernelImage make_image(const trace::Kernel& kernel, const arch::Arch& arch);

}  // namespace gpusim::lower
