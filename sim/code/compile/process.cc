// SPDX-License-Identifier: MIT
#include "sim/code/compile/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/problem.h"

namespace gpusim::compile {
namespace {

/// Waits for it. Its exit code; 128 and the number of the signal that ended it.
int code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status);
}

/// What is started, with all memory taken before there are two processes.
struct Start {
  char* const* arguments;
  const char* output;
  int failure;   ///< takes errno where the program cannot be started
  pid_t parent;  ///< with which all ends
};

[[noreturn]] void be_program(const Start& start) {
  constexpr int kOwnerOnly = 0600;
  const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int output = ::open(start.output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kOwnerOnly);
  if (input >= 0 && output >= 0 && ::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
      ::dup2(output, STDERR_FILENO) >= 0) {
    ::execv(start.arguments[0], start.arguments);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(start.failure, &error, sizeof error);
  ::_exit(kSignalled - 1);
}

extern "C" void end_group(int /*signal*/) {
  ::kill(0, SIGKILL);
}

/// Between the program and who runs it: a compiler starts others, and they are a group that ends with the one that
/// wants their work, however that ends.
[[noreturn]] void be_guard(const Start& start) {
  ::setpgid(0, 0);
  std::signal(SIGTERM, end_group);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != start.parent) {
    ::_exit(kSignalled + SIGTERM);
  }
  const pid_t program = ::fork();
  if (program == 0) {
    std::signal(SIGTERM, SIG_DFL);
    be_program(start);
  }
  const int error = errno;
  if (program < 0) {
    [[maybe_unused]] const ssize_t told = ::write(start.failure, &error, sizeof error);
    ::_exit(kSignalled - 1);
  }
  ::close(start.failure);
  ::_exit(code_of(program));
}

/// The signals that end this program: a terminal sends them to it and not to the guard, which is in another group.
constexpr std::array kEnding{SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t guard_to_end = 0;
volatile std::sig_atomic_t met_signal = 0;

extern "C" void end_guard(int signal) {
  met_signal = signal;
  ::kill(static_cast<pid_t>(guard_to_end), SIGTERM);
}

/// While it lives, a signal that would end this program, or that it would note, ends the guard first.
class EndTogether {
 public:
  explicit EndTogether(pid_t guard) {
    guard_to_end = guard;
    met_signal = 0;
    for (std::size_t i = 0; i < kEnding.size(); ++i) {
      struct sigaction ours {};
      ours.sa_handler = end_guard;
      ::sigaction(kEnding[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) {
        ::sigaction(kEnding[i], &ours, nullptr);
      }
    }
  }
  ~EndTogether() {
    for (std::size_t i = 0; i < kEnding.size(); ++i) {
      ::sigaction(kEnding[i], &before_[i], nullptr);
    }
    if (met_signal != 0) {
      ::raise(met_signal);
    }
  }
  EndTogether(const EndTogether&) = delete;
  EndTogether& operator=(const EndTogether&) = delete;

 private:
  std::array<struct sigaction, kEnding.size()> before_{};
};

int code_of_guard(pid_t guard) {
  const EndTogether together(guard);
  return code_of(guard);
}

std::string beginning_of(const std::filesystem::path& file) {
  constexpr std::size_t kMost = 64U << 10U;
  std::string text(kMost, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

}  // namespace

Ended run_program(const std::vector<std::string>& command, const std::filesystem::path& scratch) {
  const std::filesystem::path output = scratch / "output.txt";
  std::vector<char*> arguments;
  for (const std::string& word : command) {
    arguments.push_back(const_cast<char*>(word.c_str()));  // execv() does not change them
  }
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  int error = ::pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno;
  const Start start{arguments.data(), output.c_str(), ends[1], ::getpid()};
  const pid_t guard = error == 0 ? ::fork() : -1;
  if (guard == 0) {
    ::close(ends[0]);
    be_guard(start);
  }
  if (error == 0) {
    error = guard < 0 ? errno : 0;
    ::close(ends[1]);
    if (guard > 0 && ::read(ends[0], &error, sizeof error) <= 0) {
      error = 0;  // the end came first: the program has begun
    }
    ::close(ends[0]);
  }
  const int code = guard > 0 ? code_of_guard(guard) : 0;
  if (error != 0) {
    throw InputError({{command.front(), 0, 0}, std::string("cannot be started: ") + std::strerror(error), ""});
  }
  return {code, beginning_of(output)};
}

}  // namespace gpusim::compile
