// SPDX-License-Identifier: MIT
// One function a command; each returns the exit code and leaves errors to its caller as exceptions.
#pragma once

#include "sim/app/command_line.h"

namespace gpusim::app {

/// What every command has.
struct Common {
  bool quiet = false;
  std::string colour;  ///< auto, always, never
};

[[nodiscard]] int run_command(const RunOptions& options, const Common& common);
[[nodiscard]] int arch_command(const ArchOptions& options, const Common& common);
[[nodiscard]] int trace_command(const TraceOptions& options, const Common& common);
[[nodiscard]] int trace_import_command(const TraceImportOptions& options, const Common& common);
[[nodiscard]] int trace_export_command(const TraceExportOptions& options, const Common& common);
[[nodiscard]] int report_command(const ReportOptions& options, const Common& common);
[[nodiscard]] int occupancy_command(const OccupancyOptions& options, const Common& common);
[[nodiscard]] int roofline_command(const RooflineOptions& options, const Common& common);
[[nodiscard]] int validate_command(const ValidateOptions& options, const Common& common);
[[nodiscard]] int sweep_command(const SweepOptions& options, const Common& common);
[[nodiscard]] int sweep_merge_command(const SweepMergeOptions& options);
[[nodiscard]] int sweep_show_command(const SweepShowOptions& options, const Common& common);

}  // namespace gpusim::app
