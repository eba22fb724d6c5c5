// SPDX-License-Identifier: MIT
// The buffers of a plan by their names, and their total size. Owns them until the plan takes them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/code/launch/argument.h"
#include "sim/code/launch/c_types.h"
#include "sim/code/launch/names.h"
#include "sim/code/launch/plan.h"

namespace gpusim::launch {

class Buffers {
 public:
  /// A buffer as it is written; `type` is the parameter's, or null. Returns its index. Throws InputError about a name
  /// that is taken, elements without a type, a file that does not fit, and more memory than a GPU has.
  std::size_t add(const std::string& name, const ArgumentText& form, const ParameterType* type, const Names& names,
                  const SourceLocation& where);
  /// Bytes without a name, zeros at first.
  std::size_t add_scratch(std::uint64_t bytes);
  /// Another name for one that is there; where the name is taken, nothing happens.
  void call(std::size_t index, const std::string& name) { by_name_.emplace(name, index); }

  [[nodiscard]] bool has(const std::string& name) const { return by_name_.contains(name); }
  /// Throws InputError with the nearest name where there is none.
  [[nodiscard]] std::size_t named(const std::string& name, const SourceLocation& where) const;
  [[nodiscard]] const Buffer& operator[](std::size_t index) const { return all_[index]; }
  [[nodiscard]] std::vector<Buffer> take() { return std::move(all_); }

 private:
  std::vector<Buffer> all_;
  std::map<std::string, std::size_t> by_name_;  ///< by every name that a user may call them
  std::uint64_t bytes_ = 0;                     ///< bytes of the buffers with names
};

}  // namespace gpusim::launch
