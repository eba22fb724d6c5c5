// SPDX-License-Identifier: MIT
// The allocations of a step among its launches, in the order of its script.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/generate/step_builder.h"
#include "sim/system/memory/script.h"

namespace gpusim::generate {

class MemoryCalls {
 public:
  /// Without a script nothing is allocated.
  MemoryCalls(StepBuilder& builder, memory::Script script) : builder_(builder), script_(std::move(script)) {}

  /// What is held before the step.
  void set_up();
  /// A section of the script begins; what is left of the one before is done.
  void begin(const std::string& section);
  /// What the section makes and gives up until it has done with the operation: "forward of mlp.up".
  void before(std::string_view operation);
  /// The rest of the section.
  void end() { play(section_ == nullptr ? 0 : section_->size()); }
  [[nodiscard]] bool are_alike(std::string_view one, std::string_view other) const {
    return script_.section(one) == script_.section(other);
  }
  /// Frees what the sections made and did not give up.
  void free_rest();

 private:
  void play(std::size_t until);
  void play(const memory::Change& change);

  StepBuilder& builder_;
  memory::Script script_;
  const memory::Changes* section_ = nullptr;
  std::size_t next_ = 0;
};

}  // namespace gpusim::generate
