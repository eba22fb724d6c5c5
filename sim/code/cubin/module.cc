// SPDX-License-Identifier: MIT
#include "sim/code/cubin/module.h"

#include <algorithm>
#include <charconv>

#include "sim/code/cubin/attributes.h"
#include "sim/code/cubin/elf.h"
#include "sim/code/cubin/lines.h"

namespace gpusim::cubin {
namespace {

constexpr std::string_view kText = ".text.";
constexpr std::string_view kInfo = ".nv.info";
constexpr std::string_view kConstant = ".nv.constant";
constexpr std::string_view kShared = ".nv.shared.";
constexpr std::uint16_t kRelocatable = 1;
constexpr std::uint8_t kFunctionSymbol = 2;
constexpr std::uint8_t kObjectSymbol = 1;
constexpr std::uint8_t kKernelSymbol = 0x10;
/// EI_OSABI of CUDA 11 and 12, whose flags keep the SM in bits 0 to 7, and of CUDA 13, which has it in 8 to 15.
constexpr std::uint8_t kAbiOfCuda11 = 0x33;
constexpr std::uint8_t kAbiOfCuda13 = 0x41;

unsigned sm_of(const Elf& elf, const std::string& name) {
  switch (elf.abi) {
    case kAbiOfCuda11: return elf.flags & 0xffU;
    case kAbiOfCuda13: return (elf.flags >> 8U) & 0xffU;
    default:
      fail(name, "is a cubin of an unknown form (" + std::to_string(elf.abi) + ")",
           "those of CUDA 11, 12 and 13 are read");
  }
}

std::vector<sass::Code> code_of(const Section& section, const std::string& name) {
  if (section.size % sass::kInstructionBytes != 0) {
    fail(name, "is damaged: " + std::string(section.name) + " has " + std::to_string(section.size) + " bytes",
         "instructions have 16 bytes each");
  }
  const Bytes bytes(section.bytes, name);
  std::vector<sass::Code> code;
  for (std::uint64_t at = 0; at < bytes.size(); at += sass::kInstructionBytes) {
    code.push_back({bytes.u64(at), bytes.u64(at + 8)});
  }
  return code;
}

/// "0.saxpy" of ".nv.constant0.saxpy": the number of the bank, and whose it is ("" for all).
struct BankName {
  std::uint32_t bank = 0;
  std::string_view function;
};
std::optional<BankName> bank_name(std::string_view section) {
  if (!section.starts_with(kConstant)) {
    return std::nullopt;
  }
  section.remove_prefix(kConstant.size());
  BankName name;
  const auto [end, error] = std::from_chars(section.data(), section.data() + section.size(), name.bank);
  section.remove_prefix(static_cast<std::size_t>(end - section.data()));
  if (error != std::errc{} || (!section.empty() && section.front() != '.')) {
    return std::nullopt;
  }
  name.function = section.empty() ? section : section.substr(1);
  return name;
}

class ModuleReader {
 public:
  ModuleReader(std::string_view bytes, const std::string& name) : file_(bytes, name), elf_(read_elf(file_)) {
    module_.name = name;
  }

  Module run() {
    if (elf_.machine != kMachineCuda) {
      fail(module_.name, "is an ELF file of another machine than a GPU");
    }
    module_.sm = sm_of(elf_, module_.name);
    module_.relocatable = elf_.type == kRelocatable;
    read_functions();
    for (std::size_t i = 0; i < elf_.sections.size(); ++i) {
      read_other_section(i);
    }
    read_all_attributes();
    read_variables();
    read_line_table();
    return std::move(module_);
  }

 private:
  void read_functions() {
    function_of_section_.assign(elf_.sections.size(), kNone);
    for (std::size_t i = 0; i < elf_.sections.size(); ++i) {
      const Section& section = elf_.sections[i];
      if (section.type != kProgramBits || !section.name.starts_with(kText)) {
        continue;
      }
      Function function;
      function.name = section.name.substr(kText.size());
      function.code = code_of(section, module_.name);
      function.fixups = fixups_of(i);
      function_of_section_[i] = module_.functions.size();
      by_name_.emplace(section.name.substr(kText.size()), module_.functions.size());
      module_.functions.push_back(std::move(function));
    }
    for (const Symbol& symbol : elf_.symbols) {
      if (Function* function = function_of(symbol)) {
        function->is_kernel = function->is_kernel || (symbol.other & kKernelSymbol) != 0;
      }
    }
  }

  Function* function_of(const Symbol& symbol) {
    const std::size_t index = symbol.type == kFunctionSymbol && symbol.section < function_of_section_.size()
                                  ? function_of_section_[symbol.section]
                                  : kNone;
    return index == kNone ? nullptr : &module_.functions[index];
  }

