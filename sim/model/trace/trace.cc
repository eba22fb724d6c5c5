// SPDX-License-Identifier: MIT
#include "sim/model/trace/trace.h"

#include "sim/model/trace/kernel.h"

namespace gpusim::trace {

Launches::Launches(std::initializer_list<Kernel> kernels) {
  for (const Kernel& kernel : kernels) {
    push_back(kernel);
  }
}

void Launches::push_back(Kernel kernel) {
  kernels_.push_back(std::make_shared<const Kernel>(std::move(kernel)));
}

}  // namespace gpusim::trace
