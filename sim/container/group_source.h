// SPDX-License-Identifier: MIT
// The CTAs of one kernel, read from the file when they are needed.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/container/file.h"
#include "sim/container/recording_form.h"
#include "sim/trace/recorded.h"

namespace gpusim::container {

struct PlacedSection {
  std::uint64_t offset = 0;
  Section section;
};

struct CtaGroup {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  PlacedSection place;
};

class GroupSource final : public trace::CtaSource {
 public:
  /// `groups` follow one another from CTA 0 to the last of the grid.
  GroupSource(std::shared_ptr<File> file, std::vector<CtaGroup> groups, const RecordingFrame& frame,
              const VocabularySizes& shared);

  [[nodiscard]] std::shared_ptr<const trace::RecordedCtas> around(std::uint64_t cta) const override;

 private:
  /// Groups that are kept although no walker uses them just now: CTAs are handed out in order, and walked in few
  /// places.
  static constexpr std::size_t kKept = 8;

  std::shared_ptr<File> file_;
  std::vector<CtaGroup> groups_;
  RecordingFrame frame_;
  VocabularySizes shared_;
  mutable std::mutex decoding_;
  mutable std::vector<std::weak_ptr<const trace::RecordedCtas>> known_;  ///< by group; somebody still has it
  mutable std::deque<std::shared_ptr<const trace::RecordedCtas>> kept_;
};

}  // namespace gpusim::container
