// SPDX-License-Identifier: MIT
// What a launch must give a kernel: its parameters, and what is fixed of its CTAs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/code/cubin/images.h"
#include "sim/code/cubin/module.h"
#include "sim/code/launch/c_types.h"

namespace gpusim::launch {

/// The size of an address in global memory.
inline constexpr std::uint32_t kPointerBytes = 8;

struct Parameter {
  std::uint32_t offset = 0;  ///< bytes from the begin of the parameters
  std::uint32_t size = 0;
  std::string name;  ///< "" where nobody knows it
  ParameterType type;
  bool is_hidden = false;           ///< added by the compiler; no argument of a launch
  std::uint32_t scratch_bytes = 0;  ///< bytes a CTA of the memory that a hidden pointer leads to; 0: it is null
};

struct Signature {
  std::string kernel;      ///< as people call it
  std::string file;        ///< for messages
  std::string names_from;  ///< the file that has the names; "" where nobody knows them
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  /// Only of a listing: nothing says where parameters lie. `parameters` have no offsets then, and a size where their
  /// type is known; laid_out() adds what is missing.
  std::optional<cubin::UnknownParameters> unknown;
  bool unknown_shared_bytes = false;  ///< only of a listing: a launch has to say how much shared memory there is
  std::optional<Dim3> block;          ///< the only one that the code allows
  std::optional<Dim3> most_threads;   ///< __launch_bounds__
  std::optional<Dim3> cluster;
  std::uint32_t shared_bytes = 0;  ///< dynamic, as Triton says
  bool is_triton = false;
};

/// What the cubin says, and the JSON of Triton's where there is one; types are those of the kernel's C++ name.
[[nodiscard]] Signature signature_of(const cubin::Function& function, const std::string& file,
                                     const cubin::TritonLaunch* triton);

/// Takes over names and types of parameters; false where they do not fit the sizes in the cubin, or what the code of a
/// listing reads. Of Triton, parameters behind the last of them are hidden ones.
bool take_names(Signature& signature, const std::vector<NamedType>& named, const std::string& from);

/// Parameters that a launch has arguments for; hidden ones stand behind them.
[[nodiscard]] std::size_t visible_parameters(const Signature& signature);

/// "0 (4 bytes)", "x (const float*)": a parameter for messages.
[[nodiscard]] std::string parameter_text(const Signature& signature, std::size_t ordinal);

/// What to write for a parameter that has no value: "x" and "f32[COUNT]:random".
[[nodiscard]] std::pair<std::string, std::string> example_of(const Signature& signature, std::size_t ordinal);

}  // namespace gpusim::launch
