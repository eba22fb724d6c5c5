// SPDX-License-Identifier: MIT
// An instruction as the interpreter runs it: a handler, and operands that are resolved to rows, so that RZ, PT,
// immediates, constants and uniform registers cost what a register costs.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/code/sass/instruction.h"

namespace gpusim::exec {

class Context;
class Warp;
struct MicroOp;

/// Executes one instruction for the lanes of `mask`: those whose guard is true, perhaps none. The warp's pc is already
/// that of the instruction behind; a handler that branches changes it.
using Handler = void (*)(Context& context, Warp& warp, const MicroOp& op, LaneMask mask);

/// A source operand: rows of the warp's registers or of the image's pool of values that no lane changes.
struct Source {
  std::uint32_t offset = 0;  ///< in words, from the first row of the warp or of the pool
  bool pooled = false;
  bool negated = false;
  bool absolute = false;
  bool inverted = false;
  sass::Part part = sass::Part::kWhole;
};

/// A predicate as source: one of Warp::predicates, perhaps inverted.
struct PredicateSource {
  std::uint8_t index = 0;
  bool inverted = false;
};

struct MicroOp {
  static constexpr std::size_t kSources = 4;
  static constexpr std::size_t kDestinations = 2;
  static constexpr std::size_t kPredicateSources = 3;
  static constexpr std::size_t kBytes = 8;

  Handler handler = nullptr;
  PredicateSource guard;
  /// It belongs to the uniform datapath: it executes once for the warp, which here means for all 32 lanes of uniform
  /// registers' rows, or not at all.
  bool uniform = false;
  std::uint8_t width = 1;  ///< what it means is the handler's: mostly bytes or registers that are moved
  std::array<Source, kSources> sources;
  std::array<std::uint32_t, kDestinations> destinations{};  ///< in words, from the first row of the warp
  std::array<PredicateSource, kPredicateSources> predicates;
  std::array<std::uint8_t, kDestinations> predicate_destinations{};  ///< indices into Warp::predicates
  std::uint32_t immediate = 0;
  std::int64_t offset = 0;                   ///< added to an address
  std::uint32_t target = 0;                  ///< for a branch: index of an instruction
  std::array<std::uint8_t, kBytes> bytes{};  ///< modifiers that the handler reads when it runs
};

}  // namespace gpusim::exec
