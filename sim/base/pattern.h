// SPDX-License-Identifier: MIT
// A regular expression. The time of a search grows with the text alone, and never with what the expression says.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace gpusim {

/// The text is not a regular expression; what() says why, in half a sentence.
struct BadPattern : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// In the syntax of RE2, which has neither back references nor look-around.
class Pattern {
 public:
  /// Throws BadPattern.
  explicit Pattern(std::string_view expression);
  /// True when a part of `text` matches.
  [[nodiscard]] bool is_in(std::string_view text) const;

 private:
  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace gpusim
