// SPDX-License-Identifier: MIT
// Faults of a lab's own files, kept apart from those of a student's: both meet in one comparison. Internal to the
// module.
#pragma once

#include <string>

#include "sim/base/problem.h"

namespace gpusim::lab {

/// What a student's work is compared with is at fault.
struct LabFault {
  std::string problem;
};

/// Does something with what the lab compares with. Throws LabFault where it throws InputError or CannotFinishError.
template <typename Work>
auto of_lab(const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw LabFault{to_text(error.problems().front())};
  } catch (const CannotFinishError& error) {
    throw LabFault{error.what()};
  }
}

}  // namespace gpusim::lab
