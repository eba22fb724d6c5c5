// SPDX-License-Identifier: MIT
#include "sim/machine/engine/worker.h"

namespace gpusim::engine {
namespace {
thread_local unsigned this_worker = 0;
}  // namespace

unsigned worker_index() {
  return this_worker;
}

namespace detail {
void set_worker_index(unsigned index) {
  this_worker = index;
}
}  // namespace detail

}  // namespace gpusim::engine
