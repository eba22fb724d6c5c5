// SPDX-License-Identifier: MIT
#include "sim/exec/run/make_image.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "sim/base/problem.h"
#include "sim/code/sass/decode.h"
#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/memory/windows.h"
#include "sim/exec/run/table.h"

namespace gpusim::exec {
namespace {

/// Where things stand in constant bank 0 (measured on code of ptxas 13.0, sm_75 to sm_90).
constexpr std::size_t kBlockAt = 0x0;
constexpr std::size_t kGridAt = 0xc;
constexpr std::size_t kSharedWindowAt = 0x18;
constexpr std::size_t kLocalWindowAt = 0x20;
constexpr std::size_t kStackAt = 0x28;
/// Where sm_90 keeps the address of the parameters. Code finds tensor maps among the parameters by it.
constexpr std::size_t kParametersAt = 0x198;
constexpr std::uint32_t kMostThreads = 1024;
constexpr std::uint32_t kDefaultStack = 1024;
constexpr std::uint32_t kLocalGranule = 16;
constexpr std::uint32_t kMostLocal = 512 * 1024;
/// Bytes of bank 0 that the system may fill, of which code reads a descriptor of global memory that has no effect.
constexpr std::size_t kLeastBank = 0x160;

[[noreturn]] void refuse(const cubin::Function& kernel, const std::string& message, const std::string& hint) {
  throw InputError(Problem{{}, "kernel " + cubin::short_name(kernel.name) + ": " + message, hint});
}

std::string text_of(const Dim3& dims) {
  return std::to_string(dims.x) + " x " + std::to_string(dims.y) + " x " + std::to_string(dims.z);
}

void check_cluster(const cubin::Function& kernel, const Launch& launch) {
  const Dim3& cluster = launch.cluster;
  constexpr std::uint64_t kMostCtas = 16;
  if (cluster.volume() == 0 || cluster.volume() > kMostCtas) {
    refuse(kernel, "a cluster of " + text_of(cluster) + " CTAs is not possible", "1 to 16 CTAs");
  }
  if (launch.grid.x % cluster.x != 0 || launch.grid.y % cluster.y != 0 || launch.grid.z % cluster.z != 0) {
    refuse(kernel, "the grid of " + text_of(launch.grid) + " CTAs cannot be cut into clusters of " + text_of(cluster),
           "multiples of the cluster in each dimension");
  }
  if (kernel.cluster && *kernel.cluster != cluster) {
    refuse(kernel, "a cluster of " + text_of(cluster) + " CTAs is not what it was compiled for",
           text_of(*kernel.cluster));
  }
}

void check(const cubin::Function& kernel, const Launch& launch) {
  const std::uint64_t threads = launch.block.volume();
  if (threads == 0 || launch.grid.volume() == 0) {
    refuse(kernel, "the grid and the block have to have at least 1 in each dimension", "");
  }
  const std::uint64_t most =
      kernel.most_threads ? std::min<std::uint64_t>(kMostThreads, kernel.most_threads->volume()) : kMostThreads;
  if (threads > most) {
    refuse(kernel, "a CTA of " + std::to_string(threads) + " threads is too large", "at most " + std::to_string(most));
  }
  check_cluster(kernel, launch);
  if (launch.parameters.size() > kernel.parameter_bytes) {
    refuse(kernel, std::to_string(launch.parameters.size()) + " bytes of parameters are too many",
           "it takes " + std::to_string(kernel.parameter_bytes));
  }
}

template <class T>
void put(std::string& bank, std::size_t at, T value) {
  std::memcpy(bank.data() + at, &value, sizeof value);
}

void fill_bank0(Image& image, const cubin::Function& kernel, const Launch& launch) {
  std::string& bank = image.banks[0];
  bank.resize(std::max({bank.size(), kLeastBank, std::size_t{kernel.parameter_base} + kernel.parameter_bytes}));
  const std::uint32_t dims[] = {launch.block.x, launch.block.y, launch.block.z,
                                launch.grid.x,  launch.grid.y,  launch.grid.z};
  static_assert(kGridAt == kBlockAt + 3 * sizeof(std::uint32_t));
  std::memcpy(bank.data() + kBlockAt, dims, sizeof dims);
  put(bank, kSharedWindowAt, kSharedWindow);
  put(bank, kLocalWindowAt, kLocalWindow);
  put(bank, kStackAt, image.facts.local_bytes);
  if (image.facts.shared_has_rank && bank.size() >= kParametersAt + sizeof(Address)) {
    put(bank, kParametersAt, kParameterWindow + kernel.parameter_base);
  }
  if (!launch.parameters.empty()) {
    std::memcpy(bank.data() + kernel.parameter_base, launch.parameters.data(), launch.parameters.size());
  }
}

std::uint32_t local_bytes_of(const cubin::Function& kernel, const Launch& launch) {
  const std::uint32_t least = std::max(kernel.local_bytes, kernel.stack_bytes);
  const std::uint32_t bytes = launch.local_bytes != 0 ? launch.local_bytes : std::max(least, kDefaultStack);
  if (bytes > kMostLocal || bytes < least) {
    refuse(kernel, std::to_string(bytes) + " bytes of local memory a thread are not possible",
           "from " + std::to_string(least) + " to " + std::to_string(kMostLocal));
  }
  return (bytes + kLocalGranule - 1) / kLocalGranule * kLocalGranule;
}

LaunchFacts facts_of(const cubin::Module& module, const cubin::Function& kernel, const Launch& launch) {
  LaunchFacts facts;
  facts.shared_bytes = kernel.shared_bytes + launch.dynamic_shared_bytes;
  facts.local_bytes = local_bytes_of(kernel, launch);
  facts.threads = static_cast<std::uint32_t>(launch.block.volume());
  facts.warps = (facts.threads + kWarpLanes - 1) / kWarpLanes;
  facts.ctas = launch.grid.volume();
  constexpr unsigned kFirstWithClusters = 90;
  facts.shared_has_rank = module.sm >= kFirstWithClusters;
  return facts;
}

/// The registers that the code names, and the kernel's own.
RowLayout layout_of(const std::vector<sass::Instruction>& code, const cubin::Function& kernel) {
  RowLayout layout;
  layout.registers = kernel.registers;
  const auto count = [](std::uint32_t& most, isa::RegFile file, unsigned index, unsigned width) {
    if (index != isa::last_register(file)) {
      most = std::max(most, index + width);
    }
  };
  for (const sass::Instruction& instruction : code) {
    for (std::size_t i = 0; i < instruction.operand_count; ++i) {
      const sass::Operand& operand = instruction.operands[i];
      if (operand.file == isa::RegFile::kGeneral) {
        count(layout.registers, operand.file, operand.index, operand.width);
      } else if (operand.file == isa::RegFile::kUniform) {
        // The TMA reads up to 8 from the one that is named.
        constexpr unsigned kMostUniforms = 8;
        count(layout.uniforms, operand.file, operand.index, kMostUniforms);
      }
      if (operand.has_uniform) {
        count(layout.uniforms, isa::RegFile::kUniform, operand.uniform, 2);
      }
    }
  }
  return layout;
}

/// An instruction that may stand in the code, but not be reached.
void reached(Context& context, Warp&, const MicroOp& op, LaneMask) {
  constexpr const char* kReasons[] = {
      "the simulator has no semantics for this instruction",
      "this is not an instruction that the simulator knows",
      "it reads a constant bank beyond its end, or one that the file does not have",
      "it needs the address of a symbol that the file does not define, such as printf or malloc",
      "the code ends here without an EXIT",
  };
  const LaneMask active = context.executed.active;
  throw LaneFault(lowest_lane(active), kReasons[op.bytes[0]]);
}

enum class Defect : std::uint8_t { kNoSemantics, kUnknown, kOutsideBank, kSymbol, kEnd };

void make_defect(MicroOp& op, Defect defect) {
  op.handler = reached;
  op.bytes[0] = static_cast<std::uint8_t>(defect);
}

MicroOp lowered(Image& image, std::uint32_t pc) {
  const sass::Instruction& instruction = image.instructions[pc];
  Lowering lowering(image, instruction, pc);
  MicroOp& op = lowering.op();
  const unsigned first = instruction.guard.uniform ? Warp::kFirstUniformPredicate : 0;
  op.guard = {static_cast<std::uint8_t>(first + instruction.guard.index), instruction.guard.negated};
  if (!instruction.is_known()) {
    make_defect(op, Defect::kUnknown);
    return op;
  }
  if (const Lower lower = lower_of(instruction.op)) {
    lower(lowering);
  }
  op.uniform = instruction.guard.uniform || instruction.op == sass::Op::kS2ur;
  if (lowering.outside_bank()) {
    make_defect(op, Defect::kOutsideBank);
  } else if (op.handler == nullptr) {
    make_defect(op, Defect::kNoSemantics);
  }
  return op;
}

void lower_code(Image& image, const cubin::Function& kernel) {
  for (std::uint32_t pc = 0; pc < image.instructions.size(); ++pc) {
    image.code.push_back(lowered(image, pc));
  }
  for (const cubin::Fixup& fixup : kernel.fixups) {
    if (fixup.offset / sass::kInstructionBytes < image.code.size()) {
      make_defect(image.code[fixup.offset / sass::kInstructionBytes], Defect::kSymbol);
    }
  }
  MicroOp end;
  end.guard.index = isa::kPT;
  make_defect(end, Defect::kEnd);
  image.code.push_back(end);
}

}  // namespace

Image make_image(const LoadedModule& loaded, const cubin::Function& kernel, const Launch& launch) {
  const cubin::Module& module = loaded.module();
  if (!module.generation()) {
    refuse(kernel, "code of sm_" + std::to_string(module.sm) + " cannot be executed", "sm_75 to sm_90a");
  }
  check(kernel, launch);
  Image image;
  image.kernel = cubin::demangled(kernel.name);
  image.generation = *module.generation();
  image.launch = launch;
  image.facts = facts_of(module, kernel, launch);
  image.banks = loaded.banks_of(kernel);
  image.lines = kernel.lines;
  image.files = module.files;
  fill_bank0(image, kernel, launch);
  for (const sass::Code& code : kernel.code) {
    image.instructions.push_back(sass::decode(code, image.generation));
  }
  image.layout = layout_of(image.instructions, kernel);
  lower_code(image, kernel);
  return image;
}

void leave_out_values(Image& image, const flow::Slice& slice) {
  for (std::size_t pc = 0; pc < image.instructions.size(); ++pc) {
    if (slice.contains[pc] || image.code[pc].handler == reached) {
      continue;
    }
    MicroOp nothing;
    nothing.guard = image.code[pc].guard;
    nothing.uniform = image.code[pc].uniform;
    nothing.handler = [](Context&, Warp&, const MicroOp&, LaneMask) {};
    image.code[pc] = nothing;
  }
  image.in_slice = slice.contains;
}

}  // namespace gpusim::exec
