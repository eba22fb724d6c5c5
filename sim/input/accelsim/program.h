// SPDX-License-Identifier: MIT
// The static program behind a trace: every instruction once, with the ways between them and the dependences that the
// tracer does not write down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/input/accelsim/body.h"
#include "sim/input/accelsim/header.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::frontend::accelsim {

class CommandSurvey;
class ExtraLines;
struct InstructionLine;

/// The two windows of the generic address space that are not global memory.
struct Windows {
  Address shared = 0;
  Address local = 0;
  /// How many follow one another from `shared` on: where there are clusters, those of the other CTAs as well.
  std::uint64_t shared_windows = 1;

  [[nodiscard]] isa::MemSpace space_of(Address address) const;
  /// Whether a copy's line with this address is about its shared side: offsets in shared memory are small.
  [[nodiscard]] bool is_of_shared_side(Address address) const {
    return address < kWindowBytes || space_of(address) == isa::MemSpace::kShared;
  }
  /// Where an access to `space` goes when a trace says `address`: within its window where it lies in that, and where
  /// it says else.
  [[nodiscard]] Address offset(Address address, isa::MemSpace space) const;
  /// The number of the window of an address in shared memory, generic or not: the rank of the CTA that has it.
  [[nodiscard]] std::uint64_t rank_of(Address address) const;
};

/// The static instructions in the order of their first appearance. Equal program counters with different text (two
/// functions of one kernel), and generic accesses to different spaces, are different instructions.
class StaticProgram {
 public:
  static constexpr std::uint32_t kUnknown = 0xffffffffU;

  struct Entry {
    std::uint64_t pc = 0;
    std::string signature;
    std::string opcode;
    isa::Instr instr;
    std::uint32_t line = 0;                ///< line of its first appearance
    std::vector<std::uint32_t> producers;  ///< entries that set its predicate or uniform register
    bool is_generic = false;               ///< LD, ST, ATOM: the address decides the space
    bool sets_predicate = false;           ///< it wrote a predicate, which no line names
    bool sets_uniform = false;             ///< it wrote a uniform register, which no line names
    bool is_given = false;                 ///< the header has it
    bool has_pair = false;                 ///< LDGSTS: some of its lines have its address in shared memory
    bool lacks_addresses = false;          ///< some lane accessed memory, but the line does not say where
    bool names_others = false;             ///< it may signal mbarriers of other CTAs of its cluster, or copy to them
    bool reaches_others = false;           ///< it accesses the shared memory of other CTAs of its cluster
  };

  /// Begins with the code that the header gives, if any.
  StaticProgram(const Windows& windows, const ExtraLines& given);

  /// The number of a line's entry, kUnknown when it has none. `previous` is the entry of the line before (or kUnknown)
  /// and makes the search fast.
  [[nodiscard]] std::uint32_t find(const InstructionLine& line, std::uint32_t previous) const;
  std::uint32_t add(const InstructionLine& line, std::uint32_t line_number);
  [[nodiscard]] std::vector<Entry>& entries() { return entries_; }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// Whether the header has the code: there is no other.
  [[nodiscard]] bool is_given() const { return !entries_.empty() && entries_.front().is_given; }
  [[nodiscard]] const Windows& windows() const { return windows_; }
  /// What threads have been seen to access of their local memory.
  [[nodiscard]] trace::LocalMemory local_memory() const;
  void add_local(const InstructionLine& line, std::uint32_t bytes);
  /// Remembers that `to` followed `from`.
  void add_edge(std::uint32_t from, std::uint32_t to);

  /// Numbers by ascending program counter: the index in the kernel's code of each entry.
  [[nodiscard]] std::vector<std::uint32_t> indexes() const;
  /// Fills in code, texts and edges as the lines showed them.
  void write_code(trace::Kernel& kernel) const;

 private:
  [[nodiscard]] bool matches(const Entry& entry, const InstructionLine& line) const;
  void index(std::uint32_t number);
  /// The candidate that followed `previous` most recently, or else the first. There are several candidates when an
  /// access has no lanes and its addresses would decide its space.
  [[nodiscard]] std::uint32_t latest_match(const std::vector<std::uint32_t>& candidates, const InstructionLine& line,
                                           std::uint32_t previous) const;

  Windows windows_;
  std::vector<Entry> entries_;
  std::vector<std::vector<std::uint32_t>> successors_;     ///< by entry, most recent last; kExitNode leaves
  std::unordered_map<std::uint64_t, std::size_t> places_;  ///< each edge among its beginning's successors
  Address local_begin_ = ~Address{0};
  Address local_end_ = 0;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;  ///< by pc and signature
};

/// First pass over a body: collects the program.
class Survey : public BodySink {
 public:
  Survey(StaticProgram& program, CommandSurvey& commands) : program_(program), commands_(commands) {}

  void begin_warp(std::uint64_t cta, std::uint32_t warp, std::uint32_t rank) override;
  const isa::Instr& instruction(const InstructionLine& line, std::uint32_t line_number) override;
  void end_warp(std::uint32_t line_number) override;

 private:
  struct Setter {
    std::uint32_t entry;
    LaneMask mask;
  };
  void look_at_engines(StaticProgram::Entry& entry, const InstructionLine& line, std::uint32_t line_number);
  void follow_poll(std::uint32_t entry);
  void follow_predicates(std::uint32_t entry, LaneMask mask);
  void follow_uniform_registers(std::uint32_t entry);
  void link(std::uint32_t producer, std::uint32_t consumer);

  StaticProgram& program_;
  CommandSurvey& commands_;
  std::uint32_t previous_ = StaticProgram::kUnknown;
  bool previous_is_pair_ = false;
  std::vector<Setter> predicate_setters_;  ///< whose consumer has not come yet
  std::vector<std::uint32_t> uniform_setters_;
  std::unordered_set<std::uint64_t> links_;  ///< pairs of producer and consumer
};

}  // namespace gpusim::frontend::accelsim
