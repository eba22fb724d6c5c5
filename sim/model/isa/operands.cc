// SPDX-License-Identifier: MIT
// Registers of an instruction: which are written, which are read, and how wide each is.
#include <algorithm>
#include <charconv>
#include <vector>

#include "sim/model/isa/decode.h"
#include "sim/model/isa/operand_text.h"
#include "sim/model/isa/wgmma.h"

namespace gpusim::isa {
namespace {

constexpr std::size_t kMostLeadingPredicates = 2;
constexpr std::uint64_t kMostNamedBarriers = 16;
constexpr std::uint64_t kMostThreads = 1024;    // threads of a CTA
constexpr std::uint64_t kMostOutstanding = 63;  // a dependence counter's range

bool is_predicate(const ParsedOperand& operand) {
  return operand.kind == OperandKind::kRegister && operand.registers[0].operand.width == 1 &&
         (operand.registers[0].operand.file == RegFile::kPredicate ||
          operand.registers[0].operand.file == RegFile::kUniformPredicate);
}

/// How many of the leading operands are written.
std::size_t count_destinations(Form form, std::span<const ParsedOperand> operands) {
  const auto predicates_from = [&](std::size_t first, std::size_t most) {
    std::size_t end = first;
    while (end < operands.size() && end - first < most && is_predicate(operands[end])) {
      ++end;
    }
    return end;
  };
  switch (form) {
    case Form::kNoDestination: return 0;
    case Form::kAllButLast: return operands.empty() ? 0 : operands.size() - 1;
    case Form::kPredicates: return predicates_from(0, kMostLeadingPredicates);
    case Form::kRegister: break;
  }
  const std::size_t main = predicates_from(0, kMostLeadingPredicates);
  return std::min(operands.size(), predicates_from(main + 1, kMostLeadingPredicates));
}

std::uint8_t access_registers(const Instr& instr) {
  return instr.matrices != 0 ? instr.matrices : static_cast<std::uint8_t>(std::max(1, instr.bytes_per_lane / 4));
}

bool has_data_sources(const Instr& instr) {
  return instr.kind == OpKind::kStore || instr.kind == OpKind::kAtomic || instr.kind == OpKind::kReduction;
}

bool has_extended_address(std::string_view opcode) {
  return opcode.find(".E") != std::string_view::npos;
}

/// Registers of a WGMMA operation.
struct WgmmaRegisters {
  std::uint8_t accumulators = 0;  ///< 64 x N of them in 128 lanes
  std::uint8_t a = 4;             ///< 64 x K values are 32 bytes of each row whatever the type: 4 registers a lane
  std::uint8_t descriptors = 4;   ///< registers of A's and B's descriptors, 64 bits each
  bool adds = true;               ///< false: "!UPT" behind the addend, which is not read
};

std::optional<WgmmaRegisters> wgmma_registers(std::string_view opcode, const Instr& instr) {
  const auto parsed =
      instr.kind == OpKind::kWgmma ? parse_wgmma(opcode) : std::variant<WgmmaName, std::string>(std::string());
  const auto* name = std::get_if<WgmmaName>(&parsed);
  if (name == nullptr) {
    return std::nullopt;
  }
  WgmmaRegisters registers;
  registers.accumulators = static_cast<std::uint8_t>(name->wgmma.columns / (name->half_accumulators ? 4U : 2U));
  return registers;
}

/// The registers of the first address of a bulk copy; of a tensor copy ("UTMALDG.2D") they are the address in shared
/// memory, the barrier, and a coordinate for each dimension.
std::optional<std::uint8_t> bulk_copy(std::string_view opcode) {
  if (!opcode.starts_with("UTMA") && !opcode.starts_with("UBLK")) {
    return std::nullopt;
  }
  for (std::uint8_t dimensions = 1; dimensions <= 5; ++dimensions) {
    if (opcode.find("." + std::to_string(dimensions) + "D") != std::string_view::npos) {
      return static_cast<std::uint8_t>(2 + dimensions);
    }
  }
  return std::uint8_t{2};
}

/// The widths of an mbarrier operation, or of an access that is not modelled: SYNCS.EXCH.64, LDGMC.128.
Widths access_widths(std::string_view opcode) {
  const auto has = [&](std::string_view size) {
    const std::size_t at = opcode.find(size);
    return at != std::string_view::npos && (at + size.size() == opcode.size() || opcode[at + size.size()] == '.');
  };
  const std::uint8_t width = has(".128") ? 4 : has(".64") ? 2 : 1;
  return {width, {width, width, width}};
}

class Assigner {
 public:
  Assigner(std::string_view opcode, Instr& instr)
      : opcode_(opcode), instr_(instr), wgmma_(wgmma_registers(opcode, instr)), bulk_(bulk_copy(opcode)) {
    if (const OpcodeRow* row = find_opcode(opcode)) {
      form_ = row->form;
      widths_ = row->widths;
      if ((row->timing == TimingClass::kDefault && row->space != MemSpace::kNone) ||
          row->timing == TimingClass::kMbarrier) {
        widths_ = access_widths(opcode);
      }
    }
    if (wgmma_) {
      widths_.destination = wgmma_->accumulators;
    }
  }

