// SPDX-License-Identifier: MIT
#include "sim/app/program.h"

int main(int argc, char** argv) {
  return gpusim::app::run_program(argc, argv);
}
