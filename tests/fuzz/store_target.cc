// SPDX-License-Identifier: MIT
// Databases of sweeps: everything that they hold is read, and their studies and points are merged into a new one.
#include <array>
#include <filesystem>
#include <string>

#include "sim/commands/sweep/store/store.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

namespace {

void read_all(const std::filesystem::path& file) {
  const sweep::Store store(file, sweep::Store::Access::kRead);
  for (const sweep::StudyInfo& study : store.studies()) {
    (void)store.waiting(study.id);
    for (const sweep::PointRow& point : store.points(study.id)) {
      if (!point.key.empty()) {
        (void)store.find(point.key);
        (void)store.result(point.key);
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::array files{fuzz::write("x.db", fuzz::text_of(data, size))};
  fuzz::is_accepted([&] { read_all(files[0]); });
  const std::filesystem::path into = fuzz::folder() / "merged.db";
  std::filesystem::remove(into);
  if (fuzz::is_accepted([&] { (void)sweep::Store::merge(into, files); })) {
    read_all(into);  // what was accepted is whole
  }
  return 0;
}
