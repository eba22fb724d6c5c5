// SPDX-License-Identifier: MIT
// Rows of tables of keys: what a key of a T is called, its unit and range, and the member that it sets. Reading,
// messages and documents walk such tables.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/words.h"

namespace gpusim::system {

/// One key of a T. `key.path` is its name within the T.
template <class T>
struct KeyRow {
  arch::Key key;
  void (*set)(T& of, const arch::Value& value);
  std::uint64_t (*get)(const T& of) = nullptr;  ///< where a T has a number without being given one
};

/// All keys of a T, in the order in which files list them.
template <class T>
[[nodiscard]] std::span<const KeyRow<T>> keys_of();

/// A key with a number; `least` and `most` are in the base unit.
template <class T>
KeyRow<T> number(const char* name, arch::Unit unit, std::uint64_t least, std::uint64_t most, const char* meaning,
                 void (*set)(T&, const arch::Value&), bool required = true) {
  return {{name, unit, least, most, meaning, arch::PeakField{0}, {}, required}, set};
}

/// A key that takes one of the words of an enumeration, the member's type.
template <auto member>
struct Choice;
template <class T, class E, E T::*member>
struct Choice<member> {
  static void set(T& of, const arch::Value& value) { of.*member = arch::value_of<E>(value.word); }
  static KeyRow<T> row(const char* name, const char* meaning, bool required = true) {
    const auto words = arch::all_words<E>();
    return {{name, arch::Unit::kText, 0, 0, meaning, arch::PeakField{0}, {words.begin(), words.end()}, required}, &set};
  }
};

/// A key that is a number of the member's type.
template <auto member>
struct Whole;
template <class T, class N, N T::*member>
struct Whole<member> {
  static void set(T& of, const arch::Value& value) { of.*member = static_cast<N>(value.number.numerator); }
  static std::uint64_t get(const T& of) { return of.*member; }
};

/// The table as Markdown.
template <class T>
std::string key_table(const char* title, const char* intro) {
  std::string text = "### " + std::string(title) + "\n\n" + intro +
                     "\n\n| key | value | allowed | meaning |\n| --- | --- | --- | --- |\n";
  for (const KeyRow<T>& row : keys_of<T>()) {
    const std::string allowed = arch::allowed_values(row.key);
    text += "| `" + row.key.path + "`" + (row.key.required ? "" : " (optional)") + " | " +
            std::string(arch::unit_meaning(row.key.unit)) + " | " + (allowed.empty() ? "any" : allowed) + " | " +
            row.key.meaning + " |\n";
  }
  return text;
}

}  // namespace gpusim::system
