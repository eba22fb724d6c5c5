// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/program.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "sim/base/hash.h"
#include "sim/input/accelsim/command_survey.h"
#include "sim/input/accelsim/signature.h"
#include "sim/input/accelsim/tokens.h"
#include "sim/model/isa/decode.h"
#include "sim/model/trace/recorded.h"

namespace gpusim::frontend::accelsim {
namespace {

using isa::Instr;
using isa::Operand;
using Entry = StaticProgram::Entry;

Address first_address(const InstructionLine& line) {
  return line.mask == 0 ? 0 : line.addresses[first_lane(line.mask)];
}

/// Constants are addressed by operands that the tracer leaves out.
bool needs_addresses(const Instr& instr) {
  return instr.is_memory() && instr.space != isa::MemSpace::kConstant;
}

/// The limit of "DEPBAR.LE SB0, 0x1". The tracer keeps the number but not the counter, so a kernel is assumed to use
/// one counter.
std::uint8_t depbar_limit(std::int64_t immediate) {
  constexpr std::int64_t kMostOutstanding = 63;
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(immediate, 0, kMostOutstanding));
}

bool has_destination(const Instr& instr) {
  return instr.destinations[0].is_real();
}

bool uses_uniform_datapath(const Instr& instr) {
  return instr.pipe() == isa::Pipe::kUniform;
}

bool writes_uniform_register(std::string_view opcode, const Instr& instr) {
  return uses_uniform_datapath(instr) || opcode.starts_with("R2UR") || opcode.starts_with("S2UR") ||
         opcode.starts_with("REDUX") || opcode.starts_with("VOTEU");
}

bool sets_predicate_only(std::string_view opcode) {
  const isa::OpcodeRow* row = isa::find_opcode(opcode);
  return row != nullptr && row->form == isa::Form::kPredicates;
}

/// An instruction that computes but whose result the tracer did not write down wrote a predicate.
bool is_predicate_setter(const Entry& entry) {
  const Instr& instr = entry.instr;
  return instr.kind == isa::OpKind::kCompute && instr.known_opcode && !has_destination(instr) &&
         (sets_predicate_only(entry.opcode) || !writes_uniform_register(entry.opcode, instr));
}

/// An instruction whose uniform register the tracer did not write down.
bool is_uniform_setter(const Entry& entry) {
  return entry.instr.kind == isa::OpKind::kCompute && writes_uniform_register(entry.opcode, entry.instr) &&
         !sets_predicate_only(entry.opcode) && entry.instr.destinations[0].file != isa::RegFile::kUniform;
}

/// Whether a word of a signature is a register: "R4", "UR4".
bool is_register(std::string_view word) {
  const std::string_view digits = word.substr(std::min<std::size_t>(word.size(), word.starts_with('U') ? 2 : 1));
  return (word.starts_with('R') || word.starts_with("UR")) && !digits.empty() &&
         digits.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "LDG.E R4, R2"
std::string text_of(const Entry& entry) {
  std::string text = entry.opcode;
  std::string_view separator = " ";
  for (Tokens words(entry.signature); !words.empty();) {
    if (const std::string_view word = words.next(); is_register(word)) {
      text.append(separator).append(word);
      separator = ", ";
    }
  }
  return text;
}

bool add_operand(std::span<Operand> operands, const Operand& operand) {
  const auto free =
      std::find_if(operands.begin(), operands.end(), [](const Operand& o) { return o.file == isa::RegFile::kNone; });
  if (free == operands.end()) {
    return false;
  }
  *free = operand;
  return true;
}

/// Registers of one kind out of those that a line names, general ones or uniform ones, numbered from 0.
std::vector<std::uint16_t> registers_of(std::span<const std::uint16_t> named, bool are_uniform) {
  std::vector<std::uint16_t> found;
  for (const std::uint16_t number : named) {
    if ((number >= StaticPart::kUniform) == are_uniform) {
      found.push_back(number % StaticPart::kUniform);
    }
  }
  return found;
}

void assign_registers(const InstructionLine& line, Instr& instr) {
  const std::vector<std::uint16_t>& destinations = line.what->destinations;
  const std::vector<std::uint16_t>& sources = line.what->sources;
  isa::assign_registers(line.what->opcode, registers_of(destinations, false), registers_of(sources, false), instr);
  const auto uniform = [](std::uint16_t index) {
    return Operand{isa::RegFile::kUniform, 1, std::min(index, isa::kURZ), false, 0};
  };
  for (const std::uint16_t index : registers_of(destinations, true)) {
    add_operand(instr.destinations, uniform(index));
  }
  for (const std::uint16_t index : registers_of(sources, true)) {
    add_operand(instr.sources, uniform(index));
  }
}

/// The register that stands for what entry `producer` sets. Neighbours get different ones, so that they do not wait
/// for each other's write.
Operand stand_in(const Entry& entry, std::uint32_t producer) {
  if (entry.sets_predicate || entry.instr.kind == isa::OpKind::kPoll) {
    return {isa::RegFile::kPredicate, 1, static_cast<std::uint16_t>(producer % isa::kPT), false, 0};
  }
  constexpr unsigned kPairs = 31;  // pairs of the uniform registers UR0 to UR61
  return {isa::RegFile::kUniform, 1, static_cast<std::uint16_t>(2 * (producer % kPairs)), false, 0};
}

void add_producer(Instr& instr, const Operand& operand) {
  if (operand.file == isa::RegFile::kPredicate && !instr.guarded) {
    instr.guard = operand;
    instr.guarded = true;
    return;
  }
  add_operand(instr.sources, operand);
}

/// An ordered pair of entries as one number.
std::uint64_t pair_of(std::uint32_t from, std::uint32_t to) {
  return std::uint64_t{from} << 32 | to;
}

/// The last few of those that a vector has. Most instructions have one or two successors, and those are found fast; but
/// some subroutines return to very many places.
std::span<const std::uint32_t> last_of(const std::vector<std::uint32_t>& numbers) {
  constexpr std::size_t kFew = 4;
  return std::span(numbers).last(std::min(kFew, numbers.size()));
}

bool is_among(std::span<const std::uint32_t> numbers, std::uint32_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

/// A signature without the barrier at its end.
std::string_view without_barrier(std::string_view signature) {
  return signature.substr(0, signature.find(" :"));
}

std::uint64_t hash_of(std::uint64_t pc, std::string_view signature) {
  return mix64(pc) ^ std::hash<std::string_view>{}(without_barrier(signature));
}

/// Whether a line is of code that the header has: what is exported names barriers that are not the CTA's by two
/// immediates.
bool is_line_of(const Entry& given, const InstructionLine& line) {
  const bool names_barrier = given.instr.kind == isa::OpKind::kBarrier && line.second_immediate;
  return given.signature == line.what->signature &&
         (!names_barrier ||
          (given.instr.barrier_id == line.immediate && given.instr.barrier_threads == *line.second_immediate));
}

}  // namespace

isa::MemSpace Windows::space_of(Address address) const {
  if (local != 0 && address - local < kWindowBytes) {
    return isa::MemSpace::kLocal;
  }
  return shared != 0 && address - shared < shared_windows * kWindowBytes ? isa::MemSpace::kShared
                                                                         : isa::MemSpace::kGlobal;
}

Address Windows::offset(Address address, isa::MemSpace space) const {
  if (space == isa::MemSpace::kGlobal || space_of(address) != space) {
    return address;
  }
  return address - (space == isa::MemSpace::kShared ? shared : local);
}

std::uint64_t Windows::rank_of(Address address) const {
  const bool is_generic = shared != 0 && address - shared < shared_windows * kWindowBytes;
  return (is_generic ? address - shared : address) / kWindowBytes;
}

StaticProgram::StaticProgram(const Windows& windows, const ExtraLines& given) : windows_(windows) {
  for (std::uint32_t i = 0; i < given.code.size(); ++i) {
    Entry entry;
    entry.pc = given.texts[i].pc;
    entry.opcode = given.texts[i].opcode;
    entry.signature = signature_of(entry.opcode, given.code[i]);
    entry.instr = given.code[i];
    entry.line = given.texts[i].line;
    entry.is_generic = is_generic(entry.opcode);
    entry.is_given = true;
    entries_.push_back(std::move(entry));
    index(i);
  }
}

bool StaticProgram::matches(const Entry& entry, const InstructionLine& line) const {
  return entry.pc == line.pc && (entry.is_given ? is_line_of(entry, line) : entry.signature == line.signature) &&
         (!entry.is_generic || line.mask == 0 || entry.instr.space == windows_.space_of(first_address(line)));
}

void StaticProgram::index(std::uint32_t number) {
  Entry& entry = entries_[number];
  entry.sets_predicate = is_predicate_setter(entry);
  entry.sets_uniform = is_uniform_setter(entry);
  successors_.emplace_back();
  by_hash_[hash_of(entry.pc, entry.signature)].push_back(number);
}

std::uint32_t StaticProgram::find(const InstructionLine& line, std::uint32_t previous) const {
  if (previous != kUnknown) {
    const std::span<const std::uint32_t> successors = last_of(successors_[previous]);
    for (auto next = successors.rbegin(); next != successors.rend(); ++next) {
      if (*next != trace::kExitNode && matches(entries_[*next], line)) {
        return *next;
      }
    }
  }
  const auto found = by_hash_.find(hash_of(line.pc, line.what->signature));
  return found == by_hash_.end() ? kUnknown : latest_match(found->second, line, previous);
}

std::uint32_t StaticProgram::latest_match(const std::vector<std::uint32_t>& candidates, const InstructionLine& line,
                                          std::uint32_t previous) const {
  std::uint32_t best = kUnknown;
  std::size_t best_place = 0;  // 0: it never followed `previous`
  for (const std::uint32_t entry : candidates) {
    if (matches(entries_[entry], line)) {
      const auto edge = previous == kUnknown ? places_.end() : places_.find(pair_of(previous, entry));
      const std::size_t place = edge == places_.end() ? 0 : edge->second + 1;
      if (best == kUnknown || place > best_place) {
        best = entry;
        best_place = place;
      }
    }
  }
  return best;
}

std::uint32_t StaticProgram::add(const InstructionLine& line, std::uint32_t line_number) {
  const auto number = static_cast<std::uint32_t>(entries_.size());
  Entry entry;
  entry.pc = line.pc;
  entry.signature = line.signature;
  entry.opcode = line.what->opcode;
  entry.line = line_number;
  entry.is_generic = is_generic(line.what->opcode);
  entry.instr = isa::decode_opcode(line.what->opcode);
  assign_registers(line, entry.instr);
  if (line.barrier && entry.instr.kind == isa::OpKind::kBarrier) {
    entry.instr.barrier_id = line.barrier->id;
    entry.instr.barrier_threads = line.barrier->threads;
    entry.instr.barrier_waits = line.what->opcode.find(".ARV") == std::string_view::npos;
  }
  if (line.closes_group && entry.instr.kind == isa::OpKind::kWgmma) {
    entry.instr.wgmma.closes_group = *line.closes_group;
  }
  if (entry.is_generic && line.mask != 0) {
    entry.instr.space = windows_.space_of(first_address(line));
  }
  if (entry.instr.space == isa::MemSpace::kClusterShared) {
    entry.instr.space = isa::MemSpace::kShared;
    entry.reaches_others = true;
  }
  if (entry.instr.kind == isa::OpKind::kDepbar || entry.instr.kind == isa::OpKind::kWgmmaWait) {
    entry.instr.depbar_limit = depbar_limit(line.immediate);
  } else if (entry.instr.kind == isa::OpKind::kSleep) {
    entry.instr.sleep_ns = static_cast<std::uint32_t>(std::clamp<std::int64_t>(line.immediate, 0, isa::kMostSleepNs));
  }
  entries_.push_back(std::move(entry));
  index(number);
  return number;
}

void StaticProgram::add_edge(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t>& successors = successors_[from];
  if (!is_among(last_of(successors), to) && places_.emplace(pair_of(from, to), successors.size()).second) {
    successors.push_back(to);
  }
}

void StaticProgram::add_local(const InstructionLine& line, std::uint32_t bytes) {
  for (LaneMask rest = line.mask; rest != 0; rest &= rest - 1) {
    const Address first = windows_.offset(line.addresses[first_lane(rest)], isa::MemSpace::kLocal);
    local_begin_ = std::min(local_begin_, first);
    local_end_ = std::max(local_end_, first + bytes);
  }
}

trace::LocalMemory StaticProgram::local_memory() const {
  constexpr Address kUnit = 16;  // a stack has a multiple of so many bytes
  return local_end_ == 0 ? trace::LocalMemory{}
                         : trace::LocalMemory{local_begin_ & ~(kUnit - 1), local_end_ - (local_begin_ & ~(kUnit - 1))};
}

std::vector<std::uint32_t> StaticProgram::indexes() const {
  std::vector<std::uint32_t> order(entries_.size());
  std::iota(order.begin(), order.end(), 0U);
  if (is_given()) {
    return order;  // the header has an order of its own
  }
  std::stable_sort(order.begin(), order.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return entries_[a].pc < entries_[b].pc; });
  std::vector<std::uint32_t> index(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    index[order[i]] = i;
  }
  return index;
}

void StaticProgram::write_code(trace::Kernel& kernel) const {
  const std::vector<std::uint32_t> index = indexes();
  kernel.code.resize(entries_.size());
  kernel.texts.resize(entries_.size());
  std::vector<bool> feeds(entries_.size(), false);
  for (const Entry& entry : entries_) {
    for (const std::uint32_t producer : entry.producers) {
      feeds[producer] = true;
    }
  }
  for (std::uint32_t e = 0; e < entries_.size(); ++e) {
    const Entry& entry = entries_[e];
    Instr& instr = kernel.code[index[e]];
    instr = entry.instr;
    instr.of_cluster = entry.names_others && kernel.ctas_per_cluster() > 1;
    instr.space = entry.reaches_others && kernel.ctas_per_cluster() > 1 ? isa::MemSpace::kClusterShared : instr.space;
    for (const std::uint32_t producer : entry.producers) {
      add_producer(instr, stand_in(entries_[producer], producer));
    }
    if (feeds[e]) {
      add_operand(instr.destinations, stand_in(entry, e));
    }
    kernel.texts[index[e]] = {entry.opcode, text_of(entry), entry.line, entry.pc};
    for (const std::uint32_t to : successors_[e]) {
      kernel.edges.push_back({index[e], to == trace::kExitNode ? to : index[to]});
    }
  }
  std::sort(kernel.edges.begin(), kernel.edges.end(), [](const trace::Edge& a, const trace::Edge& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
}

void Survey::begin_warp(std::uint64_t cta, std::uint32_t /*warp*/, std::uint32_t rank) {
  commands_.begin_warp(cta, rank);
  previous_ = StaticProgram::kUnknown;
  previous_is_pair_ = false;
  predicate_setters_.clear();
  uniform_setters_.clear();
}

const isa::Instr& Survey::instruction(const InstructionLine& line, std::uint32_t line_number) {
  std::uint32_t entry = program_.find(line, previous_);
  if (entry == StaticProgram::kUnknown) {
    entry = program_.add(line, line_number);
  }
  StaticProgram::Entry& at = program_.entries()[entry];
  at.lacks_addresses = at.lacks_addresses || (needs_addresses(at.instr) && line.mask != 0 && !line.has_addresses);
  if (at.instr.space == isa::MemSpace::kLocal && line.has_addresses) {
    program_.add_local(line, at.instr.bytes_per_lane);
  }
  look_at_engines(at, line, line_number);
  // An asynchronous copy has two lines, one for each of its address spaces.
  if (at.instr.kind == isa::OpKind::kAsyncCopy && entry == previous_ && !previous_is_pair_) {
    previous_is_pair_ = true;
    at.has_pair = true;
    return at.instr;
  }
  previous_is_pair_ = false;
  if (previous_ != StaticProgram::kUnknown) {
    program_.add_edge(previous_, entry);
  }
  follow_poll(entry);
  follow_predicates(entry, line.mask);
  follow_uniform_registers(entry);
  previous_ = entry;
  return at.instr;
}

void Survey::end_warp(std::uint32_t /*line_number*/) {
  if (previous_ != StaticProgram::kUnknown) {
    program_.add_edge(previous_, trace::kExitNode);
  }
}

void Survey::link(std::uint32_t producer, std::uint32_t consumer) {
  std::vector<std::uint32_t>& producers = program_.entries()[consumer].producers;
  if (!is_among(last_of(producers), producer) && links_.insert(pair_of(producer, consumer)).second) {
    producers.push_back(producer);
  }
}

/// What a line says of mbarriers, of copies by the TMA, and of the shared memory of other CTAs.
void Survey::look_at_engines(StaticProgram::Entry& entry, const InstructionLine& line, std::uint32_t line_number) {
  if (line.mask == 0) {
    return;
  }
  if (trace::has_command(entry.instr)) {
    entry.names_others = commands_.look_at_command(line, line_number) || entry.names_others;
  } else if (entry.instr.space == isa::MemSpace::kShared && line.has_addresses && !entry.is_given) {
    const bool signals = entry.instr.kind != isa::OpKind::kLoad && !entry.is_generic && entry.reaches_others;
    if (signals) {
      commands_.look_at_signalling_store(line, line_number);
    }
    if (entry.is_generic || entry.reaches_others) {
      entry.reaches_others = commands_.look_at_access(line, line_number) || entry.reaches_others;
    }
  }
}

/// What comes behind a poll waits for its answer: the recording has only what was done once the wait was over.
void Survey::follow_poll(std::uint32_t entry) {
  if (previous_ != StaticProgram::kUnknown && previous_ != entry &&
      program_.entries()[previous_].instr.kind == isa::OpKind::kPoll) {
    link(previous_, entry);
  }
}

/// A predicate feeds the next branch or exit, or the first instruction that fewer lanes execute than set it.
void Survey::follow_predicates(std::uint32_t entry, LaneMask mask) {
  const Entry& at = program_.entries()[entry];
  const bool leaves = at.instr.kind == isa::OpKind::kBranch || at.instr.kind == isa::OpKind::kExit;
  std::erase_if(predicate_setters_, [&](const Setter& setter) {
    const bool is_consumer = leaves || (mask != setter.mask && (mask & ~setter.mask) == 0);
    if (is_consumer) {
      link(setter.entry, entry);
    }
    return is_consumer || setter.entry == entry;
  });
  if (at.sets_predicate) {
    if (predicate_setters_.size() == isa::kPT) {
      predicate_setters_.erase(predicate_setters_.begin());  // there are no more predicates than that
    }
    predicate_setters_.push_back({entry, mask});
  }
}

/// A uniform register feeds the next memory instruction or the next one of the uniform datapath.
void Survey::follow_uniform_registers(std::uint32_t entry) {
  const Entry& at = program_.entries()[entry];
  if (at.instr.is_memory() || uses_uniform_datapath(at.instr)) {
    for (const std::uint32_t setter : uniform_setters_) {
      if (setter != entry) {
        link(setter, entry);
      }
    }
    uniform_setters_.clear();
  }
  if (at.sets_uniform && uniform_setters_.size() < isa::kMaxSources) {
    uniform_setters_.push_back(entry);
  }
}

}  // namespace gpusim::frontend::accelsim
