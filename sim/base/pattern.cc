// SPDX-License-Identifier: MIT
#include "sim/base/pattern.h"

#include <re2/re2.h>

#include "sim/base/text.h"

namespace gpusim {
namespace {

/// Far above what a person writes. RE2 itself bounds its memory by its own default of 8 MiB.
constexpr std::size_t kLongest = 10'000;
constexpr std::size_t kLongestMessage = 100;  // RE2's messages repeat the expression

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

std::shared_ptr<const re2::RE2> compiled(std::string_view expression) {
  if (expression.size() > kLongest) {
    throw BadPattern("it is longer than " + std::to_string(kLongest) + " characters");
  }
  auto pattern = std::make_shared<const re2::RE2>(piece(expression), re2::RE2::Quiet);
  if (!pattern->ok()) {
    throw BadPattern(clipped(pattern->error(), kLongestMessage));
  }
  return pattern;
}

}  // namespace

Pattern::Pattern(std::string_view expression) : compiled_(compiled(expression)) {}

bool Pattern::is_in(std::string_view text) const {
  return re2::RE2::PartialMatch(piece(text), *compiled_);
}

}  // namespace gpusim
