// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/submit/request.h"

#include <algorithm>
#include <cmath>

namespace gpusim::sweep {
namespace {

constexpr double kTaskSeconds = 15 * 60;
constexpr double kSafeTime = 3;
constexpr double kSafeMemory = 2;
constexpr double kLeastMinutes = 10;
constexpr double kStepMinutes = 5;
constexpr double kLeastMebibytes = 512;
constexpr double kStepMebibytes = 256;
constexpr double kMebibyte = 1024.0 * 1024.0;
/// A year: more is not an estimate, and a conversion to an integer has to be able to hold it.
constexpr double kMostMinutes = 365.0 * 24 * 60;
constexpr double kMostMebibytes = 1e9;

/// `value` rounded up to a multiple of `step`.
std::uint64_t in_steps(double value, double step, double least, double most) {
  return static_cast<std::uint64_t>(std::ceil(std::clamp(value, least, most) / step) * step);
}

}  // namespace

std::uint64_t shards_for(std::uint64_t points, double seconds, std::uint64_t cores) {
  const double most = static_cast<double>(std::clamp<std::uint64_t>(points, 1, kMostShards));
  const double shards = std::ceil(seconds / static_cast<double>(cores) / kTaskSeconds);
  return static_cast<std::uint64_t>(std::clamp(shards, 1.0, most));
}

std::uint64_t minutes_for(const TaskTime& time, std::uint64_t cores) {
  const double seconds = std::max(time.all / static_cast<double>(cores), time.slowest);
  return in_steps(kSafeTime * seconds / 60, kStepMinutes, kLeastMinutes, kMostMinutes);
}

std::uint64_t mebibytes_for(std::uint64_t pilot_bytes, std::uint64_t cores) {
  const double bytes = static_cast<double>(pilot_bytes) * static_cast<double>(cores);
  return in_steps(kSafeMemory * bytes / kMebibyte, kStepMebibytes, kLeastMebibytes, kMostMebibytes);
}

}  // namespace gpusim::sweep
