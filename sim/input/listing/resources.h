// SPDX-License-Identifier: MIT
// What a kernel takes of an SM, where a listing says so: lines of nvdisasm, and of cuobjdump -res-usage.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/input/listing/listing.h"

namespace gpusim::frontend::sass {

/// ".section NAME", and not ".sectioninfo".
[[nodiscard]] bool is_section(std::string_view text);

/// A number that no kernel can have.
struct BadResource {
  std::string message;
  std::string hint;
};

class Resources {
 public:
  /// Most registers of a thread, and most bytes of shared memory of a CTA: no GPU has more.
  static constexpr std::uint32_t kMostRegisters = 255;
  static constexpr std::uint32_t kMostSharedBytes = 256U << 10U;

  /// "Function NAME:" and "REG:10 STACK:0 SHARED:512 ..."; false for any other line. Throws BadResource.
  bool read_usage(std::string_view text);
  /// Lines that begin with a dot; `function` is the one whose code they stand in, or empty. Throws BadResource.
  void read_directive(std::string_view text, const std::string& function);
  void apply_to(ListedFunction& function) const;

 private:
  struct OfFunction {
    std::uint32_t registers = 0;
    std::uint32_t barriers = 0;
    std::optional<std::uint32_t> shared_bytes;
    std::optional<std::uint32_t> local_bytes;
    std::optional<std::uint32_t> bank_bytes;
    bool is_entry = false;
  };
  std::map<std::string, OfFunction, std::less<>> functions_;
  std::string usage_of_;   ///< whose usage comes next
  std::string shared_of_;  ///< whose section of shared memory this is
};

}  // namespace gpusim::frontend::sass
