// SPDX-License-Identifier: MIT
// An SM's way to global memory while SMs run side by side: its stores and atomics are kept, and done when all of them
// are exchanged. What it loads itself shows its own at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/exec/memory/atomic.h"
#include "sim/exec/memory/global_port.h"
#include "sim/exec/trace/own_stores.h"

namespace gpusim::exec {

/// Something that changes memory, and when it issued.
struct KeptAccess {
  enum class Kind : std::uint8_t { kStore, kAtomic, kBytes };
  Kind kind = Kind::kStore;
  std::uint8_t bytes = 0;   ///< kStore: of each lane
  LaneMask mask = 0;        ///< kStore
  std::uint32_t first = 0;  ///< kStore: of its values in the port's words; kAtomic: number; kBytes: in the words
  std::uint64_t count = 0;  ///< kBytes
  Cycle at = 0;
  AddressRow addresses;  ///< kBytes: the first one's alone
};

class WindowPort final : public GlobalPort {
 public:
  explicit WindowPort(GlobalMemory& memory) : direct_(memory) {}

  void load(const LaneAccess& access, std::uint32_t* rows) override;
  void store(const LaneAccess& access, const std::uint32_t* rows) override;
  void atomic(const AtomicAccess& access) override;
  void read(Address address, std::span<std::byte> into) override;
  void write(Address address, std::span<const std::byte> from) override;

  /// What has been kept since the last call happened at `now`.
  void stamp(Cycle now) {
    for (; stamped_ < kept_.size(); ++stamped_) {
      kept_[stamped_].at = now;
    }
  }
  [[nodiscard]] const std::vector<KeptAccess>& kept() const { return kept_; }
  /// Does one of them. Nothing else changes the memory meanwhile.
  void apply(const KeptAccess& access);
  /// All have been done.
  void clear();

 private:
  void put_lanes(const LaneAccess& access, const std::uint32_t* rows);

  DirectPort direct_;
  OwnStores own_;
  std::vector<KeptAccess> kept_;
  std::size_t stamped_ = 0;
  std::vector<std::uint32_t> words_;
  std::vector<AtomicAccess> atomics_;
};

/// Does what all ports have kept, in the order of time, then of ports, then as each was told.
void exchange(std::span<WindowPort> ports);

}  // namespace gpusim::exec
