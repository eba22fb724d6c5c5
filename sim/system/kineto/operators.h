// SPDX-License-Identifier: MIT
// Operators of PyTorch with the shapes of their inputs, as a profiler with record_shapes=True notes them, and what the
// kernels that they launched do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/application/operation.h"

namespace gpusim::kineto {

/// An input of an operator: a tensor, or a value.
struct Input {
  std::vector<std::uint64_t>
      dims;           ///< a tensor has them; a scalar, a list of tensors, and what cannot be read have none
  std::string type;   ///< "float", "c10::BFloat16"; empty: not known
  std::string value;  ///< as text: "True", "[768]"; empty: of a tensor, or not recorded
};

struct Operator {
  std::string name;  ///< "aten::mm"
  std::vector<Input> inputs;
};

/// Whether operation_of() knows the operator.
[[nodiscard]] bool is_known_operator(std::string_view name);

/// What a kernel of this name does that the operator launched. nullopt where shapes or types do not say it, and for
/// kernels beside the operator's main ones, such as the sum of a product that was split.
[[nodiscard]] std::optional<application::Operation> operation_of(const Operator& op, std::string_view kernel);

}  // namespace gpusim::kineto
