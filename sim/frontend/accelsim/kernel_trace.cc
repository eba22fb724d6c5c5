// SPDX-License-Identifier: MIT
#include "sim/frontend/accelsim/kernel_trace.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "sim/frontend/accelsim/body.h"
#include "sim/frontend/accelsim/program.h"
#include "sim/isa/decode.h"

namespace gpusim::frontend::accelsim {
namespace {

/// Second pass over a body: the behaviour of every warp.
class Recorder : public BodySink {
 public:
  Recorder(const StaticProgram& program, const trace::Kernel& kernel, const std::string& file, trace::WarpSink& sink)
      : program_(program), kernel_(kernel), file_(file), index_(program.indexes()), sink_(sink) {}

  void begin_warp(std::uint64_t cta, std::uint32_t warp) override {
    if (cta >= kernel_.ctas()) {
      fail_changed();
    }
    sink_.begin_warp(cta, warp);
    previous_ = StaticProgram::kUnknown;
    previous_is_pair_ = false;
    active_ = 0;
    exited_ = 0;
  }

  isa::OpKind instruction(const InstructionLine& line, std::uint32_t /*line_number*/) override {
    const std::uint32_t entry = program_.find(line, previous_);
    if (entry == StaticProgram::kUnknown) {
      fail_changed();
    }
    const isa::Instr& instr = kernel_.code[index_[entry]];
    const bool second_of_pair = instr.kind == isa::OpKind::kAsyncCopy && entry == previous_ && !previous_is_pair_;
    if (!second_of_pair) {
      step(index_[entry], instr, line.mask);
    }
    if (line.has_addresses && line.mask != 0) {
      record_access(instr, line, second_of_pair);
    }
    previous_is_pair_ = second_of_pair;
    previous_ = entry;
    return instr.kind;
  }

  void end_warp() override { sink_.end_warp(); }

 private:
  void step(std::uint32_t pc, const isa::Instr& instr, LaneMask mask) {
    active_ = instr.guarded || mask == 0 ? (active_ & ~exited_) | mask : mask;
    sink_.step(pc, active_, mask);
    if (instr.kind == isa::OpKind::kExit) {
      exited_ |= mask;
      active_ &= ~exited_;
    }
  }

  void record_access(const isa::Instr& instr, const InstructionLine& line, bool second_of_pair) {
    using trace::AccessSlot;
    std::array<Address, kWarpLanes> addresses = line.addresses;
    const Windows& windows = program_.windows();
    const bool shared = is_shared(addresses[static_cast<std::size_t>(std::countr_zero(line.mask))]);
    if (instr.space != isa::MemSpace::kGlobal || shared) {
      std::transform(addresses.begin(), addresses.end(), addresses.begin(),
                     [&](Address address) { return windows.offset(address); });
    }
    AccessSlot slot = AccessSlot::kPrimary;
    if (instr.kind == isa::OpKind::kAsyncCopy) {
      const bool first_is_shared = second_of_pair ? first_is_shared_ : shared;
      first_is_shared_ = first_is_shared;
      slot = first_is_shared != second_of_pair ? AccessSlot::kSharedDestination : AccessSlot::kPrimary;
    }
    sink_.access(slot, addresses, line.mask);
  }

  [[nodiscard]] bool is_shared(Address address) const {
    return address < Windows::kBytes || program_.windows().space_of(address) == isa::MemSpace::kShared;
  }

  [[noreturn]] void fail_changed() const {
    throw InputError(Problem{{file_, 0, 0}, "the file changed while it was read", "try again"});
  }

  const StaticProgram& program_;
  const trace::Kernel& kernel_;
  const std::string& file_;
  std::vector<std::uint32_t> index_;
  trace::WarpSink& sink_;
  std::uint32_t previous_ = StaticProgram::kUnknown;
  bool previous_is_pair_ = false;
  bool first_is_shared_ = false;
  LaneMask active_ = 0;
  LaneMask exited_ = 0;
};

void add_warning(std::vector<std::string>& warnings, std::string text) {
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) {
    warnings.push_back(std::move(text));
  }
}

void warn_of_unknown_opcodes(const StaticProgram& program, std::vector<std::string>& warnings) {
  for (const StaticProgram::Entry& entry : program.entries()) {
    if (!entry.instr.known_opcode) {
      add_warning(warnings, "unknown opcode '" + entry.opcode + "': timed as class '" +
                                std::string(isa::info(isa::TimingClass::kDefault).key) + "'");
    }
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

/// Where the header gives the code, every line must be of it.
void check_given(const StaticProgram& program, const std::string& file, ProblemList& problems) {
  const bool is_given = !program.entries().empty() && program.entries().front().is_given;
  for (const StaticProgram::Entry& entry : program.entries()) {
    if (is_given && !entry.is_given) {
      problems.add({{file, entry.line, 0},
                    "'" + entry.signature + "' is not among the header's -gpusim code lines",
                    "take these lines out, all of them, and everything is inferred"});
    }
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

}  // namespace

struct KernelReader::State {
  explicit State(const TraceHeader& read)
      : header(read), program({read.shared_window, read.local_window}, read.extra) {}

  TraceHeader header;
  StaticProgram program;
  trace::Kernel kernel;
};

KernelReader::KernelReader(std::filesystem::path path, OnBytes on_bytes)
    : path_(std::move(path)), on_bytes_(std::move(on_bytes)) {}

KernelReader::~KernelReader() = default;

const trace::Kernel& KernelReader::survey(std::vector<std::string>& warnings) {
  ProblemList problems;
  LineSource source(path_, on_bytes_);
  std::vector<std::string> header_warnings;
  state_ = std::make_unique<State>(read_header(source, problems, header_warnings));
  problems.throw_if_any();  // what follows is meaningless without its header
  Survey survey(state_->program);
  read_body(source, state_->header, problems, survey);
  check_given(state_->program, source.name(), problems);
  check_addresses(state_->program, source.name(), problems);
  problems.throw_if_any();

  state_->kernel = describe(state_->header);
  if (state_->header.extra.has_code()) {
    state_->header.extra.apply(state_->kernel);
  } else {
    state_->program.write_code(state_->kernel);
  }
  for (std::string& warning : header_warnings) {
    add_warning(warnings, std::move(warning));
  }
  warn_of_unknown_opcodes(state_->program, warnings);
  return state_->kernel;
}

void KernelReader::record(trace::WarpSink& sink) {
  ProblemList problems;
  LineSource source(path_, on_bytes_);
  std::vector<std::string> ignored;
  const TraceHeader header = read_header(source, problems, ignored);
  Recorder recorder(state_->program, state_->kernel, source.name(), sink);
  read_body(source, header, problems, recorder);
  problems.throw_if_any();
}

}  // namespace gpusim::frontend::accelsim
