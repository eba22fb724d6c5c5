// SPDX-License-Identifier: MIT
// Compilers are stand-ins here: scripts that write down how they were called.
#include "sim/code/compile/compile.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/problem.h"
#include "sim/base/temporary_folder.h"
#include "sim/code/compile/process.h"
#include "sim/code/kind/kind.h"

using namespace gpusim;
using namespace gpusim::compile;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A folder with compilers and sources.
class Machine {
 public:
  /// A script of this name; its last argument is the file that it is to make.
  void add(const std::string& name, const std::string& script) const {
    const fs::path path = folder_.path() / name;
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path, fs::perms::owner_all);
  }
  /// A compiler that writes its arguments, one per line, to NAME.log, and a text to the file behind -o.
  void add_compiler(const std::string& name) const {
    add(name, "printf '%s\\n' \"$@\" > '" + log(name).string() +
                  "'\nwhile [ $# -gt 1 ]; do shift; done\necho machine code > \"$1\"");
  }
  [[nodiscard]] fs::path source(const std::string& name) const {
    const fs::path path = folder_.path() / name;
    std::ofstream(path) << "source\n";
    return path;
  }
  [[nodiscard]] fs::path log(const std::string& name) const { return folder_.path() / (name + ".log"); }
  [[nodiscard]] Places places() const { return {{folder_.path()}}; }

 private:
  TemporaryFolder folder_;
};

std::vector<std::string> commands_of(const Machine& machine, const Request& request, std::string* code = nullptr) {
  std::vector<std::string> commands;
  const std::string made =
      compile::compile(request, machine.places(), [&](const std::string& command) { commands.push_back(command); });
  if (code != nullptr) {
    *code = made;
  }
  return commands;
}

