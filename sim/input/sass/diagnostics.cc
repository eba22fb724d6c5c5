// SPDX-License-Identifier: MIT
#include "sim/input/sass/diagnostics.h"

#include <algorithm>
#include <set>
#include <span>

#include "sim/model/isa/decode.h"

namespace gpusim::frontend::sass {
namespace {

constexpr unsigned kHopperSm = 90;
constexpr const char* kDamaged = "the line may be damaged";

/// Two registers begin at an even one, four at a multiple of four, as far as disassemblies show.
const isa::Operand* misplaced(std::span<const isa::Operand> operands) {
  const auto found = std::find_if(operands.begin(), operands.end(), [](const isa::Operand& operand) {
    const bool in_groups = operand.file == isa::RegFile::kGeneral || operand.file == isa::RegFile::kUniform;
    return in_groups && operand.is_real() && (operand.width == 2 || operand.width == 4) &&
           operand.index % operand.width != 0;
  });
  return found == operands.end() ? nullptr : &*found;
}

bool has_address(const ListedInstruction& one) {
  return std::any_of(one.operands.begin(), one.operands.end(),
                     [](const std::string& operand) { return operand.find('[') != std::string::npos; });
}

class DoubtFinder {
 public:
  explicit DoubtFinder(const std::string& file) : file_(file) {}

  std::vector<Problem> run(const std::vector<ListedFunction>& functions) {
    for (const ListedFunction& function : functions) {
      look_at_architecture(function);
      look_at_control(function);
    }
    for (const ListedFunction& function : functions) {
      for (const ListedInstruction& one : function.code) {
        look_at_opcode(one);
      }
    }
    if (more_ > 0) {
      diagnostics_.push_back({{file_, 0, 0}, "and " + std::to_string(more_) + " more such lines", ""});
    }
    return std::move(diagnostics_);
  }

 private:
  void add(Place place, std::string message, std::string hint) {
    if (diagnostics_.size() < kMostDiagnostics) {
      diagnostics_.push_back({{file_, place.line, place.column}, std::move(message), std::move(hint)});
    } else {
      ++more_;
    }
  }

  void look_at_architecture(const ListedFunction& function) {
    if (function.sm > kHopperSm && seen_.insert("sm_" + std::to_string(function.sm)).second) {
      add(function.place, "'" + function.name + "' is code for sm_" + std::to_string(function.sm),
          "the opcode table ends with Hopper, sm_90: later opcodes are unknown, and others may have changed");
    }
  }

  /// A listing has control bits in all lines of a function or in none.
  void look_at_control(const ListedFunction& function) {
    if (!function.code.empty() && !function.code.front().control && seen_.insert("no control bits").second) {
      add(function.place.line != 0 ? function.place : function.code.front().place,
          "'" + function.name + "' has no encodings: its control bits are assigned as an assembler might",
          "cuobjdump -sass and nvdisasm -hex print them as '/* 0x000fe40000000f00 */'");
    }
  }

  void look_at_opcode(const ListedInstruction& one) {
    const isa::OpcodeRow* row = isa::find_opcode(one.opcode);
    if (row == nullptr) {
      const std::string_view near = isa::nearest_opcode(one.opcode);
      if (seen_.insert(one.opcode).second) {
        add(one.place, "'" + one.opcode + "' is not a known opcode, and is taken for an operation of the ALU",
            near.empty() ? "" : "did you mean '" + std::string(near) + "'?");
      }
    } else if (one.operands.size() < row->least_operands) {
      add(one.place,
          one.opcode + " takes at least " + std::to_string(row->least_operands) + " operands, and has " +
              std::to_string(one.operands.size()),
          kDamaged);
    } else if (one.instr.is_memory() && !has_address(one)) {
      add(one.place, one.opcode + " has no address in brackets among its operands", kDamaged);
    } else if (row->timing != isa::TimingClass::kDefault && !row->guess) {
      look_at_groups(one);
    }
  }

  void look_at_groups(const ListedInstruction& one) {
    const isa::Operand* bad = misplaced(one.instr.destinations);
    bad = bad != nullptr ? bad : misplaced(one.instr.sources);
    if (bad != nullptr) {
      const std::string width = std::to_string(bad->width);
      add(one.place,
          one.opcode + ": " + (bad->file == isa::RegFile::kUniform ? "UR" : "R") + std::to_string(bad->index) +
              " begins a group of " + width + " registers, which is not a multiple of " + width,
          kDamaged);
    }
  }

  const std::string& file_;
  std::vector<Problem> diagnostics_;
  std::set<std::string, std::less<>> seen_;
  std::size_t more_ = 0;
};

}  // namespace

std::vector<Problem> diagnostics_of(const std::vector<ListedFunction>& functions, const std::string& file) {
  return DoubtFinder(file).run(functions);
}

}  // namespace gpusim::frontend::sass
