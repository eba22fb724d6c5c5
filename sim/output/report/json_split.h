// SPDX-License-Identifier: MIT
// A saved result's text, taken apart before it is parsed: an application may launch many thousands of kernels, and the
// parser's memory for one at a time is small and used again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpusim::report {

struct SplitText {
  std::string rest;                       ///< the text, with `null` in place of each kernel
  std::vector<std::string_view> kernels;  ///< the elements of the list "kernels", parts of the text
  int depth = 0;                          ///< depth of the innermost brackets; the parser's stack grows with it
};

/// Brackets are counted and nothing is checked: whether the parts are JSON is for the parser to say. A text that has
/// more than one list of kernels, or whose list holds something else, stays whole in `rest`.
[[nodiscard]] SplitText split_kernels(std::string_view text);

}  // namespace gpusim::report
