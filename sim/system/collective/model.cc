// SPDX-License-Identifier: MIT
#include "sim/system/collective/model.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/system/collective/custom.h"

namespace gpusim::collective {
namespace {

constexpr double kMicroseconds = 1e6;
constexpr double kMegabyte = 1e6;

/// Which of NCCL's algorithms have the same measured rate.
bool is_alike(Algorithm a, Algorithm b) {
  return (a == Algorithm::kNvls) == (b == Algorithm::kNvls);
}

/// The quickest of NCCL's choices with a rate like that of `of`.
Choice quickest_like(const std::vector<Choice>& choices, Algorithm of) {
  return *std::ranges::find_if(choices, [of](const Choice& choice) { return is_alike(choice.algorithm, of); });
}

[[noreturn]] void refuse(const Job& job, std::uint32_t gpus) {
  const auto word = [](const auto& wanted) { return wanted ? " " + std::string(arch::word_of(*wanted)) : ""; };
  const std::string where = std::to_string(gpus) + " GPUs of this system";
  if (job.algorithm && is_custom(*job.algorithm)) {
    const std::string of(arch::word_of(job.of));
    throw UsageError(job.of != Collective::kAllReduce ? of + " has no" + word(job.algorithm) + " algorithm"
                     : job.library == Library::kNccl
                         ? "NCCL has no" + word(job.algorithm) + " algorithm; the library custom has"
                         : "no custom all-reduce of " + with_binary_prefix(job.bytes) + " runs on " + where +
                               ": it needs 2, 4, 6 or 8 GPUs with NVLink between each two, and less than 8 MiB, a "
                               "multiple of 16 bytes");
  }
  throw UsageError("NCCL does not run " + std::string(arch::word_of(job.of)) + " as" + word(job.algorithm) +
                   word(job.protocol) + " on " + where);
}

}  // namespace

double Estimate::algorithm_bandwidth() const {
  return static_cast<double>(bytes) / microseconds * kMicroseconds;
}

double Estimate::bus_bandwidth(Collective of, std::uint32_t gpus) const {
  return algorithm_bandwidth() * bus_factor(of, gpus);
}

Model::Model(const system::System& system, std::span<const system::NodeId> gpus, const Reach& reach, Launch launch)
    : view_(nccl_view(system, gpus)), reach_(reach), launch_(launch) {}

double Model::rate_of(Collective of, Algorithm algorithm) const {
  switch (of) {
    case Collective::kBroadcast:
    case Collective::kReduce: return reach_.chain;
    case Collective::kAllToAll:
    case Collective::kSendReceive: return reach_.pairs;
    default: return algorithm == Algorithm::kNvls ? reach_.nvls : reach_.ring;
  }
}

/// One process launches a kernel on one GPU after another; measured on 8 A100, 2 RTX 2080 Ti (3.6 us for each further
/// GPU), and from PyTorch on 8 H200 and 8 B200 (22 to 31 us).
double Model::launch_us() const {
  constexpr double kNextGpu = 3.6;
  constexpr double kFramework = 25;
  switch (launch_) {
    case Launch::kOneProcess: return kNextGpu * (view_.gpus - 1);
    case Launch::kProcessPerGpu: return 0;
    case Launch::kFramework: return kFramework;
  }
  return 0;
}

/// What the library's own kernel takes; nothing where NCCL runs the collective.
std::optional<Choice> Model::custom_choice(const Job& job) const {
  if (job.library != Library::kCustom || job.of != Collective::kAllReduce || job.protocol) {
    return std::nullopt;
  }
  return custom_all_reduce({view_.gpus, reach_.peers}, job.bytes, job.algorithm);
}

Estimate Model::estimate(const Job& job) const {
  Estimate estimate;
  if (const std::optional<Choice> custom = custom_choice(job)) {
    estimate.choice = *custom;
    estimate.microseconds = launch_us() + custom->microseconds;
  } else {
    estimate = estimate_nccl(job);
  }
  const Choice& choice = estimate.choice;
  estimate.bytes = job.bytes;
  estimate.wire_bytes = wire_bytes(job.of, choice.algorithm, choice.protocol, view_.gpus, job.bytes);
  return estimate;
}

/// All but the bytes.
Estimate Model::estimate_nccl(const Job& job) const {
  const std::vector<Choice> all = nccl_choices(view_, job.of, job.bytes);
  const std::optional<Choice> choice = first_with(all, job.algorithm, job.protocol);
  if (!choice) {
    refuse(job, view_.gpus);
  }
  const double size = static_cast<double>(job.bytes);
  const double latency = launch_us() + reach_.base_us + ring_steps(job.of, view_.gpus) * reach_.hop_us;
  // Rings and switches hand on pieces; what goes straight to its GPU does not wait for others.
  const double middle = job.of == Collective::kSendReceive ? 0 : reach_.middle_us * std::sqrt(size / kMegabyte);
  const double moving = bus_factor(job.of, view_.gpus) * size / rate_of(job.of, choice->algorithm) * kMicroseconds;
  // What is asked for in place of the quickest is slower as far as NCCL thinks so.
  const double forced = choice->microseconds / quickest_like(all, choice->algorithm).microseconds;
  const double later = is_alike(choice->algorithm, all.front().algorithm)
                           ? 0
                           : std::max(0.0, choice->latency_us - all.front().latency_us);
  Estimate estimate;
  estimate.choice = *choice;
  estimate.microseconds = (latency + middle + moving) * forced + later;
  return estimate;
}

}  // namespace gpusim::collective
