// SPDX-License-Identifier: MIT
#include "tests/exec/kernels/page.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "sim/code/sass/decode.h"

#include "tests/exec/kernels/files.h"
#include "tests/exec/kernels/run.h"

namespace gpusim::exec {
namespace {

constexpr const char* kPageHead =
    "# Compiled kernels, executed\n"
    "\n"
    "gpusim executes the machine code of compiled kernels on the CPU, instruction by instruction. These kernels of our "
    "own\n"
    "(`tests/exec/kernels/cuda`) try it: `nvcc` 13.0 has compiled them for sm_75, sm_80, sm_86 and sm_90a, as far as "
    "an SM\n"
    "has what they use. A test decodes all of their code, runs each kernel, and compares all of its results with a\n"
    "reference on the CPU: bit for bit, or as near as the column says (relative; near 0 absolute).\n"
    "\n"
    "The page is written by `GPUSIM_REGENERATE=1 test_exec_kernels`, and the tests hold all of it but the last column: "
    "how\n"
    "many warp instructions a second one thread executed for the newest SM, without timing, in millions. These "
    "launches\n"
    "are small, so that a part of the time is beginning and ending. They were measured without assertions, on a "
    "machine\n"
    "that had other work to do: take them as an order of magnitude.\n"
    "\n"
    "| kernel | file | instructions | decoded | results are right for | tolerance | M/s |\n"
    "| --- | --- | ---: | ---: | --- | --- | ---: |\n";

struct Decoded {
  std::size_t instructions = 0;
  std::size_t known = 0;
};

Decoded decoded(const KernelCase& row) {
  Decoded result;
  for (const unsigned sm : kCompiledFor) {
    for (const cubin::Module& module : modules_of(kernel_file(row.file), sm)) {
      for (const cubin::Function& function : module.functions) {
        if (function.name == row.kernel) {
          for (const sass::Code& code : function.code) {
            ++result.instructions;
            result.known += sass::decode(code, module.generation().value()).is_known() ? 1 : 0;
          }
        }
      }
    }
  }
  return result;
}

/// Millions of warp instructions a second, from the best of some runs.
std::string speed_of(const KernelCase& row, Speeds speeds) {
  if (speeds == Speeds::kLeftOut) {
    return "";
  }
  constexpr int kRuns = 5;
  double best = 0;
  for (int i = 0; i < kRuns; ++i) {
    const KernelResult result = run_case(row, kCompiledFor[std::size(kCompiledFor) - 1]);
    if (result.wrong.empty() && result.seconds > 0) {
      best = std::max(best, static_cast<double>(result.counts.warp_instructions) / result.seconds / 1e6);
    }
  }
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << best;
  return text.str();
}

}  // namespace

std::string kernel_page(Speeds speeds) {
  std::ostringstream page;
  page << kPageHead;
  for (const KernelCase& row : kernel_cases()) {
    const Decoded code = decoded(row);
    std::string right;
    for (const unsigned sm : kCompiledFor) {
      if (sm >= row.since && run_case(row, sm).wrong.empty()) {
        right += (right.empty() ? "sm_" : ", sm_") + std::to_string(sm) + (sm == 90 ? "a" : "");
      }
    }
    page << "| `" << row.kernel << "` | `" << row.file << ".cu` | " << code.instructions << " | "
         << code.known * 100 / code.instructions << " % | " << (right.empty() ? "none" : right) << " | "
         << row.tolerance << " | " << speed_of(row, speeds) << " |\n";
  }
  return page.str();
}

std::string without_speeds(const std::string& page) {
  std::istringstream lines(page);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| `")) {
      line.erase(line.rfind('|', line.size() - 2) + 1);
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace gpusim::exec
