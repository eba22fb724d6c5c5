// SPDX-License-Identifier: MIT
// Small traces written to a folder that goes away with the test.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <lzma.h>

#include "sim/base/problem.h"
#include "sim/input/accelsim/accelsim.h"
#include "sim/model/trace/walker.h"

namespace gpusim::test {

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("gpusim_" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string xz(const std::string& text) {
  std::vector<std::uint8_t> out(lzma_stream_buffer_bound(text.size()));
  std::size_t size = 0;
  if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                              text.size(), out.data(), &size, out.size()) != LZMA_OK) {
    throw std::runtime_error("xz");
  }
  return {reinterpret_cast<const char*>(out.data()), size};
}

struct TraceText {
  std::string grid = "(1,1,1)";
  std::string block = "(32,1,1)";
  std::string version = "-accelsim tracer version = 5\n";
  std::string more_header;  ///< a key in it takes the place of the usual one
  std::string body;

  [[nodiscard]] std::string text() const {
    return "-kernel name = k\n-kernel id = 1\n-grid dim = " + grid + "\n-block dim = " + block + "\n" +
           usual("-shmem", "1024") + usual("-nregs", "12") + usual("-shmem base_addr", "0x00007fb139000000") +
           usual("-local mem base_addr", "0x00007fb137000000") + version + usual("-enable lineinfo", "0") +
           more_header + "\n#traces format = whatever\n\n" + body;
  }

 private:
  [[nodiscard]] std::string usual(const std::string& key, const std::string& value) const {
    return (more_header.find(key + " = ") == std::string::npos ? key + " = " + value : "") + "\n";
  }
};

/// A CTA of one warp: "thread block = 0,0,0", with `lines` separated by '\n'.
inline std::string one_warp(const std::string& lines) {
  const auto count = static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  return "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " + std::to_string(count) + "\n" + lines +
         "\n#END_TB\n";
}

inline trace::Trace load_warp(const Folder& folder, const std::string& lines) {
  TraceText trace;
  trace.body = one_warp(lines);
  return frontend::accelsim::load_accelsim(folder.write("kernel-1.traceg", trace.text()));
}

/// What loading complains about; "" when it does not.
inline std::string complaint(const std::filesystem::path& path) {
  try {
    static_cast<void>(frontend::accelsim::load_accelsim(path));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// The steps of one warp.
inline std::vector<trace::Step> steps_of(const trace::Kernel& kernel, trace::CtaId cta = {}, std::uint32_t warp = 0) {
  trace::Walker walker(kernel, cta, warp);
  std::vector<trace::Step> steps;
  for (trace::Step step; walker.next(step);) {
    steps.push_back(step);
  }
  return steps;
}

/// Addresses of the first instruction at `pc_index`, by lane.
inline std::vector<Address> addresses_of(const trace::Kernel& kernel, std::uint32_t pc_index,
                                         trace::AccessSlot slot = trace::AccessSlot::kPrimary) {
  trace::Walker walker(kernel, {}, 0);
  for (trace::Step step; walker.next(step);) {
    if (step.pc == pc_index) {
      const trace::LaneAddresses lanes = walker.addresses(slot);
      std::vector<Address> addresses;
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        addresses.push_back(((step.mask >> lane) & 1U) != 0 ? lanes.base + static_cast<Address>(lanes.offsets[lane])
                                                            : 0);
      }
      return addresses;
    }
  }
  return {};
}

}  // namespace gpusim::test
