// SPDX-License-Identifier: MIT
#include "sim/app/commands.h"

#include <string>

#include "sim/commands/app/command.h"
#include "sim/commands/arch/command.h"
#include "sim/commands/cli/exit_codes.h"
#include "sim/commands/collective/command.h"
#include "sim/commands/compare/command.h"
#include "sim/commands/disasm/command.h"
#include "sim/commands/exec/command.h"
#include "sim/commands/fit/command.h"
#include "sim/commands/help/command.h"
#include "sim/commands/lab/command.h"
#include "sim/commands/launch/open_job.h"
#include "sim/commands/occupancy/command.h"
#include "sim/commands/report/command.h"
#include "sim/commands/roofline/command.h"
#include "sim/commands/run/command.h"
#include "sim/commands/sweep/command.h"
#include "sim/commands/system/command.h"
#include "sim/commands/trace/command.h"
#include "sim/commands/validate/command.h"

namespace gpusim::app {
namespace {

constexpr const char* kExamples = R"(gpusim --arch h100.yaml --trace flashattn.trace
gpusim --arch h100 --trace flashattn --param seq=8192 --html page.html
gpusim --arch h100 --trace saxpy --set dram.bandwidth=4.8TB/s --details
gpusim compare --arch h100 --trace transpose-naive --trace transpose-padded
gpusim help sweep)";

/// What the program's help ends with.
std::string footer() {
  std::string text = std::string(kExamples) + "\n\nExit codes: ";
  for (const cli::ExitCode& code : cli::exit_codes()) {
    text += (code.code == 0 ? "" : "; ") + std::to_string(code.code) + " " + std::string(code.meaning);
  }
  return text + ".";
}

}  // namespace

void add_all_commands(cli::CommandSet& set) {
  cli::set_examples(set.root(), footer().c_str());
  commands::add_run_command(set, commands::open_job);
  commands::add_arch_command(set);
  commands::add_trace_commands(set);
  commands::add_disasm_command(set);
  commands::add_exec_command(set);
  commands::add_report_command(set);
  commands::add_compare_command(set);
  commands::add_occupancy_command(set);
  commands::add_roofline_command(set);
  commands::add_system_command(set);
  commands::add_collective_command(set);
  commands::add_app_command(set);
  commands::add_fit_command(set);
  commands::add_validate_command(set);
  commands::add_sweep_commands(set);
  commands::add_lab_commands(set);
  commands::add_help_command(set);
}

}  // namespace gpusim::app
