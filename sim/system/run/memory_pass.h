// SPDX-License-Identifier: MIT
// Whether the memory of the GPUs is enough, before anything is simulated.
#pragma once

#include <vector>

#include "sim/system/memory/offer.h"
#include "sim/system/run/binding.h"

namespace gpusim::run {

/// Does the allocations of two rounds of each GPU that one thread allocates on. `offers` are the memories of the GPUs
/// in use. Throws CannotFinishError as a run does.
void check_memory(const Binding& binding, const std::vector<memory::Offer>& offers);

}  // namespace gpusim::run
