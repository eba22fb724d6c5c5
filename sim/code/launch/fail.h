// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sim/base/problem.h"

namespace gpusim::launch {

[[noreturn]] inline void fail(const SourceLocation& where, const std::string& message, const std::string& hint = "") {
  throw InputError({where, message, hint});
}

}  // namespace gpusim::launch
