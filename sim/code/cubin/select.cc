// SPDX-License-Identifier: MIT
#include "sim/code/cubin/select.h"

#include "sim/base/nearest.h"
#include "sim/code/cubin/bytes.h"

namespace gpusim::cubin {

std::vector<const Function*> Search::in(const Module& module) {
  std::vector<const Function*> found;
  for (const Function& function : module.functions) {
    const std::string short_one = name_.empty() ? std::string() : short_name(function.name);
    if (short_one == name_ || function.name == name_ || demangled(function.name) == name_) {
      found.push_back(&function);
    } else {
      others_.insert(short_one);
    }
  }
  found_ += found.size();
  return found;
}

void Search::require_found(const std::string& file) const {
  if (found_ == 0) {
    const std::vector<std::string_view> known(others_.begin(), others_.end());
    fail(file, name_.empty() ? "has no kernels" : "has no kernel '" + name_ + "'",
         name_.empty() ? "" : suggestion(name_, known));
  }
}

}  // namespace gpusim::cubin
