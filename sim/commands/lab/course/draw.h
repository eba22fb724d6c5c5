// SPDX-License-Identifier: MIT
// What is drawn for each student, so that answers cannot be passed on: a seed from the student's name, and from it the
// parameters of the lab.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/course/scope.h"

namespace gpusim::lab {

[[nodiscard]] std::uint32_t seed_of(std::string_view lab, std::string_view student);

/// A value for each parameter, in the order of the lab.
[[nodiscard]] std::vector<Setting> draw(const Lab& lab, std::uint32_t seed);

/// The parameters of a student, for formulas and sentences.
[[nodiscard]] Scope scope_of(const Lab& lab, std::uint32_t seed);

/// A hash of a text, the same on every machine.
[[nodiscard]] std::uint64_t digest_of(std::string_view text);

}  // namespace gpusim::lab
