// SPDX-License-Identifier: MIT
// A training step of a residual network.
#pragma once

#include "sim/system/application/application.h"
#include "sim/system/generate/request.h"

namespace gpusim::generate {

/// The kernels that PyTorch 2.11 with cuDNN launches for timm's ResNet-50 with images that have their channels last,
/// and SGD with momentum, counted in the traces of tests/validation/silicon.
[[nodiscard]] application::Application resnet_train(const ImageRequest& request);

}  // namespace gpusim::generate
