// SPDX-License-Identifier: MIT
#include "sim/input/container/address_check.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "sim/base/address_space.h"
#include "sim/input/container/section.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::container {
namespace {

using trace::RecordedCtas;
using trace::Vocabulary;

/// Sums of what a file says: exact, where 64 bits would wrap around.
__extension__ using Exact = __int128;

struct Extremes {
  Exact least = 0;
  Exact most = 0;

  void include(Exact low, Exact high) {
    least = std::min(least, low);
    most = std::max(most, high);
  }
};

Exact distance(std::uint64_t bytes) {
  return static_cast<std::int64_t>(bytes);
}

/// Calls `visit(first, last)`, both included, for boxes of CTAs that together are those from `begin` to before `end`.
template <class Visit>
void for_each_box(std::uint64_t begin, std::uint64_t end, const Dim3& grid, const Visit& visit) {
  const std::uint64_t row = grid.x;
  const std::uint64_t plane = row * grid.y;
  while (begin < end) {
    const std::uint64_t left = end - begin;
    std::uint64_t count = std::min(left, row - begin % row);
    if (begin % plane == 0 && left >= plane) {
      count = left / plane * plane;
    } else if (begin % row == 0 && left >= row) {
      count = std::min(left, plane - begin % plane) / row * row;
    }
    visit(trace::cta_at(begin, grid), trace::cta_at(begin + count - 1, grid));
    begin += count;
  }
}

class AddressCheck {
 public:
  AddressCheck(const RecordedCtas& ctas, const Dim3& grid, const std::string& file)
      : ctas_(ctas), grid_(grid), file_(file) {}

  void check(const RecordedCtas::SiteStreams& site, const AddressRange& allowed) {
    const bool all_alike = ctas_.paths.is_expression();
    if (site.shapes.is_expression() && site.bases.is_expression()) {
      const std::optional<Exact> outside = outside_anywhere(site, allowed, all_alike);
      if (!outside) {
        return;
      }
      if (all_alike) {
        refuse(allowed, *outside);
      }
    }
    for (std::uint64_t cta = ctas_.first; cta < ctas_.first + ctas_.count; ++cta) {
      for (std::uint32_t warp = 0; warp < ctas_.paths.warps(); ++warp) {
        if (does_nothing(cta, warp)) {
          continue;
        }
        const Extremes* const reach = reach_of(site, cta, warp);
        const Exact base = distance(site.bases.at(cta, warp));
        if (const auto outside = reach == nullptr ? std::nullopt : outside_of(allowed, base, *reach)) {
          refuse(allowed, *outside);
        }
      }
    }
  }

