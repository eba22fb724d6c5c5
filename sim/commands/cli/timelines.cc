// SPDX-License-Identifier: MIT
#include "sim/commands/cli/timelines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <set>

#include "sim/base/gzip.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/values.h"

namespace gpusim::cli {
namespace {

/// A part of --why.
struct MomentKey {
  std::string_view name;
  std::uint64_t most;
  void (*set)(timeline::Moment& moment, std::uint64_t value);
};

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

constexpr std::array kMomentKeys{
    MomentKey{"sm", kMost32, [](auto& m, std::uint64_t v) { m.sm = static_cast<std::uint32_t>(v); }},
    MomentKey{"warp", kMost32, [](auto& m, std::uint64_t v) { m.warp_slot = static_cast<std::uint32_t>(v); }},
    MomentKey{"cycle", kNever - 2, [](auto& m, std::uint64_t v) { m.cycle = v; }},
    MomentKey{"kernel", kMost32, [](auto& m, std::uint64_t v) { m.kernel = static_cast<std::uint32_t>(v); }},
};

std::unique_ptr<OutputFile> opened(const std::string& option, const std::string& path) {
  if (path == "-") {
    throw UsageError(option + ": '-' is no file");
  }
  return path.empty() ? nullptr : std::make_unique<OutputFile>(path);
}

}  // namespace

void add_timelines(CLI::App& app, TimelineOptions& options) {
  add_text(app, "--why", options.why, "sm=S,warp=W,cycle=N", "Say why this warp waits in this cycle, and stop there");
  add_text(app, "--timeline", options.timeline, "FILE.json[.gz]",
           "Write kernels, counters and recorded warps for Perfetto and chrome://tracing");
  add_text(app, "--konata", options.konata, "FILE", "Write the instructions of the recorded SM for Konata");
}

timeline::Moment parse_moment(std::string_view text) {
  timeline::Moment moment;
  std::set<std::string_view> given;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const std::size_t equals = part.find('=');
    const auto* const key = std::ranges::find(kMomentKeys, part.substr(0, equals), &MomentKey::name);
    if (key == kMomentKeys.end()) {
      throw UsageError("--why: " + in_quotes(part) + " is none of sm=S, warp=W, cycle=N, kernel=K");
    }
    if (!given.insert(key->name).second) {
      throw UsageError("--why: " + std::string(key->name) + " is given twice");
    }
    const std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    key->set(moment, parse_count("--why " + std::string(key->name), value, 0, key->most));
  }
  if (!given.contains("warp") || !given.contains("cycle")) {
    throw UsageError("--why needs a warp and a cycle, for example --why sm=0,warp=3,cycle=412");
  }
  return moment;
}

timeline::TextOptions timeline_options(const Common& common, bool details) {
  return {look_of(common), details, output_width()};
}

TimelineFiles::TimelineFiles(const TimelineOptions& options)
    : timeline_(opened("--timeline", options.timeline)), konata_(opened("--konata", options.konata)) {}

void TimelineFiles::refuse_to_replace(const std::filesystem::path& input) const {
  for (const OutputFile* file : {timeline_.get(), konata_.get()}) {
    if (file != nullptr) {
      gpusim::refuse_to_replace(file->path(), input);
    }
  }
}

void TimelineFiles::write(const stats::Result& result) {
  if (timeline_) {
    const timeline::TraceEvents events = timeline::to_trace_events(result);
    timeline_->commit(timeline_->path().extension() == ".gz" ? gzip(events.json) : events.json);
    if (!events.left_out.empty()) {
      log_warning(timeline_->path().string() + ": left out " + events.left_out);
    }
  }
  if (konata_) {
    konata_->commit(timeline::to_konata(result));
  }
}

}  // namespace gpusim::cli
