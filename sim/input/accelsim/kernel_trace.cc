// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/kernel_trace.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <variant>

#include "sim/base/text.h"
#include "sim/input/accelsim/active_lanes.h"
#include "sim/input/accelsim/body.h"
#include "sim/input/accelsim/program.h"
#include "sim/model/isa/decode.h"
#include "sim/model/isa/wgmma.h"
#include "sim/model/trace/replay.h"
#include "sim/model/trace/walker.h"

namespace gpusim::frontend::accelsim {
namespace {

[[noreturn]] void fail_changed(const std::string& file) {
  throw InputError(Problem{{file, 0, 0}, "the file changed while it was read", "try again"});
}

/// Which CTAs are wanted, by their numbers, without `end`; and whether they come in that order.
struct Wanted {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool in_order = true;
};

/// Second pass over a body: the behaviour of the warps of some CTAs.
class Recorder : public BodySink {
 public:
  Recorder(const StaticProgram& program, const trace::Kernel& kernel, const std::string& file, const Wanted& wanted,
           trace::WarpSink& sink)
      : program_(program),
        kernel_(kernel),
        file_(file),
        wanted_(wanted),
        index_(program.indexes()),
        lanes_(kernel, program.is_given()),
        sink_(sink) {}

  void begin_warp(std::uint64_t cta, std::uint32_t warp) override {
    if (wanted_.in_order && cta < cta_) {
      fail_changed(file_);
    }
    cta_ = cta;
    is_wanted_ = wanted_.begin <= cta && cta < wanted_.end;
    if (is_wanted_) {
      sink_.begin_warp(cta, warp);
    }
    previous_ = StaticProgram::kUnknown;
    previous_is_pair_ = false;
    lanes_.begin_warp(warp);
  }

  const isa::Instr& instruction(const InstructionLine& line, std::uint32_t /*line_number*/) override {
    const std::uint32_t entry = program_.find(line, previous_);
    if (entry == StaticProgram::kUnknown) {
      fail_changed(file_);
    }
    const isa::Instr& instr = kernel_.code[index_[entry]];
    const bool second_of_pair = instr.kind == isa::OpKind::kAsyncCopy && entry == previous_ && !previous_is_pair_;
    if (!second_of_pair) {
      step(index_[entry], line.mask);
    }
    if (is_wanted_ && line.has_addresses && line.mask != 0) {
      record_access(instr, line, second_of_pair);
      if (instr.kind == isa::OpKind::kAsyncCopy && !program_.entries()[entry].has_pair) {
        record_side_by_side(instr, line.mask);
      }
    }
    previous_is_pair_ = second_of_pair;
    previous_ = entry;
    return instr;
  }

  void end_warp(std::uint32_t line_number) override {
    try {
      if (is_wanted_) {
        sink_.end_warp();
      }
    } catch (const InputError& error) {
      // The sink cannot keep so much of a recording: the user wants to know where that is.
      throw InputError(Problem{{file_, line_number, 0}, error.problems()[0].message, error.problems()[0].hint});
    }
  }

 private:
  void step(std::uint32_t pc, LaneMask mask) {
    const LaneMask active = lanes_.step(pc, mask);
    if (is_wanted_) {
      sink_.step(pc, active, mask);
    }
  }

  void record_access(const isa::Instr& instr, const InstructionLine& line, bool second_of_pair) {
    using trace::AccessSlot;
    std::array<Address, kWarpLanes> addresses = line.addresses;
    const Windows& windows = program_.windows();
    const bool shared = windows.is_of_shared_side(addresses[static_cast<std::size_t>(std::countr_zero(line.mask))]);
    AccessSlot slot = AccessSlot::kPrimary;
    isa::MemSpace space = instr.space;
    if (instr.kind == isa::OpKind::kAsyncCopy) {
      const bool first_is_shared = second_of_pair ? first_is_shared_ : shared;
      first_is_shared_ = first_is_shared;
      const bool is_destination = first_is_shared != second_of_pair;
      slot = is_destination ? AccessSlot::kSharedDestination : AccessSlot::kPrimary;
      space = is_destination ? isa::MemSpace::kShared : space;
    }
    for (Address& address : addresses) {
      address = windows.offset(address, space);
    }
    sink_.access(slot, addresses, line.mask);
  }

  /// A copy whose line for shared memory was left out, as Accel-Sim 2.0 does: its lanes are taken to write side by
  /// side.
  void record_side_by_side(const isa::Instr& instr, LaneMask mask) {
    std::array<Address, kWarpLanes> addresses{};
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      addresses[lane] = lane * instr.bytes_per_lane;
    }
    sink_.access(trace::AccessSlot::kSharedDestination, addresses, mask);
  }

