// SPDX-License-Identifier: MIT
// Near and far parts of the L2, and the distance of every SM to it. The L2 of the large GPUs has two partitions; a
// hash of its address says to which of them a line belongs. 1024 lines, each load timed by itself:
//   resident     every SM walks the lines twice, the second round counts: what an SM finds when it has had the line
//                before, wherever a copy of it may now lie
//   first_touch  the L2 is flushed, one SM reads the lines, then another reads them once: near lines hit near, far ones
//                must be fetched from the other partition
//   dram         the L2 is flushed and one SM reads the lines
// Per SM: the latencies of its lines (quartiles are in the record), the two groups they fall into, the share of the far
// one, and how much it resembles SM 0 line by line (1: the same side of the chip, -1: the other).
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "tools/silicon/device/chase.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kLines = 1024;
constexpr std::uint64_t kApart = 16 * 1024;  // 16 MiB in all: far below the L2, eight large pages
constexpr std::uint64_t kSkew = 128 * 37;

struct Groups {
  double near = 0;
  double far = 0;
  double far_share = 0;
};

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Two groups of numbers, each number with the nearer mean. Outliers (refresh, a miss of a TLB) count as the bound.
Groups split(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double bound = quantile(values, 0.98);
  Groups groups{quantile(values, 0.1), quantile(values, 0.9), 0};
  for (int round = 0; round < 20; ++round) {
    double sums[2] = {0, 0};
    double counts[2] = {0, 0};
    for (const double value : values) {
      const double clipped = std::min(value, bound);
      const int far = std::abs(clipped - groups.near) > std::abs(clipped - groups.far);
      sums[far] += clipped;
      counts[far] += 1;
    }
    groups.near = counts[0] > 0 ? sums[0] / counts[0] : groups.near;
    groups.far = counts[1] > 0 ? sums[1] / counts[1] : groups.far;
    groups.far_share = counts[1] / static_cast<double>(values.size());
  }
  return groups;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean(a);
  const double mean_b = mean(b);
  double product = 0;
  double square_a = 1e-30;
  double square_b = 1e-30;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += (a[i] - mean_a) * (b[i] - mean_b);
    square_a += (a[i] - mean_a) * (a[i] - mean_a);
    square_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return product / std::sqrt(square_a * square_b);
}

struct Reporter {
  Session& session;
  LaunchFacts facts;
  Clock clock{session.read_mhz(), 0};

  void record(const char* metric, const char* unit, std::vector<double> values, Params params, Cache cache) const {
    session.record({.metric = metric,
                    .unit = unit,
                    .sampled = {std::move(values), clock},
                    .launch = facts,
                    .params = std::move(params),
                    .cache = cache});
  }
};

void report_quantiles(const Reporter& to, const std::vector<TracedSm>& sms, const char* state, Cache cache) {
  std::vector<double> all;
  for (const TracedSm& traced : sms) {
    all.insert(all.end(), traced.latencies.begin(), traced.latencies.end());
  }
  std::sort(all.begin(), all.end());
  for (const double q : {0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0}) {
    to.record("latency_quantile", "cycles", {quantile(all, q)}, {{"state", state}, {"quantile", q}}, cache);
  }
}

// One row per SM and figure, then the same figures over all SMs.
void report_sms(const Reporter& to, const std::vector<TracedSm>& sms, const char* state, Cache cache) {
  const auto first = std::min_element(sms.begin(), sms.end(), [](const auto& a, const auto& b) { return a.sm < b.sm; });
  std::vector<double> medians;
  std::vector<double> near;
  std::vector<double> far;
  std::vector<double> share;
  for (const TracedSm& traced : sms) {
    const Params params{{"state", state}, {"sm", traced.sm}};
    to.record("latency", "cycles", traced.latencies, params, cache);
    to.record("similarity", "1", {correlation(traced.latencies, first->latencies)}, params, cache);
    const Groups groups = split(traced.latencies);
    medians.push_back(summarize(traced.latencies).median);
    near.push_back(groups.near);
    far.push_back(groups.far);
    share.push_back(groups.far_share);
  }
  const Params all{{"state", state}, {"over", "sms"}};
  to.record("latency_median", "cycles", medians, all, cache);
  to.record("latency_near", "cycles", near, all, cache);
  to.record("latency_far", "cycles", far, all, cache);
  to.record("far_share", "1", share, all, cache);
}

void report(Session& session, const std::vector<TracedSm>& sms, const char* state, Cache cache) {
  if (sms.empty() || !verify_traced(session, sms, {{"state", state}})) {
    return;
  }
  const Reporter to{session, traced_facts(session, {})};
  report_quantiles(to, sms, state, cache);
  report_sms(to, sms, state, cache);
}

// Every SM alone, one after the other, each after `prepare`.
std::vector<TracedSm> one_by_one(Session& session, const Ring& ring, const std::function<void()>& prepare) {
  std::vector<TracedSm> sms;
  for (std::uint32_t sm = 0; sm < session.sms(); ++sm) {
    prepare();
    for (TracedSm& traced : walk_traced(session, ring, {.only_sm = sm})) {
      sms.push_back(std::move(traced));
    }
  }
  return sms;
}

void run(Session& session) {
  const Buffer<std::uint64_t> memory(kLines * kApart / sizeof(std::uint64_t));
  const Ring ring({reinterpret_cast<std::uint64_t>(memory.get()), kApart, kSkew, kLines}, Visit::Shuffled);
  report(session, walk_traced(session, ring, {.warm_rounds = 1}), "resident", Cache::Warm);
  const std::vector<TracedSm> touched = one_by_one(session, ring, [&] {
    session.flush_l2();
    (void)walk_traced(session, ring, {.only_sm = 0});
  });
  report(session, touched, "first_touch", Cache::Warm);
  report(session, one_by_one(session, ring, [&] { session.flush_l2(); }), "dram", Cache::Cold);
}

const Registered kNearFar{{.name = "micro/l2/near_far", .priority = 90, .seconds = 4, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
