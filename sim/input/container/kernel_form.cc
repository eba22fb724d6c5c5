// SPDX-License-Identifier: MIT
#include "sim/input/container/kernel_form.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/address_space.h"
#include "sim/input/container/columns.h"
#include "sim/input/container/command_form.h"
#include "sim/input/container/form.pb.h"
#include "sim/model/isa/decode.h"
#include "sim/model/trace/recorded.h"

namespace gpusim::container {
namespace {

using isa::Instr;
using isa::Operand;

constexpr std::uint64_t kMostCtas = std::uint64_t{1} << 40;
constexpr std::uint32_t kMostThreads = 1024;
constexpr std::uint32_t kMostRegisters = 255;  ///< registers of a thread
constexpr char kWholeText = '=';               ///< before a text that does not begin with its opcode

enum Flag : std::uint32_t {
  kHasControl = 1,
  kGuarded = 2,
  kGuardNegated = 4,
  kArrivesOnly = 8,
  kFromRegisters = 16,  ///< the first matrix of a WGMMA operation
  kClosesGroup = 32,
  kOfCluster = 64,  ///< it signals an mbarrier of another CTA, or copies to several
  kAllFlags = kHasControl | kGuarded | kGuardNegated | kArrivesOnly | kFromRegisters | kClosesGroup | kOfCluster
};

// An operand in 32 bits: file 3, width 8, index 16, reuse 1, slot 4.
std::uint32_t code_of(const Operand& operand) {
  const auto file = static_cast<std::uint32_t>(operand.file);
  if (operand.file == isa::RegFile::kNone) {
    return 0;
  }
  return file | std::uint32_t{operand.width} << 3U | std::uint32_t{operand.index} << 11U |
         std::uint32_t{operand.reuse} << 27U | std::uint32_t{operand.slot} << 28U;
}

Operand operand_of(std::uint32_t code) {
  if (code == 0) {
    return {};
  }
  return {static_cast<isa::RegFile>(code & 7U), static_cast<std::uint8_t>(code >> 3U),
          static_cast<std::uint16_t>(code >> 11U), (code >> 27U & 1U) != 0, static_cast<std::uint8_t>(code >> 28U)};
}

// Control bits in 21: stall 8, yield 1, write barrier 3, read barrier 3, wait mask 6.
std::uint32_t code_of(const isa::ControlBits& control) {
  return control.stall | std::uint32_t{control.yield} << 8U | std::uint32_t{control.write_barrier} << 9U |
         std::uint32_t{control.read_barrier} << 12U | std::uint32_t{control.wait_mask} << 15U;
}

bool is_counter(std::uint8_t number) {
  return number < isa::kDependenceCounters || number == isa::kNoBarrier;
}

isa::ControlBits control_of(std::uint32_t code) {
  return {static_cast<std::uint8_t>(code), (code >> 8U & 1U) != 0, static_cast<std::uint8_t>(code >> 9U & 7U),
          static_cast<std::uint8_t>(code >> 12U & 7U), static_cast<std::uint8_t>(code >> 15U & 63U)};
}

std::uint32_t flags_of(const Instr& instr) {
  return (instr.has_control ? kHasControl : 0U) | (instr.guarded ? kGuarded : 0U) |
         (instr.guard_negated ? kGuardNegated : 0U) | (instr.barrier_waits ? 0U : kArrivesOnly) |
         (instr.wgmma.a_in_registers ? kFromRegisters : 0U) | (instr.wgmma.closes_group ? kClosesGroup : 0U) |
         (instr.of_cluster ? kOfCluster : 0U);
}

void encode_text(const isa::InstrText& text, form::Program& out) {
  append_line(*out.mutable_opcodes(), text.opcode);
  const bool follows =
      text.text.starts_with(text.opcode) && !text.text.substr(text.opcode.size()).starts_with(kWholeText);
  append_line(*out.mutable_texts(), follows ? text.text.substr(text.opcode.size()) : kWholeText + text.text);
}

void encode_instruction(const Instr& instr, form::Program& out) {
  out.add_flags(flags_of(instr));
  out.add_spaces(static_cast<std::uint32_t>(instr.space));
  out.add_guards(code_of(instr.guard));
  for (const Operand& operand : instr.destinations) {
    out.add_destinations(code_of(operand));
  }
  for (const Operand& operand : instr.sources) {
    out.add_sources(code_of(operand));
  }
  out.add_barrier_ids(instr.barrier_id);
  out.add_barrier_threads(instr.barrier_threads);
  out.add_depbar_counters(instr.depbar_counter);
  out.add_depbar_limits(instr.depbar_limit);
  out.add_sleeps(instr.sleep_ns);
  out.add_controls(code_of(instr.control));
  out.add_set_registers(instr.set_registers);
}

void encode_code(const trace::Kernel& kernel, form::Program& out) {
  Differences pcs;
  Differences lines;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    encode_text(kernel.texts[i], out);
    out.add_pcs(pcs.of(kernel.texts[i].pc));
    out.add_lines(lines.of(kernel.texts[i].line));
    encode_instruction(kernel.code[i], out);
  }
  Differences from;
  for (const trace::Edge& edge : kernel.edges) {
    const bool leaves = edge.to == trace::kExitNode;
    out.add_edges_from(from.of(edge.from));
    out.add_edges_to(leaves ? 0 : std::int64_t{edge.to} - std::int64_t{edge.from});
    out.add_edges_leave(leaves ? 1 : 0);
  }
}

/// Fills in a kernel from a message, and checks what it fills in.
class Decoder {
 public:
  Decoder(const form::Program& in, const std::string& file) : in_(in), file_(file) {}

