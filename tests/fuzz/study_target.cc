// SPDX-License-Identifier: MIT
// Studies as YAML: what is accepted is written and read again, and the first of its points are made.
#include <algorithm>
#include <string>
#include <vector>

#include "sim/commands/sweep/study/expand.h"
#include "sim/commands/sweep/study/study_file.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

namespace {

constexpr std::uint64_t kMostPoints = 20;

const arch::Resolved& base() {
  static const arch::Resolved base = arch::resolve_arch(GPUSIM_SOURCE_DIR "/configs/a100.yaml", {});
  return base;
}

void make_points(const sweep::Study& study) {
  constexpr std::size_t kMost = 8;
  if (study.archs.size() > kMost || study.traces.size() > kMost) {
    return;
  }
  const std::vector<arch::Resolved> archs(study.archs.size(), base());
  const std::vector<sweep::Parameters> traces(study.traces.size(), {{"seq", 2048}, {"batch", 1}, {"shift", -4}});
  const sweep::Plan plan(study, archs, traces);
  const std::uint64_t points = plan.size() > sweep::kMostPoints ? 0 : std::min(kMostPoints, plan.size());
  for (std::uint64_t i = 0; i < points; ++i) {
    const sweep::Point point = plan[i];
    fuzz::require(point.settings.size() == study.axes.size(), "a point has a setting for each axis");
    (void)sweep::overrides_of(study, point);
    (void)sweep::parameters_of(study, point);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sweep::StudyFile file;
  if (!fuzz::is_accepted([&] { file = sweep::parse_study(fuzz::text_of(data, size), "x.yaml"); })) {
    return 0;
  }
  const bool is_ascii = std::all_of(data, data + size, [](std::uint8_t byte) { return byte < 0x80; });
  // YAML cannot hold every text that its escapes can say.
  if (is_ascii && fuzz::text_of(data, size).find('\\') == std::string_view::npos) {
    fuzz::require(sweep::parse_study(sweep::write_study(file), "y.yaml") == file,
                  "a study reads back as it was written");
  }
  fuzz::is_accepted([&] { make_points(file.study); });
  return 0;
}
