// SPDX-License-Identifier: MIT
// What follows from a few keys when somebody changes them, by --set or in a file that extends another.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/problem.h"
#include "sim/model/arch/sheet.h"

namespace gpusim::arch {

/// A key whose change carries other keys along.
struct DerivedKey {
  std::string_view key;
  std::string_view meaning;
};

inline constexpr std::array<DerivedKey, 4> kDerivedKeys{{
    {"dram.bandwidth", "scales the pin rate (clocks.memory, dram.command_hz); timings in ns keep their ns"},
    {"clocks.memory", "scales dram.command_hz with it"},
    {"dram.stacks", "scales dram.channels, dram.capacity_bytes, l2.partitions, l2.slices and l2.bytes with it"},
    {"sm.count", "regroups the SMs: noc.gpcs = count / noc.max_sms_per_gpc, rounded up"},
}};

/// Whether the key is not a key of the schema: its value only shows in others.
[[nodiscard]] bool is_derived_key(std::string_view key);

/// Puts a value; one that is only said again keeps its source, because a guess is no better for being repeated.
void put_changed(Sheet& sheet, std::size_t index, Entry entry);

/// One key as somebody gave it.
struct Given {
  std::string text;      ///< its value
  SourceLocation where;  ///< for messages
  std::string name;      ///< "--set sm.count", "'sm.count'": for messages about another key
  std::string why;       ///< the source of the keys that follow from it
};

/// Collects the keys that are given, then adjusts the keys that follow from them and were not given themselves.
class Derivation {
 public:
  /// `sheet` is as it was before the change; `kind` is that of the values that follow.
  Derivation(const Sheet& sheet, SourceKind kind);

  /// False when the key was given before.
  bool give(const std::string& key, Given given);

  /// Adjusts `sheet`, which has the given keys.
  void follow(Sheet& sheet, ProblemList& problems) const;

 private:
  void put(Sheet& sheet, std::string_view path, std::uint64_t number, std::string_view cause) const;
  void follow_stacks(Sheet& sheet, ProblemList& problems) const;
  void follow_count(Sheet& sheet) const;
  void follow_memory_clock(Sheet& sheet) const;
  void follow_bandwidth(Sheet& sheet, ProblemList& problems) const;
  bool refuse_contradiction(Sheet& sheet, ProblemList& problems) const;
  [[nodiscard]] bool was_given(std::string_view path) const { return given_.contains(path); }

  SourceKind kind_;
  std::optional<std::uint64_t> old_count_;
  std::optional<std::uint64_t> old_most_;
  std::optional<std::uint64_t> old_stacks_;
  std::optional<std::uint64_t> old_memory_;
  std::map<std::string, Given, std::less<>> given_;
};

}  // namespace gpusim::arch
