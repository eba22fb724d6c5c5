// SPDX-License-Identifier: MIT
// Kernels by the names that people know them by.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/code/cubin/module.h"

namespace gpusim::cubin {

/// A function of one of several modules.
struct Chosen {
  const Module* module = nullptr;
  const Function* function = nullptr;
};

/// The functions of this name: as the linker knows it, as C++ writes it, or without namespaces, template arguments and
/// parameters ("saxpy"). All of them for an empty name. Throws InputError with the nearest name when there is none.
[[nodiscard]] std::vector<Chosen> functions_named(std::span<const Module> modules, const std::string& name,
                                                  const std::string& file);

}  // namespace gpusim::cubin
