// SPDX-License-Identifier: MIT
// L2 bandwidth of hits for SMs of one GPC, against as many SMs wherever the scheduler puts them: whether the GPC's way
// to the crossbar is narrower than its SMs together. A cluster's CTAs run in one GPC.
#include <algorithm>
#include <set>

#include "tools/silicon/device/stream.cuh"

namespace gpusim::silicon {
namespace {

constexpr std::uint32_t kBlock = 1024;

// Shared memory that nobody uses: more than half of what there is, so that no two CTAs share an SM.
constexpr std::uint32_t kAlone = 120 * 1024;

std::string listed(const std::vector<std::uint32_t>& sms) {
  const bool distinct = std::set<std::uint32_t>(sms.begin(), sms.end()).size() == sms.size();
  std::string text = distinct ? "smid" : "CTAs shared an SM; smid";
  for (const std::uint32_t sm : sms) {
    text.append(" ").append(std::to_string(sm));
  }
  return text;
}

void measure(Session& session, Stream stream, std::uint32_t cluster) {
  stream.config.cluster = cluster;
  if (!stream_cluster_fits(stream)) {
    return;  // no GPC has that many SMs
  }
  const Buffer<std::uint32_t> sm_of_cta(stream.config.grid.x);
  stream.sm_of_cta = sm_of_cta.get();
  const Params params{{"move", to_text(stream.move)},
                      {"sms", stream.config.grid.x},
                      {"placed", cluster > 1 ? "one_gpc" : "by_scheduler"}};
  if (!verify_stream(session, stream, params)) {
    return;
  }
  const std::vector<std::uint32_t> sms = sm_of_cta.to_host();
  session.record({.metric = "bandwidth",
                  .unit = "GB/s",
                  .sampled = sample_stream(session, stream, {.times = 7}),
                  .launch = stream_facts(stream),
                  .params = params,
                  .input = Input::Random,
                  .note = listed(sms)});
}

void run(Session& session) {
  const auto l2 = static_cast<std::uint64_t>(session.device().l2CacheSize);
  Buffer<std::uint32_t> memory(l2 / 4 / sizeof(std::uint32_t));
  memory.fill(Input::Random);
  for (const Move move : {Move::Read, Move::Write}) {
    for (const std::uint32_t sms : {2u, 4u, 8u, 16u}) {
      Stream stream{.move = move,
                    .loads = 4,
                    .config = {.grid = sms, .block = kBlock, .dynamic_smem = kAlone},
                    .memory = memory.get()};
      const Buffer<std::uint32_t> sums(stream.warps());
      stream.sums = sums.get();
      stream.tiles = static_cast<std::uint32_t>(memory.bytes() / stream.tile_bytes());
      stream.rounds = rounds_for(stream, 2e7 * sms);
      measure(session, stream, sms);
      measure(session, stream, 1);
    }
  }
}

const Registered kGpc{{.name = "micro/l2/gpc", .priority = 70, .seconds = 1, .needs = {Feature::Sm90}, .run = run}};

}  // namespace
}  // namespace gpusim::silicon
