// SPDX-License-Identifier: MIT
#include "sim/app/commands.h"
#include "sim/app/shell/program.h"
#include "sim/commands/help/command.h"
#include "sim/commands/launch/open_job.h"
#include "sim/commands/recordings/load_other.h"

int main(int argc, char** argv) {
  using namespace gpusim;
  return app::run_program(argc, argv,
                          {app::add_all_commands, commands::open_job, commands::load_other_trace, commands::show_help});
}
