// SPDX-License-Identifier: MIT
// Architecture files, with the overrides that the first lines name: "# set KEY=VALUE".
#include <string>
#include <vector>

#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/arch/sheet.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

namespace {

constexpr std::string_view kSet = "# set ";

std::vector<arch::Override> overrides_of(std::string_view text) {
  std::vector<arch::Override> overrides;
  while (text.starts_with(kSet)) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    overrides.push_back(arch::parse_override(text.substr(kSet.size(), end - kSet.size())));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return overrides;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const std::filesystem::path file = fuzz::write("x.yaml", text);
  const std::filesystem::path folders[] = {GPUSIM_SOURCE_DIR "/configs"};
  std::string shown;
  const bool good = fuzz::is_accepted(
      [&] { shown = arch::write_sheet(arch::resolve_arch(file, overrides_of(text), folders).sheet); });
  if (good) {
    // What "arch show" prints is a file, and the same machine.
    const std::filesystem::path again = fuzz::write("shown.yaml", shown);
    fuzz::is_accepted([&] {
      fuzz::require(arch::write_sheet(arch::resolve_arch(again, {}, folders).sheet) == shown,
                    "a file that is shown "
                    "and read again is shown alike");
    });
  }
  return 0;
}