  const StaticProgram& program_;
  const trace::Kernel& kernel_;
  const std::string& file_;
  Wanted wanted_;
  std::uint64_t cta_ = 0;
  bool is_wanted_ = false;
  std::vector<std::uint32_t> index_;
  ActiveLanes lanes_;
  trace::WarpSink& sink_;
  std::uint32_t previous_ = StaticProgram::kUnknown;
  bool previous_is_pair_ = false;
  bool first_is_shared_ = false;
};

/// Thrown when a part of the CTAs takes more memory than it may.
struct TooMuch {};

/// Hands on what warps do until a recording has become too large.
class LimitedSink final : public trace::WarpSink {
 public:
  LimitedSink(trace::RecordingBuilder& builder, std::size_t most_bytes) : builder_(builder), most_bytes_(most_bytes) {}

  void begin_warp(std::uint64_t cta, std::uint32_t warp) override { builder_.begin_warp(cta, warp); }
  void step(std::uint32_t pc, LaneMask active, LaneMask mask) override { builder_.step(pc, active, mask); }
  void access(trace::AccessSlot slot, std::span<const Address, kWarpLanes> addresses, LaneMask mask) override {
    builder_.access(slot, addresses, mask);
  }
  void end_warp() override {
    builder_.end_warp();
    if (builder_.pending_bytes() > most_bytes_) {
      throw TooMuch{};
    }
  }

 private:
  trace::RecordingBuilder& builder_;
  std::size_t most_bytes_;
};

void warn_of_unknown_opcodes(const StaticProgram& program, Warnings& warnings) {
  for (const StaticProgram::Entry& entry : program.entries()) {
    if (!entry.instr.known_opcode) {
      warnings.add("unknown opcode '" + entry.opcode + "': timed as class '" +
                   std::string(isa::info(isa::TimingClass::kDefault).key) + "'");
    }
  }
}

bool is_of_engines(const StaticProgram::Entry& entry) {
  const isa::OpKind kind = entry.instr.kind;
  return kind == isa::OpKind::kMbarrier || kind == isa::OpKind::kPoll || kind == isa::OpKind::kTensorCopy;
}

/// What of a recording of Hopper is simulated otherwise than it was.
void warn_of_engines(const StaticProgram& program, const trace::Kernel& kernel, Warnings& warnings) {
  const auto count = static_cast<std::uint64_t>(std::ranges::count_if(program.entries(), is_of_engines));
  if (count != 0) {
    warnings.add("kernel '" + kernel.name + "': " + counted(count, "instruction") +
                 " for mbarriers and the TMA: waits succeed at once and copies move nothing, so its cycles are too few "
                 "where warps wait for copies");
  }
  if (std::ranges::any_of(program.entries(), [](const StaticProgram::Entry& entry) {
        return entry.instr.kind == isa::OpKind::kAsyncCopy && !entry.has_pair;
      })) {
    warnings.add("kernel '" + kernel.name +
                 "': where LDGSTS writes in shared memory is not recorded; its lanes are taken to write side by side");
  }
}

/// A memory instruction of known kind must say where it goes, or the simulation would access address 0.
void check_addresses(const StaticProgram& program, const std::string& file, ProblemList& problems) {
  for (const StaticProgram::Entry& entry : program.entries()) {
    if (entry.lacks_addresses) {
      problems.add({{file, entry.line, 0}, entry.opcode + " has no addresses", "expected an access width above 0"});
    }
  }
}

/// What a product of a warpgroup costs stands in its name.
void check_products(const StaticProgram& program, const std::string& file, ProblemList& problems) {
  for (const StaticProgram::Entry& entry : program.entries()) {
    if (entry.instr.kind == isa::OpKind::kWgmma && entry.instr.wgmma.columns == 0) {
      const auto wrong = isa::parse_wgmma(entry.opcode);
      problems.add({{file, entry.line, 0}, std::get<std::string>(wrong), ""});
    }
  }
}

/// Where the header gives the code, every line must be of it.
void check_given(const StaticProgram& program, const std::string& file, ProblemList& problems) {
  for (const StaticProgram::Entry& entry : program.entries()) {
    if (program.is_given() && !entry.is_given) {
      problems.add({{file, entry.line, 0},
                    "'" + entry.signature + "' is not among the header's -gpusim code lines",
                    "take these lines out, all of them, and everything is inferred"});
    }
  }
}

void check_local_memory(const StaticProgram& program, const std::string& file) {
  if (const trace::LocalMemory local = program.local_memory(); local.bytes > trace::LocalMemory::kMostBytes) {
    throw InputError({{file, 0, 0},
                      "threads access " + std::to_string(local.bytes) + " bytes of local memory, from address " +
                          std::to_string(local.base),
                      "a thread has at most 512 KiB; is 'local mem base_addr' that of the traced run?"});
  }
}

void check_declared(const trace::LocalMemory& declared, const trace::LocalMemory& seen, const std::string& file) {
  if (seen.bytes != 0 && (seen.base < declared.base || seen.base + seen.bytes > declared.base + declared.bytes)) {
    throw InputError({{file, 0, 0},
                      "threads access local memory up to byte " + std::to_string(seen.base + seen.bytes),
                      "'-gpusim local' gives the bytes " + std::to_string(declared.base) + " to " +
                          std::to_string(declared.base + declared.bytes)});
  }
}

trace::Kernel describe(const TraceHeader& header) {
  trace::Kernel kernel;
  kernel.name = header.kernel_name;
  kernel.where = header.where;
  kernel.grid = header.grid;
  kernel.block = header.block;
  kernel.registers_per_thread = header.registers;
  kernel.shared_static_bytes = header.shared_bytes;
  kernel.stream = header.stream;
  kernel.binary_version = header.binary_version;
  return kernel;
}

/// From Hopper on a generic address may be in the shared memory of each of 16 CTAs of the cluster. gpusim exports none
/// of those.
std::uint64_t windows_of(const TraceHeader& header) {
  constexpr std::uint32_t kFirstWithClusters = 90;
  return header.binary_version >= kFirstWithClusters && !header.extra.has_code() ? 16 : 1;
}

}  // namespace

