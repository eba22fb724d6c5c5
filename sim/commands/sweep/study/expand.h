// SPDX-License-Identifier: MIT
// From a study and its base architectures to points: what to --set and which --param to pass for each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/commands/sweep/study/study.h"

namespace gpusim::arch {
struct Override;
struct Resolved;
}  // namespace gpusim::arch

namespace gpusim::sweep {

class BaseValues;

/// What one axis is at one point.
struct Setting {
  std::string key;       ///< key of the axis: "sm.count", "dram.bandwidth", "param.seq"
  std::string text;      ///< as --set or --param takes it: "160", "4190.4 GB/s"
  bool is_base = false;  ///< the base's own value ("1x", the base point): to be set only where another axis moves it
  friend bool operator==(const Setting&, const Setting&) = default;
};

/// One combination. `settings` has one element per axis, in their order.
struct Point {
  std::size_t arch = 0;   ///< index into Study::archs
  std::size_t trace = 0;  ///< index into Study::traces
  std::vector<Setting> settings;
  friend bool operator==(const Point&, const Point&) = default;
};

/// A sweep of more points is refused.
inline constexpr std::uint64_t kMostPoints = 1'000'000;
/// A sweep of more points wants to be confirmed.
inline constexpr std::uint64_t kAskAbove = 1000;

class AxisResolver;

/// All points of a study, made when asked for: memory goes with the values of the axes (and the draws of --random),
/// never with the size of a grid. The order is fixed: for each trace, for each architecture, the combinations; in a
/// grid the last axis moves fastest. The same study and bases give the same points on every machine.
class Plan {
 public:
  /// `archs` are Study::archs resolved with Study::set (base values of factors are what `gpusim arch show` prints of
  /// them), `traces` the parameters of Study::traces loaded with Study::param and test_params. Throws InputError with
  /// all problems: those of check(), a parameter that a trace lacks, a word that it does not know, a factor of what has
  /// no number, axes of unequal lengths to zip.
  Plan(const Study& study, std::span<const arch::Resolved> archs, std::span<const Parameters> traces,
       const Locate& locate = on_command_line);

  /// The same for a study of steps, whose keys are those of its key book.
  Plan(const Study& study, const BaseValues& bases, const Locate& locate = on_command_line);

  /// Number of points; saturates at 2^64 - 1. Conditions are not applied: they need each point's architecture.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Point `index` < size(), of a plan of at most kMostPoints.
  [[nodiscard]] Point operator[](std::uint64_t index) const;

 private:
  /// The points of one architecture with one trace.
  struct Block {
    std::size_t arch = 0;
    std::size_t trace = 0;
    std::uint64_t first = 0;  ///< index of its first point
    std::uint64_t size = 0;
    std::uint64_t grid = 1;                  ///< combinations of all values
    std::vector<std::vector<Setting>> axes;  ///< values by axis
    std::vector<Setting> base;
    std::vector<std::uint64_t> drawn;  ///< for kRandom: indices into the grid, as they were drawn
  };

  void add_axis(const AxisResolver& resolver, std::vector<Setting> settings, Block& block) const;
  void close(Block block, std::uint64_t random_count);
  /// A block for each trace and architecture, with the axes that `fill` adds.
  template <class Fill>
  void add_blocks(const Study& study, const Fill& fill);
  void draw_all(std::uint64_t seed, const Locate& locate);
  [[nodiscard]] std::vector<Setting> settings_of(const Block& block, std::uint64_t index) const;

  Combination combination_;
  std::vector<Block> blocks_;
  std::uint64_t size_ = 0;
};

/// Everything to --set at a point: Study::set, then the axes that are not at their base.
[[nodiscard]] std::vector<arch::Override> overrides_of(const Study& study, const Point& point);

/// What an architecture has for a key, as --set takes it; of dram.bandwidth what is computed. Empty where it has none.
[[nodiscard]] std::string text_of_key(const arch::Resolved& arch, std::string_view key);

/// Keys of which `is` has another text than `was`, with that text, dram.bandwidth among them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> changed_keys(const arch::Resolved& was,
                                                                            const arch::Resolved& is);

/// What to --set besides, because it was carried along in `resolved`, the architecture with overrides_of(): an axis at
/// its base value stays there.
[[nodiscard]] std::vector<arch::Override> held_back(const Point& point, const arch::Resolved& base,
                                                    const arch::Resolved& resolved);

/// Everything to pass as --param at a point: Study::param, then the axes.
[[nodiscard]] Choices parameters_of(const Study& study, const Point& point);

}  // namespace gpusim::sweep
