// SPDX-License-Identifier: MIT
// "did you mean": the nearest of some allowed words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpusim {

/// How many letters are changed, left out, added, or exchanged with their neighbour; insensitive to case.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The allowed word nearest to `word`, if its distance is at most max(2, length / 3) and half of the letters stay; else
/// empty. The first of equally near words wins.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> allowed);

/// "did you mean 'x'?" when a near word exists, else "known: a, b, c" (at most 12 words, then "...").
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> allowed);

/// The same for names that go on where others end: "H100" means 'H100 SXM' rather than 'A100', and "h100-sxm" means
/// 'h100' where no name is near.
[[nodiscard]] std::string name_suggestion(std::string_view word, std::span<const std::string_view> allowed);

}  // namespace gpusim