  /// "!UPT" among the operands of a WGMMA operation: it does not add, whatever register is named.
  void leave_out_addend() {
    if (wgmma_) {
      wgmma_->adds = false;
    }
  }
  [[nodiscard]] const std::string& error() const { return error_; }

  void add_operands(std::span<const ParsedOperand> operands) {
    const std::size_t written = count_destinations(form_, operands);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (i < written && operands[i].kind == OperandKind::kRegister) {
        add_destination(operands[i].registers[0].operand, destination_width());
      } else {
        add_source_operand(operands[i], i < written ? 0 : i - written);
      }
    }
  }

  void add_base_registers(std::span<const std::uint16_t> destinations, std::span<const std::uint16_t> sources) {
    for (const std::uint16_t index : destinations) {
      if (index <= kRZ) {
        add_destination({RegFile::kGeneral, 1, index, false, 0}, destination_width());
      }
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i] <= kRZ) {
        add_source({RegFile::kGeneral, 1, sources[i], false, static_cast<std::uint8_t>(i)},
                   base_register_width(i, sources));
      }
    }
  }

 private:
  [[nodiscard]] std::uint8_t destination_width() const {
    return instr_.is_memory() ? access_registers(instr_) : widths_.destination;
  }

  [[nodiscard]] std::uint8_t data_width(std::size_t position) const {
    if (instr_.is_memory()) {
      return has_data_sources(instr_) ? access_registers(instr_) : 1;
    }
    if (wgmma_) {
      return position == 0 ? wgmma_->a : position <= addend_position() ? wgmma_->accumulators : 1;
    }
    return position < widths_.sources.size() ? widths_.sources[position] : 1;
  }

  /// Where C stands among a WGMMA operation's sources: behind A and B; the metadata of a sparse A come later.
  [[nodiscard]] std::size_t addend_position() const { return instr_.wgmma.a_in_registers ? 2 : 1; }

  [[nodiscard]] std::uint8_t address_width(const RegisterText& text, bool global) const {
    if (wgmma_) {
      return wgmma_->descriptors;
    }
    if (bulk_ && !text.descriptor) {
      return memory_operands_ == 0 ? *bulk_ : 2;
    }
    if (text.descriptor || text.pair) {
      return 2;
    }
    if (text.single || !global) {
      return 1;
    }
    return text.operand.file == RegFile::kUniform || has_extended_address(opcode_) ? 2 : 1;
  }

  /// Whether the memory operand that comes next is in global memory: of an LDGSTS, only the second.
  [[nodiscard]] bool is_global_operand() const {
    return instr_.space == MemSpace::kGlobal && (instr_.kind != OpKind::kAsyncCopy || memory_operands_ > 0);
  }

  /// Accel-Sim's sources: addresses first, as in SASS, then data.
  [[nodiscard]] std::uint8_t base_register_width(std::size_t position, std::span<const std::uint16_t> sources) const {
    const std::size_t addresses = instr_.kind == OpKind::kAsyncCopy ? 2 : 1;
    if (instr_.is_memory() && position < addresses) {
      const bool global = instr_.space == MemSpace::kGlobal && position + 1 == std::min(addresses, sources.size());
      return global && has_extended_address(opcode_) ? 2 : 1;
    }
    const bool last = position + 1 == sources.size();
    if (!instr_.is_memory() && last && position < 2 && sources[position] % 2 == 0) {
      return std::max(data_width(position), widths_.sources[2]);  // a pair begins at an even register
    }
    return data_width(position);
  }

  void add_source_operand(const ParsedOperand& operand, std::size_t position) {
    const bool memory = operand.kind == OperandKind::kMemory;
    if (wgmma_ && !wgmma_->adds && position == addend_position() && !memory) {
      return;
    }
    for (std::size_t i = 0; i < operand.register_count; ++i) {
      const RegisterText& text = operand.registers[i];
      Operand source = text.operand;
      source.slot = static_cast<std::uint8_t>(std::min(position, kMaxSources));
      const bool address = memory || operand.kind == OperandKind::kConstant;
      const std::uint8_t width = address     ? address_width(text, memory && is_global_operand())
                                 : text.pair ? std::uint8_t{2}
                                             : data_width(position);
      add_source(source, width);
    }
    memory_operands_ += memory ? 1 : 0;
    if (wgmma_ && position == 0 && !memory) {
      wgmma_->descriptors = 2;  // A is in registers, the descriptor is B's alone
      instr_.wgmma.a_in_registers = true;
    }
  }

  void add_destination(Operand operand, std::uint8_t width) {
    add(operand, width, {instr_.destinations.data(), instr_.destinations.size()});
  }
  void add_source(Operand operand, std::uint8_t width) {
    add(operand, width, {instr_.sources.data(), instr_.sources.size()});
  }

  void add(Operand operand, std::uint8_t width, std::span<Operand> into) {
    if (!operand.is_real()) {
      return;
    }
    const auto free = std::find_if(into.begin(), into.end(), [](const Operand& o) { return o.file == RegFile::kNone; });
    if (free == into.end()) {
      error_ = "it names more registers than an instruction has";
      return;
    }
    const bool wide_file = operand.file == RegFile::kGeneral || operand.file == RegFile::kUniform;
    if (wide_file) {
      const std::uint16_t none = last_register(operand.file);
      operand.width = static_cast<std::uint8_t>(std::min<unsigned>(width, none - operand.index));
      if (operand.width < width) {
        error_ = "'" + std::string(none == kRZ ? "R" : "UR") + std::to_string(operand.index) + "' begins a group of " +
                 std::to_string(width) + " registers that runs past the last one";
      }
    }
    *free = operand;
  }

  std::string_view opcode_;
  Instr& instr_;
  Form form_ = Form::kRegister;
  Widths widths_;
  std::optional<WgmmaRegisters> wgmma_;
  std::optional<std::uint8_t> bulk_;  ///< registers of a bulk copy's first address
  unsigned memory_operands_ = 0;
  std::string error_;
};

