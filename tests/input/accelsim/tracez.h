// SPDX-License-Identifier: MIT
// Writes .tracez files: the same recording as text and as bytes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <zstd.h>

namespace gpusim::test {

inline void append_32(std::string& bytes, std::uint64_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>(value >> shift);
  }
}
inline void append_64(std::string& bytes, std::uint64_t value) {
  append_32(bytes, value);
  append_32(bytes, value >> 32U);
}

struct Tracez {
  /// How the text of a sub-chunk is stored. kRaw: in a frame that anyone can read.
  enum class Frames { kCompressed, kRaw, kWithoutSize };
  using Place = std::array<std::uint32_t, 3>;
  struct Cta {
    Place cta{};
    Place cluster{};
    Place in_cluster{};
    std::uint32_t rank = 0;
    std::vector<std::vector<std::string>> warps;  ///< lines of each
  };
  /// Where the numbers are that a test may falsify.
  struct Parts {
    std::size_t dictionary_bytes = 0;
    std::size_t payload = 0;  ///< place of the first warp: instructions, sub-chunks, bytes of a frame, the frame
    std::size_t index = 0;    ///< CTAs, then the first CTA's entry
    std::size_t first_warp() const { return index + 4 + 44; }
    std::size_t tail = 0;
  };

  std::string header;
  std::string dictionary;
  std::uint32_t lines_of_chunk = 2;
  Frames frames = Frames::kCompressed;
  std::vector<Cta> ctas;

  /// What Accel-Sim's disassembler makes of it.
  [[nodiscard]] std::string text() const {
    std::string text = header;
    for (const Cta& cta : ctas) {
      text += "\n#BEGIN_TB\n\nthread block = " + joined(cta.cta) + "\ncluster id = " + joined(cta.cluster) +
              "\ncluster cta = " + joined(cta.in_cluster) + "\ncluster rank = " + std::to_string(cta.rank) + '\n';
      for (std::size_t warp = 0; warp < cta.warps.size(); ++warp) {
        text += "\nwarp = " + std::to_string(warp) + "\ninsts = " + std::to_string(cta.warps[warp].size()) + '\n';
        for (const std::string& line : cta.warps[warp]) {
          text += line + '\n';
        }
      }
      text += "\n#END_TB\n";
    }
    return text;
  }

  [[nodiscard]] std::string bytes() const {
    Parts ignored;
    return bytes(ignored);
  }

  [[nodiscard]] std::string bytes(Parts& parts) const {
    std::string out = header + '\0';
    parts.dictionary_bytes = out.size();
    append_32(out, dictionary.size());
    append_32(out, lines_of_chunk);
    out += dictionary;
    parts.payload = out.size();
    std::string index;
    append_32(index, ctas.size());
    for (const Cta& cta : ctas) {
      append_cta(cta, out, index);
    }
    parts.index = out.size();
    out += index;
    parts.tail = out.size();
    append_64(out, parts.index);
    return out;
  }

 private:
  static std::string joined(const Place& place) {
    return std::to_string(place[0]) + ',' + std::to_string(place[1]) + ',' + std::to_string(place[2]);
  }

  void append_cta(const Cta& cta, std::string& out, std::string& index) const {
    for (const Place& place : {cta.cta, cta.cluster, cta.in_cluster}) {
      for (const std::uint32_t side : place) {
        append_32(index, side);
      }
    }
    append_32(index, cta.rank);
    append_32(index, cta.warps.size());
    for (const std::vector<std::string>& lines : cta.warps) {
      const std::size_t chunks = (lines.size() + lines_of_chunk - 1) / lines_of_chunk;
      append_32(index, lines.size());
      append_32(index, chunks);
      append_64(index, out.size());
      append_32(out, lines.size());
      append_32(out, chunks);
      for (std::size_t first = 0; first < lines.size(); first += lines_of_chunk) {
        const std::size_t count = std::min<std::size_t>(lines_of_chunk, lines.size() - first);
        append_32(index, count);
        std::string text;  // the last line of a frame has no line break
        for (std::size_t i = first; i < first + count; ++i) {
          text += (i == first ? "" : "\n") + lines[i];
        }
        const std::string frame = frame_of(text);
        append_32(out, frame.size());
        out += frame;
      }
    }
  }

  [[nodiscard]] std::string frame_of(const std::string& text) const {
    if (frames == Frames::kRaw) {
      return raw_frame(text);
    }
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, frames == Frames::kWithoutSize ? 0 : 1);
    ZSTD_CCtx_loadDictionary(context.get(), dictionary.data(), dictionary.size());
    std::string frame(ZSTD_compressBound(text.size()), '\0');
    const std::size_t bytes = ZSTD_compress2(context.get(), frame.data(), frame.size(), text.data(), text.size());
    if (ZSTD_isError(bytes) != 0) {
      throw std::runtime_error("zstd");
    }
    frame.resize(bytes);
    return frame;
  }

  /// RFC 8878: a magic number, a descriptor that announces four bytes of content size, one block as it is.
  static std::string raw_frame(const std::string& text) {
    std::string frame = "\x28\xb5\x2f\xfd";
    frame += static_cast<char>(0xa0);
    append_32(frame, text.size());
    const std::uint64_t block = text.size() << 3U | 1U;
    for (unsigned shift = 0; shift < 24; shift += 8) {
      frame += static_cast<char>(block >> shift);
    }
    return frame + text;
  }
};

/// `bytes` with another number of 32 bits at `at`.
inline std::string with_32(std::string bytes, std::size_t at, std::uint64_t value) {
  std::string number;
  append_32(number, value);
  return bytes.replace(at, number.size(), number);
}

/// The header of a kernel of Hopper, with the line that ends it.
inline std::string hopper_header(const std::string& grid, const std::string& block, std::uint32_t version = 6) {
  return "-kernel name = k\n-kernel id = 1\n-grid dim = " + grid + "\n-block dim = " + block +
         "\n-shmem = 65536\n-nregs = 64\n-binary version = 90\n-cuda stream id = 0\n"
         "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0100000000\n"
         "-nvbit version = 1.8\n-accelsim tracer version = " +
         std::to_string(version) +
         "\n-enable lineinfo = 0\n\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
         "mem_width [adrrescompress?] [mem_addresses] immediate1 immediate2 Val|NoVal\n\n";
}

}  // namespace gpusim::test
