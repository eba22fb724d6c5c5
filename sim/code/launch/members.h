// SPDX-License-Identifier: MIT
// A struct by value, written member by member: "{a=f32[m*k]:random, b, m, 4096, f32:0.5}".
#pragma once

#include <string>
#include <vector>

#include "sim/code/launch/argument.h"
#include "sim/code/launch/layout.h"
#include "sim/code/launch/request.h"
#include "sim/code/launch/signature.h"

namespace gpusim::launch {

struct Member {
  NamedText text;       ///< its name is the struct's with its position, where it has none
  Parameter parameter;  ///< where it lies among the parameters
  ArgumentText form;
};

[[nodiscard]] bool is_struct(std::string_view text);

/// How large a struct is, as C++ lays it out. Throws InputError where the text is not one.
[[nodiscard]] Layout layout_of_struct(const NamedText& argument, const IsBuffer& is_buffer);

/// The members with offsets as C++ aligns them: pointers have 8 bytes, numbers those of their type, 4 where none is
/// written. `is_buffer` tells the names of buffers from those of numbers; names of earlier members are told apart here.
/// Throws InputError where the members are not as large as the parameter.
[[nodiscard]] std::vector<Member> members_of(const NamedText& argument, const Parameter& parameter,
                                             const IsBuffer& is_buffer);

}  // namespace gpusim::launch