std::optional<std::string> assign_guard(std::string_view guard, Instr& instr) {
  if (guard.empty()) {
    return std::nullopt;
  }
  std::string_view name = guard.starts_with('@') ? guard.substr(1) : guard;
  instr.guard_negated = name.starts_with('!');
  auto parsed = parse_operand(name, Labels::kRefused);
  const auto* operand = std::get_if<ParsedOperand>(&parsed);
  if (operand == nullptr || !is_predicate(*operand)) {
    return "guard '" + std::string(guard) + "' is not a predicate: expected P0 to P6, UP0 to UP6, or PT";
  }
  instr.guard = operand->registers[0].operand;
  instr.guarded = instr.guard.is_real();
  if (!instr.guarded) {
    instr.guard = {};
  }
  return std::nullopt;
}

/// The count of threads in "BAR.SYNC 0x1, 0x40". Where a register has it, it is not known before run time: the barrier
/// is then taken to wait for the CTA, and so is a BAR.ARV, or there might be too few left for it.
std::optional<std::string> assign_barrier_threads(std::string_view opcode, std::span<const ParsedOperand> operands,
                                                  Instr& instr) {
  const bool arrives_only = opcode.starts_with("BAR.ARV");
  if (operands.size() < 2) {
    return arrives_only ? std::optional<std::string>("BAR.ARV needs the number of threads, as in 'BAR.ARV 0x1, 0x40'")
                        : std::nullopt;
  }
  if (operands[1].kind != OperandKind::kNumber) {
    return std::nullopt;
  }
  if (operands[1].number < 1 || operands[1].number > kMostThreads) {
    return "barrier of " + std::to_string(operands[1].number) + " threads: expected 1 to " +
           std::to_string(kMostThreads);
  }
  instr.barrier_threads = static_cast<std::uint16_t>(operands[1].number);
  instr.barrier_waits = !arrives_only;
  return std::nullopt;
}

