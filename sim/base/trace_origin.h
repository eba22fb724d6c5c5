// SPDX-License-Identifier: MIT
// Where the kernels of a run come from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpusim {

enum class TraceOrigin : std::uint8_t {
  kProgram,   ///< the .trace language
  kAccelSim,  ///< a trace that Accel-Sim's tracer recorded
  kCompiled   ///< machine code that gpusim executes
};

/// By TraceOrigin.
inline constexpr std::array<std::string_view, 3> kTraceOrigins{"program", "accel-sim", "compiled"};

[[nodiscard]] constexpr std::string_view trace_origin_text(TraceOrigin origin) {
  return kTraceOrigins[static_cast<std::size_t>(origin)];
}

}  // namespace gpusim
