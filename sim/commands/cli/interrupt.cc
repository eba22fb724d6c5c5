// SPDX-License-Identifier: MIT
#include "sim/commands/cli/interrupt.h"

#include <csignal>

namespace gpusim::cli {
namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void note_interrupt(int signal) {
  noted = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void let_large_writes_fail() {
  std::signal(SIGXFSZ, SIG_IGN);
}

void catch_interrupt() {
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
  if (std::signal(SIGHUP, note_interrupt) == SIG_IGN) {
    std::signal(SIGHUP, SIG_IGN);  // nohup
  }
}

bool interrupted() {
  return noted != 0;
}

int interrupt_code() {
  return 128 + noted;
}

void throw_if_interrupted() {
  if (interrupted()) {
    throw Interrupted{};
  }
}

}  // namespace gpusim::cli
