// SPDX-License-Identifier: MIT
// A .tracez file as the text that it stands for: Accel-Sim 2.0's binary form, in which each warp's lines are compressed
// by themselves, in sub-chunks, and an index says where they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/accelsim/byte_source.h"
#include "sim/input/accelsim/paged_file.h"
#include "sim/input/accelsim/paged_index.h"

namespace gpusim::frontend::accelsim {

/// Whether the name, or the first bytes of the file, say that it is of this form: a header of text, ended by a byte 0.
[[nodiscard]] bool is_paged(const std::filesystem::path& path, std::string_view start);

/// Gives the CTAs in the order of their numbers, whatever their order in the file. One sub-chunk is in memory at a
/// time; every size is checked before anything is allocated for it.
class PagedSource final : public ByteSource {
 public:
  /// Throws InputError when the header, the dictionary or the index make no sense.
  PagedSource(const std::filesystem::path& path, const OnBytes& on_bytes);
  ~PagedSource() override;
  PagedSource(const PagedSource&) = delete;
  PagedSource& operator=(const PagedSource&) = delete;

  bool append_to(std::string& out) override;

 private:
  struct Decompressor;

  PagedParts read_head();
  void read_dictionary(std::uint64_t at, std::uint32_t bytes, std::uint64_t end);
  void begin_cta(const PagedCta& cta, std::string& out);
  void begin_warp(std::string& out);
  void append_sub_chunk(std::string& out);
  void decompress(std::uint32_t stored, std::uint32_t instructions, std::string& out);
  [[nodiscard]] std::string place() const;

  PagedFile file_;
  std::unique_ptr<Decompressor> decompressor_;
  std::string header_;
  PagedParts parts_;
  PagedIndex index_;
  PagedNumbers payload_;  ///< the rest of the open warp's
  bool header_given_ = false;
  bool in_cta_ = false;
  PagedCta cta_;                       ///< the open one
  std::uint32_t warp_ = 0;             ///< the one that comes next
  std::uint32_t sub_chunks_left_ = 0;  ///< sub-chunks of the open warp
};

}  // namespace gpusim::frontend::accelsim
