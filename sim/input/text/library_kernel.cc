// SPDX-License-Identifier: MIT
#include "sim/input/text/library_kernel.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

namespace gpusim::frontend {
namespace {

constexpr std::array<std::string_view, 7> kFamilies{
    "memory", "reductions and scans", "stencils and images", "dense", "deep learning", "irregular", "machine"};

std::size_t place_of(const std::string& family) {
  return static_cast<std::size_t>(std::ranges::find(kFamilies, family) - kFamilies.begin());
}

}  // namespace

bool LibraryKernel::is_hole(const trace::Parameter& parameter) const {
  return std::ranges::find(holes, parameter.name) != holes.end();
}

LibraryKernel library_kernel(const Description& told, const LibraryName& name, const std::string& file) {
  LibraryKernel kernel{name.name, name.family, name.title, file, told.parameters, told.holes, name.presets};
  for (const auto& [preset, value] : name.presets) {
    const auto parameter = std::ranges::find(kernel.parameters, preset, &trace::Parameter::name);
    if (parameter != kernel.parameters.end()) {
      parameter->default_value = value;
      std::erase(kernel.holes, preset);
    }
  }
  return kernel;
}

void sort_library(std::vector<LibraryKernel>& kernels) {
  std::ranges::sort(kernels, [](const LibraryKernel& a, const LibraryKernel& b) {
    return std::tuple(place_of(a.family), a.family, a.name) < std::tuple(place_of(b.family), b.family, b.name);
  });
}

}  // namespace gpusim::frontend
