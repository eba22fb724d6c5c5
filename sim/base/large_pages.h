// SPDX-License-Identifier: MIT
#pragma once

namespace gpusim {

/// Asks the host for large pages under the heap, before much is allocated there. What a run touches of a simulated
/// machine lies far apart, so that small pages cost a tenth of the time of a memory-bound kernel. Nothing happens where
/// the host has none to give. Takes 64 MiB of address space, of which only what is used takes memory.
void ask_for_large_pages();

}  // namespace gpusim
