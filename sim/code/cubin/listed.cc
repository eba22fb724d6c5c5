// SPDX-License-Identifier: MIT
#include "sim/code/cubin/listed.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "sim/base/problem.h"
#include "sim/code/cubin/attributes.h"
#include "sim/code/cubin/code_use.h"
#include "sim/input/kind/listing.h"
#include "sim/input/listing/listing.h"

namespace gpusim::cubin {
namespace {

using frontend::sass::DataSection;
using frontend::sass::ListedCode;
using frontend::sass::ListedFunction;
using frontend::sass::ListedInstruction;

constexpr std::string_view kListedInfo = ".nv.info.";
constexpr std::string_view kListedConstant = ".nv.constant";
constexpr std::uint32_t kAddressBytes = 8;
/// Relocations as cubins number them: 2 is an address of 64 bits, 0 is none.
constexpr std::uint32_t kAddress64 = 2;
/// Where parameters begin in constant bank 0 (measured on code of ptxas 13.0), and how many bytes a launch may give.
constexpr unsigned kHopper = 90;
constexpr std::uint32_t kParameterBase = 0x160;
constexpr std::uint32_t kParameterBaseOfHopper = 0x210;
constexpr std::uint32_t kMostParameterBytes = 4096;
/// What the system keeps at the begin of shared memory on sm_90.
constexpr std::uint32_t kSystemSharedOfHopper = 1024;

/// "saxpy" of "32@lo(saxpy)" and "`(saxpy)"; "" where the place is in the function itself, and has been filled in.
std::string linked_symbol(std::string_view operand, const ListedFunction& function) {
  const std::size_t bracket = operand.rfind('(');
  std::string_view name = operand.substr(bracket == operand.npos ? 0 : bracket + 1);
  name = name.substr(0, name.find_first_of(" )+@"));
  const std::string_view label = name.substr(name.starts_with('.') ? 1 : 0);
  const bool is_inside =
      name.starts_with(".L") || name == function.name || function.labels.contains(std::string(label));
  return is_inside ? std::string() : std::string(name);
}

class ListedModule {
 public:
  ListedModule(std::string_view text, const std::string& name, std::uint32_t first_line)
      : listed_(frontend::sass::read_code_listing(text, name, first_line)) {
    module_.name = name;
  }

  Module run() {
    find_sm();
    for (const ListedFunction& listed : listed_.functions) {
      module_.functions.push_back(code_of(listed));
    }
    std::ranges::for_each(listed_.sections, [this](const DataSection& section) { take_section(section); });
    for (std::size_t i = 0; i < module_.functions.size(); ++i) {
      take_resources(listed_.functions[i], module_.functions[i]);
      take_parameters(listed_.functions[i], module_.functions[i]);
    }
    add_stacks_of_callees();
    return std::move(module_);
  }

 private:
  void find_sm() {
    for (const ListedFunction& listed : listed_.functions) {
      if (listed.sm != 0 && module_.sm != 0 && listed.sm != module_.sm) {
        throw InputError(
            {{module_.name, listed.place.line, 0},
             "is code for sm_" + std::to_string(listed.sm) + " among code for sm_" + std::to_string(module_.sm),
             "list the code for one architecture, as with cuobjdump -sass -arch sm_80"});
      }
      module_.sm = listed.sm != 0 ? listed.sm : module_.sm;
    }
    if (module_.sm == 0) {
      fail(module_.name, "does not say which SM its code is for",
           "keep the line that does, such as 'code for sm_80' or '.headerflags'; or write one: .target sm_80");
    }
  }

  Function code_of(const ListedFunction& listed) {
    Function function;
    function.name = listed.name;
    for (const ListedInstruction& one : listed.code) {
      for (const std::string& operand : one.operands) {
        if (std::string symbol = linked_symbol(operand, listed); !symbol.empty()) {
          function.fixups.push_back({function.code.size() * sass::kInstructionBytes, 0, std::move(symbol), 0});
        }
      }
      function.code.push_back({one.words[0], one.words[1]});
    }
    for (const frontend::sass::ListedLine& line : listed.lines) {
      const auto [file, is_new] = files_.emplace(line.file, static_cast<std::uint32_t>(module_.files.size()));
      if (is_new) {
        module_.files.push_back(line.file);
      }
      function.lines.push_back({line.instruction * sass::kInstructionBytes, file->second, line.line});
    }
    return function;
  }

  Function* function_named(std::string_view name) {
    const auto found = std::ranges::find(module_.functions, name, &Function::name);
    return found == module_.functions.end() ? nullptr : &*found;
  }

  void take_section(const DataSection& section) {
    std::string_view name = section.name;
    if (name.starts_with(kListedInfo)) {
      if (Function* const function = function_named(name.substr(kListedInfo.size()))) {
        take_info(section, *function);
      }
      return;
    }
    if (!name.starts_with(kListedConstant)) {
      take_variables(section);
      return;
    }
    name.remove_prefix(kListedConstant.size());
    std::uint32_t bank = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), bank);
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    Function* const function = name.starts_with('.') ? function_named(name.substr(1)) : nullptr;
    if (error != std::errc{} || (!name.empty() && function == nullptr)) {
      return;  // constants of a function that is not in the listing
    }
    std::vector<Fixup> fixups;
    for (const frontend::sass::LinkedWord& word : section.linked) {
      fixups.push_back({word.offset, word.bytes == kAddressBytes ? kAddress64 : 0, word.symbol, 0});
    }
    (function != nullptr ? function->banks : module_.banks)[bank] = section.bytes;
    (function != nullptr ? function->bank_fixups : module_.bank_fixups)[bank] = std::move(fixups);
  }

