// SPDX-License-Identifier: MIT
#include "sim/input/sass/program_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <vector>

#include "sim/input/sass/address_source.h"
#include "sim/input/sass/conditions.h"
#include "sim/input/sass/flow.h"
#include "sim/input/sass/launch_reads.h"
#include "sim/model/isa/decode.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::frontend::sass {
namespace {

using isa::MemSpace;

constexpr std::uint32_t kMostRegisters = 255;
constexpr std::uint32_t kMostSharedBytes = 1U << 20U;
constexpr std::uint32_t kMostBarriers = 16;
constexpr std::string_view kSharedMemory = "shared_memory";
constexpr std::string_view kLocalMemory = "local_memory";
constexpr std::string_view kSomeMemory = "global_memory";
constexpr std::array<std::string_view, 3> kAxes{"", "y_", "z_"};
constexpr std::array<std::string_view, 3> kMostCtas{"2147483647", "65535", "65535"};  // CUDA, compute capabilities
constexpr std::array<std::string_view, 3> kMostThreads{"1024", "1024", "64"};

constexpr std::string_view kHelp = R"(
# What a listing does not say is a hole, written '?'. 'gpusim trace check' lists those that are left:
#   param NAME = ?     a number, here or as --param NAME=VALUE
#   buffer NAME = ?    a type and a count: 'buffer NAME f32[n]'; named after the argument that the address is made from
#   @ NAME[?]          the element that each lane touches, from ctaid, tid, lane, and the loops' counters
#   when ?             the lanes whose guard is true
#   let NAME = ?       the lanes whose predicate is true, where several guards read it
)";

std::string in_hexadecimal(std::uint64_t value) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%04llx", static_cast<unsigned long long>(value));
  return text.data();
}

