// SPDX-License-Identifier: MIT
// Values of metrics that were simulated, by everything that they depend on. In a file they outlive the run, so that a
// suite that was interrupted goes on where it was.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gpusim::validate {

class KeptValues {
 public:
  KeptValues() = default;
  /// Takes over what `file` has of this program's model, and keeps there what add() is told. Throws InputError for a
  /// file that holds something else or cannot be written.
  explicit KeptValues(std::filesystem::path file);

  /// `run`: sweep::point_key(). Several threads may ask and add.
  [[nodiscard]] std::optional<double> find(const std::string& run, const std::string& metric) const;
  void add(const std::string& run, const std::string& metric, double value);
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  void read_line(std::string_view line, std::uint32_t number);

  std::filesystem::path file_;  ///< empty: none
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, double> values_;
};

}  // namespace gpusim::validate
