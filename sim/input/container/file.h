// SPDX-License-Identifier: MIT
// The container as a file: what is at its ends, and reading any part of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>

#include "sim/input/container/part_cache.h"
#include "sim/input/container/section.h"
#include "sim/input/kind/kind.h"

namespace gpusim::container {

inline constexpr std::string_view kMagic = frontend::kContainerMagic;
inline constexpr std::string_view kEndMagic = "gpusim\x89\n";
inline constexpr std::uint32_t kVersion = 3;
inline constexpr std::uint32_t kFirstVersion = 2;     ///< that can be read
inline constexpr std::uint32_t kCommandsVersion = 3;  ///< the first that has commands to mbarriers and to the TMA
inline constexpr std::uint64_t kStartBytes = 12;      ///< magic, version
inline constexpr std::uint64_t kEndBytes =
    24;  ///< bytes of the index, in the file and after decompression; its checksum; magic

[[nodiscard]] std::string start_of_file();
[[nodiscard]] std::string end_of_file(const Section& index);

/// Reading, from any thread.
class File {
 public:
  /// Throws InputError when it cannot be opened or does not begin as a container of a version that can be read.
  explicit File(const std::filesystem::path& path);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint32_t version() const { return version_; }
  /// Throws InputError when the file ends before.
  [[nodiscard]] std::string read(std::uint64_t offset, std::uint64_t bytes);
  /// Where the index is, from the end of the file; it fits into the file.
  [[nodiscard]] Section index();
  /// What has been decoded of it.
  [[nodiscard]] PartCache& parts() { return parts_; }

 private:
  void check_start();

  /// CTAs are handed out in order and walked in few places: little need be kept, whatever the file's size. What the
  /// CTAs in flight need is there in any case, unless it would fill a workstation.
  static constexpr PartLimits kPartLimits{std::size_t{64} << 20, std::size_t{4} << 30};

  std::string name_;
  std::mutex reading_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
  std::uint32_t version_ = 0;
  PartCache parts_{kPartLimits};
};

}  // namespace gpusim::container
