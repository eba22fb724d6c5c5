// SPDX-License-Identifier: MIT
// What tells the forms of traces apart, without reading them.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace gpusim::frontend {

/// The first bytes of what zstd has compressed.
inline constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

/// The first bytes of a container. They are not text, and a transfer that treats them as text damages them.
inline constexpr std::string_view kContainerMagic = "\x89gpusim\n";

/// Bytes that are read to tell texts apart: a long comment may come first, and what marks a listing may stand behind
/// other sections.
inline constexpr std::size_t kEnoughForTexts = 64U << 10U;

/// The first bytes of the file, `enough` of them where it has so many; empty where it cannot be read.
[[nodiscard]] inline std::string beginning_of(const std::filesystem::path& path, std::size_t enough = 256) {
  std::string bytes(enough, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

/// Whether the file begins as a container does.
[[nodiscard]] inline bool is_container(const std::filesystem::path& path) {
  return beginning_of(path, kContainerMagic.size()) == kContainerMagic;
}

/// Traces of Accel-Sim's tracer: by extension (kernelslist.g, .traceg, .tracez, .xz), else by how the file begins.
[[nodiscard]] inline bool is_accelsim(const std::filesystem::path& path) {
  static constexpr std::array<std::string_view, 4> kExtensions{".g", ".traceg", ".tracez", ".xz"};
  if (std::ranges::count(kExtensions, path.extension().string()) != 0) {
    return true;
  }
  // The magic of xz; the first words of a kernel's header, of a list with copies, and of a list of kernels.
  using namespace std::string_view_literals;
  static constexpr std::array kBeginnings{
      "\xfd"
      "7zXZ\0"sv,
      "-kernel name"sv, "MemcpyHtoD"sv, "kernel-"sv};
  const std::string start = beginning_of(path);
  return std::ranges::any_of(kBeginnings, [&](std::string_view magic) { return start.starts_with(magic); });
}

/// What a text begins with below a byte-order mark, blank lines and comments ('#').
[[nodiscard]] inline std::string_view below_comments(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) {
    text.remove_prefix(3);
  }
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with('#')) {
      return text;
    }
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

/// Whether a text begins as a trace does: with "gpusim trace", below comments.
[[nodiscard]] inline bool begins_as_trace(std::string_view text) {
  static constexpr std::string_view kFirst = "gpusim";
  std::string_view rest = below_comments(text);
  if (!rest.starts_with(kFirst)) {
    return false;
  }
  rest.remove_prefix(kFirst.size());
  const std::size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
  return blanks > 0 && rest.substr(blanks).starts_with("trace");
}

/// A trace in its text form, plain or compressed with zstd.
[[nodiscard]] inline bool is_trace_text(const std::filesystem::path& path) {
  const std::string start = beginning_of(path, kEnoughForTexts);
  return begins_as_trace(start) || start.starts_with(kZstdMagic);
}

}  // namespace gpusim::frontend
