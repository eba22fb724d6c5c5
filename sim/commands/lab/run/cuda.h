// SPDX-License-Identifier: MIT
// Kernels in CUDA in the folders of students and of labs.
#pragma once

#include <filesystem>

#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/course/scope.h"
#include "sim/commands/lab/run/job.h"

namespace gpusim::lab {

/// Whether its source is in the student's folder: there it stands for the trace.
[[nodiscard]] bool is_handed_in(const CudaForm& form, const std::filesystem::path& folder);

struct CudaPlace {
  const CudaForm& form;
  std::filesystem::path launch;  ///< the lab's folder with the launch file
  std::filesystem::path source;  ///< the folder with the source; of a student the launch file there counts, too
};

/// Makes it a job of this source, with the launch of the lab's file and what a student's may change of it. Throws
/// InputError when the lab's file is not one.
void take_cuda(const CudaPlace& place, const Scope& scope, Job& job);

}  // namespace gpusim::lab
