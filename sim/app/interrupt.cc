// SPDX-License-Identifier: MIT
#include "sim/app/interrupt.h"

#include <csignal>

namespace gpusim::app {
namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void note_interrupt(int signal) {
  noted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupt() {
  std::signal(SIGINT, note_interrupt);
}

bool interrupted() {
  return noted != 0;
}

void throw_if_interrupted() {
  if (interrupted()) {
    throw Interrupted{};
  }
}

}  // namespace gpusim::app
