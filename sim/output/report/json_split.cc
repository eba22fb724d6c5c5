// SPDX-License-Identifier: MIT
#include "sim/output/report/json_split.h"

#include <algorithm>
#include <cstddef>

namespace gpusim::report {
namespace {

/// Brackets outside of strings, one after the other.
class Brackets {
 public:
  explicit Brackets(std::string_view text) : text_(text) {}

  /// The next bracket's place; the end of the text when there is none.
  std::size_t next() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') {
        skip_string();
      } else if (c == '{' || c == '[') {
        deepest_ = std::max(deepest_, ++depth_);
        return at_ - 1;
      } else if (c == '}' || c == ']') {
        --depth_;
        return at_ - 1;
      }
    }
    return text_.size();
  }

  /// Behind the bracket that next() gave.
  [[nodiscard]] int depth() const { return depth_; }
  [[nodiscard]] int deepest() const { return deepest_; }

 private:
  void skip_string() {
    const std::size_t begin = at_;
    std::size_t quote = text_.find('"', begin);
    while (quote != std::string_view::npos && is_escaped(begin, quote)) {
      quote = text_.find('"', quote + 1);
    }
    at_ = quote == std::string_view::npos ? text_.size() : quote + 1;
  }

  /// Whether an odd number of backslashes stands before the quote.
  [[nodiscard]] bool is_escaped(std::size_t begin, std::size_t quote) const {
    std::size_t first = quote;
    while (first > begin && text_[first - 1] == '\\') {
      --first;
    }
    return (quote - first) % 2 == 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int deepest_ = 0;
};

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Whether what stands before `at` is the key "kernels" and its colon.
bool is_behind_key(std::string_view text, std::size_t at) {
  constexpr std::string_view kKey = "\"kernels\"";
  std::string_view before = text.substr(0, at);
  const auto trim = [&before] {
    while (!before.empty() && is_space(before.back())) {
      before.remove_suffix(1);
    }
  };
  trim();
  if (!before.ends_with(':')) {
    return false;
  }
  before.remove_suffix(1);
  trim();
  return before.ends_with(kKey);
}

/// Whether there is nothing between elements but what separates them.
bool is_separator(std::string_view between) {
  return std::ranges::all_of(between, [](char c) { return is_space(c) || c == ','; });
}

}  // namespace

SplitText split_kernels(std::string_view text) {
  SplitText out;
  Brackets brackets(text);
  int lists = 0;
  bool is_clean = true;  // nothing but kernels in the list
  bool in_kernels = false;
  std::size_t kept = 0;  // what `rest` has of the text
  std::size_t begin = 0;
  for (std::size_t at = brackets.next(); at < text.size(); at = brackets.next()) {
    const bool opens = text[at] == '{' || text[at] == '[';
    if (text[at] == '[' && brackets.depth() == 2 && is_behind_key(text, at)) {
      ++lists;
      in_kernels = true;
      out.rest.append(text.substr(kept, at + 1 - kept));
      kept = at + 1;
    } else if (in_kernels && opens && brackets.depth() == 3) {
      begin = at;
    } else if (in_kernels && !opens && brackets.depth() == 2) {
      is_clean = is_clean && is_separator(text.substr(kept, begin - kept));
      out.rest.append(text.substr(kept, begin - kept)).append("null");
      out.kernels.push_back(text.substr(begin, at + 1 - begin));
      kept = at + 1;
    } else if (in_kernels && brackets.depth() == 1) {
      is_clean = is_clean && is_separator(text.substr(kept, at - kept));
      in_kernels = false;
    }
  }
  if (lists > 1 || !is_clean) {
    return {std::string(text), {}, brackets.deepest()};
  }
  out.rest.append(text.substr(kept));
  out.depth = brackets.deepest();
  return out;
}

}  // namespace gpusim::report
