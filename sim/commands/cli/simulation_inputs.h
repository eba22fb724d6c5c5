// SPDX-License-Identifier: MIT
// What is simulated, as the user named it: an architecture and a trace, with values of their own.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/problem.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::cli {

struct OutputPath;

/// The architecture called `name`, with `set`, "KEY=VALUE" each. Throws UsageError for what is not of that form,
/// InputError for everything else, also when one of `outputs` would replace its file.
[[nodiscard]] arch::Arch read_arch(const std::string& name, const std::vector<std::string>& set,
                                   std::span<const OutputPath> outputs);

/// The architecture that the file of a system or an application calls `name`. As when the system was read, it is one of
/// those that came along, or a path, and no file of that name in the current folder. Throws InputError.
[[nodiscard]] arch::Arch read_named_arch(const std::string& name, const std::vector<std::string>& set);

/// The trace called `name`, with `params`, "NAME=VALUE" each. Throws InputError, also when one of `outputs` would
/// replace its file.
[[nodiscard]] trace::Trace read_trace(const std::string& name, const std::vector<std::string>& params,
                                      bool use_test_set, std::span<const OutputPath> outputs);

/// The trace that the program itself calls `name`, as find_shipped_trace() finds it. Throws InputError.
[[nodiscard]] trace::Trace read_shipped_trace(const std::string& name, const std::vector<std::string>& params);

/// Reads one input after another; when some are wrong, the user hears of all of them.
class Attempts {
 public:
  /// Keeps the problems that an InputError of `read` has.
  template <class Read>
  void attempt(const Read& read) {
    try {
      read();
    } catch (const InputError& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    }
  }
  /// Throws InputError with all that was wrong.
  void throw_if_any() {
    if (!problems_.empty()) {
      throw InputError(std::move(problems_));
    }
  }

 private:
  std::vector<Problem> problems_;
};

}  // namespace gpusim::cli
