// SPDX-License-Identifier: MIT
#include "sim/app/program.h"

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <variant>

#include "sim/app/command_line.h"
#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/interrupt.h"
#include "sim/base/problem.h"
#include "sim/output/report/report.h"

namespace gpusim::app {
namespace {

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

int dispatch(const CommandLine& line) {
  const Common common{line.quiet, line.colour};
  return std::visit(Overloaded{[&](const RunOptions& options) { return run_command(options, common); },
                               [&](const OccupancyOptions& options) { return occupancy_command(options, common); },
                               [&](const ReportOptions& options) { return report_command(options, common); },
                               [&](const RooflineOptions& options) { return roofline_command(options, common); },
                               [&](const ValidateOptions& options) { return validate_command(options, common); },
                               [&](const SweepOptions& options) { return sweep_command(options, common); },
                               [](const SweepMergeOptions& options) { return sweep_merge_command(options); },
                               [&](const SweepShowOptions& options) { return sweep_show_command(options, common); },
                               [&](const ArchOptions& options) { return arch_command(options, common); },
                               [&](const TraceOptions& options) { return trace_command(options, common); },
                               [&](const TraceImportOptions& options) { return trace_import_command(options, common); },
                               [&](const TraceExportOptions& options) { return trace_export_command(options, common); },
                               [](const Message& message) {
                                 print(message.text);
                                 return static_cast<int>(Exit::kDone);
                               }},
                    line.command);
}

int parse_and_dispatch(int argc, const char* const* argv) {
  open_log("auto", false);
  try {
    const CommandLine line = parse_command_line(argc, argv);
    open_log(line.colour, line.quiet);
    return dispatch(line);
  } catch (const UsageError& error) {
    log_error(std::string(error.what()) + "; see gpusim --help");
    return Exit::kUsage;
  } catch (const InputError& error) {
    log_error(error.what());
    return Exit::kBadInput;
  } catch (const CannotFinishError& error) {
    log_error(error.what());
    return Exit::kCannotFinish;
  } catch (const Interrupted&) {
    log_warning("interrupted: nothing is written");
    return interrupt_code();
  } catch (const std::bad_alloc&) {
    log_error("out of memory: the inputs are too large for this machine");
    return Exit::kCannotFinish;
  } catch (const std::exception& error) {
    log_error(std::string("this is a fault of gpusim ") + std::string(report::version()) + ": " + error.what());
    log_error("please report it, with the command line and the input files, so that it can be repaired");
    return Exit::kOurFault;
  }
}

}  // namespace

int run_program(int argc, const char* const* argv) noexcept {
  try {
    return parse_and_dispatch(argc, argv);
  } catch (...) {
    // Only the log itself can have failed here.
    std::fputs("gpusim: error: a fault of gpusim; please report it\n", stderr);
    return Exit::kOurFault;
  }
}

}  // namespace gpusim::app
