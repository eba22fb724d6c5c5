// SPDX-License-Identifier: MIT
#include "sim/exec/core/launch.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "sim/base/problem.h"

namespace gpusim::exec {
namespace {

/// The relocation that puts a 64-bit address into a bank (measured on cubins of ptxas 13.0).
constexpr std::uint32_t kAddress64 = 2;

}  // namespace

LoadedModule::LoadedModule(const cubin::Module& module, GlobalMemory& memory) : module_(module) {
  for (const cubin::Variable& variable : module.variables) {
    const Address address = memory.allocate(cubin::demangled(variable.name), variable.size);
    variables_.emplace(variable.name, address);
    if (variable.initialised && variable.offset <= module.initialised.size()) {
      const std::string_view bytes = std::string_view(module.initialised).substr(variable.offset, variable.size);
      memory.write(address, std::as_bytes(std::span(bytes)));
    }
  }
  banks_ = module.banks;
  for (auto& [number, bank] : banks_) {
    const auto fixups = module.bank_fixups.find(number);
    if (fixups != module.bank_fixups.end()) {
      fill_in(bank, fixups->second);
    }
  }
}

std::map<std::uint32_t, std::string> LoadedModule::banks_of(const cubin::Function& function) const {
  std::map<std::uint32_t, std::string> banks = banks_;
  for (const auto& [number, content] : function.banks) {
    std::string bank = content;
    const auto fixups = function.bank_fixups.find(number);
    if (fixups != function.bank_fixups.end()) {
      fill_in(bank, fixups->second);
    }
    banks[number] = std::move(bank);
  }
  return banks;
}

const Address* LoadedModule::variable(std::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : &found->second;
}

void LoadedModule::fill_in(std::string& bank, const std::vector<cubin::Fixup>& fixups) const {
  for (const cubin::Fixup& fixup : fixups) {
    const Address* const address = variable(fixup.symbol);
    if (fixup.type != kAddress64 || fixup.offset > bank.size() || bank.size() - fixup.offset < sizeof(Address)) {
      throw InputError(
          Problem{{module_.name, 0, 0},
                  "a constant bank needs the address of \"" + fixup.symbol + "\" in a way that is not known",
                  "relocation type " + std::to_string(fixup.type)});
    }
    // What is not there (printf, malloc) may never be used: its address is of no code and of no buffer.
    const Address value = (address != nullptr ? *address : kUndefined) + static_cast<Address>(fixup.addend);
    std::memcpy(bank.data() + fixup.offset, &value, sizeof value);
  }
}

}  // namespace gpusim::exec
