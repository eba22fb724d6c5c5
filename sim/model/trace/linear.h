// SPDX-License-Identifier: MIT
// An expression as a sum: a constant and constant multiples of expressions that are not sums themselves.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "sim/model/trace/expression.h"

namespace gpusim::trace {

struct LinearForm {
  std::int64_t constant = 0;
  std::map<ExprId, std::int64_t> terms;  ///< coefficients, none of them zero
};

/// Exact in arithmetic modulo 2^64.
[[nodiscard]] LinearForm linear_form(const ExprPool& pool, ExprId expression);

}  // namespace gpusim::trace
