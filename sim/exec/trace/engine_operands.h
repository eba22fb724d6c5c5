// SPDX-License-Identifier: MIT
// What an executed instruction asks of an mbarrier or of the TMA, as the machine is told it.
#pragma once

#include <memory>
#include <vector>

#include "sim/exec/core/async_effect.h"
#include "sim/model/trace/async.h"

namespace gpusim::exec {

/// Tensor maps that the commands of an SM name: few, each for as long as the kernel runs.
class TensorMaps {
 public:
  [[nodiscard]] const trace::TensorMap* find_or_add(Address address, const TensorBox& box);

 private:
  std::vector<std::unique_ptr<const trace::TensorMap>> maps_;
};

/// An mbarrier's number: which eight bytes of the CTA's shared memory it has.
[[nodiscard]] std::uint32_t mbarrier_number(Address address);

/// Why the machine cannot be told; "" where it can.
[[nodiscard]] const char* why_not_timed(const AsyncEffect& effect);
[[nodiscard]] trace::AsyncOperands engine_operands(const AsyncEffect& effect, TensorMaps& maps);

}  // namespace gpusim::exec
