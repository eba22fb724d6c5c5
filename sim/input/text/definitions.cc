// SPDX-License-Identifier: MIT
#include "sim/input/text/definitions.h"

namespace gpusim::frontend {

bool Definitions::is_free(const Word& name) {
  const bool is_taken = names_.knows(name.text) || without_value_.contains(name.text);
  if (is_taken) {
    names_.reporter().add(name.place, "'" + name.text + "' is defined a second time");
  }
  return !is_taken;
}

void Definitions::define(const Word& name, std::optional<std::int64_t> value) {
  if (!is_free(name)) {
    return;
  }
  if (!value) {
    names_.reporter().excuse(name.text);
    return;
  }
  names_.bind_constant(name.text, *value);
  file_.constants.emplace_back(name.text, *value);
}

bool Definitions::reserve(const Word& name) {
  return is_free(name) && without_value_.insert(name.text).second;
}

}  // namespace gpusim::frontend
