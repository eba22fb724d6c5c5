// SPDX-License-Identifier: MIT
// Whether what CTAs of a container access lies where their instructions may go: the bytes of a file can say anything.
#pragma once

#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/trace/recorded.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::container {

/// Addresses that an access may begin at, both ends included.
struct AddressRange {
  Address first = 0;
  Address last = ~Address{0};
  [[nodiscard]] bool is_all() const { return first == 0 && last == ~Address{0}; }
};

/// By site. Global memory ends where a GPU's addresses do, and so does what caches see of local memory, which begins
/// where the kernel says. Of an address in shared memory only its bank counts.
[[nodiscard]] std::vector<AddressRange> allowed_addresses(const trace::Kernel& kernel, const trace::Sites& sites);

/// Throws InputError about `file` at the first warp that leaves the range of a site.
void check_addresses(const trace::RecordedCtas& ctas, const Dim3& grid, const std::vector<AddressRange>& allowed,
                     const std::string& file);

}  // namespace gpusim::container