struct KernelReader::State {
  explicit State(const TraceHeader& read)
      : header(read), program({read.shared_window, read.local_window, windows_of(read)}, read.extra) {}

  TraceHeader header;
  StaticProgram program;
  trace::Kernel kernel;
  bool in_order = true;
};

KernelReader::KernelReader(std::filesystem::path path, OnBytes on_bytes)
    : path_(std::move(path)), on_bytes_(std::move(on_bytes)) {}

KernelReader::~KernelReader() = default;

const trace::Kernel& KernelReader::survey(Warnings& warnings) {
  ProblemList problems;
  LineSource source(path_, on_bytes_);
  state_ = std::make_unique<State>(read_header(source, problems, warnings));
  problems.throw_if_any();  // what follows is meaningless without its header
  Survey survey(state_->program);
  const BodyFacts facts = read_body(source, state_->header, problems, survey);
  state_->in_order = facts.in_order;
  check_given(state_->program, source.name(), problems);
  check_addresses(state_->program, source.name(), problems);
  check_products(state_->program, source.name(), problems);
  problems.throw_if_any();

  check_local_memory(state_->program, source.name());
  state_->kernel = describe(state_->header);
  state_->kernel.cluster = facts.cluster;
  state_->kernel.local = state_->program.local_memory();
  if (state_->header.extra.has_code()) {
    state_->header.extra.apply(state_->kernel);
    check_declared(state_->kernel.local, state_->program.local_memory(), source.name());
  } else {
    state_->program.write_code(state_->kernel);
    for (const isa::Instr& instr : state_->kernel.code) {
      state_->kernel.barriers = std::max<std::uint32_t>(state_->kernel.barriers, instr.barrier_id + 1U);
    }
  }
  warn_of_unknown_opcodes(state_->program, warnings);
  warn_of_engines(state_->program, state_->kernel, warnings);
  return state_->kernel;
}

void KernelReader::record(trace::WarpSink& sink, std::size_t most_sorted_bytes) {
  const std::uint64_t ctas = state_->kernel.ctas();
  if (state_->in_order) {
    record(0, ctas, sink);
    return;
  }
  // What comes in another order is put into this one a part at a time, so large that it fits into memory.
  std::uint64_t most = ctas;
  for (std::uint64_t begin = 0; begin < ctas;) {
    const std::uint64_t end = begin + std::min(most, ctas - begin);
    if (sort(begin, end, most_sorted_bytes, sink)) {
      begin = end;
    } else {
      most = (end - begin + 1) / 2;
    }
  }
}

bool KernelReader::sort(std::uint64_t begin, std::uint64_t end, std::size_t most_bytes, trace::WarpSink& sink) {
  const trace::Kernel& kernel = state_->kernel;
  trace::RecordingBuilder builder(kernel.code, kernel.grid, kernel.warps_per_cta(), 0);
  static_cast<void>(builder.take(begin));
  LimitedSink limited(builder, end - begin > 1 ? most_bytes : ~std::size_t{0});
  try {
    record(begin, end, limited);
  } catch (const TooMuch&) {
    return false;
  }
  trace::Kernel part = kernel;
  part.behaviour = std::make_shared<const trace::Behaviour>(builder.finish());
  trace::replay(part, sink, begin, end - begin);
  return true;
}

void KernelReader::record(std::uint64_t begin, std::uint64_t end, trace::WarpSink& sink) {
  ProblemList problems;
  LineSource source(path_, on_bytes_);
  Warnings ignored;
  const TraceHeader header = read_header(source, problems, ignored);
  if (header.grid != state_->header.grid || header.block != state_->header.block) {
    fail_changed(source.name());
  }
  Recorder recorder(state_->program, state_->kernel, source.name(), {begin, end, state_->in_order}, sink);
  read_body(source, header, problems, recorder);
  problems.throw_if_any();
}

}  // namespace gpusim::frontend::accelsim
