// SPDX-License-Identifier: MIT
// The key of a point: a digest of everything that its result depends on, and of nothing else. Two points with one key
// have the same result, whatever study asked for them and however it put it ("160" or "1.2121x").
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace gpusim::gpu {
struct SimulateOptions;
}  // namespace gpusim::gpu

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::sweep {

/// A digest of everything in a description that the result depends on: the values that the simulation reads, the
/// guesses that the result repeats, and the name.
[[nodiscard]] std::string arch_digest(const arch::Arch& arch);

/// Size and time of the last change of a file.
using FileStamp = std::pair<std::uintmax_t, std::filesystem::file_time_type>;

/// Digests of traces as loaded: content of the files the kernels stand in and of those that parameters name, which
/// kernels, parameters, and the name.
/// Throws InputError for a file that has changed since it was seen first: what was loaded would have another digest.
class TraceDigester {
 public:
  [[nodiscard]] std::string operator()(const trace::Trace& trace);

 private:
  struct KnownFile {
    FileStamp stamp;
    std::string digest;
  };
  const std::string& file_digest(const std::string& file);
  std::map<std::string, KnownFile> files_;  ///< each is read once
};

/// `options`: cache, ctas and max_cycles count; threads and the callbacks do not.
[[nodiscard]] std::string point_key(const std::string& arch, const std::string& trace,
                                    const gpu::SimulateOptions& options);

}  // namespace gpusim::sweep
