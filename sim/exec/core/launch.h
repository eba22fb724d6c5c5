// SPDX-License-Identifier: MIT
// A kernel's launch, and the module it comes from as loaded onto a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/types.h"
#include "sim/code/cubin/module.h"
#include "sim/exec/memory/global_memory.h"

namespace gpusim::exec {

/// What a launch says beside the kernel.
struct Launch {
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  /// The parameters as they stand in constant bank 0, from cubin::Function::parameter_base on; shorter ones are filled
  /// with zeros.
  std::vector<std::byte> parameters;
  /// Local memory of a thread, its stack included; 0: what the kernel says, and 1 KiB where it calls itself, as
  /// cudaLimitStackSize is by default.
  std::uint32_t local_bytes = 0;
};

/// What stands for the address of a symbol that the module does not define.
inline constexpr Address kUndefined = Address{0xdead} << 48;

/// A module whose variables have addresses and whose constant banks are filled in. `module` must outlive it.
class LoadedModule {
 public:
  /// Allocates and fills the module's variables in `memory`. Throws InputError for a relocation that is not
  /// known.
  LoadedModule(const cubin::Module& module, GlobalMemory& memory);

  [[nodiscard]] const cubin::Module& module() const { return module_; }
  /// Contents of the banks that all functions share, by number: 3 (__constant__), 4.
  [[nodiscard]] const std::map<std::uint32_t, std::string>& banks() const { return banks_; }
  /// The constant banks that a function sees: the shared ones, and its own in their place where it has some.
  [[nodiscard]] std::map<std::uint32_t, std::string> banks_of(const cubin::Function& function) const;
  /// Where a __device__ variable lies; null when there is none of this name.
  [[nodiscard]] const Address* variable(std::string_view name) const;

 private:
  void fill_in(std::string& bank, const std::vector<cubin::Fixup>& fixups) const;

  const cubin::Module& module_;
  std::map<std::string, Address, std::less<>> variables_;
  std::map<std::uint32_t, std::string> banks_;
};

}  // namespace gpusim::exec
