// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/kernel_trace.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <variant>

#include "sim/input/accelsim/body.h"
#include "sim/input/accelsim/command_survey.h"
#include "sim/input/accelsim/program.h"
#include "sim/input/accelsim/recorder.h"
#include "sim/model/isa/wgmma.h"
#include "sim/model/trace/behaviour.h"
#include "sim/model/trace/replay.h"

namespace gpusim::frontend::accelsim {
namespace {

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
  void command(const trace::AsyncOperands& operands, std::uint32_t rank) override { builder_.command(operands, rank); }
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

void warn_of_copies(const StaticProgram& program, const trace::Kernel& kernel, Warnings& warnings) {
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

/// What a WGMMA operation costs stands in its name.
void check_wgmma(const StaticProgram& program, const std::string& file, ProblemList& problems) {
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
      : header(read),
        program({read.shared_window, read.local_window, windows_of(read)}, read.extra),
        commands(program.windows(), read.shared_bytes) {}

  TraceHeader header;
  StaticProgram program;
  CommandSurvey commands;
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
  Survey survey(state_->program, state_->commands);
  const BodyFacts facts = read_body(source, state_->header, problems, survey);
  state_->in_order = facts.in_order;
  state_->commands.finish(facts.cluster);
  state_->commands.report(source.name(), problems);
  check_given(state_->program, source.name(), problems);
  check_addresses(state_->program, source.name(), problems);
  check_wgmma(state_->program, source.name(), problems);
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
  state_->kernel.mbarriers = state_->commands.mbarriers();
  state_->commands.warn(state_->kernel.name, warnings);
  warn_of_copies(state_->program, state_->kernel, warnings);
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
