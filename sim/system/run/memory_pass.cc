// SPDX-License-Identifier: MIT
#include "sim/system/run/memory_pass.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "sim/system/application/each_call.h"
#include "sim/system/run/gpu_memory.h"
#include "sim/system/run/thread_walk.h"

namespace gpusim::run {
namespace {

using application::Call;
using application::Calls;

constexpr std::uint32_t kMostRounds = 2;

bool allocates(const Calls& calls) {
  return application::any_call(calls,
                               [](const Call& call) { return std::holds_alternative<application::Allocate>(call.is); });
}

void play(const Calls& calls, GpuMemory& memory) {
  ThreadWalk walk(calls);
  walk.start_round();
  std::vector<EndedRange> ended;
  while (const Call* const call = walk.next(0, ended)) {
    if (const auto* const allocate = std::get_if<application::Allocate>(&call->is)) {
      memory.allocate(*allocate, call->place, 0, walk);
    } else if (const auto* const free = std::get_if<application::Free>(&call->is)) {
      memory.free(*free, call->place, 0);
    } else if (std::holds_alternative<application::EmptyCache>(call->is)) {
      memory.empty_cache(0);
    }
    ended.clear();
  }
}

/// The only thread that allocates on a GPU; nothing where there are several, whose order a run decides.
std::optional<Index> only_allocator(const Binding& binding, Index gpu) {
  const application::Application& application = binding.application();
  std::optional<Index> found;
  for (Index i = 0; i < application.threads.size(); ++i) {
    const application::Thread& thread = application.threads[i];
    const bool is_one = binding.gpu_of(i) == gpu && (allocates(application.bodies[thread.body]) ||
                                                     (thread.setup && allocates(application.bodies[*thread.setup])));
    if (is_one && (found || thread.background)) {
      return std::nullopt;
    }
    found = is_one ? std::optional(i) : found;
  }
  return found;
}

}  // namespace

void check_memory(const Binding& binding, const std::vector<memory::Offer>& offers) {
  const application::Application& application = binding.application();
  std::set<std::tuple<std::string, Index, Index>> done;  // by architecture, set-up and body
  for (Index gpu = 0; gpu < offers.size(); ++gpu) {
    const std::optional<Index> index = only_allocator(binding, gpu);
    if (!index) {
      continue;
    }
    const application::Thread& thread = application.threads[*index];
    if (!done.emplace(binding.gpu(gpu).arch, thread.setup.value_or(kNone), thread.body).second) {
      continue;
    }
    GpuMemory memory(offers[gpu], application, binding.gpu(gpu).arch);
    if (thread.setup) {
      play(application.bodies[*thread.setup], memory);
    }
    for (std::uint32_t round = 0; round < std::min(kMostRounds, application.warm_up + application.repeats); ++round) {
      play(application.bodies[thread.body], memory);
    }
  }
}

}  // namespace gpusim::run
