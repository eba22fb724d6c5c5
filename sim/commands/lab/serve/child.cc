// SPDX-License-Identifier: MIT
#include "sim/commands/lab/serve/child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <string_view>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/problem.h"

namespace gpusim::lab {
namespace {

constexpr int kFirstOther = 3;  // behind standard input, output and error

void send_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(to, text.data(), text.size());
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

/// Connections of the server among them: a browser would wait for their end.
void close_others(int kept) {
  if (kept > kFirstOther) {
    ::close_range(kFirstOther, static_cast<unsigned>(kept - 1), 0);
  }
  ::close_range(static_cast<unsigned>(kept + 1), std::numeric_limits<unsigned>::max(), 0);
}

/// Never returns, and runs no destructor or exit handler of the server.
[[noreturn]] void be_the_child(const std::function<std::string()>& work, pid_t parent, int output) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(1);  // the server ended before it was asked for
  }
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    std::signal(number, SIG_DFL);
  }
  close_others(output);
  int code = 0;
  try {
    send_all(output, work());
  } catch (...) {
    code = 1;  // whoever waits sees an output that ends early
  }
  ::_exit(code);
}

}  // namespace

Child start_child(const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw InputError({{"", 0, 0}, std::string("no process can be made: ") + std::strerror(errno), ""});
  }
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) {
    be_the_child(work, parent, ends[1]);
  }
  const int error = errno;
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    throw InputError({{"", 0, 0}, std::string("no process can be made: ") + std::strerror(error), ""});
  }
  return {pid, ends[0]};
}

void end_child(const Child& child) {
  ::kill(child.pid, SIGKILL);
  while (::waitpid(child.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace gpusim::lab
