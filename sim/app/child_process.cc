// SPDX-License-Identifier: MIT
#include "sim/app/child_process.h"

#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gpusim::app {
namespace {

void check(int error, const std::string& what) {
  if (error != 0) {
    throw std::system_error(error, std::generic_category(), what);
  }
}

/// Both ends are closed with it, and never given to a child unasked.
class Pipe {
 public:
  Pipe() { check(::pipe2(ends_.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe"); }
  ~Pipe() {
    ::close(ends_[0]);
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int reader() const { return ends_[0]; }
  [[nodiscard]] int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) {
      ::close(ends_[1]);
      ends_[1] = -1;
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// What is set up in the child before it becomes the program.
class Actions {
 public:
  Actions() { check(::posix_spawn_file_actions_init(&actions_), "posix_spawn"); }
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  [[nodiscard]] posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

pid_t spawn(std::span<const std::string> words, const std::filesystem::path& folder, int output, int errors) {
  Actions actions;
  check(::posix_spawn_file_actions_addchdir_np(actions.get(), folder.c_str()), folder.string());
  check(::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0), "/dev/null");
  check(::posix_spawn_file_actions_adddup2(actions.get(), output, STDOUT_FILENO), "dup2");
  check(::posix_spawn_file_actions_adddup2(actions.get(), errors, STDERR_FILENO), "dup2");
  std::vector<std::string> copies(words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : copies) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  pid_t child = 0;
  check(::posix_spawnp(&child, arguments[0], actions.get(), nullptr, arguments.data(), environ), words.front());
  return child;
}

/// Reads both until their writers are gone, whichever fills first.
void drain(const Pipe& output, const Pipe& errors, Ended& ended) {
  std::array<pollfd, 2> polled{pollfd{output.reader(), POLLIN, 0}, pollfd{errors.reader(), POLLIN, 0}};
  const std::array<std::string*, 2> texts{&ended.output, &ended.errors};
  std::array<char, 4096> buffer{};
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    if (::poll(polled.data(), polled.size(), -1) < 0) {
      check(errno == EINTR ? 0 : errno, "poll");
      continue;
    }
    for (std::size_t i = 0; i < polled.size(); ++i) {
      if (polled[i].fd < 0 || polled[i].revents == 0) {
        continue;
      }
      const ssize_t got = ::read(polled[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
      } else if (got == 0 || errno != EINTR) {
        polled[i].fd = -1;  // poll() passes over it
      }
    }
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      check(errno, "waitpid");
    }
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Ended run_child(std::span<const std::string> words, const std::filesystem::path& folder) {
  Pipe output;
  Pipe errors;
  const pid_t child = spawn(words, folder, output.writer(), errors.writer());
  output.close_writer();
  errors.close_writer();
  Ended ended;
  drain(output, errors, ended);
  ended.status = wait_for(child);
  return ended;
}

}  // namespace gpusim::app