std::string error_of(const Machine& machine, const fs::path& source) {
  try {
    static_cast<void>(commands_of(machine, {source, "sm_80", {}}));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Whether a process runs: one that nobody has waited for yet does not.
bool runs(const std::string& process) {
  const std::string status = read("/proc/" + process + "/stat");
  const std::size_t name_end = status.rfind(')');
  return name_end != std::string::npos && status.compare(name_end + 2, 1, "Z") != 0;
}

template <typename Condition>
bool comes_true(const Condition& condition) {
  for (int i = 0; i < 1000 && !condition(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return condition();
}

}  // namespace

TEST_CASE("what a compiler has started ends with the one that wants it, even when that is killed") {
  const Machine machine;
  machine.add("nvcc", "sleep 1000 & echo $! > '" + machine.log("nvcc").string() + "'\nwait");
  const TemporaryFolder scratch;
  const std::string nvcc = (machine.places().folders.front() / "nvcc").string();
  const pid_t runner = fork();
  if (runner == 0) {
    (void)run_program({nvcc}, scratch.path());
    _exit(0);
  }
  REQUIRE(comes_true([&] { return !read(machine.log("nvcc")).empty(); }));
  std::string sleeper = read(machine.log("nvcc"));
  sleeper.pop_back();
  REQUIRE(runs(sleeper));
  kill(runner, SIGKILL);
  waitpid(runner, nullptr, 0);
  CHECK(comes_true([&] { return !runs(sleeper); }));
}

TEST_CASE("Ctrl-C ends what a compiler has started, and then what it would have ended without a compiler") {
  const bool is_noted = GENERATE(false, true);
  const Machine machine;
  machine.add("nvcc", "sleep 1000 & echo $! > '" + machine.log("nvcc").string() + "'\nwait");
  const TemporaryFolder scratch;
  const std::string nvcc = (machine.places().folders.front() / "nvcc").string();
  static volatile std::sig_atomic_t noted = 0;
  const pid_t runner = fork();
  if (runner == 0) {
    std::signal(SIGINT, is_noted ? [](int signal) { noted = signal; } : SIG_DFL);
    const int code = run_program({nvcc}, scratch.path()).code;
    _exit(noted == SIGINT && code > kSignalled ? 7 : 0);
  }
  REQUIRE(comes_true([&] { return !read(machine.log("nvcc")).empty(); }));
  std::string sleeper = read(machine.log("nvcc"));
  sleeper.pop_back();
  kill(runner, SIGINT);
  int status = 0;
  waitpid(runner, &status, 0);
  CHECK(comes_true([&] { return !runs(sleeper); }));
  CHECK((is_noted ? WIFEXITED(status) && WEXITSTATUS(status) == 7 : WIFSIGNALED(status) && WTERMSIG(status) == SIGINT));
}

TEST_CASE("a program that cannot be started is said to be so, and why") {
  const TemporaryFolder scratch;
  CHECK_THROWS_WITH(run_program({"/no/such/program"}, scratch.path()),
                    Contains("/no/such/program: cannot be started: No such file or directory"));
}

TEST_CASE("nvcc makes a cubin for the GPU that is simulated, with lines, and each command is announced") {
  const Machine machine;
  machine.add_compiler("nvcc");
  const fs::path source = machine.source("saxpy.cu");
  std::string code;
  const std::vector<std::string> commands = commands_of(machine, {source, "sm_90a", {"-I", "a b"}}, &code);
  CHECK(code == "machine code\n");
  REQUIRE(commands.size() == 1);
  CHECK_THAT(commands[0], Contains("nvcc -cubin -lineinfo -arch=sm_90a -I a b " + source.string() + " -o "));
  CHECK_THAT(read(machine.log("nvcc")), Contains("-arch=sm_90a\n-I\na b\n" + source.string() + "\n-o\n"));
}

TEST_CASE("PTX goes through ptxas alone") {
  const Machine machine;
  machine.add_compiler("nvcc");
  machine.add_compiler("ptxas");
  const std::vector<std::string> commands = commands_of(machine, {machine.source("k.ptx"), "sm_86", {}});
  REQUIRE(commands.size() == 1);
  CHECK_THAT(commands[0], Contains("ptxas -lineinfo -arch=sm_86 "));
  CHECK_FALSE(fs::exists(machine.log("nvcc")));
}

TEST_CASE("without nvcc clang makes PTX, and ptxas machine code of it") {
  const Machine machine;
  machine.add_compiler("clang++");
  machine.add_compiler("ptxas");
  const std::vector<std::string> commands = commands_of(machine, {machine.source("k.cu"), "sm_90a", {}});
  REQUIRE(commands.size() == 2);
  CHECK_THAT(commands[0], Contains("clang++ -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 "));
  CHECK_THAT(commands[1], Contains("ptxas -lineinfo -arch=sm_90a "));
}

TEST_CASE("without a compiler the message says what brings one, and that no GPU is needed") {
  const Machine machine;
  CHECK_THAT(
      error_of(machine, machine.source("k.cu")),
      Contains("k.cu: has to be compiled, and there is no nvcc on this machine, nor clang++ with ptxas ('pip install "
               "nvidia-cuda-nvcc' brings it; no GPU and no driver is needed."));
  CHECK_THAT(error_of(machine, machine.source("k.ptx")), Contains("k.ptx: needs ptxas"));
  CHECK_THAT(error_of(machine, "nowhere.cu"), Contains("nowhere.cu: no such file"));
}

TEST_CASE("a compiler's errors are shown") {
  const Machine machine;
  machine.add("nvcc", "echo 'k.cu(3): error: expected a ;' >&2\nexit 2");
  CHECK_THAT(error_of(machine, machine.source("k.cu")),
             Contains("nvcc failed with exit code 2 (it said:)\nk.cu(3): error: expected a ;"));
  machine.add("nvcc", "exit 0");
  CHECK_THAT(error_of(machine, machine.source("k.cu")), Contains("no machine code came out"));
}

TEST_CASE("a compiler that a signal ended is said to have been ended, in words") {
  const auto [signal, words] =
      GENERATE(table<std::string, std::string>({{"9", "nvcc was killed, as by a limit of time, or where the machine"},
                                                {"6", "nvcc gave up, as it does when it gets no more memory"},
                                                {"11", "nvcc crashed (it said:)\nit printed nothing"},
                                                {"24", "nvcc was ended: it reached a limit of processor time"},
                                                {"25", "nvcc was ended: it reached a limit on the size of a file"},
                                                {"12", "nvcc was ended by signal 12"}}));
  const Machine machine;
  machine.add("nvcc", "kill -" + signal + " $$");
  CHECK_THAT(error_of(machine, machine.source("k.cu")), Contains(words) && !Contains("exit code"));
  machine.add("nvcc", "exit " + std::to_string(kSignalled + std::stoi(signal)));  // as the shell of nvcc tells it
  CHECK_THAT(error_of(machine, machine.source("k.cu")), Contains(words));
}

TEST_CASE("names that a shell would take apart never reach a compiler") {
  const Machine machine;
  machine.add_compiler("nvcc");
  for (const char* const name : {"a b.cu", "a;b.cu", "$(b).cu", "a'b.cu", "a\"b.cu", "a\nb.cu", "a`b`.cu"}) {
    CHECK_THAT(error_of(machine, machine.source(name)), Contains("has a name that compilers cannot be given"));
  }
  CHECK_FALSE(fs::exists(machine.log("nvcc")));
}

TEST_CASE("the compiler's target follows from the compute capability") {
  CHECK(target_of("9.0") == "sm_90a");
  CHECK(target_of("8.0") == "sm_80");
  CHECK(target_of("8.9") == "sm_89");
  CHECK(target_of("12.0") == "sm_120");
  CHECK_FALSE(target_of(""));
  CHECK_FALSE(target_of("x.y"));
}

TEST_CASE("a source is told from machine code by its extension") {
  CHECK(code::is_source("saxpy.cu"));
  CHECK(code::is_source("dir/k.ptx"));
  CHECK_FALSE(code::is_source("saxpy.cubin"));
}
