// SPDX-License-Identifier: MIT
#include "sim/machine/sm/sm.h"

#include <catch2/catch.hpp>

#include "sim/machine/engine/mailbox.h"
#include "sim/machine/engine/window_sorter.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/machine/sm/per_worker.h"
#include "sim/machine/sm/warp_wait.h"

#include "tests/support/one_sm.h"

namespace sm_test {

using namespace gpusim;

TEST_CASE("an SM has its units from its first CTA on; before, it is idle and counts nothing") {
  test::OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  const trace::Kernel kernel =
      test::kernel_of(setup, {"[B------:R-:W-:-:S15] MOV R1, R2", "[B------:R-:W-:-:S01] EXIT"});
  const lower::KernelImage image = lower::make_image(kernel, setup.arch);
  const mem::map::AddressMap map(setup.arch.l2, setup.arch.dram.channels);
  sm::Workers workers(1);
  workers[0].profile.resize(kernel.code.size());
  sm::Sm sm(0, setup.arch, {{0, 0, 64, &map}, 1, 2}, {&image, 1, 128 * 1024, &workers, nullptr, false, 1});

  CHECK(sm.next_event() == kNever);
  CHECK(sm.idle());
  CHECK(sm.warp_slots() == 0);
  CHECK(sm.sub_cores() == 0);
  CHECK(sm.waiting_warps().empty());
  CHECK(sm.cta_spans().empty());
  CHECK(sm.counters(0).warp_instructions == 0);
  CHECK(sm.last_drained() == 0);
  stats::CounterBlocks counted;
  sm.add_to(counted, {100, 100});
  stats::for_each_block([&counted](const auto& row) { CHECK(!stats::counts_any(counted.*row.member)); });

  msg::Message launch = msg::make(msg::Kind::kCtaLaunch, msg::CtaLaunch{0});
  launch.time = 5;
  sm.deliver(launch);
  CHECK(sm.next_event() == 5);
  engine::Mailboxes mailboxes(3, 1);
  engine::WindowSorter sorter;
  sm.open_window({0, 8}, mailboxes, mailboxes.outgoing(0), sorter);
  sm.run_until(8);
  CHECK(sm.warp_slots() == setup.arch.sm.limits.warps_per_sm);
  CHECK(sm.sub_cores() == setup.arch.sm.sub_cores);
  CHECK(sm.counters(0).warp_instructions == 1);
  CHECK(!sm.idle());
  CHECK(sm.waiting_warps().size() == 1);
}

}  // namespace sm_test
