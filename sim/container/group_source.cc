// SPDX-License-Identifier: MIT
#include "sim/container/group_source.h"

#include <algorithm>
#include <utility>

namespace gpusim::container {
namespace {

std::string message_at(File& file, const PlacedSection& at) {
  return unpack(file.read(at.offset, at.section.stored), at.section, file.name());
}

}  // namespace

std::shared_ptr<const trace::Vocabulary> GroupSource::vocabulary() const {
  return file_->parts().get<trace::Vocabulary>(sections_.vocabulary.offset, [&] {
    return decode_vocabulary(message_at(*file_, sections_.vocabulary), sections_.frame, sections_.patterns,
                             file_->name());
  });
}

std::shared_ptr<const trace::RecordedCtas> GroupSource::around(std::uint64_t cta) const {
  const auto after = std::ranges::upper_bound(sections_.groups, cta, {}, &CtaGroup::first);
  const CtaGroup& group = *(after - 1);
  const std::shared_ptr<const trace::Vocabulary> shared = vocabulary();
  return file_->parts().get<trace::RecordedCtas>(group.place.offset, [&] {
    return decode_ctas(message_at(*file_, group.place), sections_.frame, shared, group.first, group.count,
                       file_->name());
  });
}

}  // namespace gpusim::container
