// SPDX-License-Identifier: MIT
// Whole numbers as launches write them: expressions over named values, in the language of traces.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/base/problem.h"

namespace gpusim::launch {

class Names {
 public:
  void set(const std::string& name, std::int64_t value) { values_[name] = value; }
  [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
  /// The name's value is wrong, and has been told.
  void refuse(const std::string& name) { refused_.insert(name); }

  /// "(n + 255) / 256"; throws InputError about `where`, without any problem where the text uses a refused name.
  [[nodiscard]] std::int64_t value(const std::string& text, const SourceLocation& where) const;
  /// Up to `most` of them with commas in between.
  [[nodiscard]] std::vector<std::int64_t> values(const std::string& text, std::size_t most,
                                                 const SourceLocation& where) const;

 private:
  std::map<std::string, std::int64_t> values_;
  std::set<std::string> refused_;
};

}  // namespace gpusim::launch