std::optional<std::string> assign_barrier(std::string_view opcode, std::span<const ParsedOperand> operands,
                                          Instr& instr) {
  if (operands.empty() || operands[0].kind != OperandKind::kNumber) {
    return std::nullopt;  // BAR.SYNC of a register: the number is not known before run time
  }
  if (operands[0].number >= kMostNamedBarriers) {
    return "barrier " + std::to_string(operands[0].number) + " does not exist: expected 0 to 15";
  }
  instr.barrier_id = static_cast<std::uint8_t>(operands[0].number);
  return assign_barrier_threads(opcode, operands, instr);
}

void assign_sleep(std::span<const ParsedOperand> operands, Instr& instr) {
  if (!operands.empty() && operands[0].kind == OperandKind::kNumber) {
    instr.sleep_ns = static_cast<std::uint32_t>(std::min<std::uint64_t>(operands[0].number, kMostSleepNs));
  }
}

/// PTX ISA, setmaxnreg: 24 to 256, a multiple of 8.
std::optional<std::string> assign_set_registers(std::span<const ParsedOperand> operands, Instr& instr) {
  constexpr std::uint64_t kLeast = 24;
  constexpr std::uint64_t kMost = 256;
  constexpr std::uint64_t kMultiple = 8;
  if (operands.empty() || operands.back().kind != OperandKind::kNumber) {
    return std::nullopt;
  }
  const std::uint64_t count = operands.back().number;
  if (count < kLeast || count > kMost || count % kMultiple != 0) {
    return "USETMAXREG to " + std::to_string(count) + " registers: expected a multiple of 8 from 24 to 256";
  }
  instr.set_registers = static_cast<std::uint16_t>(count);
  return std::nullopt;
}

std::optional<std::string> assign_depbar(std::span<const ParsedOperand> operands, Instr& instr) {
  if (operands.empty() || operands[0].kind != OperandKind::kScoreboard) {
    return "DEPBAR names no counter: expected 'DEPBAR.LE SB0, 0x1'";
  }
  instr.depbar_counter = static_cast<std::uint8_t>(operands[0].number);
  if (operands.size() > 1) {
    if (operands[1].kind != OperandKind::kNumber || operands[1].number > kMostOutstanding) {
      return "DEPBAR's second operand must be a number from 0 to 63";
    }
    instr.depbar_limit = static_cast<std::uint8_t>(operands[1].number);
  }
  return std::nullopt;
}

