// SPDX-License-Identifier: MIT
// What 32 lane addresses become: the lines and sectors a global access touches, the passes (wavefronts) an access takes
// through the banks. Pure functions of addresses and masks, and a small cache of their results, because a program's
// accesses repeat few shapes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/trace/walker.h"

namespace gpusim::sm {

/// One line of a global access.
struct LineAccess {
  std::int64_t line = 0;     ///< byte address of the line, or its distance from the access's base line
  std::uint8_t sectors = 0;  ///< mask of sectors touched
  std::uint8_t full = 0;     ///< mask of sectors all of whose bytes are touched
  std::uint8_t lanes = 0;    ///< lanes that touch the line
  std::uint8_t passes = 0;   ///< of atomics: the sum over its sectors of the lanes on the most wanted word of each
  std::uint8_t depth = 0;    ///< of atomics: lanes on its most wanted word
};

/// A lane's access is at most 16 bytes and so touches at most two lines of global memory.
inline constexpr std::size_t kMaxGlobalLines = 2 * kWarpLanes;
/// And at most four of local memory, whose words lie in a line each.
inline constexpr std::size_t kMaxLines = 2 * kMaxGlobalLines;

struct GlobalShape {
  std::uint32_t line_count = 0;
  std::uint32_t wavefronts = 0;  ///< cycles in the L1 data stage
  std::uint32_t bytes = 0;       ///< that lanes asked for
  std::uint32_t sectors = 0;     ///< of all lines
  std::array<LineAccess, kMaxLines> lines;
};

struct SharedShape {
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal_wavefronts = 0;  ///< what the bytes alone need
  std::uint32_t bytes = 0;
};

/// What a global access does in the L1's data stage when it gets there.
enum class DataPath : std::uint8_t {
  kReads,        ///< a load that may hit: its lanes' words come out of the banks
  kWrites,       ///< a store: its bytes pass through
  kAtomics,      ///< the same of an atomic or a reduction
  kSkips,        ///< a load or copy that goes to L2 at once: nothing to read yet
  kLocalReads,   ///< of local memory: a word of each lane has a bank of its own
  kLocalWrites,  ///< the same of a store
};
[[nodiscard]] constexpr bool is_local(DataPath path) {
  return path >= DataPath::kLocalReads;
}

/// Local memory is laid out word by word across the lanes of a warp, so that a word of all lanes is a line
/// ("consecutive 32-bit words are accessed by consecutive thread IDs", CUDA C++ Programming Guide). A thread's address
/// says how many bytes come before it in the local memories of all warps, counted in one lane.
inline constexpr std::uint32_t kLocalWordBytes = 4;
[[nodiscard]] constexpr Address local_line(Address of_thread) {
  return of_thread / kLocalWordBytes * kLineBytes;
}

/// Width of a lane's access in bytes; matrices > 0: LDSM or STSM, whose lanes name 16-byte rows.
struct AccessWidth {
  std::uint8_t bytes_per_lane = 4;
  std::uint8_t matrices = 0;
  DataPath path = DataPath::kReads;  ///< of global accesses
  bool serial = false;               ///< of shared accesses: lanes on one word take a pass each, as atomics do
};

struct L1DataStage {
  std::uint32_t tag_lines_per_cycle = 4;  ///< banks of tags; a power of two
  std::uint32_t bytes_per_cycle = 128;
};

/// The bank of tags a line is looked up in: the exclusive or of its number's digits, in base `banks`. It gives the tag
/// wavefronts of 130 strides on A100 and A40 within 9 %, but for those of two and three lines (te42kyfo/gpu-benches,
/// gpu-strides).
[[nodiscard]] std::uint32_t tag_bank(std::uint64_t line_number, std::uint32_t banks);

/// Lines in order of their first lane; of local accesses `addresses` are of threads. An access without lanes has no
/// line and no wavefront.
void shape_global(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width, const L1DataStage& stage,
                  GlobalShape& shape);

/// Passes through 32 banks of 4 bytes: lanes of one phase (a full warp for up to 4 bytes a lane, a half for 8, a
/// quarter for 16, eight rows for a matrix) that touch different words of one bank take one pass each; equal words are
/// broadcast, unless lanes are serial.
[[nodiscard]] SharedShape shape_shared(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width);

/// Lanes that one pass through the banks serves.
[[nodiscard]] std::uint32_t lanes_a_phase(AccessWidth width);

/// Remembers shapes by (pattern, mask, base modulo a line, width). Not shared between threads, nor between kernels:
/// each kernel numbers its patterns anew.
class ShapeCache {
 public:
  ShapeCache();

  /// As shape_global, with absolute line addresses.
  void global(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width, const L1DataStage& stage,
              GlobalShape& shape);
  [[nodiscard]] SharedShape shared(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width);

 private:
  static constexpr std::size_t kEntries = 1024;
  static constexpr std::size_t kMostLines = 8;  ///< wider shapes are not remembered

  struct Key {
    std::uint32_t pattern = trace::LaneAddresses::kNoPattern;
    LaneMask mask = 0;
    std::uint8_t offset = 0;
    std::uint8_t bytes_per_lane = 0;
    std::uint8_t matrices = 0;
    DataPath path = DataPath::kReads;
    bool serial = false;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct GlobalEntry {
    Key key;
    std::uint32_t line_count = 0;
    std::uint32_t data_cycles = 0;
    std::uint32_t bytes = 0;
    std::uint32_t sectors = 0;
    std::array<LineAccess, kMostLines> lines;
  };
  struct SharedEntry {
    Key key;
    SharedShape shape;
  };
  static Key key_of(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width);
  static std::size_t index_of(const Key& key);

  std::vector<GlobalEntry> global_;
  std::vector<SharedEntry> shared_;
};

}  // namespace gpusim::sm
