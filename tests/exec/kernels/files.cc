// SPDX-License-Identifier: MIT
#include "tests/exec/kernels/files.h"

#include <algorithm>

#include "sim/code/cubin/images.h"

namespace gpusim::exec {

namespace {

std::filesystem::path data_folder() {
  return std::filesystem::path(GPUSIM_SOURCE_DIR) / "tests/exec/kernels/data";
}

}  // namespace

std::filesystem::path kernel_file(const std::string& name) {
  return data_folder() / (name + ".fatbin");
}

std::vector<std::filesystem::path> kernel_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(data_folder())) {
    if (entry.path().extension() == ".fatbin") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

std::vector<cubin::Module> modules_of(const std::filesystem::path& file, unsigned sm) {
  std::vector<cubin::Module> modules;
  cubin::for_each_image(file, 0, [&](const cubin::Image& image) {
    cubin::Module module = cubin::read_cubin(image.bytes, image.name);
    if (module.sm == sm) {
      modules.push_back(std::move(module));
    }
  });
  return modules;
}

}  // namespace gpusim::exec
