// SPDX-License-Identifier: MIT
#include "sim/system/generate/step_builder.h"

#include <utility>

namespace gpusim::generate {

using namespace application;

namespace {

bool is_same(const Kernel& kernel, const KernelForm& form) {
  if (kernel.flops != form.flops || kernel.how.index() != form.how.index()) {
    return false;
  }
  if (const auto* const simulated = std::get_if<Simulated>(&form.how)) {
    const auto& other = std::get<Simulated>(kernel.how);
    return simulated->trace == other.trace && simulated->params == other.params && simulated->is_cold == other.is_cold;
  }
  const auto& roofline = std::get<Roofline>(form.how);
  const auto& other = std::get<Roofline>(kernel.how);
  return roofline.flops == other.flops && roofline.bytes == other.bytes && roofline.peak == other.peak &&
         roofline.reach == other.reach && roofline.sm_cycles == other.sm_cycles &&
         roofline.besides_ns == other.besides_ns;
}

Index index_in(std::map<std::string, Index>& known, std::vector<std::string>& names, const std::string& name) {
  const auto [found, is_new] = known.try_emplace(name, static_cast<Index>(names.size()));
  if (is_new) {
    names.push_back(name);
  }
  return found->second;
}

}  // namespace

Index StepBuilder::kernel(const std::string& name, const KernelForm& form) {
  std::string unique = name;
  for (int number = 2;; ++number) {
    const auto found = index_.find(unique);
    if (found == index_.end()) {
      break;
    }
    if (is_same(application_.kernels[found->second], form)) {
      return found->second;
    }
    unique = name + " " + std::to_string(number);
  }
  Kernel kernel;
  kernel.name = unique;
  kernel.flops = form.flops;
  std::visit([&](const auto& how) { kernel.how = how; }, form.how);
  application_.kernels.push_back(std::move(kernel));
  const auto index = static_cast<Index>(application_.kernels.size() - 1);
  index_.emplace(std::move(unique), index);
  return index;
}

void StepBuilder::launch(const std::string& name, const KernelForm& form, Index stream) {
  if (operator_ns_ > 0) {
    calls().push_back({Work{operator_ns_, "operator"}, {}});
  }
  calls().push_back({Launch{kernel(name, form), stream}, {}});
  if (form.then) {
    calls().push_back({Launch{kernel(name + " sum of parts", {*form.then, 0}), stream}, {}});
  }
}

void StepBuilder::fill(std::uint64_t bytes) {
  calls().push_back({Fill{bytes, 0}, {}});
}

void StepBuilder::allocate(const std::string& buffer, std::uint64_t bytes, const std::string& category, bool more,
                           Index stream) {
  calls().push_back({Allocate{index_in(buffers_, application_.buffers, buffer), bytes,
                              index_in(categories_, application_.categories, category), more, stream},
                     {}});
}

void StepBuilder::free(const std::string& buffer) {
  calls().push_back({Free{index_in(buffers_, application_.buffers, buffer)}, {}});
}

void StepBuilder::collective(collective::Collective of, double bytes, Index stream, const Ranks& ranks,
                             collective::Library library) {
  calls().push_back(
      {RunCollective{of, static_cast<std::uint64_t>(bytes), stream, ranks.count, ranks.stride, ranks.first, library},
       {}});
}

void StepBuilder::record(Index event, Index stream) {
  calls().push_back({Record{event, stream}, {}});
}

void StepBuilder::wait(Index event, Index stream) {
  calls().push_back({WaitForEvent{event, stream}, {}});
}

void StepBuilder::wait_on_host(Index event) {
  calls().push_back({Synchronize{SyncOf::kEvent, event}, {}});
}

Calls& StepBuilder::calls() {
  if (open_.empty()) {
    return calls_;
  }
  Call& last = open_.back();
  auto* const range = std::get_if<Range>(&last.is);
  return range != nullptr ? range->body : std::get<Repeat>(last.is).body;
}

void StepBuilder::end() {
  Call ended = std::move(open_.back());
  open_.pop_back();
  calls().push_back(std::move(ended));
}

Calls StepBuilder::take() {
  return std::exchange(calls_, {});
}

}  // namespace gpusim::generate
