// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/paged_source.h"

#include <algorithm>

#include <zstd.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr std::uint64_t kMostHeaderBytes = 1 << 20;
/// Accel-Sim's tool trains at most 64 KiB.
constexpr std::uint32_t kMostDictionaryBytes = 16 << 20;
/// A sub-chunk has some thousand lines.
constexpr std::uint64_t kMostTextBytes = 64 << 20;
constexpr std::uint64_t kTailBytes = 8;           ///< the place of the index, at the end of the file
constexpr std::uint64_t kHeadBytes = 8;           ///< a payload's head, and what is between header and dictionary
constexpr std::uint64_t kSizeBytes = 4;           ///< before each frame
constexpr std::uint64_t kBlockBytes = 128 << 10;  ///< RFC 8878: what a block of a frame holds at most
constexpr std::uint64_t kLeastBlock = 4;          ///< RFC 8878: bytes that a block takes at least

std::string joined(const PagedCta::Place& place) {
  return std::to_string(place[0]) + ',' + std::to_string(place[1]) + ',' + std::to_string(place[2]);
}

std::uint32_t number_at(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = value << 8U | static_cast<std::uint8_t>(bytes[i]);
  }
  return value;
}

bool has_format_line(std::string_view header) {
  return header.starts_with('#') || header.find("\n#") != std::string_view::npos;
}

}  // namespace

bool is_paged(const std::filesystem::path& path, std::string_view start) {
  return path.extension() == ".tracez" || (start.starts_with('-') && start.find('\0') != std::string_view::npos);
}

