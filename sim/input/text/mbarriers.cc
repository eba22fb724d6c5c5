// SPDX-License-Identifier: MIT
#include "sim/input/text/mbarriers.h"

#include <limits>

#include "sim/base/nearest.h"

namespace gpusim::frontend {
namespace {

constexpr std::int64_t kMostMbarriers = 1024;  ///< mbarriers of an array: 8 KiB of shared memory

}  // namespace

void Mbarriers::declare(const MbarrierSyntax& syntax, std::uint64_t shared_bytes) {
  const std::string named = "mbarrier '" + syntax.name.text + "'";
  const auto count = syntax.count == kNoSyntax
                         ? std::optional<std::int64_t>(1)
                         : names_.constant_in(syntax.count, "the count of " + named, 1, kMostMbarriers);
  const auto offset =
      names_.constant_in(syntax.offset, "the offset of " + named, 0, std::numeric_limits<std::int32_t>::max());
  const std::uint32_t first = arrays_.empty() ? 0 : arrays_.back().first + arrays_.back().count;
  trace::MbarrierArray made{syntax.name.text, static_cast<std::uint64_t>(offset.value_or(0)),
                            static_cast<std::uint32_t>(count.value_or(1)), first};
  const std::uint64_t end = made.offset + made.count * trace::kMbarrierBytes;
  if (end > shared_bytes) {
    reporter_.add(syntax.name.place, named + " ends at byte " + std::to_string(end) + " of the CTA's shared memory",
                  "'shared static' and 'shared dynamic' give " + std::to_string(shared_bytes) + " bytes");
  }
  if (made.offset % trace::kMbarrierBytes != 0) {
    reporter_.add(syntax.name.place, named + " begins at byte " + std::to_string(made.offset),
                  "expected a multiple of 8");
  }
  for (const trace::MbarrierArray& other : arrays_) {
    if (made.offset < other.offset + other.count * trace::kMbarrierBytes && other.offset < end) {
      reporter_.add(syntax.name.place, named + " overlaps mbarrier '" + other.name + "'");
    }
  }
  if (!by_name_.emplace(made.name, static_cast<std::uint32_t>(arrays_.size())).second) {
    reporter_.add(syntax.name.place, named + " was declared before");
    return;
  }
  arrays_.push_back(std::move(made));
}

void Mbarriers::add_source(const AccessSyntax& syntax, trace::DraftAsync& async) {
  const auto found = by_name_.find(syntax.buffer);
  if (found == by_name_.end()) {
    std::vector<std::string_view> known;
    for (const trace::MbarrierArray& array : arrays_) {
      known.push_back(array.name);
    }
    reporter_.add(syntax.place, "undefined mbarrier '" + syntax.buffer + "'",
                  known.empty() ? "the kernel has none: 'mbarrier NAME[COUNT] at OFFSET' in its head"
                                : suggestion(syntax.buffer, known));
    return;
  }
  if (!syntax.more.empty() || (syntax.expression != kNoSyntax && !syntax.is_index)) {
    reporter_.add(syntax.place, "mbarrier '" + syntax.buffer + "' takes one index, in brackets");
  }
  async.barriers = found->second;
  async.barrier =
      syntax.expression == kNoSyntax ? trace::kNoExpr : names_.uniform(syntax.expression, "an mbarrier's index");
}

void Mbarriers::move_to(trace::Kernel& kernel, trace::ProgramDraft& draft) {
  draft.mbarriers = arrays_;
  kernel.mbarriers = std::move(arrays_);
}

}  // namespace gpusim::frontend
