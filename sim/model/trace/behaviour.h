// SPDX-License-Identifier: MIT
// The three forms in which a kernel says what its warps do: a program, a recording, or code to execute.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

#include "sim/model/trace/executed.h"
#include "sim/model/trace/program.h"
#include "sim/model/trace/recorded.h"

namespace gpusim::trace {

/// How a kernel's warps behave: one immutable object a kernel, shared by all warps and threads.
class Behaviour {
 public:
  explicit Behaviour(Program program) : form_(std::move(program)) {}
  explicit Behaviour(Recording recording) : form_(std::move(recording)) {}
  explicit Behaviour(std::shared_ptr<const Executable> executable) : form_(std::move(executable)) {}
  [[nodiscard]] const Program* program() const { return std::get_if<Program>(&form_); }
  [[nodiscard]] const Recording* recording() const { return std::get_if<Recording>(&form_); }
  [[nodiscard]] const Executable* executable() const {
    const auto* const executable = std::get_if<std::shared_ptr<const Executable>>(&form_);
    return executable == nullptr ? nullptr : executable->get();
  }
  /// Pattern ids that LaneAddresses may carry are below this.
  [[nodiscard]] std::uint32_t pattern_count() const {
    if (program() != nullptr) {
      return static_cast<std::uint32_t>(program()->patterns.size());
    }
    return recording() != nullptr ? recording()->pattern_count : executable()->pattern_count();
  }

 private:
  std::variant<Program, Recording, std::shared_ptr<const Executable>> form_;
};

/// Null for a kernel without behaviour, and for one that is not recorded.
[[nodiscard]] inline const Recording* recording_of(const std::shared_ptr<const Behaviour>& behaviour) {
  return behaviour == nullptr ? nullptr : behaviour->recording();
}

}  // namespace gpusim::trace
