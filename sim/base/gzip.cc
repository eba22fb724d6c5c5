// SPDX-License-Identifier: MIT
#include "sim/base/gzip.h"

#include <array>
#include <memory>
#include <new>

#include <zlib.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim {
namespace {

/// With the largest window, and a header of gzip instead of zlib's own.
constexpr int kGzipWindow = MAX_WBITS + 16;
constexpr int kMemoryLevel = 8;  // zlib's default
/// zlib counts its input in 32 bits, so a long text goes in, and comes out, by pieces.
constexpr std::size_t kPiece = std::size_t{1} << 20U;
/// A longer text is compressed quickly rather than well: people wait for a page of thousands of kernels.
constexpr std::size_t kWellCompressed = std::size_t{32} << 20U;

/// A stream of zlib that gives its memory back.
class Deflater {
 public:
  explicit Deflater(int level) {
    if (deflateInit2(&stream_, level, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();  // the one way in which it fails with these arguments
    }
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void add(std::string_view piece, bool is_last, std::string& out) {
    std::array<char, std::size_t{1} << 16U> room;
    stream_.next_in = reinterpret_cast<z_const Bytef*>(const_cast<char*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(piece.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(room.data());
      stream_.avail_out = static_cast<uInt>(room.size());
      deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH);
      out.append(room.data(), room.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
};

}  // namespace

std::string gzip(std::string_view text) {
  Deflater deflater(text.size() > kWellCompressed ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION);
  std::string out;
  do {
    const std::string_view piece = text.substr(0, kPiece);
    text.remove_prefix(piece.size());
    deflater.add(piece, text.empty(), out);
  } while (!text.empty());
  return out;
}

std::string read_gzip(const std::filesystem::path& file, std::uint64_t most) {
  std::string text;
  read_gzip(file, most, [&text](std::string_view piece) { text += piece; });
  return text;
}

void read_gzip(const std::filesystem::path& file, std::uint64_t most,
               const std::function<void(std::string_view piece)>& take) {
  struct Close {
    void operator()(gzFile_s* opened) const { gzclose(opened); }
  };
  const SourceLocation where{file.string(), 0, 0};
  if (std::filesystem::is_directory(file)) {
    throw InputError({where, "is a folder, not a file", ""});
  }
  const std::unique_ptr<gzFile_s, Close> in(gzopen(file.c_str(), "rb"));
  if (in == nullptr) {
    throw InputError({where, "cannot be opened", ""});
  }
  std::string piece(kPiece, '\0');
  std::uint64_t all = 0;
  for (;;) {
    const int read = gzread(in.get(), piece.data(), static_cast<unsigned>(piece.size()));
    if (read < 0) {
      throw InputError({where, "is damaged, or cannot be read", ""});
    }
    all += static_cast<std::uint64_t>(read);
    if (all > most) {
      throw InputError({where, "unpacks to more than " + with_binary_prefix(most), ""});
    }
    if (read == 0) {
      return;
    }
    take(std::string_view(piece).substr(0, static_cast<std::size_t>(read)));
  }
}

}  // namespace gpusim
