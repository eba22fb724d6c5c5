// SPDX-License-Identifier: MIT
// Applications that are a step of a transformer: training, prefill, or decode of one token.
#pragma once

#include "sim/system/application/application.h"
#include "sim/system/generate/request.h"

namespace gpusim::generate {

[[nodiscard]] application::Application transformer_train(const Request& request);
[[nodiscard]] application::Application transformer_prefill(const Request& request);
[[nodiscard]] application::Application transformer_decode(const Request& request);

}  // namespace gpusim::generate
