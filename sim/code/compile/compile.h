// SPDX-License-Identifier: MIT
// Source code of kernels to machine code, with the compilers that are on the machine. None of them needs a GPU.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/problem.h"

namespace gpusim::compile {

/// What the compiler is to make code for, by the compute capability of an architecture file: "sm_90a" for "9.0", whose
/// own instructions need the "a", and "sm_80" for "8.0". Nothing for what is not a compute capability.
[[nodiscard]] std::optional<std::string> target_of(std::string_view compute_capability);

/// Where programs are looked for; the machine's own unless a test says otherwise.
struct Places {
  std::vector<std::filesystem::path> folders;
  /// PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda, and the wheels of NVIDIA and Triton in the user's Python.
  [[nodiscard]] static Places of_machine();
};

/// Whether there is what makes machine code of .cu files.
[[nodiscard]] bool can_compile(const Places& places);

struct Request {
  std::filesystem::path source;
  std::string target;              ///< "sm_90a"
  std::vector<std::string> flags;  ///< for the compiler, such as "-I" and a folder
};

/// A compiler was ended by a signal, such as one that a limit sends.
struct CompilerEnded : InputError {
  CompilerEnded(std::vector<Problem> problems, int number) : InputError(std::move(problems)), signal(number) {}
  int signal;
};

/// Makes a cubin. `announce` is told each command before it runs. Throws InputError when no compiler is found (it says
/// which package brings one), and when one fails (with what it printed); CompilerEnded when it had no say in that.
[[nodiscard]] std::string compile(const Request& request, const Places& places,
                                  const std::function<void(const std::string& command)>& announce);

}  // namespace gpusim::compile
