// SPDX-License-Identifier: MIT
#include "sim/input/text/source_text.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <system_error>

#include <zstd.h>
#include <zstd_errors.h>

#include "sim/input/kind/kind.h"

namespace gpusim::frontend {
namespace {

constexpr const char* kFetchAgain = "copy it or download it again";
/// zstd frames may ask for windows of gigabytes; this is what its command line allows without being told.
constexpr int kMostWindowLog = 27;

[[noreturn]] void fail(const std::string& name, std::string message, std::string hint = "") {
  throw InputError(Problem{{name, 0, 0}, std::move(message), std::move(hint)});
}

std::string too_large() {
  return "is larger than " + std::to_string(kMostTextBytes >> 20U) + " MiB of text";
}

std::string read_bytes(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    fail(path.string(), "no such file");
  }
  if (std::filesystem::is_directory(status)) {
    fail(path.string(), "is a directory, not a trace file");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    fail(path.string(), "cannot be opened");
  }
  std::string bytes;
  std::array<char, 1U << 16U> chunk{};
  while (in.read(chunk.data(), chunk.size()) || in.gcount() > 0) {
    bytes.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > kMostTextBytes) {
      fail(path.string(), too_large());
    }
  }
  if (in.bad()) {
    fail(path.string(), "cannot be read to its end");
  }
  return bytes;
}

[[noreturn]] void fail_damaged(const std::string& name, std::size_t error) {
  if (ZSTD_getErrorCode(error) == ZSTD_error_frameParameter_windowTooLarge) {
    fail(name, "asks for more memory to decompress than any trace needs",
         "compress it without --long, or with at most --long=" + std::to_string(kMostWindowLog));
  }
  fail(name, std::string("is damaged: its zstd-compressed data cannot be read (") + ZSTD_getErrorName(error) + ")",
       kFetchAgain);
}

std::string decompress(std::string_view bytes, const std::string& name) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMostWindowLog);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::string text;
  std::string chunk(ZSTD_DStreamOutSize(), '\0');
  std::size_t wanted = 1;
  while (in.pos < in.size || wanted != 0) {
    ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
    const std::size_t before = in.pos;
    wanted = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(wanted) != 0) {
      fail_damaged(name, wanted);
    }
    text.append(chunk.data(), out.pos);
    if (text.size() > kMostTextBytes) {
      fail(name, too_large());
    }
    if (out.pos == 0 && in.pos == before && wanted != 0) {
      fail(name, "is cut off: it ends within its zstd-compressed data", kFetchAgain);
    }
  }
  return text;
}

bool is_text(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
  });
}

/// Where the comment of a line begins, or its end. A '#' in quotes begins none.
std::size_t comment_begin(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    quoted = quoted != (line[i] == '"');
    if (line[i] == '#' && !quoted) {
      return i;
    }
  }
  return line.size();
}

}  // namespace

void check_text(std::string_view text, const std::string& name) {
  if (text.empty()) {
    fail(name, "is empty", "a trace begins with 'gpusim trace 1'");
  }
  if (text.size() > kMostTextBytes) {
    fail(name, too_large());
  }
  constexpr std::string_view kGzipMagic = "\x1f\x8b";
  if (text.starts_with(kGzipMagic)) {
    fail(name, "is compressed with gzip, which is not read", "decompress it, or use zstd (Accel-Sim's traces: xz)");
  }
  if (!is_text(text)) {
    fail(name, "is not text: it contains control characters", "a trace is text, plain or compressed with zstd");
  }
}

std::string read_text(const std::filesystem::path& path) {
  std::string text = read_bytes(path);
  if (std::string_view(text).starts_with(kZstdMagic)) {
    text = decompress(text, path.string());
  } else if (!text.empty() && kZstdMagic.starts_with(text)) {
    fail(path.string(), "is cut off: it ends within its zstd-compressed data", kFetchAgain);
  } else if (path.extension() == ".zst" && !is_text(text)) {
    fail(path.string(), "is damaged: it does not begin as zstd-compressed data does", kFetchAgain);
  }
  if (constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf"; text.starts_with(kByteOrderMark)) {
    text.erase(0, kByteOrderMark.size());  // some editors put one in front of UTF-8
  }
  check_text(text, path.string());
  return text;
}

Place LogicalLine::place(std::size_t offset) const {
  auto after = std::upper_bound(pieces.begin(), pieces.end(), offset,
                                [](std::size_t at, const Piece& piece) { return at < piece.begin; });
  if (after != pieces.begin()) {
    --after;
  }
  return {after->line, static_cast<std::uint32_t>(offset - after->begin + 1)};
}

std::string_view LineReader::take_source_line() {
  const std::size_t end = rest_.find('\n');
  std::string_view line = rest_.substr(0, end);
  rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
  ++line_;
  return line.substr(0, comment_begin(line));
}

bool LineReader::next(LogicalLine& line) {
  constexpr std::string_view kBlank = " \t\r";
  while (!rest_.empty()) {
    line.text.clear();
    line.pieces.clear();
    bool goes_on = true;
    while (goes_on && !rest_.empty()) {
      std::string_view piece = take_source_line();
      const std::size_t last = piece.find_last_not_of(kBlank);
      goes_on = last != std::string_view::npos && piece[last] == '\\';
      if (goes_on) {
        piece = piece.substr(0, last);
      }
      line.pieces.push_back({line.text.size(), line_});
      line.text += piece;
      line.text += goes_on ? " " : "";
    }
    const std::size_t last = line.text.find_last_not_of(kBlank);
    if (last != std::string::npos) {
      line.text.resize(last + 1);
      return true;
    }
  }
  return false;
}

}  // namespace gpusim::frontend
