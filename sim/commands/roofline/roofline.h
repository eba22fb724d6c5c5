// SPDX-License-Identifier: MIT
// The roofline: work of so many FLOPs and bytes runs at most at intensity x bandwidth, and at most at the peak.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/arch/words.h"

namespace gpusim::arch {
struct Arch;
struct Guess;
}  // namespace gpusim::arch

namespace gpusim::roofline {

/// A rate that the machine does not exceed.
struct Ceiling {
  std::string name;   ///< name of the peak: "bf16_tensor", "dram"
  double rate = 0;    ///< FLOP/s or op/s; of a memory level bytes/s
  std::string clock;  ///< the clock it holds at: "tensor_boost"
  double hertz = 0;   ///< frequency of that clock
  arch::PeakUnit unit{};
};

struct Roofs {
  std::string machine;
  std::vector<Ceiling> compute;  ///< a Work names the one it is under
  std::vector<Ceiling> levels;   ///< levels of memory, DRAM first
  std::size_t level = 0;         ///< the one whose bytes are counted

  [[nodiscard]] double bandwidth() const { return levels[level].rate; }
  /// FLOP/byte at which a level's slope meets a flat roof.
  [[nodiscard]] static double ridge(const Ceiling& compute, const Ceiling& level) { return compute.rate / level.rate; }
};

enum class ClockChoice : std::uint8_t {
  kVendor,  ///< each peak at the clock that the vendor quotes it at
  kSm       ///< what runs with the SMs, at the clock that is simulated
};

struct Request {
  std::string type;  ///< a peak's name, or "bf16" for "bf16_tensor"; empty: BF16, or FP16 where the GPU has no BF16
  bool sparse = false;
  std::string level = "dram";
  ClockChoice clock = ClockChoice::kVendor;
};

/// Throws UsageError for a type or a level that nobody has, InputError for one that this GPU lacks.
[[nodiscard]] Roofs make_roofs(const arch::Arch& arch, const Request& request);

/// Keys of the architecture file that the flat roofs and the chosen level are computed from.
[[nodiscard]] std::vector<std::string> keys_behind(const Roofs& roofs);

/// What the architecture file guesses or infers and the flat roof and the chosen level rest on.
[[nodiscard]] std::vector<arch::Guess> guesses_behind(const arch::Arch& arch, const Roofs& roofs);

/// Bytes of an element in memory: 0.5 for FP4, 4 for TF32. `peak` is a name of Roofs::compute.
[[nodiscard]] double element_bytes(std::string_view peak);

struct Work {
  std::string name;
  double flops = 0;         ///< above 0
  double bytes = 0;         ///< above 0, to and from Roofs::level
  std::size_t compute = 0;  ///< index into Roofs::compute
  double seconds = 0;       ///< it took; 0 unknown
};

enum class Bound : std::uint8_t { kMemory, kCompute };
[[nodiscard]] std::string_view to_text(Bound bound);

/// FLOP/byte for a reader: "0.167", "60.9", "1,171".
[[nodiscard]] std::string intensity_text(double intensity);

struct Estimate {
  double intensity = 0;  ///< FLOP/byte
  double ridge = 0;      ///< where the roofs of the counted level and of the type meet, FLOP/byte
  Bound bound = Bound::kMemory;
  double attainable = 0;  ///< FLOP/s
  double seconds = 0;     ///< the least possible
  double peak_pct = 0;    ///< attainable, of the flat roof
};
[[nodiscard]] Estimate estimate(const Roofs& roofs, const Work& work);

}  // namespace gpusim::roofline
