// SPDX-License-Identifier: MIT
// A step's tape by its parts: what comes before the step, such as the first one, and what each layer and pass makes and
// gives up. Tensors that play one part have one name in all layers, so that alike layers have equal changes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/memory/tape.h"

namespace gpusim::memory {

/// Tensors of one name: as many as are held at a time, and the last made is given up first.
struct Buffer {
  std::string name;  ///< "mlp.up activations"
  std::uint64_t bytes = 0;
  Category category = Category::kActivations;
  Stream stream = Stream::kCompute;
  bool is_many = false;  ///< several are held at a time
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

/// A tensor is made, or given up.
struct Change {
  std::uint32_t buffer = 0;
  bool makes = true;
  std::string operation;  ///< "forward of mlp.up", without the layer
  friend bool operator==(const Change&, const Change&) = default;
};
using Changes = std::vector<Change>;

struct Script {
  std::vector<Buffer> buffers;
  Changes before;                                        ///< what is made and given up before the step
  std::map<std::string, Changes, std::less<>> sections;  ///< "forward 0 layer 3"
  std::vector<std::string> order;                        ///< order of the sections
  std::vector<std::uint32_t> left;                       ///< made and not given up by the sections, in order
  /// The changes of a section; none where there is no such section.
  [[nodiscard]] const Changes& section(std::string_view name) const;
};

/// The script of the step that begins with the last section `first`, up to the section `behind`, or to the end of the
/// tape.
[[nodiscard]] Script script_of(const Tape& tape, std::string_view first, std::string_view behind = {});

}  // namespace gpusim::memory
