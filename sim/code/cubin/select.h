// SPDX-License-Identifier: MIT
// Kernels by the names that people know them by.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/code/cubin/module.h"

namespace gpusim::cubin {

/// Looks for functions of a name in one module after another, of which none need be kept.
class Search {
 public:
  /// The name as the linker knows it, as C++ writes it, or without namespaces, template arguments and parameters
  /// ("saxpy"); empty for all functions.
  explicit Search(std::string name) : name_(std::move(name)) {}

  /// Those of this module; the pointers are as good as the module.
  [[nodiscard]] std::vector<const Function*> in(const Module& module);

  /// Throws InputError about the file with the nearest name when no module had any.
  void require_found(const std::string& file) const;

 private:
  std::string name_;
  std::size_t found_ = 0;
  std::set<std::string> others_;  ///< short names, to suggest: the linker's are near to one another
};

}  // namespace gpusim::cubin
