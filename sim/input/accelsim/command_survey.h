// SPDX-License-Identifier: MIT
// What a whole recording shows of mbarriers, copies by the TMA and the shared memory of clusters: whether it says
// enough to simulate them, what is wrong in it, and what has to be assumed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/input/accelsim/command.h"
#include "sim/input/accelsim/instruction_line.h"
#include "sim/input/accelsim/warnings.h"
#include "sim/model/isa/instr.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::frontend::accelsim {

struct Windows;

class CommandSurvey {
 public:
  /// `shared_bytes` of a CTA, as the launch asks for them.
  CommandSurvey(const Windows& windows, std::uint64_t shared_bytes);

  /// CTAs come one after the other. `rank`: of the CTA in its cluster.
  void begin_warp(std::uint64_t cta, std::uint32_t rank);
  /// A line that speaks to mbarriers or the TMA. True when it may name other CTAs of its cluster.
  [[nodiscard]] bool look_at_command(const InstructionLine& line, std::uint32_t line_number);
  /// A line that accesses shared memory by generic addresses, or by addresses of its cluster. True when it goes to
  /// another CTA.
  [[nodiscard]] bool look_at_access(const InstructionLine& line, std::uint32_t line_number);
  /// A line whose data signals an mbarrier that nothing names (STAS, REDAS).
  void look_at_signalling_store(const InstructionLine& line, std::uint32_t line_number);

  /// Behind the last line.
  void finish(const Dim3& cluster);
  void report(const std::string& file, ProblemList& problems) const;
  /// Whether mbarriers are simulated: else waits succeed at once, and copies signal nothing.
  [[nodiscard]] bool is_simulated() const { return lacks_.empty(); }
  void warn(const std::string& kernel, Warnings& warnings) const;
  /// Any eight bytes of the shared memory may be an mbarrier; none where nothing names one.
  [[nodiscard]] std::vector<trace::MbarrierArray> mbarriers() const;

 private:
  /// How often something was assumed, and where first.
  struct Assumed {
    std::uint64_t times = 0;
    std::uint32_t line = 0;
    void add(std::uint32_t at);
  };

  void look_at_mbarrier(const Command& command, bool is_own, const InstructionLine& line, std::uint32_t line_number);
  void end_cta();
  void lack(std::uint32_t line, std::string what);
  void wrong(std::uint32_t line, std::string what, std::string hint);
  void note_rank(std::uint64_t rank, const InstructionLine& line, std::uint32_t line_number);

  const Windows& windows_;
  std::uint64_t mbarriers_;  ///< that the shared memory has room for
  CommandReader reader_;
  std::uint64_t cta_ = ~std::uint64_t{0};
  std::uint32_t rank_ = 0;
  /// Mbarriers of the CTA at hand: the line that used each first, 0 where it is initialised.
  std::map<std::uint64_t, std::uint32_t> used_;
  bool names_mbarriers_ = false;
  std::uint64_t most_rank_ = 0;
  std::uint32_t most_rank_line_ = 0;
  std::string most_rank_opcode_;
  std::string lacks_;
  std::uint32_t lacks_line_ = 0;
  std::vector<Problem> wrong_;
  Assumed no_box_;
  Assumed outside_;
  Assumed several_;
};

}  // namespace gpusim::frontend::accelsim