/// A name of the text form from that of a function.
std::string tidy_name(const std::string& name) {
  std::string made = name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? "k" + name : name;
  std::replace_if(
      made.begin(), made.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return made;
}

std::uint32_t registers_of(const ListedFunction& function) {
  std::uint32_t most = std::max<std::uint32_t>(function.registers, 1);
  for (const ListedInstruction& one : function.code) {
    const auto look_at = [&](const isa::Operand& operand) {
      if (operand.file == isa::RegFile::kGeneral) {
        most = std::max<std::uint32_t>(most, operand.index + operand.width);
      }
    };
    std::for_each(one.instr.destinations.begin(), one.instr.destinations.end(), look_at);
    std::for_each(one.instr.sources.begin(), one.instr.sources.end(), look_at);
  }
  return std::min(most, kMostRegisters);
}

/// " + 0x8" for an access at [R1+0x8]: R1 is where a thread's local memory begins, once it has been made room. Other
/// addresses are not known.
std::string place_in_frame(const ListedInstruction& one) {
  for (const std::string& operand : one.operands) {
    if (operand == "[R1]") {
      return "";
    }
    if (operand.starts_with("[R1+0x") && operand.back() == ']') {
      return " + " + operand.substr(4, operand.size() - 5);
    }
  }
  return "[?]";
}

/// One function: its code first, because that tells what the head needs.
class FunctionWriter {
 public:
  FunctionWriter(const ListedFunction& function, const Flow& flow, std::string name, std::size_t loops_before)
      : function_(function),
        flow_(flow),
        conditions_(conditions_of(function, flow)),
        name_(std::move(name)),
        loops_before_(loops_before) {}

  void write(std::string& parameters, std::string& kernels) {
    for (std::uint32_t at = 0; at < flow_.code.size(); ++at) {
      instruction(at);
    }
    if (last_is_endless_) {
      line(control_of(listed(static_cast<std::uint32_t>(flow_.code.size() - 1))) +
           "EXIT  # never reached: a branch out of the loop leaves");
    }
    for (std::size_t i = 0; i < flow_.loops.size(); ++i) {
      const ListedInstruction& head = listed(flow_.loops[i].begin);
      parameters += "param trips_" + loop_name(i) + " = ? in 1..4294967296 \"turns of the loop at 0x" +
                    in_hexadecimal(head.address) + ", line " + std::to_string(head.place.line) + "\"\n";
    }
    kernels += "\nkernel " + name_ + "\n";
    kernels += "  grid (" + sizes("ctas", "CTAs of the launch", reads_.grid, kMostCtas, parameters) + ")\n";
    kernels += "  block (" + sizes("threads", "threads of a CTA", reads_.block, kMostThreads, parameters) + ")\n";
    kernels += "  registers " + std::to_string(registers_of(function_)) + "\n";
    if (barriers_ > 1) {
      kernels += "  barriers " + std::to_string(std::min(barriers_, kMostBarriers)) + "\n";
    }
    shared_memory(parameters, kernels);
    local_memory(parameters, kernels);
    for (const std::string& buffer : buffers_) {
      kernels += "  buffer " + buffer + " = ?\n";
    }
    kernels += "code\n" + code_ + "end\n";
  }

 private:
  [[nodiscard]] const ListedInstruction& listed(std::uint32_t at) const {
    return function_.code[flow_.code[at].source];
  }
  void line(const std::string& text) { code_ += std::string(2 + 2 * open_.size(), ' ') + text + "\n"; }

  [[nodiscard]] std::string loop_name(std::size_t loop) const { return "L" + std::to_string(loops_before_ + loop + 1); }
  [[nodiscard]] std::string place_name(std::uint32_t at) const {
    const std::uint32_t copy = flow_.code[at].copy;
    return "at_" + in_hexadecimal(listed(at).address) + (copy == 0 ? "" : "_" + std::to_string(copy));
  }
  static std::string control_of(const ListedInstruction& one) {
    return one.control ? isa::to_text(*one.control) + " " : "";
  }

  /// "ctas_f, ctas_y_f" with a parameter for each dimension that the code knows of.
  [[nodiscard]] std::string sizes(const std::string& what, const std::string& meaning, const std::array<bool, 3>& read,
                                  const std::array<std::string_view, 3>& most, std::string& parameters) const {
    std::string made;
    for (std::size_t axis = 0; axis < read.size() && read[axis]; ++axis) {
      const std::string name = what + "_" + std::string(kAxes[axis]) + name_;
      const std::string along = read[1] ? std::string(" along ") + "xyz"[axis] : "";
      parameters += "param " + name + " = ? in 1.." + std::string(most[axis]) + " \"" + meaning + along + "\"\n";
      made += (axis == 0 ? "" : ", ") + name;
    }
    return made;
  }

  void shared_memory(std::string& parameters, std::string& kernels) const {
    const std::uint32_t known = function_.shared_bytes.value_or(0);
    if (known == 0 && !uses_shared_) {
      return;
    }
    const bool is_hole = known == 0 || known > kMostSharedBytes;
    const std::string bytes = is_hole ? "shared_" + name_ : std::to_string(known);
    if (is_hole) {
      parameters += "param " + bytes + " = ? in 1..262144 \"bytes of shared memory a CTA\"\n";
    }
    // A listing that says how much is static, namely none, leaves what the launch asks for.
    kernels += std::string("  shared ") + (is_hole && function_.shared_bytes ? "dynamic " : "static ") + bytes + "\n";
    kernels += "  shared_buffer " + std::string(kSharedMemory) + " bytes[" + bytes + "] at 0\n";
  }

  void local_memory(std::string& parameters, std::string& kernels) const {
    if (!uses_local_) {
      return;
    }
    const std::uint32_t known = function_.local_bytes.value_or(0);
    const bool is_hole = known == 0 || known > trace::LocalMemory::kMostBytes;
    const std::string bytes = is_hole ? "local_" + name_ : std::to_string(known);
    if (is_hole) {
      parameters += "param " + bytes + " = ? in 1.." + std::to_string(trace::LocalMemory::kMostBytes) +
                    " \"bytes of local memory a thread\"\n";
    }
    kernels += "  local " + bytes + "\n  local_buffer " + std::string(kLocalMemory) + " bytes[" + bytes + "] at 0\n";
  }

  void instruction(std::uint32_t at) {
    const bool closes = !open_.empty() && flow_.loops[open_.back()].end == at;
    if (flow_.labels.contains(at) || (closes && flow_.loops[open_.back()].has_continue)) {
      line(place_name(at) + ":");
    }
    if (next_loop_ < flow_.loops.size() && flow_.loops[next_loop_].begin == at) {
      open_loop(next_loop_++);
    }
    last_is_endless_ = false;
    if (!open_.empty() && flow_.loops[open_.back()].end == at) {
      open_.pop_back();
      line("end");
      last_is_endless_ = !flow_.code[at].goes_on;
      return;
    }
    plain(at);
    for (; next_condition_ < conditions_.all.size() && conditions_.all[next_condition_].definition == at;
         ++next_condition_) {
      line("let " + name_of(conditions_.all[next_condition_]) + " = ?");
    }
  }

  [[nodiscard]] std::string name_of(const Condition& condition) const {
    return condition.predicate + "_" + place_name(condition.definition);
  }

  void open_loop(std::size_t loop) {
    const std::uint32_t end = flow_.loops[loop].end;
    const std::string& guard = flow_.code[end].guard;
    const std::string name = loop_name(loop);
    // Which lanes go on is what the counter says; the register is what the branch waits for.
    std::string text = "loop i_" + name + " = 0..trips_" + name + " using " + (guard.empty() ? "PT" : guard.substr(1));
    text += listed(end).control ? " " + isa::to_text(*listed(end).control) : "";
    line(text);
    open_.push_back(loop);
  }

  void plain(std::uint32_t at) {
    const ListedInstruction& one = listed(at);
    const Placed& placed = flow_.code[at];
    if (placed.never) {
      line(control_of(one) + "NOP  # " + one.opcode + " in line " + std::to_string(one.place.line) +
           ": no lane executes it");
      return;
    }
    for (const std::string& operand : one.operands) {
      reads_.add(operand);
    }
    if (one.instr.kind == isa::OpKind::kBarrier) {
      barriers_ = std::max<std::uint32_t>(barriers_, one.instr.barrier_id + 1U);
    }
    std::string text = control_of(one) + (placed.guard.empty() ? "" : placed.guard + " ") + one.opcode;
    const std::vector<std::string> operands = operands_of(at);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      text += (i == 0 ? " " : ", ") + operands[i];
    }
    text += access_of(at) + source_of_guard(at);
    if (placed.inverted) {
      text += "  # the other way round than in line " + std::to_string(one.place.line);
    }
    line(text);
  }

  [[nodiscard]] std::string source_of_guard(std::uint32_t at) const {
    const std::string& guard = flow_.code[at].guard;
    if (guard.empty()) {
      return "";
    }
    const auto known = conditions_.of.find(at);
    if (known == conditions_.of.end()) {
      return "  when ?";
    }
    return std::string("  when ") + (guard.starts_with("@!") ? "!" : "") + name_of(conditions_.all[known->second]);
  }

  [[nodiscard]] std::vector<std::string> operands_of(std::uint32_t at) const {
    const ListedInstruction& one = listed(at);
    const Placed& placed = flow_.code[at];
    std::vector<std::string> operands;
    if (one.opcode.starts_with("RET")) {
      return {link_of(one), place_name(branch_target(at))};
    }
    const std::size_t targets = placed.is_branch ? 1 : 0;
    const bool has_guard = !placed.guard.empty() && !one.instr.guarded;  // as its first operand
    for (std::size_t i = has_guard ? 1 : 0; i + targets < one.operands.size(); ++i) {
      operands.push_back(plain_operand(one, one.operands[i]));
    }
    if (placed.is_branch) {
      operands.push_back(place_name(branch_target(at)));
    }
    return operands;
  }

  /// What markers of convergence name (`(.L_x_1)) and what is linked later are places that the program has no need of.
  static std::string plain_operand(const ListedInstruction& one, const std::string& operand) {
    const bool takes_labels = one.instr.pipe() == isa::Pipe::kCbu;
    const bool is_place = takes_labels && operand.find_first_not_of(
                                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefx.!~-+") != std::string::npos;
    return is_place || is_relocation(operand) ? std::string(kLinkedLater) : operand;
  }

  /// A branch back that does not end its loop goes on to the one that does.
  [[nodiscard]] std::uint32_t branch_target(std::uint32_t at) const {
    const std::uint32_t target = flow_.code[at].target;
    if (target > at) {
      return target;
    }
    const auto loop = std::find_if(flow_.loops.begin(), flow_.loops.end(),
                                   [&](const Loop& candidate) { return candidate.begin == target; });
    return loop->end;
  }

  std::string access_of(std::uint32_t at) {
    const isa::Instr& instr = listed(at).instr;
    switch (instr.space) {
      case MemSpace::kShared: uses_shared_ = true; return "  @ " + std::string(kSharedMemory) + "[?]";
      case MemSpace::kLocal: uses_local_ = true; return "  @ " + std::string(kLocalMemory) + place_in_frame(listed(at));
      case MemSpace::kGlobal: break;
      default: return "";
    }
    const std::string name =
        buffer(argument_of_address(function_, flow_.code[at].source).value_or(std::string(kSomeMemory)));
    if (instr.kind != isa::OpKind::kAsyncCopy) {
      return "  @ " + name + "[?]";
    }
    uses_shared_ = true;
    return "  @ " + std::string(kSharedMemory) + "[?] <- " + name + "[?]";
  }

  const std::string& buffer(const std::string& name) { return *buffers_.insert(name).first; }

  const ListedFunction& function_;
  const Flow& flow_;
  Conditions conditions_;
  std::string name_;
  std::size_t loops_before_;
  std::size_t next_loop_ = 0;
  std::size_t next_condition_ = 0;
  std::vector<std::size_t> open_;
  std::set<std::string> buffers_;
  LaunchReads reads_;
  std::uint32_t barriers_ = function_.barriers;
  bool uses_shared_ = false;
  bool uses_local_ = false;
  bool last_is_endless_ = false;
  std::string code_;
};

/// A program's declarations are limited: every kernel sees every one before it.
void check_declarations(const std::string& parameters, const std::string& kernels, const std::string& file) {
  constexpr std::size_t kMost = 2048;
  std::size_t count = 0;
  for (const std::string* text : {&parameters, &kernels}) {
    for (const std::string_view word :
         {"\nparam ", "\nkernel ", "\n  buffer ", "\n  shared_buffer ", "\n  local_buffer "}) {
      for (std::size_t at = text->find(word); at != std::string::npos; at = text->find(word, at + 1)) {
        ++count;
      }
    }
  }
  if (count >= kMost) {
    throw InputError({{file, 0, 0},
                      "has so many functions, loops and arguments that no program can hold them",
                      "list fewer functions, as with cuobjdump -fun NAME"});
  }
}

/// `name`, with a number where functions before have it.
std::string unused_name(const std::string& name, std::set<std::string>& used) {
  std::string made = name;
  for (unsigned number = 2; !used.insert(made).second; ++number) {
    made = name + "_" + std::to_string(number);
  }
  return made;
}

}  // namespace

std::string program_of(const std::vector<ListedFunction>& functions, const std::string& name) {
  ProblemList problems;
  std::string parameters;
  std::string kernels;
  std::set<std::string> used;
  std::size_t loops = 0;
  for (const ListedFunction& function : functions) {
    ProblemList own;  // what is wrong with one function hides nothing of the next
    const Flow flow = flow_of(function, name, own);
    std::for_each(own.problems().begin(), own.problems().end(), [&](const Problem& one) { problems.add(one); });
    if (problems.empty()) {
      FunctionWriter(function, flow, unused_name(tidy_name(function.name), used), loops).write(parameters, kernels);
    }
    loops += flow.loops.size();
  }
  problems.throw_if_any();
  check_declarations(parameters, kernels, name);
  return "gpusim trace 1\ntitle \"" + tidy_name(functions.front().name) + ", from a listing\"\n" + std::string(kHelp) +
         "\n" + parameters + kernels;
}

std::string program_from_listing(std::string_view listing, const std::string& name) {
  return program_of(read_listing(listing, name), name);
}

}  // namespace gpusim::frontend::sass