  void take_variables(const DataSection& section) {
    const bool initialised = section.name == ".nv.global.init";
    if (initialised) {
      module_.initialised = section.bytes;
    } else {
      module_.zeroed_bytes = section.bytes.size();
    }
    for (const frontend::sass::DataSymbol& symbol : section.symbols) {
      module_.variables.push_back({symbol.name, symbol.offset, symbol.size, initialised});
    }
  }

  /// Attributes that are printed in a way that is not known are as good as none.
  void take_info(const DataSection& section, Function& function) const {
    Function with = function;
    try {
      read_attributes(Bytes(section.bytes, module_.name), with);
    } catch (const InputError&) {
      return;
    }
    function = std::move(with);
  }

  void take_resources(const ListedFunction& listed, Function& function) const {
    const CodeUse use = use_of(function, module_.generation());
    const bool has_entries = std::ranges::any_of(listed_.functions, &ListedFunction::is_entry);
    function.is_kernel = has_entries ? listed.is_entry : use.exits || !use.returns;
    // Code that changes its registers may use more of them than it starts with.
    const bool starts_with_listed = listed.registers != 0 && (use.changes_registers || function.changes_registers);
    function.registers = starts_with_listed ? listed.registers : std::max(listed.registers, use.registers);
    const std::uint32_t barriers = std::max(listed.barriers, function.barriers);
    function.barriers = barriers != 0 ? barriers : use.barriers;
    function.changes_registers = function.changes_registers || use.changes_registers;
    function.unknown_shared_bytes = !listed.shared_bytes && !listed.has_section && use.shared_memory;
    const std::uint32_t least = function.unknown_shared_bytes && module_.sm >= kHopper ? kSystemSharedOfHopper : 0;
    function.shared_bytes = listed.shared_bytes.value_or(least);
    function.local_bytes = listed.local_bytes.value_or(use.frame_bytes);
    function.stack_bytes = function.local_bytes;
  }

  void take_parameters(const ListedFunction& listed, Function& function) const {
    if (function.parameter_base == 0) {
      function.parameter_base = module_.sm >= kHopper ? kParameterBaseOfHopper : kParameterBase;
    }
    if (!function.parameters.empty()) {
      for (const Parameter& parameter : function.parameters) {
        function.parameter_bytes = std::max(function.parameter_bytes, parameter.offset + parameter.size);
      }
      return;
    }
    UnknownParameters unknown;
    unknown.base = function.parameter_base;
    unknown.reads = parameter_reads(function, module_.generation());
    const auto bank = function.banks.find(0);
    const std::uint64_t bytes = bank != function.banks.end() ? bank->second.size() : listed.bank_bytes.value_or(0);
    if (bytes >= function.parameter_base && bytes - function.parameter_base <= kMostParameterBytes) {
      unknown.all_bytes = static_cast<std::uint32_t>(bytes - function.parameter_base);
    }
    function.parameter_bytes = unknown.all_bytes.value_or(kMostParameterBytes);
    if (unknown.all_bytes != 0U) {
      function.unknown_parameters = std::move(unknown);
    }
  }

  /// A kernel whose stack nobody has told may call every function of the listing.
  void add_stacks_of_callees() {
    std::uint64_t callees = 0;
    for (const Function& function : module_.functions) {
      callees += function.is_kernel ? 0 : function.local_bytes;
    }
    constexpr std::uint64_t kMost = 512 * 1024;
    for (std::size_t i = 0; i < module_.functions.size(); ++i) {
      Function& function = module_.functions[i];
      if (function.is_kernel && !listed_.functions[i].local_bytes && callees <= kMost) {
        function.stack_bytes = static_cast<std::uint32_t>(function.local_bytes + callees);
      }
    }
  }

  ListedCode listed_;
  Module module_;
  std::map<std::string, std::uint32_t> files_;
};

}  // namespace

bool is_listing_text(std::string_view beginning) {
  return beginning.find('\0') == beginning.npos && frontend::sass::is_listing(beginning);
}

void for_each_listed(std::string_view text,
                     const std::function<void(std::string_view part, std::uint32_t line)>& take) {
  constexpr std::string_view kBegins[] = {"Fatbin elf code:", "code for sm_"};
  std::size_t begin = 0;
  std::uint32_t first_line = 1;
  std::uint32_t line = 1;
  bool has_code = false;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view words = text.substr(at, end - at);
    words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
    if (has_code && std::ranges::any_of(kBegins, [&](std::string_view mark) { return words.starts_with(mark); })) {
      take(text.substr(begin, at - begin), first_line);
      begin = at;
      first_line = line;
      has_code = false;
    }
    has_code = has_code || words.starts_with("/*");
    at = end + 1;
  }
  take(text.substr(begin), first_line);
}

Module read_listed(std::string_view text, const std::string& name, std::uint32_t first_line) {
  return ListedModule(text, name, first_line).run();
}

}  // namespace gpusim::cubin
