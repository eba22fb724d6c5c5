// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/line_source.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include <lzma.h>

#include "sim/input/accelsim/paged_source.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr std::size_t kChunkBytes = 256 << 10;
/// What xz -9 needs to decompress, with some room; a header that asks for more is refused.
constexpr std::uint64_t kMostDecoderBytes = 128ULL << 20;
constexpr std::string_view kXzMagic(
    "\xFD"
    "7zXZ\0",
    6);
constexpr std::string_view kZstdMagic("\x28\xB5\x2F\xFD", 4);
constexpr const char* kCutOff = "is cut off: it ends within its xz-compressed data";
constexpr const char* kFetchAgain = "copy it or download it again";

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void fail(const std::string& file, std::string message, std::string hint = "") {
  throw InputError(Problem{{file, 0, 0}, std::move(message), std::move(hint)});
}

/// The bytes of a text, plain or in xz.
class TextSource final : public ByteSource {
 public:
  TextSource(const std::filesystem::path& path, const OnBytes& on_bytes)
      : name_(path.string()), file_(std::fopen(path.c_str(), "rb")), on_bytes_(on_bytes), input_(kChunkBytes) {
    if (file_ == nullptr) {
      fail(name_, std::string("cannot be opened: ") + std::strerror(errno));
    }
    fill_input();
    const std::string_view start(reinterpret_cast<const char*>(input_.data()), filled_);
    if (start.empty()) {
      fail(name_, "is empty", "expected an Accel-Sim trace or list of traces");
    }
    if (start.starts_with(kZstdMagic)) {
      fail(name_, "is zstd-compressed, which Accel-Sim's text traces are not", "expected text, or text in xz");
    }
    is_xz_ = start.starts_with(kXzMagic);
    if (!is_xz_) {
      require_text(start);
    }
    if (is_xz_ && lzma_stream_decoder(&decoder_, kMostDecoderBytes, LZMA_CONCATENATED) != LZMA_OK) {
      fail(name_, "cannot be decompressed: no memory for the xz decoder");
    }
    decoder_.next_in = input_.data();
    decoder_.avail_in = filled_;
  }
  ~TextSource() override { lzma_end(&decoder_); }
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;

  bool append_to(std::string& out) override {
    const bool appended = is_xz_ ? decompress(out) : copy(out);
    // Also when all came from bytes read before: little of xz can be much text.
    if (on_bytes_) {
      on_bytes_(std::exchange(unreported_, 0));
    }
    return appended;
  }

 private:
  void fill_input() {
    filled_ = std::fread(input_.data(), 1, input_.size(), file_.get());
    if (filled_ < input_.size() && std::ferror(file_.get()) != 0) {
      fail(name_, std::string("cannot be read: ") + std::strerror(errno));
    }
    unreported_ += filled_;
  }

  bool copy(std::string& out) {
    if (filled_ == 0) {
      return false;
    }
    out.append(reinterpret_cast<const char*>(input_.data()), filled_);
    fill_input();
    return true;
  }

  bool decompress(std::string& out) {
    const std::size_t before = out.size();
    while (out.size() == before && !finished_) {
      if (decoder_.avail_in == 0 && filled_ != 0) {
        fill_input();
        decoder_.next_in = input_.data();
        decoder_.avail_in = filled_;
      }
      out.resize(before + kChunkBytes);
      decoder_.next_out = reinterpret_cast<std::uint8_t*>(out.data() + before);
      decoder_.avail_out = kChunkBytes;
      const lzma_ret result = lzma_code(&decoder_, filled_ == 0 ? LZMA_FINISH : LZMA_RUN);
      out.resize(before + kChunkBytes - decoder_.avail_out);
      finished_ = result == LZMA_STREAM_END;
      if (!finished_ && result != LZMA_OK) {
        fail_damaged(result);
      }
    }
    return out.size() > before;
  }

  /// What is neither text nor begins as xz data does may have begun so once.
  void require_text(std::string_view start) const {
    if (kXzMagic.starts_with(start)) {
      fail(name_, kCutOff, kFetchAgain);
    }
    if (start.find('\0') != std::string_view::npos) {
      const bool was_xz = name_.ends_with(".xz");
      fail(name_, was_xz ? "is damaged: it does not begin as xz-compressed data does" : "is not text",
           was_xz ? kFetchAgain : "expected an Accel-Sim trace or list of traces, as text or in xz");
    }
  }

  [[noreturn]] void fail_damaged(lzma_ret result) const {
    switch (result) {
      case LZMA_BUF_ERROR:
        fail(name_, kCutOff + (", after " + std::to_string(decoder_.total_out)) + " bytes of text", kFetchAgain);
      case LZMA_MEMLIMIT_ERROR: fail(name_, "asks for more memory to decompress than any trace needs");
      case LZMA_MEM_ERROR: fail(name_, "cannot be decompressed: no memory for the xz decoder");
      case LZMA_FORMAT_ERROR:
      case LZMA_OPTIONS_ERROR:
        fail(name_, "is damaged: a header of its xz-compressed data makes no sense", kFetchAgain);
      default: fail(name_, "is damaged: its xz-compressed data cannot be read", kFetchAgain);
    }
  }

  std::string name_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  OnBytes on_bytes_;
  std::vector<std::uint8_t> input_;
  std::size_t filled_ = 0;
  std::uint64_t unreported_ = 0;  ///< bytes read that on_bytes_ has not heard of
  bool is_xz_ = false;
  bool finished_ = false;
  lzma_stream decoder_ = LZMA_STREAM_INIT;
};

/// What the file begins with; nothing where it cannot be read.
std::string start_of(const std::filesystem::path& path) {
  std::string start(kChunkBytes, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return start;
}

}  // namespace

LineSource::LineSource(const std::filesystem::path& path, const OnBytes& on_bytes) : name_(path.string()) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    fail(name_, "is a directory", "name its kernelslist.g");
  }
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    fail(name_, "is a pipe or device, and a trace is read more than once", "write it to a file first");
  }
  const std::string start = start_of(path);
  if (!start.empty() && is_paged(path, start)) {
    bytes_ = std::make_unique<PagedSource>(path, on_bytes);
  } else {
    bytes_ = std::make_unique<TextSource>(path, on_bytes);
  }
}

bool LineSource::refill() {
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.size() > kMostLineBytes) {
    throw InputError(Problem{{name_, line_number_ + 1, 0}, "the line is longer than 1 MiB", "is this a trace?"});
  }
  return bytes_->append_to(buffer_);
}

bool LineSource::next(std::string_view& line) {
  std::size_t searched = at_;
  while (true) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line = std::string_view(buffer_).substr(at_, end - at_);
      at_ = end + 1;
      break;
    }
    searched = buffer_.size() - at_;
    if (at_end_ || !refill()) {
      at_end_ = true;
      if (at_ == buffer_.size()) {
        return false;
      }
      line = std::string_view(buffer_).substr(at_);
      at_ = buffer_.size();
      break;
    }
  }
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  ++line_number_;
  return true;
}

}  // namespace gpusim::frontend::accelsim
