// SPDX-License-Identifier: MIT
#include "sim/system/run/device.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpusim::run {
namespace {

/// Nanoseconds that count as none, at least: rounding must not keep a kernel alive.
constexpr double kNothing = 1e-6;
/// Grids that a GPU runs at once, since compute capability 7.0 (CUDA programming guide, technical specifications).
constexpr std::size_t kMostGrids = 128;

}  // namespace

double Device::nothing() const {
  constexpr double kResolution = 1e-15;
  return std::max(kNothing, now_ * kResolution);
}

void Device::add(std::uint32_t op, const KernelCost& cost, double now) {
  advance(now);
  running_.push_back({op, &cost, std::max(cost.ns, kNothing), 0, 0, false});
  share_out(now);
}

void Device::end(std::uint32_t op, double now) {
  advance(now);
  std::erase_if(running_, [op](const Running& kernel) { return kernel.op == op; });
  ended_.push_back(op);
  share_out(now);
}

void Device::count(double ns) {
  double spread = 0;
  double dram = 0;
  bool is_busy = false;
  for (const Running& kernel : running_) {
    is_busy = is_busy || (kernel.has_begun && kernel.cost->spread > 0);
    spread += kernel.share * (kernel.is_in_tail() ? kernel.cost->tail_spread : kernel.cost->spread);
    usage_.tensor += kernel.rate * kernel.cost->tensor * ns;
    dram += kernel.rate * kernel.cost->dram;
    usage_.flops += std::isinf(kernel.cost->ns) ? 0 : kernel.cost->flops * kernel.rate * ns / kernel.cost->ns;
  }
  usage_.busy += is_busy ? ns : 0;
  usage_.dram += std::min(1.0, dram) * ns;
  usage_.sms += std::min(1.0, spread / sms_) * ns;
}

void Device::advance(double now) {
  const double ns = now - now_;
  if (ns > 0) {
    count(ns);
    for (Running& kernel : running_) {
      kernel.left -= kernel.rate * ns;
    }
  }
  now_ = now;
  const double none = nothing();
  const auto is_over = [none](const Running& kernel) { return kernel.left <= none; };
  for (const Running& kernel : running_) {
    if (is_over(kernel)) {
      ended_.push_back(kernel.op);
    }
  }
  std::erase_if(running_, is_over);
  share_out(now);
}

/// SMs for each in turn; one that gets none waits, and so do those behind it that want some.
void Device::share_out(double now) {
  double free = sms_;
  std::size_t grids = 0;
  for (Running& kernel : running_) {
    const double wanted = kernel.wanted();
    // A collective needs all its channels, a kernel goes on with what there is.
    const bool has_none = ++grids > kMostGrids || (kernel.is_held() && !kernel.has_begun && wanted > free);
    const double given = has_none ? 0 : std::min(wanted, free);
    kernel.share = wanted > 0 ? given / wanted : 1;
    free -= given;
    if (kernel.share > 0 && !kernel.has_begun) {
      kernel.has_begun = true;
      begun_.push_back(kernel.op);
    }
  }
  set_rates();
  next_change_ = kNever;
  for (const Running& kernel : running_) {
    next_change_ = std::min(next_change_, now + next_of(kernel));
  }
}

/// A collective's time is known before it begins, so nothing here slows it; what is left of DRAM is for the kernels.
void Device::set_rates() {
  constexpr double kFairShare = 0.5;
  double compute = 0;
  double dram = 0;
  double of_collectives = 0;
  for (Running& kernel : running_) {
    kernel.rate = kernel.cost->rate(kernel.share);
    compute += kernel.rate * kernel.cost->compute;
    (kernel.is_held() ? of_collectives : dram) += kernel.rate * kernel.cost->dram;
  }
  const double slower_by_compute = std::max(1.0, compute);
  const double slower_by_dram = std::max(1.0, dram / std::max(kFairShare, 1 - of_collectives));
  for (Running& kernel : running_) {
    const double by_compute = kernel.cost->compute > 0 ? slower_by_compute : 1;
    const double by_dram = kernel.cost->dram > 0 ? slower_by_dram : 1;
    kernel.rate /= kernel.is_held() ? 1 : std::max(by_compute, by_dram);
  }
}

/// Nanoseconds to the end of a kernel, or to where no CTA of it waits.
double Device::next_of(const Running& kernel) const {
  if (kernel.rate <= 0 || std::isinf(kernel.left)) {
    return kNever;
  }
  const double to_tail = kernel.left - kernel.cost->tail_ns;
  const double none = nothing();
  const double left = to_tail > none ? to_tail + none / 2 : kernel.left;
  return left / kernel.rate;
}

std::uint32_t Device::first() const {
  constexpr std::uint32_t kNoOp = 0xffff'ffff;
  return running_.empty() ? kNoOp : running_.front().op;
}

std::vector<std::uint32_t> Device::take_begun() {
  return std::exchange(begun_, {});
}

std::vector<std::uint32_t> Device::take_ended() {
  return std::exchange(ended_, {});
}

}  // namespace gpusim::run