  trace::Kernel decode() {
    head();
    code();
    edges();
    buffers();
    kernel_.mbarriers = decode_mbarriers(in_, file_);
    return std::move(kernel_);
  }

 private:
  void check(bool holds, const char* what) const { require(holds, file_, what); }

  Dim3 sides(const google::protobuf::RepeatedField<std::uint32_t>& sides, std::uint64_t most) const {
    constexpr const char* kWhat = "the sizes of a launch";
    check(sides.size() == 3, kWhat);
    std::uint64_t volume = 1;
    for (const std::uint32_t side : sides) {
      check(side != 0 && side <= most / volume, kWhat);
      volume *= side;
    }
    return {sides[0], sides[1], sides[2]};
  }

  void head() {
    kernel_.name = in_.name();
    kernel_.where = {file_, in_.line(), 0};
    kernel_.grid = sides(in_.grid(), kMostCtas);
    kernel_.block = sides(in_.block(), kMostThreads);
    cluster();
    check(in_.registers() >= 1 && in_.registers() <= 255, "the registers of a kernel");
    kernel_.registers_per_thread = in_.registers();
    kernel_.shared_static_bytes = in_.shared_static();
    kernel_.shared_dynamic_bytes = in_.shared_dynamic();
    constexpr std::uint64_t kMostShared = std::uint64_t{1} << 40;
    check(in_.shared_static() <= kMostShared && in_.shared_dynamic() <= kMostShared, "the bytes of shared memory");
    kernel_.local = {in_.local_base(), in_.local_bytes()};
    check(in_.local_bytes() <= trace::LocalMemory::kMostBytes && fits_global(in_.local_base(), in_.local_bytes()),
          "the bytes of local memory");
    check(in_.barriers() <= 64, "the barriers of a kernel");
    kernel_.barriers = in_.barriers();
    kernel_.stream = in_.stream();
    kernel_.binary_version = in_.binary_version();
    kernel_.control_recorded = in_.control_recorded();
  }

  void cluster() {
    constexpr std::uint64_t kMostClusterCtas = 64;
    if (in_.cluster_size() == 0) {
      return;
    }
    kernel_.cluster = sides(in_.cluster(), kMostClusterCtas);
    check(kernel_.grid.x % kernel_.cluster.x == 0 && kernel_.grid.y % kernel_.cluster.y == 0 &&
              kernel_.grid.z % kernel_.cluster.z == 0,
          "the clusters of a launch");
  }

  void check_sizes(int count) const {
    constexpr const char* kWhat = "the sizes of a kernel's columns";
    for (const int size : {in_.pcs_size(), in_.lines_size(), in_.flags_size(), in_.spaces_size(), in_.guards_size(),
                           in_.barrier_ids_size(), in_.barrier_threads_size(), in_.depbar_counters_size(),
                           in_.depbar_limits_size(), in_.sleeps_size(), in_.controls_size()}) {
      check(size == count, kWhat);
    }
    check(in_.set_registers_size() == count || in_.set_registers_size() == 0, kWhat);
    check(std::int64_t{in_.destinations_size()} == std::int64_t{count} * std::int64_t{isa::kMaxDestinations}, kWhat);
    check(std::int64_t{in_.sources_size()} == std::int64_t{count} * std::int64_t{isa::kMaxSources}, kWhat);
  }

