// SPDX-License-Identifier: MIT
// What is said about a request that is wrong.
#pragma once

#include <functional>
#include <string>

#include "sim/base/problem.h"

namespace gpusim::launch {

/// All problems, a line each; empty when there are none.
inline std::string problems_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace gpusim::launch
