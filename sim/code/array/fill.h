// SPDX-License-Identifier: MIT
// What a buffer holds before a kernel runs: a pattern, random numbers, or a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/problem.h"
#include "sim/code/array/element.h"

namespace gpusim::array {

struct Fill {
  enum class Kind : std::uint8_t {
    kConstant,  ///< `first`
    kIota,      ///< `first`, then `second` more with each element
    kUniform,   ///< from `first` on, below `second`; without numbers the element's own range
    kNormal,    ///< `first` is the mean, `second` the deviation
    kFile       ///< `file`, of NumPy's form
  };
  Kind kind = Kind::kConstant;
  Number first;
  Number second;
  bool has_range = false;             ///< for kUniform: a range was given
  std::optional<std::uint64_t> seed;  ///< for kUniform and kNormal
  std::string file;
};

/// A word of a fill, for the documents.
struct FillWord {
  std::string_view form;
  std::string_view meaning;
};
inline constexpr std::size_t kFillWords = 7;
[[nodiscard]] const FillWord* fill_words();

/// "zeros", "3.5", "iota(0, 2)", "random", "uniform(-1, 1, seed=7)", "x.npy". Throws InputError about `where`.
[[nodiscard]] Fill parse_fill(std::string_view text, const SourceLocation& where);

/// Writes `count` elements to `to`. Of the same seed come the same bytes on every machine; `seed` counts where the fill
/// has none. Throws InputError about `where` for a number that the type has no place for. Not of kFile.
void fill_elements(const Fill& fill, Element element, std::uint64_t count, std::uint64_t seed,
                   const SourceLocation& where, char* to);

}  // namespace gpusim::array
