// SPDX-License-Identifier: MIT
// The three forms in which a kernel says what its warps do: a program, a recording, or code to execute.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

namespace gpusim::trace {

class Executable;
struct Program;
struct Recording;

/// How a kernel's warps behave: one immutable object a kernel, shared by all warps and threads.
class Behaviour {
 public:
  explicit Behaviour(Program program);
  explicit Behaviour(Recording recording);
  explicit Behaviour(std::shared_ptr<const Executable> executable) : form_(std::move(executable)) {}
  /// Null in another form; the next two likewise.
  [[nodiscard]] const Program* program() const { return get<Program>(); }
  [[nodiscard]] const Recording* recording() const { return get<Recording>(); }
  [[nodiscard]] const Executable* executable() const { return get<Executable>(); }
  /// Pattern ids that LaneAddresses may carry are below this.
  [[nodiscard]] std::uint32_t pattern_count() const;

 private:
  template <class Form>
  [[nodiscard]] const Form* get() const {
    const auto* const form = std::get_if<std::shared_ptr<const Form>>(&form_);
    return form == nullptr ? nullptr : form->get();
  }

  std::variant<std::shared_ptr<const Program>, std::shared_ptr<const Recording>, std::shared_ptr<const Executable>>
      form_;
};

/// Null for a kernel without behaviour, and for one that is not recorded.
[[nodiscard]] inline const Recording* recording_of(const std::shared_ptr<const Behaviour>& behaviour) {
  return behaviour == nullptr ? nullptr : behaviour->recording();
}

}  // namespace gpusim::trace
