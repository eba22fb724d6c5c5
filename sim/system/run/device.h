// SPDX-License-Identifier: MIT
// The SMs and the DRAM of one GPU, shared by the kernels that run at a time. Times are nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/run/cost.h"

namespace gpusim::run {

/// What a GPU was used for so far: nanoseconds, or nanoseconds times the share in use.
struct Usage {
  double busy = 0;    ///< a kernel was there
  double sms = 0;     ///< share of SMs with a CTA
  double tensor = 0;  ///< share of the tensor cores' peak
  double dram = 0;    ///< share of DRAM's peak
  double flops = 0;   ///< FLOPs that count for MFU

  Usage& operator-=(const Usage& before) {
    for (double Usage::*const member : {&Usage::busy, &Usage::sms, &Usage::tensor, &Usage::dram, &Usage::flops}) {
      this->*member -= before.*member;
    }
    return *this;
  }
};

/// Kernels get SMs in the order in which they came: a later one what earlier ones leave. A kernel with CTAs that wait
/// to be placed leaves none; at its end it does. A kernel that gets fewer SMs than it fills alone is slower, as its
/// cost says. Collectives and kernels share DRAM max-min fair: kernels that together want more than collectives leave,
/// and more than half of the peak, are slowed alike. So are kernels that together want more than the busiest pipe's
/// peak.
class Device {
 public:
  explicit Device(double sms) : sms_(sms) {}

  /// The kernel begins when it gets SMs. `cost` outlives it.
  void add(std::uint32_t op, const KernelCost& cost, double now);
  /// Ends a kernel whose time others decide, as a collective's: one whose cost has infinite `ns`.
  void end(std::uint32_t op, double now);

  /// When something changes of itself; infinity when nothing does.
  [[nodiscard]] double next_change() const { return next_change_; }
  /// Goes on to `now`, which is not beyond next_change(). Ended kernels are in take_ended().
  void advance(double now);

  /// Kernels that began, or ended, since they were asked for, in order.
  [[nodiscard]] std::vector<std::uint32_t> take_begun();
  [[nodiscard]] std::vector<std::uint32_t> take_ended();

  /// The first kernel that runs; 0xffffffff when there is none.
  [[nodiscard]] std::uint32_t first() const;
  [[nodiscard]] const Usage& usage() const { return usage_; }

 private:
  struct Running {
    std::uint32_t op = 0;
    const KernelCost* cost = nullptr;
    double left = 0;   ///< nanoseconds, if it were alone
    double share = 0;  ///< SMs it has, of those it wants
    double rate = 0;   ///< nanoseconds of `left` a nanosecond
    bool has_begun = false;
    [[nodiscard]] bool is_in_tail() const { return left <= cost->tail_ns; }
    /// Whether others decide when it ends.
    [[nodiscard]] bool is_held() const { return cost->ns == kNever; }
    [[nodiscard]] double wanted() const { return is_in_tail() ? cost->tail_sms : cost->sms; }
  };

  void share_out(double now);
  /// Nanoseconds that count as none at this time: what a double resolves there.
  [[nodiscard]] double nothing() const;
  void set_rates();
  void count(double ns);
  [[nodiscard]] double next_of(const Running& kernel) const;

  double sms_;
  double now_ = 0;
  double next_change_ = kNever;
  std::vector<Running> running_;  ///< in the order in which they came
  std::vector<std::uint32_t> begun_;
  std::vector<std::uint32_t> ended_;
  Usage usage_;
};

}  // namespace gpusim::run
