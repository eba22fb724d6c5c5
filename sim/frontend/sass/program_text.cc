// SPDX-License-Identifier: MIT
#include "sim/frontend/sass/program_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <vector>

#include "sim/frontend/sass/address_source.h"
#include "sim/frontend/sass/flow.h"
#include "sim/isa/decode.h"

namespace gpusim::frontend::sass {
namespace {

using isa::MemSpace;

constexpr std::uint32_t kMostRegisters = 255;
constexpr std::string_view kSharedMemory = "shared_memory";
constexpr std::string_view kLocalMemory = "local_memory";
constexpr std::string_view kSomeMemory = "global_memory";

constexpr std::string_view kHelp = R"(
# What a listing does not say is a hole, written '?'. 'gpusim trace check' lists those that are left:
#   param NAME = ?     a number, here or as --param NAME=VALUE
#   buffer NAME = ?    a type and a count: 'buffer NAME f32[n]'; named after the argument that the address is made from
#   @ NAME[?]          the element that each lane touches, from ctaid, tid, lane, and the loops' counters
#   when ?             the lanes whose guard is true
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

/// One function: its code first, because that tells what the head needs.
class FunctionWriter {
 public:
  FunctionWriter(const ListedFunction& function, const Flow& flow, std::size_t loops_before)
      : function_(function), flow_(flow), loops_before_(loops_before) {}

  void write(std::string& parameters, std::string& kernels) {
    for (std::uint32_t i = 0; i < function_.code.size(); ++i) {
      if (flow_.reachable[i]) {
        instruction(i);
      }
    }
    if (last_is_endless_) {
      line(control_of(function_.code.back()) + "EXIT  # never reached: a branch out of the loop leaves");
    }
    for (std::size_t i = 0; i < flow_.loops.size(); ++i) {
      const ListedInstruction& head = function_.code[flow_.loops[i].begin];
      parameters += "param trips_" + loop_name(i) + " = ? in 1..4294967296 \"turns of the loop at 0x" +
                    in_hexadecimal(head.address) + ", line " + std::to_string(head.place.line) + "\"\n";
    }
    const std::string name = tidy_name(function_.name);
    parameters += "param ctas_" + name + " = ? in 1..2147483647 \"CTAs of the launch\"\n";
    parameters += "param threads_" + name + " = ? in 1..1024 \"threads of a CTA\"\n";
    if (uses_shared_) {
      parameters += "param shared_" + name + " = ? in 1..262144 \"bytes of shared memory a CTA\"\n";
    }
    kernels += "\nkernel " + name + "\n  grid (ctas_" + name + ")\n  block (threads_" + name + ")\n  registers " +
               std::to_string(registers_of(function_)) + "\n";
    if (uses_shared_) {
      kernels += "  shared static shared_" + name + "\n  shared_buffer " + std::string(kSharedMemory) +
                 " bytes[shared_" + name + "] at 0\n";
    }
    for (const std::string& buffer : buffers_) {
      kernels += "  buffer " + buffer + " = ?\n";
    }
    kernels += "code\n" + code_ + "end\n";
  }

 private:
  void line(const std::string& text) { code_ += std::string(2 + 2 * open_.size(), ' ') + text + "\n"; }

  [[nodiscard]] std::string loop_name(std::size_t loop) const { return "L" + std::to_string(loops_before_ + loop + 1); }
  [[nodiscard]] std::string label_of(std::uint32_t at) const {
    return "at_" + in_hexadecimal(function_.code[at].address);
  }
  static std::string control_of(const ListedInstruction& one) {
    return one.control ? isa::to_text(*one.control) + " " : "";
  }

  void instruction(std::uint32_t at) {
    const ListedInstruction& one = function_.code[at];
    const bool closes = !open_.empty() && flow_.loops[open_.back()].end == at;
    if (flow_.labels.contains(at) || (closes && flow_.loops[open_.back()].has_continue)) {
      line(label_of(at) + ":");
    }
    if (next_loop_ < flow_.loops.size() && flow_.loops[next_loop_].begin == at) {
      open_loop(next_loop_++);
    }
    last_is_endless_ = false;
    if (!open_.empty() && flow_.loops[open_.back()].end == at) {
      open_.pop_back();
      line("end");
      last_is_endless_ = !one.instr.guarded && one.operands.size() < 2;
      return;
    }
    plain(at);
  }

