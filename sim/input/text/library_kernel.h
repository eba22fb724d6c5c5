// SPDX-License-Identifier: MIT
// The library of kernels: traces in the text form that say under which names they belong to it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/input/text/load.h"
#include "sim/model/trace/trace.h"

namespace gpusim::frontend {

/// A kernel of the library.
struct LibraryKernel {
  std::string name;
  std::string family;
  std::string title;
  std::string file;
  std::vector<trace::Parameter> parameters;
  std::vector<std::string> holes{};                             ///< parameters without a default: the user gives them
  std::vector<std::pair<std::string, std::int64_t>> presets{};  ///< values that the name stands for

  [[nodiscard]] bool is_hole(const trace::Parameter& parameter) const;
};

/// What a file's description says of one of its names.
[[nodiscard]] LibraryKernel library_kernel(const Description& told, const LibraryName& name, const std::string& file);

/// Sorted by family, then by name; families in the order people learn them, unknown ones last.
void sort_library(std::vector<LibraryKernel>& kernels);

}  // namespace gpusim::frontend
