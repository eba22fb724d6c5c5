// SPDX-License-Identifier: MIT
// An architecture file as written: each key's text, kind, sources and place, after `extends` and before units are
// parsed. The only part that sees YAML; overrides and dumps work on it, so that both keep the provenance of values.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/source_kind.h"

namespace gpusim::arch {

/// The text of one value. `sources` are keys of Sheet::sources, or explanations (anything with a blank).
struct Entry {
  std::string text;
  SourceKind kind = SourceKind::kGuess;
  std::vector<std::string> sources;
  SourceLocation where;
  bool unreadable = false;  ///< a problem with the value is reported already; no rule may use it
};

class Sheet {
 public:
  Sheet();

  /// The entry of schema()[index]; null when the files say nothing.
  [[nodiscard]] const Entry* find(std::size_t index) const { return entries_[index] ? &*entries_[index] : nullptr; }
  [[nodiscard]] const Entry* find(std::string_view path) const;

  /// Replaces what a base file said. A timing class marked unsupported and its numbers exclude each other: the later
  /// wins.
  void put(std::size_t index, Entry entry);

  /// No rule may use the entry of schema()[index], which is there.
  void mark_unreadable(std::size_t index) { entries_[index]->unreadable = true; }

  /// Forgets the vendor's figures and the price, which are those of another GPU.
  void drop_own_figures();

  std::map<std::string, std::string> sources;  ///< key -> citation
  std::string file;                            ///< as given, for messages

 private:
  std::vector<std::optional<Entry>> entries_;
};

/// Source words that need no entry under `sources:`.
inline constexpr std::string_view kUserSource = "user";
inline constexpr std::string_view kSetSource = "--set";

/// Reads a file and what it extends; a base that is not beside it is searched in `folders`. Problems of form, unknown
/// keys, kinds and sources are added to `problems`.
[[nodiscard]] Sheet read_sheet(const std::filesystem::path& file, std::span<const std::filesystem::path> folders,
                               ProblemList& problems);

/// The citations that a value names; a base may define more.
[[nodiscard]] std::map<std::string, std::string> used_sources(const Sheet& sheet);

/// A sheet as a file of its own, without `extends`.
[[nodiscard]] std::string write_sheet(const Sheet& sheet);

}  // namespace gpusim::arch
