// SPDX-License-Identifier: MIT
// The one table of every key an architecture file may hold: its unit, range, meaning and field of Arch. Loading,
// overrides, dumps and the generated documentation all walk it, so that a key exists everywhere or nowhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/ratio.h"
#include "sim/model/isa/instr.h"

namespace gpusim::arch {

struct Arch;

/// What kind of text a key's value is (value.h parses it).
enum class Unit : std::uint8_t {
  kText,
  kCount,
  kBytes,
  kHertz,
  kNanoseconds,
  kCycles,
  kBytesPerCycle,
  kBytesPerSecond,
  kBits,
  kPercent,
  kWatts,   ///< milliwatts
  kEnergy,  ///< femtojoules
  kRatio,
  kTiming,       ///< nanoseconds, or DRAM clocks
  kByteList,     ///< ascending sizes
  kHertzList,    ///< frequencies, none above the one before
  kPeak,         ///< a rate and the clock it is quoted at
  kUnsupported,  ///< the word "unsupported"
};

/// What of the machine a key describes. From it follow whether a kernel's run depends on the key at all (aspects that
/// only some kernels use), and on which values the time of a kernel rests that one unit bounds.
enum class Aspect : std::uint8_t {
  kDescription,  ///< neither a simulation nor its result depends on it: vendor's peaks, links out of the GPU, the price
  kIdentity,     ///< a result repeats it; no time depends on it
  kSmClock,
  kMemoryClock,
  kGpcs,       ///< SMs, and how they form GPCs
  kResidency,  ///< how many CTAs fit an SM
  kCarveout,   ///< what L1 and shared memory have together
  kScheduler,
  kPolicyOption,  ///< what one scheduling policy takes, and the others do not
  kFetch,
  kConstants,
  kRegisters,
  kTiming,      ///< a timing class (TimingField)
  kTensor,      ///< tensor cores
  kTensorRate,  ///< their rate for one class of FLOPs (Key::flops)
  kLsu,
  kShared,
  kL1,
  kMbarrier,
  kTma,
  kWgmma,
  kBarrier,
  kNoc,          ///< how far parts are from each other
  kNocWidth,     ///< bytes that its ports pass in a cycle
  kCluster,      ///< only kernels with clusters depend on it, and only GPUs that have clusters need it
  kTranslation,  ///< whether addresses are translated
  kTlb,          ///< how, where they are
  kL2,
  kL2Queue,  ///< what an L2 slice holds for DRAM
  kAtomics,
  kWindow,  ///< access policy windows
  kDram,
  kDramRows,  ///< what opening DRAM's rows and keeping its buses busy takes
  kLaunch
};

/// A member of a timing class's row.
struct TimingField {
  enum class Part : std::uint8_t { kLatency, kInterval, kUnsupported };
  std::size_t timing_class;
  Part part;
};

/// A vendor's peak: index into peak_infos() (peaks.h).
struct PeakField {
  std::size_t peak;
};

/// An enumeration with a list of words (words.h).
struct ChoiceField {
  std::size_t words;  ///< how many
  std::string_view (*word)(std::size_t);
  void (*set)(Arch&, std::size_t word);
  std::string_view (*name)(Arch&);
};

using Field =
    std::variant<std::uint32_t& (*)(Arch&), std::uint64_t& (*)(Arch&), std::string& (*)(Arch&),
                 std::vector<std::uint64_t>& (*)(Arch&), Ratio& (*)(Arch&), ChoiceField, TimingField, PeakField>;

/// One key. `min` and `max` are in the base unit (bytes, hertz, cycles, ...), both allowed.
struct Key {
  std::string path;
  Unit unit;
  std::uint64_t min;
  std::uint64_t max;
  std::string meaning;
  Field field;
  std::vector<std::string_view> choices;  ///< words that a text may have; empty: any text
  bool required = true;
  bool has_source = true;  ///< false: names, which need no provenance
  bool is_given = false;   ///< stated by the user, of kind given and with a date; of no other key
  Aspect aspect = Aspect::kDescription;
  isa::FlopClass flops = isa::FlopClass::kNone;  ///< for kTensorRate; kNone: no instruction is counted so
};

/// All keys, groups together, in the order in which files list them.
[[nodiscard]] std::span<const Key> schema();

/// Whether values of the unit are lists.
[[nodiscard]] constexpr bool is_list(Unit unit) {
  return unit == Unit::kByteList || unit == Unit::kHertzList;
}

/// Index of a key in schema().
[[nodiscard]] std::optional<std::size_t> find_key(std::string_view path);

/// Is `path` the path of a group ("sm.l1")?
[[nodiscard]] bool is_group(std::string_view path);

/// Whether a simulation or its result depends on the key. What a GPU is called and compared by does not count: the
/// description, the vendor's peaks, the links to other devices, the price.
[[nodiscard]] bool is_simulated(std::string_view path);

/// Last words of the keys and groups directly below a group; "" is the top.
[[nodiscard]] std::vector<std::string_view> children_of(std::string_view group);

}  // namespace gpusim::arch
