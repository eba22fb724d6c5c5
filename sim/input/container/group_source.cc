// SPDX-License-Identifier: MIT
#include "sim/input/container/group_source.h"

#include <algorithm>
#include <utility>

namespace gpusim::container {
namespace {

template <class Part, class Decode>
std::shared_ptr<const Part> part_at(File& file, const PlacedSection& at, const Decode& decode) {
  return file.parts().get<Part>(
      at.offset, [&] { return decode(unpack(file.read(at.offset, at.section.stored), at.section, file.name())); },
      [&](std::size_t most) {
        fail(file.name(), "what CTAs in flight recorded takes more than " + std::to_string(most >> 30U) + " GiB",
             "fewer at once take less: fewer SMs, or some CTAs (--ctas)");
      });
}

}  // namespace

std::shared_ptr<const trace::Vocabulary> GroupSource::vocabulary() const {
  return part_at<trace::Vocabulary>(*file_, sections_.vocabulary, [&](const std::string& message) {
    return decode_vocabulary(message, sections_.frame, sections_.patterns, file_->name());
  });
}

std::shared_ptr<const trace::RecordedCtas> GroupSource::around(std::uint64_t cta) const {
  const auto after = std::ranges::upper_bound(sections_.groups, cta, {}, &CtaGroup::first);
  const CtaGroup& group = *(after - 1);
  const std::shared_ptr<const trace::Vocabulary> shared = vocabulary();
  return part_at<trace::RecordedCtas>(*file_, group.place, [&](const std::string& message) {
    return decode_ctas(message, sections_.frame, shared, group.first, group.count, file_->name());
  });
}

}  // namespace gpusim::container
