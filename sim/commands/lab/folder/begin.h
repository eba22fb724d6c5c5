// SPDX-License-Identifier: MIT
// A student's folder, begun.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/folder/folders.h"

namespace gpusim::lab {

/// Whether a student is at home in the folder.
[[nodiscard]] bool is_begun(const std::filesystem::path& folder);

/// Makes the folder where there is none, writes those of its files that are not there, and names them. Throws
/// InputError when another student or another lab is at home there, or when it cannot be written.
std::vector<std::string> begin(const Lab& lab, const Student& student, const std::filesystem::path& folder,
                               Form form = Form::kTrace);

/// Writes one file as it was at the start. What is there is kept, as FILE.old or, where that is taken, as FILE.old2 and
/// so on; returns that name, or nothing where no file was there or it was as at the start. Throws UsageError when the
/// lab has no such file, InputError as begin() does, and when what is there cannot be kept.
std::string begin_again(const Lab& lab, const Student& student, const std::filesystem::path& folder,
                        const std::string& file);

}  // namespace gpusim::lab
