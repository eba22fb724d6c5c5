// SPDX-License-Identifier: MIT
#include "sim/code/cubin/listing.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "sim/base/text.h"
#include "sim/code/sass/decode.h"
#include "sim/code/sass/text.h"

namespace gpusim::cubin {
namespace {

constexpr std::size_t kGuardWidth = 7;

class ListingWriter {
 public:
  ListingWriter(const Module& module, const Function& function, ShowControl control)
      : module_(module), function_(function), control_(control) {
    const std::optional<sass::Generation> generation = module.generation();
    if (!generation) {
      fail(module.name, "is code for sm_" + std::to_string(module.sm),
           "machine code for sm_75, sm_80, sm_86, sm_87, sm_89 and sm_90 is decoded");
    }
    for (const sass::Code& code : function.code) {
      code_.push_back(sass::decode(code, *generation));
    }
    find_labels();
  }

  Listing run() {
    head();
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const std::uint64_t address = i * sass::kInstructionBytes;
      if (const auto label = labels_.find(static_cast<std::int64_t>(address)); label != labels_.end()) {
        listing_.text += label->second + ":\n";
      }
      source_line(address);
      instruction(code_[i], address);
    }
    return std::move(listing_);
  }

 private:
  void find_labels() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      for (const sass::Operand& operand : code_[i].operands) {
        const std::int64_t to = static_cast<std::int64_t>((i + 1) * sass::kInstructionBytes) + operand.value;
        const bool inside = to >= 0 && to % sass::kInstructionBytes == 0 &&
                            to < static_cast<std::int64_t>(code_.size() * sass::kInstructionBytes);
        if (operand.kind == sass::OperandKind::kTarget && inside && is_direct(code_[i].op)) {
          labels_[to];
        }
      }
    }
    std::size_t number = 0;
    for (auto& [address, name] : labels_) {
      name = ".L_x_" + std::to_string(number++);
    }
  }

  /// False for branches whose target depends on a register.
  static bool is_direct(sass::Op op) {
    return op != sass::Op::kBrx && op != sass::Op::kBrxu && op != sass::Op::kRet && op != sass::Op::kCallRelRegister;
  }

  void head() {
    const std::string name = printable(function_.name);
    listing_.text += "\n// " + printable(demangled(function_.name)) + "\n";
    if (function_.shared_bytes != 0) {
      listing_.text += "        .section        .nv.shared." + name + ",\"aw\",@nobits\n        .zero           " +
                       std::to_string(function_.shared_bytes) + "\n";
    }
    listing_.text += "        .section        .text." + name + ",\"ax\",@progbits\n";
    listing_.text += "        .sectioninfo    @\"SHI_REGISTERS=" + std::to_string(function_.registers) + "\"\n";
    listing_.text += ".text." + name + ":\n";
  }

  void source_line(std::uint64_t address) {
    const LineEntry* entry = line_at(function_, address);
    if (entry != nullptr && entry->offset == address && (entry->line != line_ || entry->file != file_)) {
      line_ = entry->line;
      file_ = entry->file;
      listing_.text +=
          "        //## File \"" + printable(module_.files[file_]) + "\", line " + std::to_string(line_) + "\n";
    }
  }

  void instruction(const sass::Instruction& instruction, std::uint64_t address) {
    char place[32];
    std::snprintf(place, sizeof place, "        /*%04llx*/  ", static_cast<unsigned long long>(address));
    listing_.text += place;
    if (control_ == ShowControl::kYes) {
      listing_.text += isa::to_text(sass::control_bits(instruction.control)) + "  ";
    }
    std::string text = sass::to_text(instruction, address, [this](std::int64_t to) {
      const auto label = labels_.find(to);
      return label != labels_.end() ? "`(" + label->second + ")" : std::to_string(to);
    });
    const std::size_t guard = sass::guard_text(instruction.guard).size();
    text.insert(0, std::string(kGuardWidth - std::min(guard == 0 ? 0 : guard + 1, kGuardWidth), ' '));
    listing_.text += text + " ;\n";
    listing_.unknown += instruction.is_known() ? 0 : 1;
  }

  const Module& module_;
  const Function& function_;
  ShowControl control_;
  std::vector<sass::Instruction> code_;
  std::map<std::int64_t, std::string> labels_;
  std::uint32_t file_ = 0;
  std::uint32_t line_ = 0;
  Listing listing_;
};

}  // namespace

std::string listing_head(const Module& module) {
  return "// " + printable(module.name) + "\n        .headerflags    @\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM" +
         std::to_string(module.sm) + "\"\n";
}

Listing listing_of(const Module& module, const Function& function, ShowControl control) {
  return ListingWriter(module, function, control).run();
}

}  // namespace gpusim::cubin
