// SPDX-License-Identifier: MIT
// A part of a container: a message, compressed, with what is known of it before it is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpusim::container {

struct Section {
  std::uint64_t stored = 0;    ///< bytes in the file
  std::uint64_t bytes = 0;     ///< after decompression
  std::uint64_t checksum = 0;  ///< checksum of the stored bytes
};

/// No section is larger once it is decompressed.
inline constexpr std::uint64_t kMostSectionBytes = 64ULL << 20;
/// The programs of all kernels together, which a reader has in memory: some times as much, decoded.
inline constexpr std::uint64_t kMostCodeBytes = 256ULL << 20;
/// What compression may add to data that does not compress.
inline constexpr std::uint64_t kMostStoredBytes = kMostSectionBytes + (kMostSectionBytes >> 7) + 512;

[[nodiscard]] std::uint64_t checksum_of(std::string_view bytes);

/// Compresses `message` and fills in `section`. Throws InputError about `file` when the message is too large.
[[nodiscard]] std::string pack(std::string_view message, const std::string& file, Section& section);

/// The message. Throws InputError about `file` when `stored` is not what `section` says, before it takes memory.
[[nodiscard]] std::string unpack(std::string_view stored, const Section& section, const std::string& file);

[[noreturn]] void fail(const std::string& file, std::string message, std::string hint = "");
[[noreturn]] void fail_damaged(const std::string& file, const std::string& what);

}  // namespace gpusim::container
