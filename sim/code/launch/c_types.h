// SPDX-License-Identifier: MIT
// Types of parameters as C++, Triton and PTX write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/code/array/element.h"

namespace gpusim::launch {

/// What is known of a parameter beside its size.
struct ParameterType {
  enum class Kind : std::uint8_t { kUnknown, kNumber, kPointer, kStruct };
  Kind kind = Kind::kUnknown;
  std::optional<array::Element> element;  ///< type of a number, or of what a pointer points to
  std::string text;                       ///< "const float*", for messages
};

struct NamedType {
  std::string name;  ///< "" where it has none
  ParameterType type;
};

/// "float const*", "unsigned int", "demo::Work".
[[nodiscard]] ParameterType type_of_cpp(std::string_view text);
/// "*fp32", "i32" and "!tt.ptr<f32>" as Triton writes them.
[[nodiscard]] ParameterType type_of_triton(std::string_view text);

/// The parameters of "saxpy(int, float, float const*, float*)"; nothing without brackets.
[[nodiscard]] std::optional<std::vector<NamedType>> parameters_of_demangled(std::string_view text);

/// The parameters of the kernel in a C++ source: the first function with `__global__` of this name. Nothing where it is
/// not found, or is written in a way that only a compiler understands.
[[nodiscard]] std::optional<std::vector<NamedType>> parameters_of_source(std::string_view source,
                                                                         std::string_view kernel);

/// The parameters of the public function in what Triton keeps beside a cubin as .ttir.
[[nodiscard]] std::optional<std::vector<NamedType>> parameters_of_ttir(std::string_view text);

/// The parameters of the kernel in a text of PTX. Integers have no sign there, and pointers no elements; what compilers
/// call KERNEL_param_0 has no name.
[[nodiscard]] std::optional<std::vector<NamedType>> parameters_of_ptx(std::string_view text, std::string_view kernel);

}  // namespace gpusim::launch
