// SPDX-License-Identifier: MIT
// Which worker thread of the engine runs the calling code: for accumulators that are kept one a thread because their sums
// do not depend on who added what.
#pragma once

namespace gpusim::engine {

/// 0 .. EngineOptions::threads - 1; 0 outside a run.
[[nodiscard]] unsigned worker_index();

namespace detail {
void set_worker_index(unsigned index);
}  // namespace detail

}  // namespace gpusim::engine
