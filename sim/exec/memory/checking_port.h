// SPDX-License-Identifier: MIT
// A port for kernels of which only the addresses matter: accesses are checked, and nothing is moved.
#pragma once

#include "sim/exec/memory/atomic.h"
#include "sim/exec/memory/global_port.h"

namespace gpusim::exec {

class CheckingPort final : public GlobalPort {
 public:
  explicit CheckingPort(GlobalMemory& memory) : memory_(memory), direct_(memory) {}
  void load(const LaneAccess& access, std::uint32_t* /*rows*/) override { direct_.check(access, AccessKind::kRead); }
  void store(const LaneAccess& access, const std::uint32_t* /*rows*/) override {
    direct_.check(access, AccessKind::kWrite);
  }
  void atomic(const AtomicAccess& access) override {
    direct_.check({access.addresses, access.mask, access.kind.bytes()}, AccessKind::kAtomic);
  }
  /// Reads what is there: tensor maps may lie in memory.
  void read(Address address, std::span<std::byte> into) override { direct_.read(address, into); }
  void write(Address address, std::span<const std::byte> from) override {
    require_inside(memory_, address, from.size(), AccessKind::kWrite);
  }

 private:
  GlobalMemory& memory_;
  DirectPort direct_;
};

}  // namespace gpusim::exec