  void open_loop(std::size_t loop) {
    const ListedInstruction& close = function_.code[flow_.loops[loop].end];
    const std::string name = loop_name(loop);
    std::string text = "loop i_" + name + " = 0..trips_" + name;
    if (close.instr.guarded) {
      // Which lanes go on is what the counter says; the register is what the branch waits for.
      text += " using " + close.guard.substr(close.guard.find_first_not_of("@!"));
    }
    text += close.control ? " " + isa::to_text(*close.control) : "";
    line(text);
    open_.push_back(loop);
  }

  void plain(std::uint32_t at) {
    const ListedInstruction& one = function_.code[at];
    std::string text = control_of(one) + (one.guard.empty() ? "" : one.guard + " ") + one.opcode;
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
      const bool is_target = flow_.targets[at] != kNowhere && i + 1 == one.operands.size();
      text += (i == 0 ? " " : ", ") + (is_target ? label_of(branch_target(at)) : one.operands[i]);
    }
    text += access_of(at);
    text += one.instr.guarded || is_conditional_branch(one) ? "  when ?" : "";
    line(text);
  }

  static bool is_conditional_branch(const ListedInstruction& one) {
    return one.instr.kind == isa::OpKind::kBranch && one.instr.guarded;
  }

  /// A branch back that does not end its loop goes on to the one that does.
  [[nodiscard]] std::uint32_t branch_target(std::uint32_t at) const {
    const std::uint32_t target = flow_.targets[at];
    if (target > at) {
      return target;
    }
    const auto loop = std::find_if(flow_.loops.begin(), flow_.loops.end(),
                                   [&](const Loop& candidate) { return candidate.begin == target; });
    return loop->end;
  }

  std::string access_of(std::uint32_t at) {
    const isa::Instr& instr = function_.code[at].instr;
    switch (instr.space) {
      case MemSpace::kShared: uses_shared_ = true; return "  @ " + std::string(kSharedMemory) + "[?]";
      case MemSpace::kLocal: return "  @ " + buffer(std::string(kLocalMemory)) + "[?]";
      case MemSpace::kGlobal: break;
      default: return "";
    }
    const std::string name = buffer(argument_of_address(function_, at).value_or(std::string(kSomeMemory)));
    if (instr.kind != isa::OpKind::kAsyncCopy) {
      return "  @ " + name + "[?]";
    }
    uses_shared_ = true;
    return "  @ " + std::string(kSharedMemory) + "[?] <- " + name + "[?]";
  }

  const std::string& buffer(const std::string& name) { return *buffers_.insert(name).first; }

  const ListedFunction& function_;
  const Flow& flow_;
  std::size_t loops_before_;
  std::size_t next_loop_ = 0;
  std::vector<std::size_t> open_;
  std::set<std::string> buffers_;
  bool uses_shared_ = false;
  bool last_is_endless_ = false;
  std::string code_;
};

}  // namespace

std::string program_from_listing(std::string_view listing, const std::string& name) {
  const std::vector<ListedFunction> functions = read_listing(listing, name);
  ProblemList problems;
  std::string parameters;
  std::string kernels;
  std::size_t loops = 0;
  for (const ListedFunction& function : functions) {
    const Flow flow = flow_of(function, name, problems);
    if (problems.empty()) {
      FunctionWriter(function, flow, loops).write(parameters, kernels);
    }
    loops += flow.loops.size();
  }
  problems.throw_if_any();
  return "gpusim trace 1\ntitle \"" + tidy_name(functions.front().name) + ", from a listing\"\n" + std::string(kHelp) +
         "\n" + parameters + kernels;
}

}  // namespace gpusim::frontend::sass
