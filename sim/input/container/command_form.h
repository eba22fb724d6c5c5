// SPDX-License-Identifier: MIT
// What a kernel's commands to mbarriers and to the TMA name, as a container holds it: where mbarriers may be, and the
// shapes of boxes. The commands themselves are rows of numbers among the addresses (trace/recorded_command.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/input/container/form.pb.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::container {

void encode_mbarriers(std::span<const trace::MbarrierArray> mbarriers, form::Program& out);
void encode_boxes(std::span<const trace::TensorMap> boxes, form::Program& out);

/// Throw InputError about `file` for whatever no kernel can have.
[[nodiscard]] std::vector<trace::MbarrierArray> decode_mbarriers(const form::Program& in, const std::string& file);
[[nodiscard]] std::vector<trace::TensorMap> decode_boxes(const form::Program& in, const std::string& file);

}  // namespace gpusim::container
