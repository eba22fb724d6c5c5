// SPDX-License-Identifier: MIT
// A request, understood: with the kernels' parameters known, every number is calculated and every buffer has a size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/types.h"
#include "sim/code/array/element.h"
#include "sim/code/array/fill.h"

namespace gpusim::launch {

struct Request;
struct Signature;

/// How many a buffer or a tensor map has.
inline constexpr std::size_t kMostDimensions = 8;

struct Buffer {
  std::string name;
  array::Element element = array::Element::kF32;
  std::vector<std::uint64_t> shape;
  std::uint64_t count = 0;
  array::Fill fill;
  std::uint64_t seed = 0;  ///< where the fill has none: each buffer has its own
  SourceLocation where;
  [[nodiscard]] std::uint64_t bytes() const { return count * array::bytes_of(element); }
};

/// A tensor map of a buffer, as cuTensorMapEncodeTiled is asked for one.
struct MapShape {
  std::vector<std::uint32_t> box;  ///< elements, as many as the buffer's shape has dimensions, the innermost last
  std::uint8_t swizzle_bytes = 0;  ///< 0, 32, 64 or 128
};

/// Bytes of a tensor map.
inline constexpr std::uint32_t kTensorMapBytes = 128;

struct Argument {
  std::uint32_t offset = 0;           ///< in the parameters
  std::string bytes;                  ///< its value; of a pointer what to add to the buffer's address
  std::optional<std::size_t> buffer;  ///< index into Plan::buffers
  std::optional<MapShape> map;        ///< the parameter is a tensor map of the buffer, and `bytes` are empty
};

struct Launch {
  std::string kernel;  ///< as the request says it; "" for the only one
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t shared_bytes = 0;  ///< dynamic
  std::uint32_t parameter_bytes = 0;
  std::uint32_t repeat = 1;
  std::vector<Argument> arguments;
};

struct Output {
  std::size_t buffer = 0;
  std::string file;
};

struct Expectation {
  std::size_t buffer = 0;
  array::Fill fill;
  double tolerance = 0;
  SourceLocation where;
};

struct NamedNumber {
  std::string name;
  std::int64_t value = 0;
};

struct Plan {
  std::vector<NamedNumber> parameters;  ///< numbers that a request names: 'param' of a launch file, --param
  std::vector<Buffer> buffers;
  std::vector<Launch> launches;
  std::vector<Output> outputs;
  std::vector<Expectation> expectations;
  /// What was assumed and should be known: arguments that were taken in the order given.
  std::vector<std::string> notes;
};

/// Finds the signature of a kernel; of "" that of the only one. Throws InputError.
using FindSignature = std::function<Signature(const std::string& kernel)>;

/// Throws InputError with all problems: arguments that are missing (with what to add), unknown or of the wrong size,
/// and sizes that no GPU has. Of .npy files it reads the headers.
[[nodiscard]] Plan make_plan(const Request& request, const FindSignature& find);

/// The parameters as the kernel finds them, where the buffers have these addresses; of tensor maps zeros.
[[nodiscard]] std::string parameters_of(const Launch& launch, std::span<const Address> addresses);

}  // namespace gpusim::launch