 private:
  /// An address that is not allowed, where bases follow the place of the CTA: so many are not looked at one by one.
  /// Unless all CTAs are alike some warp may not do in one CTA what it does in others, and the address be nobody's.
  std::optional<Exact> outside_anywhere(const RecordedCtas::SiteStreams& site, const AddressRange& allowed,
                                        bool all_alike) {
    const Extremes moved = moves_of(site.bases);
    for (std::uint32_t warp = 0; warp < ctas_.paths.warps(); ++warp) {
      const Extremes* const reach =
          all_alike && does_nothing(ctas_.first, warp) ? nullptr : reach_of(site, ctas_.first, warp);
      if (reach == nullptr) {
        continue;
      }
      const Extremes all{moved.least + reach->least, moved.most + reach->most};
      if (const auto outside = outside_of(allowed, distance(site.bases.row()[warp]), all)) {
        return outside;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool does_nothing(std::uint64_t cta, std::uint32_t warp) const {
    return ctas_.path(static_cast<std::uint32_t>(ctas_.paths.at(cta, warp))).empty();
  }

  /// How far bases are from those of the first CTA.
  [[nodiscard]] Extremes moves_of(const trace::WarpColumn& bases) const {
    const trace::CtaId origin = trace::cta_at(ctas_.first, grid_);
    Extremes all;
    for_each_box(ctas_.first, ctas_.first + ctas_.count, grid_, [&](trace::CtaId first, trace::CtaId last) {
      Exact low = 0;
      Exact high = 0;
      const auto add = [&](std::size_t dimension, Exact from, Exact to) {
        const Exact step = distance(bases.coefficients()[dimension]);
        low += std::min(step * from, step * to);
        high += std::max(step * from, step * to);
      };
      add(0, Exact{first.x} - origin.x, Exact{last.x} - origin.x);
      add(1, Exact{first.y} - origin.y, Exact{last.y} - origin.y);
      add(2, Exact{first.z} - origin.z, Exact{last.z} - origin.z);
      all.include(low, high);
    });
    return all;
  }

  /// The least and greatest offset that a warp accesses at the site; null when it accesses nothing there.
  const Extremes* reach_of(const RecordedCtas::SiteStreams& site, std::uint64_t cta, std::uint32_t warp) {
    const auto shape = static_cast<std::uint32_t>(site.shapes.at(cta, warp));
    const auto known = shapes_.find(shape);
    const std::optional<Extremes>& reach =
        known != shapes_.end() ? known->second : shapes_.emplace(shape, reach_of(ctas_.runs(shape))).first->second;
    return reach ? &*reach : nullptr;
  }

  std::optional<Extremes> reach_of(std::span<const Vocabulary::AddressRun> runs) {
    std::optional<Extremes> all;
    for (const Vocabulary::AddressRun& run : runs) {
      const Extremes& lanes = reach_of(run.pattern);
      const Exact last = Exact{run.delta} + Exact{run.stride} * (run.count - 1);
      const Exact low = std::min<Exact>(run.delta, last) + lanes.least;
      const Exact high = std::max<Exact>(run.delta, last) + lanes.most;
      all = all.value_or(Extremes{low, high});
      all->include(low, high);
    }
    return all;
  }

  const Extremes& reach_of(std::uint32_t pattern) {
    const auto [entry, is_new] = patterns_.try_emplace(pattern);
    if (is_new) {
      const auto [least, most] = std::ranges::minmax(ctas_.pattern(pattern));
      entry->second = {least, most};
    }
    return entry->second;
  }

  static std::optional<Exact> outside_of(const AddressRange& allowed, Exact base, const Extremes& reach) {
    if (base + reach.least < Exact{allowed.first}) {
      return base + reach.least;
    }
    return base + reach.most > Exact{allowed.last} ? std::optional(base + reach.most) : std::nullopt;
  }

  [[noreturn]] void refuse(const AddressRange& allowed, Exact outside) const {
    fail_damaged(file_, "a warp accesses address " + address_text(static_cast<Address>(outside)) + ", and may from " +
                            address_text(allowed.first) + " to " + address_text(allowed.last));
  }

  const RecordedCtas& ctas_;
  Dim3 grid_;
  const std::string& file_;
  std::unordered_map<std::uint32_t, std::optional<Extremes>> shapes_;
  std::unordered_map<std::uint32_t, Extremes> patterns_;
};

}  // namespace

std::vector<AddressRange> allowed_addresses(const trace::Kernel& kernel, const trace::Sites& sites) {
  std::vector<AddressRange> allowed(sites.count());
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const isa::Instr& instr = kernel.code[i];
    const std::uint32_t site = sites.of[i][static_cast<std::size_t>(trace::AccessSlot::kPrimary)];
    if (instr.space == isa::MemSpace::kGlobal || instr.space == isa::MemSpace::kLocal) {
      allowed[site] = {instr.space == isa::MemSpace::kLocal ? kernel.local.base : 0,
                       kGlobalEnd - std::max<std::uint64_t>(1, instr.bytes_per_lane)};
    }
  }
  return allowed;
}

void check_addresses(const RecordedCtas& ctas, const Dim3& grid, const std::vector<AddressRange>& allowed,
                     const std::string& file) {
  AddressCheck check(ctas, grid, file);
  for (std::size_t site = 0; site < allowed.size(); ++site) {
    if (!allowed[site].is_all()) {
      check.check(ctas.streams[site], allowed[site]);
    }
  }
}

}  // namespace gpusim::container
