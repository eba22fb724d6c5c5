// SPDX-License-Identifier: MIT
// Cases of GPU memory: a step of training or inference.
#pragma once

#include <span>
#include <string_view>

namespace gpusim::commands {

class EstimateKeys;

[[nodiscard]] std::span<const std::string_view> memory_keys();

/// GiB of what the key `value` names. Throws InputError and UsageError.
[[nodiscard]] double memory_gib(const EstimateKeys& keys);

}  // namespace gpusim::commands
