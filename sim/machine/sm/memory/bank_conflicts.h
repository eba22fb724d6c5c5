// SPDX-License-Identifier: MIT
// Bank conflicts: how many passes (wavefronts) the lanes of an access take through the 32 banks of shared memory and of
// L1's data. Owns a cache of results, because a program's accesses repeat few patterns.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/trace/step.h"

namespace gpusim::sm {

/// What an access to shared memory takes.
struct SharedPasses {
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal_wavefronts = 0;  ///< what the bytes alone need
  std::uint32_t bytes = 0;
  /// What wavefronts would be if no lanes shared a place in the reply: they make the latency of a load.
  std::uint32_t unpacked_wavefronts = 0;
};

/// What a global access does in the L1's data stage when it gets there.
enum class DataPath : std::uint8_t {
  kReads,        ///< a load that may hit: its lanes' words come out of the banks
  kWrites,       ///< a store: its bytes pass through
  kAtomics,      ///< the same of an atomic or a reduction
  kSkips,        ///< a load or copy that goes to L2 at once: nothing to read yet
  kLocalReads,   ///< local memory: a word of each lane has a bank of its own
  kLocalWrites,  ///< the same of a store
};
[[nodiscard]] constexpr bool is_local(DataPath path) {
  return path >= DataPath::kLocalReads;
}

/// Local memory is laid out word by word across the lanes of a warp, so that a word of all lanes is a line
/// ("consecutive 32-bit words are accessed by consecutive thread IDs", CUDA C++ Programming Guide). A thread's address
/// says how many bytes come before it in the local memories of all warps, counted in one lane.
inline constexpr std::uint32_t kLocalWordBytes = 4;

/// Width of a lane's access in bytes; matrices > 0: LDSM or STSM, whose lanes name 16-byte rows.
struct AccessWidth {
  std::uint8_t bytes_per_lane = 4;
  std::uint8_t matrices = 0;
  DataPath path = DataPath::kReads;  ///< for global accesses
  bool serial = false;               ///< for shared accesses: lanes on one word take a pass each, as atomics do
  bool packs = false;                ///< for shared accesses: a load, whose reply packs pairs of lanes on one address
};

/// Passes through 32 banks of 4 bytes: lanes of one phase (a full warp for up to 4 bytes a lane, a half for 8, a
/// quarter for 16, eight rows for a matrix) that touch different words of one bank take one pass each; equal words are
/// broadcast, unless lanes are serial. Loads of 8 and 16 bytes whose active lanes n and n^1 all have one address, or n
/// and n^2, take two phases in one: the reply to both lanes of a pair is packed (NVIDIA's answer to "Unexpected shared
/// memory bank conflict" in its developer forum, of compute capability 7.x; on sm_80 and sm_90 Nsight Compute counts
/// so, docs/model/load-store.md).
[[nodiscard]] SharedPasses passes_of(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width);

/// The same without what only shared memory has: no pass where no lane gives an address.
[[nodiscard]] std::uint32_t bank_passes(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width);
/// Bytes that the lanes ask for.
[[nodiscard]] std::uint32_t lane_bytes(LaneMask mask, AccessWidth width);

/// Lanes that one pass through the banks serves.
[[nodiscard]] std::uint32_t lanes_a_phase(AccessWidth width);

/// What decides how lanes fall on lines and banks, wherever the access begins: two accesses with one key differ only by
/// whole multiples of a line.
struct PatternKey {
  std::uint64_t lanes = std::uint64_t{trace::LaneAddresses::kNoPattern} << 32;  ///< the pattern, and the active lanes
  std::uint64_t width = 0;  ///< width of an access, and its base's offset in a line (for local memory: in a word)

  [[nodiscard]] static PatternKey of(const trace::LaneAddresses& addresses, LaneMask mask, const AccessWidth& width) {
    // Both sizes are powers of two: a mask is much cheaper than a division by a size that is chosen at run time.
    static_assert(std::has_single_bit(kLocalWordBytes) && std::has_single_bit(kLineBytes));
    const std::uint64_t offset = addresses.base & ((is_local(width.path) ? kLocalWordBytes : kLineBytes) - 1);
    return {std::uint64_t{addresses.pattern} << 32 | mask,
            offset | std::uint64_t{width.bytes_per_lane} << 8 | std::uint64_t{width.matrices} << 16 |
                std::uint64_t{static_cast<std::uint8_t>(width.path)} << 24 | std::uint64_t{width.serial} << 32 |
                std::uint64_t{width.packs} << 33};
  }
  /// Below 2^`bits`.
  [[nodiscard]] std::size_t slot(unsigned bits) const {
    return (lanes * 0x9e3779b97f4a7c15ULL ^ width * 0xc2b2ae3d27d4eb4fULL) >> (64 - bits);
  }
  friend bool operator==(const PatternKey&, const PatternKey&) = default;
};

/// Remembers the passes of accesses by pattern. Not shared between threads, nor between kernels.
class BankConflictCache {
 public:
  BankConflictCache();

  /// As the function of this name.
  [[nodiscard]] SharedPasses passes_of(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width);

 private:
  static constexpr unsigned kEntryBits = 10;

  struct Entry {
    PatternKey key;
    SharedPasses passes;
  };

  std::vector<Entry> entries_;
};

}  // namespace gpusim::sm
