// SPDX-License-Identifier: MIT
// What the warps of a kernel do, handed on step by step: how any trace becomes a recording.
#pragma once

namespace gpusim::trace {

struct Kernel;
struct Kernel;
class WarpSink;

/// All warps of the CTAs from `first` on, at most `count`, in order. Throws InputError as Walker::next() does.
void replay(const Kernel& kernel, WarpSink& sink, std::uint64_t first = 0, std::uint64_t count = ~std::uint64_t{0});

}  // namespace gpusim::trace
