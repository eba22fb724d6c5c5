// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/command_survey.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/base/address_space.h"
#include "sim/base/text.h"
#include "sim/input/accelsim/program.h"
#include "sim/model/trace/recorded_command.h"

namespace gpusim::frontend::accelsim {
namespace {

/// The first bytes of a CTA's shared memory are the system's from Hopper on (CUDA C++ Programming Guide, compute
/// capability 9.x: 1 KB a CTA): those of a launch come behind them.
constexpr std::uint64_t kSystemBytes = 1024;
constexpr std::uint64_t kMostMbarriers = 0xffff;  ///< more than any shared memory has room for

std::string at_line(std::uint32_t line) {
  return "line " + std::to_string(line);
}

}  // namespace

CommandSurvey::CommandSurvey(const Windows& windows, std::uint64_t shared_bytes)
    : windows_(windows),
      mbarriers_(std::min<std::uint64_t>((shared_bytes + kSystemBytes) / trace::kMbarrierBytes, kMostMbarriers)) {}

void CommandSurvey::Assumed::add(std::uint32_t at) {
  line = times++ == 0 ? at : line;
}

void CommandSurvey::begin_warp(std::uint64_t cta, std::uint32_t rank) {
  if (cta != cta_) {
    end_cta();
    cta_ = cta;
  }
  rank_ = rank;
}

void CommandSurvey::lack(std::uint32_t line, std::string what) {
  if (lacks_.empty()) {
    lacks_ = std::move(what);
    lacks_line_ = line;
  }
}

void CommandSurvey::wrong(std::uint32_t line, std::string what, std::string hint) {
  if (wrong_.size() < ProblemList::kMostKept) {
    wrong_.push_back({{"", line, 0}, std::move(what), std::move(hint)});
  }
}

void CommandSurvey::note_rank(std::uint64_t rank, const InstructionLine& line, std::uint32_t line_number) {
  if (rank > most_rank_) {
    most_rank_ = rank;
    most_rank_line_ = line_number;
    most_rank_opcode_ = line.what->opcode;
  }
}

bool CommandSurvey::look_at_command(const InstructionLine& line, std::uint32_t line_number) {
  const std::span<const Command> commands = reader_.read(line);
  const CommandFacts& facts = reader_.facts();
  if (!facts.wrong.empty()) {
    wrong(line_number, std::string(line.what->opcode) + ": " + facts.wrong, facts.hint);
  }
  if (!facts.lacks.empty()) {
    lack(line_number, facts.lacks);
  }
  if (facts.is_no_box) {
    no_box_.add(line_number);
  }
  if (facts.has_outside) {
    outside_.add(line_number);
  }
  for (const Command& command : commands) {
    const bool is_own = !facts.names_rank || command.rank == rank_;
    look_at_mbarrier(command, is_own && command.operands.multicast == 0, line, line_number);
    const std::uint16_t ranks = command.operands.multicast;
    note_rank(ranks == 0 ? command.rank : std::bit_width(ranks) - 1U, line, line_number);
  }
  return facts.names_rank;
}

void CommandSurvey::look_at_mbarrier(const Command& command, bool is_own, const InstructionLine& line,
                                     std::uint32_t line_number) {
  using trace::AsyncAction;
  const AsyncAction action = command.operands.action;
  if (trace::is_copy(action) && (action != AsyncAction::kLoad || !line.transfer.is_complete)) {
    return;
  }
  names_mbarriers_ = true;
  const std::uint64_t number = command.mbarrier / trace::kMbarrierBytes;
  if (command.mbarrier % trace::kMbarrierBytes != 0 || number >= mbarriers_) {
    wrong(line_number, std::string(line.what->opcode) + " names an mbarrier at " + address_text(command.mbarrier),
          "expected a multiple of 8 below " + address_text(mbarriers_ * trace::kMbarrierBytes) +
              ", where the CTA's shared memory ends");
    return;
  }
  if (is_own) {
    std::uint32_t& first_use = used_.try_emplace(number, line_number).first->second;
    first_use = action == AsyncAction::kInitialise ? 0 : first_use;
  }
}

bool CommandSurvey::look_at_access(const InstructionLine& line, std::uint32_t line_number) {
  bool reaches_another = false;
  std::uint64_t ranks = 0;
  for (LaneMask rest = line.mask; rest != 0; rest &= rest - 1) {
    const Address address = line.addresses[first_lane(rest)];
    const std::uint64_t rank = windows_.rank_of(address);
    reaches_another = reaches_another || rank != rank_;
    ranks |= std::uint64_t{1} << std::min<std::uint64_t>(rank, 63);
    note_rank(rank, line, line_number);
  }
  if (std::popcount(ranks) > 1) {
    several_.add(line_number);
  }
  return reaches_another;
}

void CommandSurvey::look_at_signalling_store(const InstructionLine& line, std::uint32_t line_number) {
  lack(line_number, std::string(line.what->opcode) + " signals an mbarrier that the recording does not name");
}

void CommandSurvey::end_cta() {
  for (const auto& [number, line] : used_) {
    if (line != 0) {
      lack(line, "the mbarrier at " + address_text(number * trace::kMbarrierBytes) + " is never initialised");
    }
  }
  used_.clear();
}

void CommandSurvey::finish(const Dim3& cluster) {
  end_cta();
  if (most_rank_ >= cluster.volume()) {
    wrong(most_rank_line_,
          most_rank_opcode_ + " names the CTA of rank " + std::to_string(most_rank_) + " in its cluster",
          "the clusters of this launch have " + counted(cluster.volume(), "CTA"));
  }
}

void CommandSurvey::report(const std::string& file, ProblemList& problems) const {
  for (Problem problem : wrong_) {
    problem.where.file = file;
    problems.add(std::move(problem));
  }
}

void CommandSurvey::warn(const std::string& kernel, Warnings& warnings) const {
  const std::string head = "guess: kernel '" + kernel + "': ";
  if (!is_simulated()) {
    warnings.add(head + at_line(lacks_line_) + ": " + lacks_ +
                 ": no mbarrier is simulated, waits succeed at once, and its cycles are too few where warps wait for "
                 "copies");
  }
  const auto add = [&](const Assumed& assumed, const char* what) {
    if (assumed.times != 0) {
      warnings.add(head + at_line(assumed.line) + " (" + counted(assumed.times, "time") + " like that): " + what);
    }
  };
  add(no_box_,
      "the pieces of a copy by the TMA do not make up a box: it is taken to move consecutive bytes from the first on");
  add(outside_, "a copy by the TMA lists the pieces outside the tensor, too: it is taken to move them all");
  add(several_, "lanes access the shared memory of several CTAs at once: it is taken to issue once for each of them");
}

std::vector<trace::MbarrierArray> CommandSurvey::mbarriers() const {
  if (!names_mbarriers_ || !is_simulated()) {
    return {};
  }
  return {{"", 0, static_cast<std::uint32_t>(mbarriers_), 0}};
}

}  // namespace gpusim::frontend::accelsim
