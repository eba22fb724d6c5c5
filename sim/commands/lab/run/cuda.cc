// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/cuda.h"

#include "sim/commands/lab/course/file_text.h"

namespace gpusim::lab {

namespace fs = std::filesystem;

bool is_handed_in(const CudaForm& form, const fs::path& folder) {
  std::error_code error;
  return fs::exists(fs::symlink_status(folder / form.source, error));
}

void take_cuda(const CudaPlace& place, const Scope& scope, Job& job) {
  const fs::path launch = place.launch / place.form.launch;
  const fs::path own = place.source / place.form.launch;
  job.trace = (place.source / place.form.source).string();
  job.launch_text = scope.filled_exactly(text_of(launch), launch.string());
  std::error_code error;
  if (own != launch && fs::is_regular_file(fs::symlink_status(own, error))) {
    job.own_launch = own.string();
  }
}

}  // namespace gpusim::lab
