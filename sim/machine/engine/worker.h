// SPDX-License-Identifier: MIT
// Which worker thread of the engine runs the calling code: for accumulators and memories that are kept one per thread
// because what they hold does not depend on which thread used them.
#pragma once

namespace gpusim::engine {

/// 0 .. EngineOptions::threads - 1; 0 outside a run.
[[nodiscard]] unsigned worker_index();

namespace detail {
void set_worker_index(unsigned index);
}  // namespace detail

}  // namespace gpusim::engine
