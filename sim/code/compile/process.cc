// SPDX-License-Identifier: MIT
#include "sim/code/compile/process.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/problem.h"

namespace gpusim::compile {
namespace {

/// Where a program that is started reads from and writes to.
class Streams {
 public:
  explicit Streams(const std::filesystem::path& output) {
    constexpr int kOwnerOnly = 0600;
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     kOwnerOnly);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
  }
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

int wait_for(pid_t child) {
  constexpr int kSignalled = 128;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status);
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
    arguments.push_back(const_cast<char*>(word.c_str()));  // posix_spawn() does not change them
  }
  arguments.push_back(nullptr);
  const Streams streams(output);
  pid_t child = 0;
  if (const int error =
          posix_spawn(&child, command.front().c_str(), streams.actions(), nullptr, arguments.data(), environ);
      error != 0) {
    throw InputError({{command.front(), 0, 0}, std::string("cannot be started: ") + std::strerror(error), ""});
  }
  const int code = wait_for(child);
  return {code, beginning_of(output)};
}

}  // namespace gpusim::compile