struct PagedSource::Decompressor {
  struct Free {
    void operator()(ZSTD_DCtx* owned) const { ZSTD_freeDCtx(owned); }
    void operator()(ZSTD_DDict* owned) const { ZSTD_freeDDict(owned); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context{ZSTD_createDCtx()};
  std::unique_ptr<ZSTD_DDict, Free> dictionary;
  std::vector<char> stored;
};

PagedSource::PagedSource(const std::filesystem::path& path, const OnBytes& on_bytes)
    : file_(path, on_bytes),
      decompressor_(std::make_unique<Decompressor>()),
      parts_(read_head()),
      index_(file_, parts_),
      payload_(file_, parts_.payloads, parts_.index, "the payload of a warp ends within its sizes") {}

PagedSource::~PagedSource() = default;

PagedParts PagedSource::read_head() {
  std::string start(std::min(file_.size(), kMostHeaderBytes + kHeadBytes), '\0');
  file_.read(0, start);
  const std::size_t header = start.find('\0');
  if (header == std::string::npos || !start.starts_with('-')) {
    throw InputError(Problem{{file_.name(), 0, 0},
                             "is not a .tracez file: no header of text, ended by a byte 0, in its first MiB",
                             "expected what Accel-Sim 2.0's post-traces-processing writes"});
  }
  const std::uint64_t dictionary = header + 1 + kHeadBytes;
  if (header + 1 + kHeadBytes > start.size() || file_.size() < dictionary + sizeof(std::uint32_t) + kTailBytes) {
    file_.fail_damaged("it ends behind its header");
  }
  const std::uint64_t end = file_.size() - kTailBytes;
  const std::uint32_t dictionary_bytes = number_at(std::string_view(start).substr(header + 1));
  PagedNumbers tail(file_, end, file_.size(), "it does not end with the place of its index");
  const PagedParts parts{dictionary + dictionary_bytes, tail.next_64(), end};
  if (parts.index < dictionary || parts.index > end - sizeof(std::uint32_t)) {
    file_.fail_damaged("its index should begin at byte " + std::to_string(parts.index) + ", and may from byte " +
                       std::to_string(dictionary) + " to " + std::to_string(end - sizeof(std::uint32_t)));
  }
  read_dictionary(dictionary, dictionary_bytes, parts.index);
  header_ = start.substr(0, header);
  header_ += header_.ends_with('\n') ? "" : "\n";
  header_ += has_format_line(header_) ? "" : "#traces format\n";
  return parts;
}

void PagedSource::read_dictionary(std::uint64_t at, std::uint32_t bytes, std::uint64_t end) {
  if (bytes > end - at || bytes > kMostDictionaryBytes) {
    file_.fail_damaged("its dictionary of " + counted(bytes, "byte") + " is longer than " +
                       std::to_string(std::min<std::uint64_t>(end - at, kMostDictionaryBytes)) + " bytes");
  }
  if (bytes == 0) {
    return;
  }
  std::vector<char> content(bytes);
  file_.read(at, content);
  decompressor_->dictionary.reset(ZSTD_createDDict(content.data(), content.size()));
  if (decompressor_->dictionary == nullptr) {
    file_.fail_damaged("its dictionary cannot be read");
  }
}

bool PagedSource::append_to(std::string& out) {
  if (!header_given_) {
    header_given_ = true;
    out += header_;
  } else if (sub_chunks_left_ != 0) {
    append_sub_chunk(out);
  } else if (in_cta_ && warp_ < cta_.warps) {
    begin_warp(out);
  } else if (in_cta_) {
    in_cta_ = false;
    out += "\n#END_TB\n";
  } else if (const auto cta = index_.next_cta()) {
    begin_cta(*cta, out);
  } else {
    return false;
  }
  return true;
}

void PagedSource::begin_cta(const PagedCta& cta, std::string& out) {
  cta_ = cta;
  in_cta_ = true;
  warp_ = 0;
  out += "\n#BEGIN_TB\n\nthread block = " + joined(cta.cta) + "\ncluster id = " + joined(cta.cluster) +
         "\ncluster cta = " + joined(cta.in_cluster) + "\ncluster rank = " + std::to_string(cta.rank) + '\n';
}

/// "warp 1 of CTA 2,0,0"
std::string PagedSource::place() const {
  return "warp " + std::to_string(warp_ - 1) + " of CTA " + joined(cta_.cta);
}

void PagedSource::begin_warp(std::string& out) {
  const PagedWarp warp = index_.next_warp();
  out += "\nwarp = " + std::to_string(warp_) + "\ninsts = " + std::to_string(warp.instructions) + '\n';
  ++warp_;
  payload_.skip(warp.payload - payload_.at());
  const std::uint32_t instructions = payload_.next_32();
  const std::uint32_t sub_chunks = payload_.next_32();
  if (instructions != warp.instructions || sub_chunks != warp.sub_chunks) {
    file_.fail_damaged(place() + " has " + counted(instructions, "instruction") + " in " +
                       counted(sub_chunks, "sub-chunk") + ", and by the index " + std::to_string(warp.instructions) +
                       " in " + std::to_string(warp.sub_chunks));
  }
  sub_chunks_left_ = sub_chunks;
}

void PagedSource::append_sub_chunk(std::string& out) {
  const std::uint32_t instructions = index_.next_sub_chunk();
  if (payload_.left() < kSizeBytes) {
    file_.fail_damaged("the payload of " + place() + " ends before " + counted(sub_chunks_left_, "sub-chunk"));
  }
  const std::uint32_t stored = payload_.next_32();
  if (stored > payload_.left() || stored > ZSTD_compressBound(kMostTextBytes)) {
    file_.fail_damaged("a sub-chunk of " + place() + " takes " + counted(stored, "byte") + ", and " +
                       std::to_string(payload_.left()) + " are left before the index");
  }
  decompress(stored, instructions, out);
  payload_.skip(stored);
  --sub_chunks_left_;
}

void PagedSource::decompress(std::uint32_t stored, std::uint32_t instructions, std::string& out) {
  std::vector<char>& frame = decompressor_->stored;
  frame.resize(stored);
  file_.read(payload_.at(), frame);
  const unsigned long long bytes = ZSTD_getFrameContentSize(frame.data(), frame.size());
  const std::size_t frame_bytes = ZSTD_findFrameCompressedSize(frame.data(), frame.size());
  if (bytes == ZSTD_CONTENTSIZE_ERROR || ZSTD_isError(frame_bytes) != 0 || frame_bytes != frame.size()) {
    file_.fail_damaged("a sub-chunk of " + place() + " is not a zstd frame");
  }
  if (bytes == ZSTD_CONTENTSIZE_UNKNOWN) {
    file_.fail_damaged("a sub-chunk of " + place() + " does not say how large it is");
  }
  if (bytes > kMostTextBytes || bytes > (stored / kLeastBlock + 1) * kBlockBytes) {
    file_.fail_damaged("a sub-chunk of " + place() + " is " + std::to_string(bytes) + " bytes of text in " +
                       std::to_string(stored) + ", which is more than any has");
  }
  const std::size_t begin = out.size();
  out.resize(begin + bytes);
  const std::size_t got = ZSTD_decompress_usingDDict(decompressor_->context.get(), out.data() + begin, bytes,
                                                     frame.data(), frame.size(), decompressor_->dictionary.get());
  if (ZSTD_isError(got) != 0 || got != bytes) {
    file_.fail_damaged("a sub-chunk of " + place() + " cannot be decompressed" +
                       (ZSTD_isError(got) != 0 ? std::string(" (") + ZSTD_getErrorName(got) + ')' : std::string()));
  }
  out += bytes != 0 && out.back() != '\n' ? "\n" : "";
  const auto lines =
      static_cast<std::uint64_t>(std::count(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), '\n'));
  if (lines != instructions) {
    file_.fail_damaged("a sub-chunk of " + place() + " has " + counted(lines, "line") + ", and by the index " +
                       counted(instructions, "instruction"));
  }
}

}  // namespace gpusim::frontend::accelsim
