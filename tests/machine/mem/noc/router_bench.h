// SPDX-License-Identifier: MIT
// A router between SMs that send what a test plans and a stand-in for the memory partitions.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/machine/engine/engine.h"
#include "sim/machine/mem/noc/router.h"
#include "sim/model/arch/arch.h"

#include "tests/support/messages.h"
#include "tests/support/stand_in.h"

namespace gpusim::test::router {

inline arch::Arch small_arch() {
  arch::Arch arch;
  arch.noc.model = gpusim::arch::NocModel::kCrossbar;
  arch.noc.gpcs = 1;
  arch.noc.sm_to_gpc_latency = 10;
  arch.noc.gpc_to_l2_latency = 20;
  arch.noc.l2_to_gpc_latency = 30;
  arch.noc.gpc_to_sm_latency = 40;
  arch.noc.sm_request_bytes_per_cycle = 32;
  arch.noc.sm_reply_bytes_per_cycle = 32;
  arch.noc.gpc_request_bytes_per_cycle = 128;
  arch.noc.gpc_reply_bytes_per_cycle = 128;
  arch.noc.slice_request_bytes_per_cycle = 32;
  arch.noc.request_header_bytes = 32;
  arch.l2.tag_latency = 5;
  arch.l2.queue_entries = 8;
  return arch;
}

inline msg::Message request(std::uint32_t token, std::uint16_t slice, std::uint16_t sm = 0,
                            msg::Kind kind = msg::Kind::kRead) {
  msg::SmAccess access;
  access.token = token;
  access.slice = slice;
  access.requester = sm;
  return msg::make(kind, access, 1);
}

/// What the stand-in answers: a bulk read as one that shares the reply before it.
inline msg::Message answer_of(const msg::Message& request) {
  const bool is_shared = request.kind() == msg::Kind::kRead && l2(request).is_bulk != 0;
  return request.as_kind(is_shared ? msg::Kind::kReadReplyCopy : msg::answer_to(request.kind()));
}

/// Domains 0 .. sms-1 are senders, then the router, then one partition that owns every slice.
struct Bench {
  /// An SM sends `per_cycle` requests a cycle at most.
  Bench(const arch::Arch& config, std::uint32_t sms, std::uint16_t slices, bool slice_answers = true,
        std::uint32_t per_cycle = 4)
      : arch(config) {
    const auto router_id = sms;
    const auto window = mem::noc::sm_window(arch.noc);
    mem::noc::RouterWiring wiring;
    for (std::uint32_t i = 0; i < sms; ++i) {
      senders.push_back(std::make_unique<CreditedSender>(
          i, CreditedSender::Link{router_id, arch.noc.sm_to_gpc_latency, window.places, per_cycle}));
      wiring.sms.push_back({static_cast<std::uint16_t>(i), i});
      domains.push_back(senders.back().get());
    }
    wiring.partition_domain.assign(slices, router_id + 1);
    router = std::make_unique<mem::noc::GpcRouter>(router_id, arch, wiring);
    partition = std::make_unique<StandIn>(
        router_id + 1, [this, router_id, slice_answers](StandIn& self, const msg::Message& m, Cycle now) {
          if (!slice_answers) {
            return;
          }
          self.plan(now, router_id, arch.noc.l2_to_gpc_latency, answer_of(m));
          const msg::Message credit = msg::make(msg::Kind::kSliceCredit, msg::SliceCredit{l2(m).slice, 1});
          if (arch.noc.model != arch::NocModel::kIdeal) {
            self.plan(now, router_id, arch.noc.l2_to_gpc_latency, credit);
          }
        });
    domains.push_back(router.get());
    domains.push_back(partition.get());
  }
  Cycle window() const {
    const auto& n = arch.noc;
    return std::min({n.sm_to_gpc_latency, n.gpc_to_l2_latency, n.l2_to_gpc_latency, n.gpc_to_sm_latency});
  }
  void run(engine::EngineOptions options) { engine::Engine(domains, options).run(100'000, {}); }
  void run() { run({window(), 1, false}); }

  arch::Arch arch;
  std::vector<std::unique_ptr<CreditedSender>> senders;
  std::unique_ptr<mem::noc::GpcRouter> router;
  std::unique_ptr<StandIn> partition;
  std::vector<engine::Domain*> domains;
};

inline std::vector<std::uint32_t> tokens(const std::vector<msg::Message>& messages) {
  std::vector<std::uint32_t> result;
  for (const msg::Message& m : messages) {
    result.push_back(token_of(m));
  }
  return result;
}

}  // namespace gpusim::test::router
