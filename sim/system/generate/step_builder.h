// SPDX-License-Identifier: MIT
// Builds the calls of a step, kernel by kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/system/application/application.h"
#include "sim/system/generate/kernels.h"

namespace gpusim::generate {

/// A group of ranks: so many, `stride` apart, from the `first` on. Without any it is all of them.
struct Ranks {
  std::uint32_t count = 0;
  std::uint32_t stride = 1;
  std::uint32_t first = 0;
};

class StepBuilder {
 public:
  /// Each launch costs the framework `operator_ns` of CPU time.
  StepBuilder(application::Application& application, double operator_ns)
      : application_(application), operator_ns_(operator_ns) {}

  /// Launches a kernel. Kernels of one name and form are one; of another form the name gets a number.
  void launch(const std::string& name, const KernelForm& form, application::Index stream = 0);
  void fill(std::uint64_t bytes);
  /// A tensor of a category; `more`: the buffer may have others.
  void allocate(const std::string& buffer, std::uint64_t bytes, const std::string& category, bool more,
                application::Index stream);
  void free(const std::string& buffer);
  void collective(collective::Collective of, double bytes, application::Index stream, const Ranks& ranks = {},
                  collective::Library library = collective::Library::kNccl);
  void record(application::Index event, application::Index stream);
  void wait(application::Index event, application::Index stream);
  /// The thread waits for an event.
  void wait_on_host(application::Index event);

  /// What is built from now on is part of a range, or of a repeat, which ends with end().
  void begin_range(std::string name) { open_.push_back({application::Range{std::move(name), {}}, {}}); }
  void begin_repeat(std::uint64_t times) { open_.push_back({application::Repeat{times, {}}, {}}); }
  void end();

  /// The calls so far; the builder has none afterwards.
  [[nodiscard]] application::Calls take();

 private:
  application::Index kernel(const std::string& name, const KernelForm& form);
  application::Calls& calls();

  application::Application& application_;
  double operator_ns_;
  application::Calls calls_;
  std::vector<application::Call> open_;              ///< ranges and repeats, each part of the one before
  std::map<std::string, application::Index> index_;  ///< by name
  std::map<std::string, application::Index> buffers_;
  std::map<std::string, application::Index> categories_;
};

}  // namespace gpusim::generate