  void code() {
    std::vector<std::string> opcodes = split_lines(in_.opcodes());
    std::vector<std::string> texts = split_lines(in_.texts());
    check(!opcodes.empty() && opcodes.size() == texts.size(), "the texts of a kernel's code");
    check_sizes(static_cast<int>(opcodes.size()));
    Differences pcs;
    Differences lines;
    bool control_recorded = true;
    for (std::size_t i = 0; i < opcodes.size(); ++i) {
      const auto at = static_cast<int>(i);
      kernel_.code.push_back(instruction(opcodes[i], at));
      control_recorded = control_recorded && kernel_.code.back().has_control;
      std::string text = texts[i].starts_with(kWholeText) ? texts[i].substr(1) : opcodes[i] + texts[i];
      kernel_.texts.push_back({std::move(opcodes[i]), std::move(text),
                               narrow<std::uint32_t>(lines.sum(in_.lines(at)), file_, "line numbers"),
                               pcs.sum(in_.pcs(at))});
    }
    check(!kernel_.control_recorded || control_recorded, "control bits");
    const bool has_local =
        std::ranges::any_of(kernel_.code, [](const Instr& instr) { return instr.space == isa::MemSpace::kLocal; });
    if (has_local && kernel_.local.bytes == 0) {
      kernel_.local.bytes = trace::LocalMemory::kMostBytes;  // files of earlier versions do not say
    }
  }

  Operand operand(std::uint32_t code) const {
    const Operand operand = operand_of(code);
    check(code == 0 || operand.is_possible(), "operands");
    return operand;
  }

  Instr instruction(const std::string& opcode, int at) const {
    Instr instr = isa::decode_opcode(opcode);
    const std::uint32_t flags = in_.flags(at);
    check(flags <= kAllFlags, "flags of instructions");
    instr.has_control = (flags & kHasControl) != 0;
    instr.guarded = (flags & kGuarded) != 0;
    instr.guard_negated = (flags & kGuardNegated) != 0;
    instr.barrier_waits = (flags & kArrivesOnly) == 0;
    instr.wgmma.a_in_registers = (flags & kFromRegisters) != 0;
    instr.wgmma.closes_group = (flags & kClosesGroup) != 0;
    instr.of_cluster = (flags & kOfCluster) != 0;
    check(!instr.of_cluster || trace::has_command(instr), "flags of instructions");
    const bool is_wgmma = instr.wgmma.columns != 0;
    check(is_wgmma || (flags & (kFromRegisters | kClosesGroup)) == 0, "flags of instructions");
    check(is_wgmma || instr.kind != isa::OpKind::kWgmma, "shapes of WGMMA operations");
    instr.space = space(instr.space, in_.spaces(at));
    instr.guard = operand(in_.guards(at));
    for (std::size_t i = 0; i < instr.destinations.size(); ++i) {
      instr.destinations[i] =
          operand(in_.destinations(at * static_cast<int>(isa::kMaxDestinations) + static_cast<int>(i)));
    }
    for (std::size_t i = 0; i < instr.sources.size(); ++i) {
      instr.sources[i] = operand(in_.sources(at * static_cast<int>(isa::kMaxSources) + static_cast<int>(i)));
    }
    fill_waits(at, instr);
    return instr;
  }

  /// Generic accesses go where their addresses said; everything else where its opcode says.
  isa::MemSpace space(isa::MemSpace of_opcode, std::uint32_t stored) const {
    const auto space = static_cast<isa::MemSpace>(stored);
    check(stored <= static_cast<std::uint32_t>(isa::MemSpace::kClusterShared) &&
              (space == isa::MemSpace::kNone) == (of_opcode == isa::MemSpace::kNone),
          "the memory spaces of instructions");
    return space;
  }

  void fill_waits(int at, Instr& instr) const {
    instr.barrier_id = narrow<std::uint8_t>(in_.barrier_ids(at), file_, "numbers of barriers");
    instr.barrier_threads = narrow<std::uint16_t>(in_.barrier_threads(at), file_, "threads at barriers");
    instr.depbar_counter = narrow<std::uint8_t>(in_.depbar_counters(at), file_, "counters of DEPBAR");
    instr.depbar_limit = narrow<std::uint8_t>(in_.depbar_limits(at), file_, "limits of DEPBAR");
    instr.sleep_ns = in_.sleeps(at);
    instr.set_registers =
        in_.set_registers_size() == 0 ? 0 : narrow<std::uint16_t>(in_.set_registers(at), file_, "pools of registers");
    check(instr.set_registers <= kMostRegisters, "pools of registers");
    instr.control = control_of(in_.controls(at));
    check(instr.barrier_id < 16 && instr.barrier_threads <= kMostThreads, "barriers of instructions");
    check(instr.depbar_counter < isa::kDependenceCounters, "counters of DEPBAR");
    check(instr.sleep_ns <= isa::kMostSleepNs, "sleeps");
    check(instr.control.stall != 0 && is_counter(instr.control.write_barrier) &&
              is_counter(instr.control.read_barrier) && in_.controls(at) >> 21U == 0,
          "control bits");
  }

