// SPDX-License-Identifier: MIT
// The CTAs of one kernel, read from the file when they are needed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/input/container/file.h"
#include "sim/input/container/recording_form.h"
#include "sim/model/trace/recorded.h"

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

/// What one kernel's warps do, as sections of a file.
struct KernelSections {
  RecordingFrame frame;
  PlacedSection vocabulary;
  std::uint32_t patterns = 0;    ///< patterns of the vocabulary that are remembered
  std::vector<CtaGroup> groups;  ///< one after the other from CTA 0 to the last of the grid
};

class GroupSource final : public trace::CtaSource {
 public:
  GroupSource(std::shared_ptr<File> file, KernelSections sections)
      : file_(std::move(file)), sections_(std::move(sections)) {}

  [[nodiscard]] std::shared_ptr<const trace::RecordedCtas> around(std::uint64_t cta) const override;

 private:
  [[nodiscard]] std::shared_ptr<const trace::Vocabulary> vocabulary() const;

  std::shared_ptr<File> file_;
  KernelSections sections_;
};

}  // namespace gpusim::container
