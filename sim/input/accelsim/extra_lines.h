// SPDX-License-Identifier: MIT
// The header lines that only gpusim writes and reads: what the format has no words for. Others ignore them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::frontend::accelsim {

/// How these lines begin.
inline constexpr std::string_view kExtraLine = "-gpusim ";

/// More than any GPU has.
inline constexpr std::uint64_t kMostSharedBytes = std::uint64_t{1} << 30;

/// Everything of a kernel but its behaviour and its launch, a line each:
///
///   -gpusim version = 1
///   -gpusim shared = 0 16384                    static and dynamic bytes
///   -gpusim barriers = 1
///   -gpusim local = 0 64                        of a thread: first byte, bytes; only where there are some
///   -gpusim buffer = global 0x7f0000000000 4096 x
///   -gpusim instructions = 42                   as many lines with code follow
///   -gpusim code = 0010 [B------:R-:W0:-:S02] guard=!P0 to=R4:2 from=R2:2@0,UR4@1 next=2,exit line=7 opcode=LDG.E
///       text=LDG.E R4, [R2.64]                  on the same line
///
/// A code line is an instruction, by program counter. An operand is a register, :WIDTH, @SLOT and .reuse; next gives
/// the code lines, counted from 0, that may follow. All but local, buffer and code are there once, or none of them is.
[[nodiscard]] std::string extra_lines(const trace::Kernel& kernel);

/// Reads them back.
class ExtraLines {
 public:
  /// `line` is the whole line, at `where`.
  void read(std::string_view line, const SourceLocation& where, ProblemList& problems);
  /// After the last line: what the lines say together makes sense.
  void check(const SourceLocation& where, ProblemList& problems) const;

  /// Whether there were lines with code.
  [[nodiscard]] bool has_code() const { return !code.empty(); }
  /// Replaces what the rest of the header says.
  void apply(trace::Kernel& kernel) const;

  std::vector<isa::Instr> code;
  std::vector<isa::InstrText> texts;
  std::vector<trace::Edge> edges;

 private:
  bool read_value(std::string_view key, std::string_view value);
  bool read_shared(std::string_view value);
  bool read_local(std::string_view value);
  bool read_buffer(std::string_view value);

  std::set<std::string, std::less<>> seen_;  ///< keys that may be there once
  std::uint64_t instructions_ = 0;
  std::uint64_t shared_static_ = 0;
  std::uint64_t shared_dynamic_ = 0;
  std::uint32_t barriers_ = 1;
  std::optional<trace::LocalMemory> local_;
  std::vector<trace::Buffer> buffers_;
};

}  // namespace gpusim::frontend::accelsim
