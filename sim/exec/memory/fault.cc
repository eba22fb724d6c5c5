// SPDX-License-Identifier: MIT
#include "sim/exec/memory/fault.h"

namespace gpusim::exec {

const char* word_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::kRead: return "read";
    case AccessKind::kWrite: return "write";
    case AccessKind::kAtomic: return "atomic";
    default: return "mbarrier access";
  }
}

}  // namespace gpusim::exec