bool is_group_counter(const ParsedOperand& operand) {
  return operand.kind == OperandKind::kGroupCounter;
}

std::optional<std::string> assign_wgmma_wait(std::span<const ParsedOperand> operands, Instr& instr) {
  if (operands.empty() || !is_group_counter(operands[0])) {
    return "WARPGROUP.DEPBAR names no group counter: expected 'WARPGROUP.DEPBAR.LE gsb0, 0x1'";
  }
  if (operands.size() < 2 || operands[1].kind != OperandKind::kNumber || operands[1].number > kMostOutstanding) {
    return "WARPGROUP.DEPBAR's second operand must be a number of groups from 0 to 63";
  }
  instr.depbar_limit = static_cast<std::uint8_t>(operands[1].number);
  return std::nullopt;
}

/// What an instruction's kind takes from its operands beside registers.
std::optional<std::string> assign_rest(std::string_view opcode, std::span<const ParsedOperand> operands, Instr& instr) {
  switch (instr.kind) {
    case OpKind::kBarrier: return assign_barrier(opcode, operands, instr);
    case OpKind::kSleep: assign_sleep(operands, instr); return std::nullopt;
    case OpKind::kDepbar: return assign_depbar(operands, instr);
    case OpKind::kWgmmaWait: return assign_wgmma_wait(operands, instr);
    case OpKind::kWgmma:
      instr.wgmma.closes_group = std::any_of(operands.begin(), operands.end(), is_group_counter);
      return std::nullopt;
    default: break;
  }
  return instr.timing == TimingClass::kRegisterPool ? assign_set_registers(operands, instr) : std::nullopt;
}

std::optional<std::string> wrong_shape(std::string_view opcode, const Instr& instr) {
  if (instr.kind != OpKind::kWgmma || instr.wgmma.columns != 0) {
    return std::nullopt;
  }
  return std::get<std::string>(parse_wgmma(opcode));
}

/// A negative number is parsed as a name, which only a sleep would take for a time that is not known.
std::optional<std::string> negative_sleep(std::span<const std::string_view> operands, const Instr& instr) {
  if (instr.kind != OpKind::kSleep || operands.empty() || !operands[0].starts_with("-")) {
    return std::nullopt;
  }
  return "NANOSLEEP takes a time of 0 ns or more, not " + std::string(operands[0]);
}

}  // namespace

std::optional<std::string> assign_operands(std::string_view opcode, std::string_view guard,
                                           std::span<const std::string_view> operands, Instr& instr) {
  if (auto error = wrong_shape(opcode, instr)) {
    return error;
  }
  if (auto error = negative_sleep(operands, instr)) {
    return error;
  }
  if (auto error = assign_guard(guard, instr)) {
    return error;
  }
  const bool takes_labels = info(instr.timing).pipe == Pipe::kCbu || !instr.known_opcode;
  std::vector<ParsedOperand> parsed;
  for (const std::string_view text : operands) {
    auto operand = parse_operand(text, takes_labels ? Labels::kAccepted : Labels::kRefused);
    if (auto* error = std::get_if<std::string>(&operand)) {
      return std::move(*error);
    }
    parsed.push_back(std::get<ParsedOperand>(operand));
  }
  Assigner assigner(opcode, instr);
  if (std::find(operands.begin(), operands.end(), "!UPT") != operands.end()) {
    assigner.leave_out_addend();
  }
  assigner.add_operands(parsed);
  if (!assigner.error().empty()) {
    return assigner.error();
  }
  return assign_rest(opcode, parsed, instr);
}

void assign_registers(std::string_view opcode, std::span<const std::uint16_t> destinations,
                      std::span<const std::uint16_t> sources, Instr& instr) {
  Assigner(opcode, instr).add_base_registers(destinations, sources);
  instr.wgmma.closes_group = instr.kind == OpKind::kWgmma;  // such formats do not say: waits are longer
}

}  // namespace gpusim::isa
