// SPDX-License-Identifier: MIT
// What the code of a kernel may name in its sources.
#pragma once

#include "sim/input/text/buffers.h"
#include "sim/input/text/mbarriers.h"
#include "sim/input/text/tensor_maps.h"

namespace gpusim::frontend {

struct Declarations {
  explicit Declarations(Environment& names) : buffers(names), mbarriers(names), tensor_maps(names, buffers) {}
  Declarations(const Declarations&) = delete;
  Declarations& operator=(const Declarations&) = delete;

  void move_to(trace::Kernel& kernel, trace::ProgramDraft& draft) {
    buffers.move_to(kernel, draft);
    mbarriers.move_to(kernel, draft);
    tensor_maps.move_to(kernel, draft);
  }

  Buffers buffers;
  Mbarriers mbarriers;
  TensorMaps tensor_maps;
};

}  // namespace gpusim::frontend
