// SPDX-License-Identifier: MIT
// What a study may vary that is not of kernels on architectures: its keys, and their values before anything is varied.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sim/model/arch/schema.h"

namespace gpusim::sweep {

/// The keys of a sort of studies.
class KeyBook {
 public:
  KeyBook() = default;
  KeyBook(const KeyBook&) = delete;
  KeyBook& operator=(const KeyBook&) = delete;
  virtual ~KeyBook() = default;

  /// The row of a key, with its unit and range; nothing for an unknown one.
  [[nodiscard]] virtual std::optional<arch::Key> find(std::string_view key) const = 0;
  /// Whether the key takes integers and words, as parameters of traces do.
  [[nodiscard]] virtual bool is_parameter(std::string_view key) const = 0;
  /// What stands before a key of an architecture: "gpu.".
  [[nodiscard]] virtual std::string_view arch_prefix() const = 0;
  /// What is allowed in place of an unknown key.
  [[nodiscard]] virtual std::string suggest(const std::string& key) const = 0;
};

/// Values that factors multiply.
class BaseValues {
 public:
  BaseValues() = default;
  BaseValues(const BaseValues&) = delete;
  BaseValues& operator=(const BaseValues&) = delete;
  virtual ~BaseValues() = default;

  /// The text of a key, for Study::archs[arch] with Study::traces[trace]; empty where it has none.
  [[nodiscard]] virtual std::string text(std::size_t arch, std::size_t trace, const std::string& key) const = 0;
};

}  // namespace gpusim::sweep
