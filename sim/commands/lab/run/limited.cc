// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/limited.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/problem.h"
#include "sim/base/read_pipe.h"
#include "sim/commands/cli/clock.h"

namespace gpusim::lab {
namespace {

constexpr std::size_t kMostKept = 4 * 1024 * 1024;
/// Exit codes of the child.
constexpr int kChildDone = 0;
constexpr int kChildOutOfMemory = 3;
constexpr int kChildFailed = 4;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitsMemory = false;
#else
constexpr bool kLimitsMemory = true;
#endif

[[noreturn]] void fail(const char* why) {
  throw InputError({{"", 0, 0}, std::string("no process can be made: ") + why, ""});
}

void set_limit(__rlimit_resource what, std::uint64_t soft, std::uint64_t hard) {
  const ::rlimit limit{soft, hard};
  ::setrlimit(what, &limit);
}

void set_alarm(double seconds) {
  const double whole = std::floor(seconds);
  ::itimerval timer{};
  timer.it_value.tv_sec = static_cast<::time_t>(whole);
  timer.it_value.tv_usec = static_cast<::suseconds_t>((seconds - whole) * 1e6);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(to, text.data(), text.size());
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size <= 0) {
      ::_exit(kChildFailed);
    }
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

/// The child: never returns, and runs no destructor or exit handler of the parent.
[[noreturn]] void be_child(const Limits& limits, const std::function<void(const Say& say)>& work, int output) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody waits for it any more
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    std::signal(number, SIG_DFL);
  }
  set_limit(RLIMIT_CORE, 0, 0);
  if (limits.bytes_of_files != 0) {
    ::setpgid(0, 0);
    set_limit(RLIMIT_FSIZE, limits.bytes_of_files, limits.bytes_of_files);
  }
  std::signal(SIGALRM, SIG_DFL);
  set_alarm(limits.wall_seconds);
  set_limit(RLIMIT_CPU, limits.seconds, limits.seconds + 1);
  if (kLimitsMemory) {
    set_limit(RLIMIT_DATA, limits.bytes, limits.bytes);
  }
  int code = kChildDone;
  try {
    work([output](std::string_view text) { write_all(output, text); });
  } catch (const std::bad_alloc&) {
    code = kChildOutOfMemory;
  } catch (...) {
    code = kChildFailed;
  }
  ::_exit(code);
}

/// `has_group`: what else is in its group ends with it.
LimitedEnd wait_for(pid_t child, bool has_group) {
  int status = 0;
  ::rusage used{};
  while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  if (has_group) {
    ::kill(-child, SIGKILL);
  }
  const auto seconds = [](const ::timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  LimitedEnd end;
  end.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  if (WIFEXITED(status)) {
    end.kind = WEXITSTATUS(status) == kChildDone          ? LimitedEnd::Kind::kDone
               : WEXITSTATUS(status) == kChildOutOfMemory ? LimitedEnd::Kind::kOutOfMemory
                                                          : LimitedEnd::Kind::kCrashed;
  } else {
    const bool is_time = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL;
    end.kind = is_time                       ? LimitedEnd::Kind::kOutOfTime
               : WTERMSIG(status) == SIGALRM ? LimitedEnd::Kind::kOutOfWallTime
                                             : LimitedEnd::Kind::kCrashed;
  }
  return end;
}

}  // namespace

LimitedEnd run_limited(const Limits& limits, const std::function<void(const Say& say)>& work) {
  const double begin = cli::host_seconds();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    fail(std::strerror(errno));
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    be_child(limits, work, ends[1]);
  }
  const int error = errno;
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    fail(std::strerror(error));
  }
  std::string said = read_pipe(ends[0], kMostKept);
  ::close(ends[0]);
  LimitedEnd end = wait_for(child, limits.bytes_of_files != 0);
  end.said = std::move(said);
  end.wall_seconds = cli::host_seconds() - begin;
  return end;
}

}  // namespace gpusim::lab
