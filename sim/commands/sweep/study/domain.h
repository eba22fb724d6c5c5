// SPDX-License-Identifier: MIT
// What values a varied key takes, and how a number becomes a text of it. Internal to the module.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/commands/sweep/study/exact.h"
#include "sim/commands/sweep/study/study.h"
#include "sim/model/arch/schema.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::sweep {

/// A number of a key, in its base unit. Timings are in nanoseconds or in clocks, which `word` tells.
struct Number {
  Exact value;
  std::string word;
  friend bool operator==(const Number&, const Number&) = default;
};

/// A number, or why the text is none.
struct ParsedNumber {
  Number number;
  std::string error;
  std::string hint;
};

/// A key that may be varied.
class Domain {
 public:
  /// Nothing for an unknown key, and for a group of keys.
  [[nodiscard]] static std::optional<Domain> of(std::string_view key);
  /// A key of the study.
  [[nodiscard]] static std::optional<Domain> of(std::string_view key, const Study& study);

  [[nodiscard]] const std::string& key() const { return row_.path; }
  [[nodiscard]] bool is_parameter() const { return is_parameter_; }
  [[nodiscard]] bool is_bandwidth() const { return row_.path == kBandwidthKey; }
  [[nodiscard]] std::string_view parameter() const { return std::string_view(row_.path).substr(kParamPrefix.size()); }
  [[nodiscard]] arch::Unit unit() const { return row_.unit; }
  /// Has it numbers, which ranges and factors need? Texts, lists and peaks have not.
  [[nodiscard]] bool is_numeric() const;
  /// Is a value a list, which may stand in brackets because it has commas?
  [[nodiscard]] bool is_list() const { return arch::is_list(row_.unit); }
  /// Are there no values between n and n + 1 that one might mean by a range without a step?
  [[nodiscard]] bool counts() const;

  /// A value as written, within the key's range.
  [[nodiscard]] ParsedNumber parse(std::string_view text) const { return parse(text, row_); }
  /// The distance between two values: any size.
  [[nodiscard]] ParsedNumber parse_step(std::string_view text) const;

  /// A computed number as --set or --param takes it: "66", "1.5 GiB", "4190.4 GB/s". What does not come out whole is
  /// rounded: counts to the next whole number, sizes within a thousandth to a multiple of a power of two, what has SI
  /// units to six digits. So is what is `rough` (a logarithmic step). Sizes are a multiple of `granule`.
  [[nodiscard]] std::string text(const Number& number, bool rough, std::uint64_t granule) const;

 private:
  Domain(arch::Key row, bool is_parameter) : row_(std::move(row)), is_parameter_(is_parameter) {}
  [[nodiscard]] ParsedNumber parse(std::string_view text, const arch::Key& row) const;

  arch::Key row_;
  bool is_parameter_;
};

/// The computed peak of the DRAM in bytes a second, exactly.
[[nodiscard]] Exact dram_bandwidth(const arch::Arch& arch);

}  // namespace gpusim::sweep