  void edges() {
    constexpr const char* kWhat = "the edges of a kernel";
    check(in_.edges_from_size() == in_.edges_to_size() && in_.edges_from_size() == in_.edges_leave_size(), kWhat);
    Differences from;
    for (int i = 0; i < in_.edges_from_size(); ++i) {
      const std::uint64_t source = from.sum(in_.edges_from(i));
      const std::uint64_t target = source + static_cast<std::uint64_t>(in_.edges_to(i));
      const bool leaves = in_.edges_leave(i) != 0;
      check(source < kernel_.code.size() && target < kernel_.code.size(), kWhat);
      kernel_.edges.push_back(
          {static_cast<std::uint32_t>(source), leaves ? trace::kExitNode : static_cast<std::uint32_t>(target)});
    }
    const auto before = [](const trace::Edge& a, const trace::Edge& b) {
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    };
    check(std::ranges::is_sorted(kernel_.edges, before) &&
              std::ranges::adjacent_find(kernel_.edges) == kernel_.edges.end(),
          kWhat);
  }

  void buffers() {
    constexpr const char* kWhat = "the buffers of a kernel";
    std::vector<std::string> names = split_lines(in_.buffer_names());
    const auto count = static_cast<int>(names.size());
    check(in_.buffer_spaces_size() == count && in_.buffer_bases_size() == count && in_.buffer_bytes_size() == count,
          kWhat);
    for (int i = 0; i < count; ++i) {
      check(in_.buffer_spaces(i) <= static_cast<std::uint32_t>(isa::MemSpace::kConstant), kWhat);
      check(fits_global(in_.buffer_bases(i), in_.buffer_bytes(i)), kWhat);
      kernel_.buffers.push_back({std::move(names[static_cast<std::size_t>(i)]),
                                 static_cast<isa::MemSpace>(in_.buffer_spaces(i)), in_.buffer_bases(i),
                                 in_.buffer_bytes(i)});
    }
  }

  const form::Program& in_;
  const std::string& file_;
  trace::Kernel kernel_;
};

void add_sides(const Dim3& dim, google::protobuf::RepeatedField<std::uint32_t>& into) {
  for (const std::uint32_t side : {dim.x, dim.y, dim.z}) {
    into.Add(side);
  }
}

}  // namespace

std::string encode_kernel(const trace::Kernel& kernel, std::span<const trace::TensorMap> boxes) {
  form::Program out;
  out.set_name(kernel.name);
  add_sides(kernel.grid, *out.mutable_grid());
  add_sides(kernel.block, *out.mutable_block());
  if (kernel.ctas_per_cluster() > 1) {
    add_sides(kernel.cluster, *out.mutable_cluster());
  }
  out.set_registers(kernel.registers_per_thread);
  out.set_shared_static(kernel.shared_static_bytes);
  out.set_shared_dynamic(kernel.shared_dynamic_bytes);
  out.set_local_base(kernel.local.base);
  out.set_local_bytes(kernel.local.bytes);
  out.set_barriers(kernel.barriers);
  out.set_stream(kernel.stream);
  out.set_binary_version(kernel.binary_version);
  out.set_control_recorded(kernel.control_recorded);
  out.set_line(kernel.where.line);
  encode_code(kernel, out);
  for (const trace::Buffer& buffer : kernel.buffers) {
    append_line(*out.mutable_buffer_names(), buffer.name);
    out.add_buffer_spaces(static_cast<std::uint32_t>(buffer.space));
    out.add_buffer_bases(buffer.base);
    out.add_buffer_bytes(buffer.bytes);
  }
  encode_mbarriers(kernel.mbarriers, out);
  encode_boxes(boxes, out);
  return out.SerializeAsString();
}

StoredKernel decode_kernel(std::string_view message, const std::string& file) {
  form::Program in;
  if (!in.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    fail_damaged(file, "the code of a kernel cannot be read");
  }
  return {Decoder(in, file).decode(), decode_boxes(in, file)};
}

}  // namespace gpusim::container
