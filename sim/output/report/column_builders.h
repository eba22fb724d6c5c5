// SPDX-License-Identifier: MIT
// How the rows of the table in columns.h are made: a value that was counted or given (and can be read back), or one
// that is derived from it.
#pragma once

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/output/report/columns.h"
#include "sim/output/view/view.h"

namespace gpusim::report {

[[nodiscard]] inline const stats::RunFacts& kept_of(const View& view) {
  return view.run;
}
[[nodiscard]] inline const stats::KernelCounts& kept_of(const KernelView& view) {
  return view.counts;
}

template <class Field>
[[nodiscard]] constexpr ValueKind kind_of() {
  if constexpr (std::is_same_v<Field, bool>) {
    return ValueKind::kBool;
  } else if constexpr (std::is_integral_v<Field>) {
    return ValueKind::kInteger;
  } else if constexpr (std::is_floating_point_v<Field>) {
    return ValueKind::kReal;
  } else if constexpr (std::is_same_v<Field, Dim3>) {
    return ValueKind::kDim;
  } else {
    static_assert(std::is_same_v<Field, std::string>);
    return ValueKind::kText;
  }
}

/// The type that stands for `Field` in a Value.
template <class Field>
using Stored = std::conditional_t<std::is_integral_v<Field> && !std::is_same_v<Field, bool>, std::uint64_t, Field>;

/// A value that is stored as such: `at` maps a (const) Kept& to a (const) reference of the field.
template <class Seen, class Kept, class Access>
[[nodiscard]] BasicColumn<Seen, Kept> given(std::string path, std::string_view unit, std::string_view what, Access at) {
  using Field = std::remove_cvref_t<decltype(at(std::declval<Kept&>()))>;
  BasicColumn<Seen, Kept> column{
      std::move(path),
      kind_of<Field>(),
      std::string(unit),
      std::string(what),
      "",
      [at](const Seen& seen) { return Value(static_cast<Stored<Field>>(at(kept_of(seen)))); },
      [at](Kept& kept, const Value& value) { at(kept) = static_cast<Field>(std::get<Stored<Field>>(value)); }};
  if constexpr (std::is_integral_v<Field>) {
    column.allowed.most = std::numeric_limits<Field>::max();
  }
  return column;
}

/// A value of an enumeration, or an optional one: `words` has the word of each value, and `at` is as in given().
template <class Seen, class Kept, class Access>
[[nodiscard]] BasicColumn<Seen, Kept> worded(std::string path, std::string_view what,
                                             std::span<const std::string_view> words, Access at) {
  using Field = std::remove_cvref_t<decltype(at(std::declval<Kept&>()))>;
  using Enum = typename decltype(std::optional(std::declval<Field>()))::value_type;
  BasicColumn<Seen, Kept> column{
      std::move(path),
      ValueKind::kText,
      "",
      std::string(what),
      "",
      [at, words](const Seen& seen) {
        const std::optional<Enum> value = at(kept_of(seen));
        return value ? Value(std::string(words[static_cast<std::size_t>(*value)])) : Value();
      },
      [at, words](Kept& kept, const Value& value) {
        at(kept) = static_cast<Enum>(std::ranges::find(words, std::get<std::string>(value)) - words.begin());
      },
      !std::is_enum_v<Field>};
  column.allowed.words = words;
  return column;
}

/// A value that follows from others; it is written, and not read back.
template <class Seen, class Kept, class Get>
[[nodiscard]] BasicColumn<Seen, Kept> derived(std::string path, std::string_view unit, std::string_view what,
                                              std::string_view formula, Get get) {
  using Result = std::remove_cvref_t<decltype(get(std::declval<const Seen&>()))>;
  ValueKind kind = ValueKind::kWords;
  if constexpr (!std::is_same_v<Result, std::vector<std::string>>) {
    kind = kind_of<Result>();
  }
  return {std::move(path),
          kind,
          std::string(unit),
          std::string(what),
          std::string(formula),
          [get](const Seen& seen) { return Value(get(seen)); },
          {}};
}

/// Sets the least value that is allowed in the columns with these paths. All these columns must exist.
template <class Column>
void allow_from(Least least, std::span<const std::string_view> paths, std::vector<Column>& columns) {
  for (const std::string_view path : paths) {
    const auto column = std::ranges::find(columns, path, &Column::path);
    assert(column != columns.end());
    column->allowed.least = least;
  }
}

}  // namespace gpusim::report
