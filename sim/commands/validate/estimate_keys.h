// SPDX-License-Identifier: MIT
// The keys of a case that is calculated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/validate/case.h"
#include "sim/model/arch/words.h"

namespace gpusim::commands {

/// The keys of one calculation.
class EstimateKeys {
 public:
  EstimateKeys(const validate::Case& of, std::span<const std::string_view> known) : of_(of) {
    for (const validate::NamedText& pair : of.estimate) {
      if (std::ranges::find(known, pair.first) == known.end()) {
        refuse("unknown key '" + pair.first + "' of 'estimate'", suggestion(pair.first, known));
      }
    }
  }

  /// "" when it is not there.
  [[nodiscard]] std::string text(std::string_view key) const {
    const auto found = std::ranges::find(of_.estimate, key, &validate::NamedText::first);
    return found == of_.estimate.end() ? "" : found->second;
  }
  /// A number from 1 on, or what stands for it.
  [[nodiscard]] std::uint64_t count(std::string_view key, std::uint64_t otherwise, std::uint64_t most) const {
    const std::string written = text(key);
    return written.empty() ? otherwise : cli::parse_count(key, written, 1, most);
  }
  /// The value that the key's word stands for; nothing when the key is not there.
  template <class E>
  [[nodiscard]] std::optional<E> word(std::string_view key) const {
    const std::string written = text(key);
    if (written.empty()) {
      return std::nullopt;
    }
    if (const std::optional<E> value = arch::find_value<E>(written)) {
      return value;
    }
    refuse("'" + std::string(key) + "' is '" + written + "'", suggestion(written, arch::all_words<E>()));
  }
  [[noreturn]] void refuse(std::string message, std::string hint) const {
    throw InputError({of_.where, std::move(message), std::move(hint)});
  }

 private:
  const validate::Case& of_;
};

}  // namespace gpusim::commands
