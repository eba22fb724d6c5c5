// SPDX-License-Identifier: MIT
// Where parameters lie that a file does not describe: a listing of SASS has code alone. They follow one another as C
// lays out a struct, with the sizes that their types have, or else those of the arguments.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/code/launch/argument.h"
#include "sim/code/launch/request.h"
#include "sim/code/launch/signature.h"

namespace gpusim::launch {

/// Bytes of a value, and what its offset is a multiple of.
struct Layout {
  std::uint32_t size = 0;
  std::uint32_t alignment = 1;
};

/// The layout of an argument, or of a struct's member; a number without a type has 4 bytes. `is_pointer`: the text is
/// the name of a buffer.
[[nodiscard]] Layout layout_of(const ArgumentText& form, bool is_pointer);

[[nodiscard]] std::uint32_t aligned(std::uint32_t offset, std::uint32_t alignment);

/// Tells the names of buffers from those of numbers.
using IsBuffer = std::function<bool(const std::string& word)>;

struct LaidOut {
  Signature signature;
  std::string note;  ///< not empty where arguments decided on the sizes
};

/// The signature with a place for each parameter, for a launch with these arguments; what has places is handed back.
/// Throws InputError where the code reads bytes that the arguments leave out, or where they have too many.
[[nodiscard]] LaidOut laid_out(Signature signature, const LaunchText& launch, const IsBuffer& is_buffer,
                               bool from_command_line);

/// Takes over names and types of a signature without places; false where the code reads what they leave out.
[[nodiscard]] bool take_layout(Signature& signature, const std::vector<NamedType>& named, const std::string& from);

}  // namespace gpusim::launch
