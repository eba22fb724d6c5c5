// SPDX-License-Identifier: MIT
#include "sim/code/cubin/listing.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "sim/base/text.h"
#include "sim/code/cubin/bytes.h"
#include "sim/code/sass/decode.h"
#include "sim/code/sass/text.h"

namespace gpusim::cubin {
namespace {

constexpr std::size_t kGuardWidth = 7;
/// Where encodings stand in a line.
constexpr std::size_t kHexColumn = 88;

/// "/* 0x000fe40000000f00 */"
std::string word_text(std::uint64_t word) {
  char text[32];
  std::snprintf(text, sizeof text, "/* 0x%016llx */", static_cast<unsigned long long>(word));
  return text;
}

std::string byte_text(char byte) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
  return text;
}

/// Bytes, and the symbols whose addresses a linker fills in; `size` zeros where there are no bytes.
std::string data_text(const std::string& bytes, const std::vector<Fixup>& fixups, std::uint64_t size) {
  constexpr std::size_t kBytesOfLine = 16;
  constexpr std::size_t kBytesOfAddress = 8;
  std::string text;
  std::map<std::uint64_t, const Fixup*> symbols;
  for (const Fixup& fixup : fixups) {
    symbols.emplace(fixup.offset, &fixup);
  }
  if (fixups.empty() && bytes.find_first_not_of('\0') == bytes.npos) {
    return "        .zero           " + std::to_string(size) + "\n";
  }
  for (std::size_t at = 0; at < bytes.size();) {
    const auto next = symbols.lower_bound(at);
    if (next != symbols.end() && next->first == at && bytes.size() - at >= kBytesOfAddress) {
      text += "        .dword          " + printable(next->second->symbol) + "\n";
      at += kBytesOfAddress;
      continue;
    }
    const std::size_t stop = next == symbols.end() ? bytes.size() : std::max<std::size_t>(next->first, at + 1);
    const std::size_t end = std::min({bytes.size(), at + kBytesOfLine, stop});
    text += "        .byte           ";
    for (std::size_t i = at; i < end; ++i) {
      text += (i == at ? "" : ", ") + byte_text(bytes[i]);
    }
    text += "\n";
    at = end;
  }
  return text;
}

/// The variables of one section; `bytes` are empty where all of them are zero.
std::string variables_text(const Module& module, bool initialised, const std::string& bytes, std::uint64_t size) {
  std::map<std::uint64_t, const Variable*> by_offset;
  for (const Variable& variable : module.variables) {
    if (variable.initialised == initialised && variable.offset < size) {
      by_offset.emplace(variable.offset, &variable);
    }
  }
  const std::string name = initialised ? ".nv.global.init" : ".nv.global";
  std::string text = by_offset.empty() ? "" : "        .section        " + name + ",\"aw\"\n";
  std::uint64_t at = 0;
  const auto data_until = [&](std::uint64_t end) {
    text += end == at ? "" : data_text(initialised ? bytes.substr(at, end - at) : std::string(), {}, end - at);
    at = end;
  };
  for (const auto& [offset, variable] : by_offset) {
    data_until(offset);
    const std::string shown = printable(variable->name);
    text += "        .size           " + shown + "," + std::to_string(variable->size) + "\n" + shown + ":\n";
  }
  if (!by_offset.empty()) {
    data_until(size);
  }
  return text;
}

std::string banks_text(const std::map<std::uint32_t, std::string>& banks,
                       const std::map<std::uint32_t, std::vector<Fixup>>& fixups, const std::string& of) {
  std::string text;
  for (const auto& [bank, bytes] : banks) {
    const auto own = fixups.find(bank);
    text += "        .section        .nv.constant" + std::to_string(bank) + of + ",\"a\",@progbits\n" +
            data_text(bytes, own == fixups.end() ? std::vector<Fixup>() : own->second, bytes.size());
  }
  return text;
}

class ListingWriter {
 public:
  ListingWriter(const Module& module, const Function& function, ShowControl control, ShowHex hex)
      : module_(module), function_(function), control_(control), hex_(hex) {
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
    if (hex_ == ShowHex::kYes) {
      listing_.text += banks_text(function_.banks, function_.bank_fixups, "." + name);
    }
    listing_.text += "        .section        .text." + name + ",\"ax\",@progbits\n";
    listing_.text += "        .sectioninfo    @\"SHI_REGISTERS=" + std::to_string(function_.registers) + "\"\n";
    if (hex_ == ShowHex::kYes) {
      listing_.text += "        .sectionflags   @\"SHF_BARRIERS=" + std::to_string(function_.barriers) + "\"\n";
      listing_.text +=
          function_.is_kernel ? "        .other          " + name + ",@\"STO_CUDA_ENTRY STV_DEFAULT\"\n" : "";
    }
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
    const std::size_t begin = listing_.text.size();
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
    if (const Fixup* const fixup = hex_ == ShowHex::kYes ? fixup_at(address) : nullptr) {
      text.resize(text.rfind(' ') + 1);
      text += "`(" + printable(fixup->symbol) + ")";
    }
    listing_.text += text + " ;";
    if (hex_ == ShowHex::kYes) {
      const sass::Code& code = function_.code[address / sass::kInstructionBytes];
      const std::size_t width = listing_.text.size() - begin;
      listing_.text += std::string(width < kHexColumn ? kHexColumn - width : 1, ' ') + word_text(code.low) + "\n" +
                       std::string(kHexColumn, ' ') + word_text(code.high);
    }
    listing_.text += "\n";
    listing_.unknown += instruction.is_known() ? 0 : 1;
  }

  const Fixup* fixup_at(std::uint64_t address) const {
    const auto found = std::ranges::find_if(function_.fixups, [address](const Fixup& fixup) {
      return fixup.offset / sass::kInstructionBytes == address / sass::kInstructionBytes;
    });
    return found == function_.fixups.end() ? nullptr : &*found;
  }

  const Module& module_;
  const Function& function_;
  ShowControl control_;
  ShowHex hex_;
  std::vector<sass::Instruction> code_;
  std::map<std::int64_t, std::string> labels_;
  std::uint32_t file_ = 0;
  std::uint32_t line_ = 0;
  Listing listing_;
};

}  // namespace

std::string listing_head(const Module& module, ShowHex hex) {
  std::string data;
  if (hex == ShowHex::kYes) {
    data = banks_text(module.banks, module.bank_fixups, "") +
           variables_text(module, true, module.initialised, module.initialised.size()) +
           variables_text(module, false, "", module.zeroed_bytes);
  }
  return "// " + printable(module.name) + "\n        .headerflags    @\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM" +
         std::to_string(module.sm) + "\"\n" + data;
}

Listing listing_of(const Module& module, const Function& function, ShowControl control, ShowHex hex) {
  return ListingWriter(module, function, control, hex).run();
}

}  // namespace gpusim::cubin
