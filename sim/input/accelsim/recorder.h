// SPDX-License-Identifier: MIT
// Second pass over a body: what the warps of some CTAs do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/input/accelsim/active_lanes.h"
#include "sim/input/accelsim/body.h"
#include "sim/input/accelsim/command.h"
#include "sim/input/accelsim/program.h"
#include "sim/model/trace/recorded.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::frontend::accelsim {

/// Throws InputError: the second pass found something else than the first.
[[noreturn]] void fail_changed(const std::string& file);

/// Which CTAs are wanted, by their numbers, without `end`; and whether they come in that order.
struct Wanted {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool in_order = true;
};

/// Hands the behaviour of warps to a sink. An instruction whose lanes ask different things of mbarriers, or go to
/// several CTAs of their cluster, becomes as many steps.
class Recorder final : public BodySink {
 public:
  /// All must outlive it.
  Recorder(const StaticProgram& program, const trace::Kernel& kernel, const std::string& file, const Wanted& wanted,
           trace::WarpSink& sink);

  void begin_warp(std::uint64_t cta, std::uint32_t warp, std::uint32_t rank) override;
  const isa::Instr& instruction(const InstructionLine& line, std::uint32_t line_number) override;
  void end_warp(std::uint32_t line_number) override;

 private:
  void record(const StaticProgram::Entry& entry, std::uint32_t pc, LaneMask active, const InstructionLine& line);
  void record_commands(std::uint32_t pc, LaneMask active, const InstructionLine& line);
  [[nodiscard]] bool is_told(Command& command) const;
  void record_by_rank(std::uint32_t pc, LaneMask active, const InstructionLine& line);
  void record_access(const isa::Instr& instr, const InstructionLine& line, bool second_of_pair);
  void record_side_by_side(const isa::Instr& instr, LaneMask mask);

  const StaticProgram& program_;
  const trace::Kernel& kernel_;
  const std::string& file_;
  Wanted wanted_;
  std::uint64_t cta_ = 0;
  bool is_wanted_ = false;
  std::vector<std::uint32_t> index_;
  ActiveLanes lanes_;
  CommandReader commands_;
  trace::WarpSink& sink_;
  std::uint32_t previous_ = StaticProgram::kUnknown;
  bool previous_is_pair_ = false;
  bool first_is_shared_ = false;
};

}  // namespace gpusim::frontend::accelsim
