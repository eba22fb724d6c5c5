// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/access_window.h"

#include "sim/machine/mem/l2/slice_tags.h"

namespace gpusim::mem::l2 {

void AccessWindow::apply_inside(Address address, cache::LineNumber line, SliceTags& tags) const {
  switch (of(address)) {
    case Eviction::kFirst: tags.age(line); break;
    case Eviction::kLast: tags.keep(line, persisting_ways); break;
    case Eviction::kNormal: break;
  }
}

}  // namespace gpusim::mem::l2
