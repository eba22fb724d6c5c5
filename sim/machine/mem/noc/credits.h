// SPDX-License-Identifier: MIT
// How many requests may be under way on each link that has back-pressure. A window is the link's rate times its round
// trip, so an empty network runs at full rate whatever its latency; computed here and nowhere else.
#pragma once

#include <cstdint>

#include "sim/model/arch/l2_config.h"
#include "sim/model/arch/noc_config.h"

namespace gpusim::mem::noc {

/// Credits count requests, each a place of the largest request. The receiver returns them in batches, to save messages:
/// it may keep up to batch - 1 of them to itself, which the window allows for.
struct CreditWindow {
  std::uint32_t places = 0;  ///< 0: no back-pressure, and no credits are sent (noc.model ideal)
  std::uint32_t batch = 1;   ///< places a kSliceCredit or kSmCredit returns
};

/// An SM's FIFO at its GPC router.
[[nodiscard]] CreditWindow sm_window(const arch::NocConfig& noc);

/// One router's requests to one L2 slice: the link's window and the router's share of the slice's own queue
/// (l2.queue_entries). A place is held until the slice has looked the request up.
[[nodiscard]] CreditWindow slice_window(const arch::NocConfig& noc, const arch::L2Config& l2);

}  // namespace gpusim::mem::noc
