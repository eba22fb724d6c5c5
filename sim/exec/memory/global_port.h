// SPDX-License-Identifier: MIT
// The interpreter's way to global memory: one call per warp instruction. DirectPort changes the memory at once. A
// simulation that runs SMs in parallel gives each SM a port of its own, which keeps stores and atomics back until a
// window ends.
#pragma once

#include <cstdint>
#include <span>

#include "sim/exec/memory/fault.h"
#include "sim/exec/memory/global_memory.h"
#include "sim/exec/memory/rows.h"

namespace gpusim::exec {

struct AtomicAccess;

/// What one warp instruction loads or stores: `bytes` (1, 2, 4, 8 or 16) at each lane's address.
struct LaneAccess {
  const AddressRow& addresses;
  LaneMask mask = 0;  ///< not empty
  unsigned bytes = 4;
};

/// Every function throws AccessFault for a lane whose access is misaligned or leaves its buffer; nothing has changed
/// then.
class GlobalPort {
 public:
  virtual ~GlobalPort() = default;
  /// Fills the lanes of the mask: one row for up to 4 bytes, which are zero-extended, 2 rows for 8 bytes, 4 for 16.
  virtual void load(const LaneAccess& access, std::uint32_t* rows) = 0;
  /// Takes the values from rows as load() fills them.
  virtual void store(const LaneAccess& access, const std::uint32_t* rows) = 0;
  /// Applies it, or keeps a copy and applies it later. Its results may be missing until then: a port that defers
  /// it has to apply it before an instruction that waits for them issues.
  virtual void atomic(const AtomicAccess& access) = 0;
  /// Bulk copies (TMA). Lane 0 stands for the copy in messages.
  virtual void read(Address address, std::span<std::byte> into) = 0;
  virtual void write(Address address, std::span<const std::byte> from) = 0;
};

/// Throws AccessFault for the lowest lane whose access is misaligned or is not in one buffer.
void check_lanes(const GlobalMemory& memory, const LaneAccess& access, AccessKind kind);
/// Throws AccessFault of lane 0 unless all of the bytes are in one buffer.
void require_inside(const GlobalMemory& memory, Address address, std::uint64_t bytes, AccessKind kind);

/// Changes the memory at once.
class DirectPort final : public GlobalPort {
 public:
  explicit DirectPort(GlobalMemory& memory) : memory_(memory) {}
  void load(const LaneAccess& access, std::uint32_t* rows) override;
  void store(const LaneAccess& access, const std::uint32_t* rows) override;
  void atomic(const AtomicAccess& access) override;
  void read(Address address, std::span<std::byte> into) override;
  void write(Address address, std::span<const std::byte> from) override;

  /// As check_lanes(), and quick where all lanes are in the buffer of the access before.
  void check(const LaneAccess& access, AccessKind kind) { static_cast<void>(one_buffer(access, kind)); }

 private:
  /// The buffer that all lanes access; null where they access several. Throws AccessFault as load() does.
  const Buffer* one_buffer(const LaneAccess& access, AccessKind kind);

  GlobalMemory& memory_;
  const Buffer* last_ = nullptr;  ///< the buffer of the access before, which is likely to be the next one's
};

}  // namespace gpusim::exec