  Function* function_named(std::string_view name) {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &module_.functions[found->second];
  }

  std::vector<Fixup> fixups_of(std::size_t section) {
    std::vector<Fixup> fixups;
    for (const Relocation& relocation : elf_.relocations_of(section, module_.name)) {
      const bool known = relocation.symbol < elf_.symbols.size();
      fixups.push_back({relocation.offset, relocation.type,
                        known ? std::string(elf_.symbols[relocation.symbol].name) : std::string(), relocation.addend});
    }
    return fixups;
  }

  void read_other_section(std::size_t i) {
    const Section& section = elf_.sections[i];
    if (const std::optional<BankName> bank = bank_name(section.name)) {
      Function* function = function_named(bank->function);
      if (bank->function.empty() || function != nullptr) {
        (function != nullptr ? function->banks : module_.banks)[bank->bank] = section.bytes;
        (function != nullptr ? function->bank_fixups : module_.bank_fixups)[bank->bank] = fixups_of(i);
      }
    } else if (section.name.starts_with(kShared)) {
      if (Function* function = function_named(section.name.substr(kShared.size()))) {
        function->shared_bytes = section.size;
      }
    } else if (section.name == ".nv.global") {
      module_.zeroed_bytes = section.size;
    } else if (section.name == ".nv.global.init") {
      module_.initialised = section.bytes;
    }
  }

  void read_all_attributes() {
    std::vector<Function*> by_symbol;
    for (const Symbol& symbol : elf_.symbols) {
      by_symbol.push_back(function_of(symbol));
    }
    for (const Section& section : elf_.sections) {
      if (section.type != kCudaInfo || !section.name.starts_with(kInfo)) {
        continue;
      }
      const Bytes bytes(section.bytes, module_.name);
      if (section.name == kInfo) {
        read_common_attributes(bytes, by_symbol);
      } else if (Function* function = function_named(section.name.substr(kInfo.size() + 1))) {
        read_attributes(bytes, *function);
      }
    }
  }

  void read_variables() {
    for (const Symbol& symbol : elf_.symbols) {
      if (symbol.type != kObjectSymbol || symbol.section >= elf_.sections.size()) {
        continue;
      }
      const std::string_view section = elf_.sections[symbol.section].name;
      if (section == ".nv.global" || section == ".nv.global.init") {
        module_.variables.push_back(
            {std::string(symbol.name), symbol.value, symbol.size, section == ".nv.global.init"});
      }
    }
  }

  void read_line_table() {
    const Section* section = elf_.section(".debug_line");
    if (section == nullptr) {
      return;
    }
    const auto relocations =
        elf_.relocations_of(static_cast<std::size_t>(section - elf_.sections.data()), module_.name);
    std::map<std::uint64_t, const Relocation*> by_offset;
    for (const Relocation& relocation : relocations) {
      by_offset[relocation.offset] = &relocation;
    }
    const Locate locate = [&](std::uint64_t offset, std::uint64_t value) -> std::optional<CodeAddress> {
      const auto found = by_offset.find(offset);
      if (found == by_offset.end() || found->second->symbol >= elf_.symbols.size()) {
        return std::nullopt;
      }
      const Symbol& symbol = elf_.symbols[found->second->symbol];
      const std::size_t function =
          symbol.section < function_of_section_.size() ? function_of_section_[symbol.section] : kNone;
      if (function == kNone) {
        return std::nullopt;
      }
      return CodeAddress{function, symbol.value + value + static_cast<std::uint64_t>(found->second->addend)};
    };
    LineTable table = read_lines(Bytes(section->bytes, module_.name), locate);
    module_.files = std::move(table.files);
    for (const LineRow& row : table.rows) {
      module_.functions[row.function].lines.push_back({row.address, row.file, row.line});
    }
    for (Function& function : module_.functions) {
      std::stable_sort(function.lines.begin(), function.lines.end(),
                       [](const LineEntry& a, const LineEntry& b) { return a.offset < b.offset; });
    }
  }

  static constexpr std::size_t kNone = ~std::size_t{0};

  Bytes file_;
  Elf elf_;
  Module module_;
  std::vector<std::size_t> function_of_section_;
  std::map<std::string_view, std::size_t> by_name_;
};

}  // namespace

Module read_cubin(std::string_view bytes, const std::string& name) {
  return ModuleReader(bytes, name).run();
}

const LineEntry* line_at(const Function& function, std::uint64_t offset) {
  const auto after = std::upper_bound(function.lines.begin(), function.lines.end(), offset,
                                      [](std::uint64_t at, const LineEntry& entry) { return at < entry.offset; });
  return after == function.lines.begin() ? nullptr : &*std::prev(after);
}

}  // namespace gpusim::cubin
