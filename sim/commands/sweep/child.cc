// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/child.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/problem.h"
#include "sim/base/read_pipe.h"

namespace gpusim::commands {
namespace {

constexpr std::size_t kMostKept = 64 * 1024;
/// Exit codes of a child that never became the program, as shells use them.
constexpr int kNoFolder = 126;
constexpr int kNotFound = 127;

[[noreturn]] void cannot_run(const std::string& program, const std::string& why) {
  throw InputError({{program, 0, 0}, "cannot be started: " + why, ""});
}

/// Only calls that are allowed between fork() and exec.
[[noreturn]] void become(char* const* arguments, const char* folder, int output) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (::chdir(folder) != 0 || nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(output, STDOUT_FILENO) < 0 ||
      ::dup2(output, STDERR_FILENO) < 0) {
    ::_exit(kNoFolder);
  }
  ::execvp(arguments[0], arguments);
  ::_exit(errno == ENOENT ? kNotFound : kNoFolder);
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ChildEnd run_child(const std::vector<std::string>& command, const std::filesystem::path& folder) {
  std::vector<char*> arguments;
  for (const std::string& word : command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    cannot_run(command.front(), std::strerror(errno));
  }
  const pid_t child = ::fork();
  if (child == 0) {
    become(arguments.data(), folder.c_str(), ends[1]);
  }
  const int error = errno;
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    cannot_run(command.front(), std::strerror(error));
  }
  ChildEnd end;
  end.said = read_pipe(ends[0], kMostKept);
  ::close(ends[0]);
  end.code = wait_for(child);
  end.was_found = end.code != kNotFound;
  if (end.code == kNoFolder) {
    cannot_run(command.front(), "it is not a program that may be run, or '" + folder.string() + "' cannot be entered");
  }
  return end;
}

}  // namespace gpusim::commands
