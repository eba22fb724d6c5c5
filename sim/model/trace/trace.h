// SPDX-License-Identifier: MIT
// A trace as it was loaded: kernels in the order of their launches, and the parameters that they were made for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/iterator/indirect_iterator.hpp>

#include "sim/base/trace_origin.h"
#include "sim/base/types.h"

namespace gpusim::trace {

struct Kernel;

/// Kernels in the order of their launches. One that is launched many times is there once.
class Launches {
 public:
  using Shared = std::vector<std::shared_ptr<const Kernel>>;
  /// Not for random access: that would need all of Kernel here.
  using const_iterator =
      boost::indirect_iterator<Shared::const_iterator, const Kernel, boost::bidirectional_traversal_tag>;

  Launches() = default;
  Launches(std::initializer_list<Kernel> kernels);

  void push_back(Kernel kernel);
  void push_back(std::shared_ptr<const Kernel> kernel) { kernels_.push_back(std::move(kernel)); }

  [[nodiscard]] std::size_t size() const { return kernels_.size(); }
  [[nodiscard]] bool empty() const { return kernels_.empty(); }
  [[nodiscard]] const Kernel& operator[](std::size_t launch) const { return *kernels_[launch]; }
  /// Throws std::out_of_range.
  [[nodiscard]] const Kernel& at(std::size_t launch) const { return *kernels_.at(launch); }
  [[nodiscard]] const std::shared_ptr<const Kernel>& shared(std::size_t launch) const { return kernels_[launch]; }
  [[nodiscard]] const_iterator begin() const { return kernels_.begin(); }
  [[nodiscard]] const_iterator end() const { return kernels_.end(); }

 private:
  Shared kernels_;
};

/// What the user may override with --param, as resolved for this run.
struct Parameter {
  std::string name;
  std::int64_t value = 0;
  std::int64_t default_value = 0;
  std::optional<std::int64_t> test_value;                      ///< value in the small `test` set
  std::optional<std::pair<std::int64_t, std::int64_t>> range;  ///< the least and the greatest value allowed
  std::vector<std::string> words;  ///< for a parameter whose values are words: value i is called words[i]
  std::string what;                ///< the author's one-line description
  bool takes_file = false;         ///< any name of a file is a value, too
  std::string file{};              ///< name of the file that was read for the value; empty where there is none

  /// A value as the file writes it.
  [[nodiscard]] std::string text_of(std::int64_t number) const {
    const bool named = number >= 0 && static_cast<std::size_t>(number) < words.size();
    return named ? words[static_cast<std::size_t>(number)] : std::to_string(number);
  }
};

/// A copy from the host before a launch: no time is charged for it.
struct HostCopy {
  Address to = 0;
  std::uint64_t bytes = 0;
  std::uint64_t launch = 0;  ///< number of the kernel it comes before
  friend bool operator==(const HostCopy&, const HostCopy&) = default;
};

struct Trace {
  std::string path;  ///< as the user named it
  TraceOrigin origin = TraceOrigin::kProgram;
  std::string title;  ///< the author's one-line description
  std::vector<Parameter> parameters;
  Launches kernels;                   ///< run one after the other
  std::vector<HostCopy> copies;       ///< in order
  std::vector<std::string> warnings;  ///< unknown opcodes and the like, without duplicates
};

/// How a trace file's parameters are chosen: overrides first, else the test set if asked for, else what the name of a
/// library kernel presets, else the defaults.
struct ParameterChoice {
  std::vector<std::pair<std::string, std::int64_t>> overrides;
  bool use_test_set = false;
  std::vector<std::pair<std::string, std::string>> words{};  ///< overrides that are not numbers
  std::vector<std::pair<std::string, std::int64_t>> presets{};
};

}  // namespace gpusim::trace
