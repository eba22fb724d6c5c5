// SPDX-License-Identifier: MIT
// A training step of a residual network, or its forward pass.
#pragma once

#include "sim/system/application/application.h"
#include "sim/system/generate/request.h"

namespace gpusim::generate {

/// The kernels that PyTorch 2.11 with cuDNN launches for timm's ResNet-50 with images that have their channels last,
/// and SGD with momentum, counted in the traces of tests/validation/silicon. With channels first, cuDNN's kernels for
/// tensor cores still want them last, so it converts images before and behind them.
[[nodiscard]] application::Application resnet_train(const ImageRequest& request);

/// The forward pass alone, with the running means of batch norm (nn.Module.eval()). Mixed precision casts weights in
/// each pass, as autocast does.
[[nodiscard]] application::Application resnet_infer(const ImageRequest& request);

}  // namespace gpusim::generate
