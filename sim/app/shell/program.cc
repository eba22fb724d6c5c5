// SPDX-License-Identifier: MIT
#include "sim/app/shell/program.h"

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "sim/app/shell/command_line.h"
#include "sim/base/large_pages.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/commands/cli/memory_reserve.h"
#include "sim/output/report/report.h"
#include "sim/output/report/schema.h"

namespace gpusim::app {
namespace {

int parse_and_run(int argc, const char* const* argv, const Program& program) {
  cli::open_log("auto", false);
  std::string help;
  try {
    const CommandLine line = parse_command_line(argc, argv, program, help);
    cli::open_log(line.common.colour, line.common.quiet);
    return line.action(line.common);
  } catch (const UsageError& error) {
    cli::log_error(std::string(error.what()) + "; see " + help);
    return cli::Exit::kUsage;
  } catch (const InputError& error) {
    cli::log_error(error.what());
    return cli::Exit::kBadInput;
  } catch (const CannotFinishError& error) {
    cli::log_error(error.what());
    return cli::Exit::kCannotFinish;
  } catch (const cli::Interrupted&) {
    cli::log_warning("interrupted: nothing is written");
    return cli::interrupt_code();
  } catch (const std::bad_alloc&) {
    cli::log_error(cli::kOutOfMemory);
    return cli::Exit::kCannotFinish;
  } catch (const std::exception& error) {
    cli::log_error("internal error of gpusim " + std::string(report::version()) + ": " + error.what());
    cli::log_error("please report it with the command line and the input files");
    return cli::Exit::kOurFault;
  }
}

}  // namespace

int run_program(int argc, const char* const* argv, const Program& program) noexcept {
  try {
    ask_for_large_pages();
    cli::let_large_writes_fail();
    cli::prepare_for_lack_of_memory();
    cli::load_others_with(program.load_other);
    return parse_and_run(argc, argv, program);
  } catch (const NeedsWholeProgram&) {
    return kNeedsWholeProgram;
  } catch (...) {
    // Only the log itself can have failed here.
    std::fputs("gpusim: error: internal error; please report it\n", stderr);
    return cli::Exit::kOurFault;
  }
}

}  // namespace gpusim::app
