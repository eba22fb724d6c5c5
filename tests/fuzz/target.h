// SPDX-License-Identifier: MIT
// What the fuzz targets share: an input as a file, and a small machine that runs whatever was accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

/// What libFuzzer calls with each input, and the driver of the tests likewise. A target lets out only what is a fault
/// of ours: bad input ends in one of the errors of sim/base/problem.h, which it takes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace gpusim::fuzz {

[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A folder of this process, removed when it ends.
[[nodiscard]] const std::filesystem::path& folder();

/// Writes a file of this name into the folder.
std::filesystem::path write(std::string_view name, std::string_view bytes);

/// Some thousand cycles of the first CTAs of the first kernels on a GPU of one SM, or on an H100 where the code is for
/// it. Throws as gpu::simulate() does.
void simulate_a_little(const trace::Trace& trace);

/// A property that holds for every accepted input, or the end of the process.
void require(bool holds, std::string_view what);

/// Calls `work`; false when it ends in one of the errors that bad input may end in. With GPUSIM_FUZZ_SHOW in the
/// environment those are printed.
bool is_accepted(const std::function<void()>& work);

}  // namespace gpusim::fuzz
