// SPDX-License-Identifier: MIT
// What every command offers that has a Result: warps over some cycles, and why a warp waits in one.
#pragma once

#include <string>
#include <string_view>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::gpu {
struct WatchRequest;
}  // namespace gpusim::gpu
namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats
namespace gpusim::timeline {
struct Moment;
}  // namespace gpusim::timeline

namespace gpusim::cli {

/// --watch, with `what` it does as the help says it.
void add_watch(CLI::App& app, std::string& watch, const char* what);

/// Throws UsageError for both of --watch and --why, and for a format that neither has.
void require_timeline(const std::string& watch, const std::string& why, const std::string& format);

/// The recorded warps as a timeline of the cycles watched; as JSON the result with them.
[[nodiscard]] std::string timeline_of(const stats::Result& result, const gpu::WatchRequest& watched,
                                      const std::string& format, const Common& common, bool details);

/// --why.
void add_why(CLI::App& app, std::string& why);

/// "sm=0,warp=3,cycle=412,kernel=0": any order; sm and kernel default to 0. Throws UsageError.
[[nodiscard]] timeline::Moment parse_moment(std::string_view text);

/// The answer, as text or JSON. Throws as timeline::why().
[[nodiscard]] std::string answer(const stats::Result& result, const timeline::Moment& moment, const std::string& format,
                                 const Common& common);

}  // namespace gpusim::cli
