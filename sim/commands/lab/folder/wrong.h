// SPDX-License-Identifier: MIT
// The typical wrong solutions that a lab comes with.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/run/bench.h"

namespace gpusim::lab {

/// Their names, sorted.
[[nodiscard]] std::vector<std::string> wrong_names(const Lab& lab);

/// The folder of the lab with this one. Throws UsageError with the nearest name where there is none.
[[nodiscard]] std::filesystem::path wrong_folder(const Lab& lab, const std::string& name);

/// Whether it is wrong with the parameters of this student. Throws InputError when its file is not right.
[[nodiscard]] bool is_wrong_for(const Student& student, const Lab& lab, const std::filesystem::path& wrong);

/// Whether a kernel of it is in CUDA.
[[nodiscard]] bool is_wrong_in_cuda(const Lab& lab, const std::filesystem::path& wrong);

/// A folder as a student hands it in that does everything right but what `wrong` is about. Throws InputError when a
/// file cannot be read or written.
void write_wrong(const Lab& lab, const Student& student, const std::filesystem::path& wrong,
                 const std::filesystem::path& folder, Memory& memory);

}  // namespace gpusim::lab
