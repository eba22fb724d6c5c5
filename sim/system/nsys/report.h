// SPDX-License-Identifier: MIT
// Reports of Nsight Systems as SQLite databases (nsys export --type sqlite): calls of CUDA, and the work that they
// issued, as traces of PyTorch's profiler have them.
#pragma once

#include <filesystem>

#include "sim/system/kineto/events.h"
#include "sim/system/kineto/import.h"

namespace gpusim::nsys {

/// Whether the file begins as SQLite databases do.
[[nodiscard]] bool is_database(const std::filesystem::path& file);

/// Reads a database. Throws InputError for what is not such a report, lacks a table or a column (which differ by
/// version), has times that run backwards, or has more calls than an application may.
[[nodiscard]] kineto::Events read_report(const std::filesystem::path& file);

/// The report as an application that does the same.
[[nodiscard]] kineto::Imported import_report(const std::filesystem::path& file);

}  // namespace gpusim::nsys
