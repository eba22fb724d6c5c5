// SPDX-License-Identifier: MIT
#include "sim/container/group_source.h"

#include <algorithm>
#include <utility>

namespace gpusim::container {

GroupSource::GroupSource(std::shared_ptr<File> file, std::vector<CtaGroup> groups, const RecordingFrame& frame,
                         const VocabularySizes& shared)
    : file_(std::move(file)), groups_(std::move(groups)), frame_(frame), shared_(shared), known_(groups_.size()) {}

std::shared_ptr<const trace::RecordedCtas> GroupSource::around(std::uint64_t cta) const {
  const auto after = std::ranges::upper_bound(groups_, cta, {}, &CtaGroup::first);
  const auto number = static_cast<std::size_t>(after - groups_.begin()) - 1;
  const std::lock_guard guard(decoding_);
  std::shared_ptr<const trace::RecordedCtas> found = known_[number].lock();
  if (found == nullptr) {
    const CtaGroup& group = groups_[number];
    const std::string message =
        unpack(file_->read(group.place.offset, group.place.section.stored), group.place.section, file_->name());
    found = std::make_shared<const trace::RecordedCtas>(
        decode_ctas(message, frame_, shared_, group.first, group.count, file_->name()));
    known_[number] = found;
    kept_.push_back(found);
    if (kept_.size() > kKept) {
      kept_.pop_front();
    }
  }
  return found;
}

}  // namespace gpusim::container
