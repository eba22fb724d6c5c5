// SPDX-License-Identifier: MIT
#include "sim/input/container/section.h"

#include <memory>
#include <utility>

#include <xxhash.h>
#include <zstd.h>

#include "sim/base/problem.h"

namespace gpusim::container {
namespace {

/// Small sections get the best compression there is, large ones one that keeps up with reading a trace.
int level_for(std::size_t bytes) {
  constexpr std::size_t kSmall = 256 << 10;
  return bytes <= kSmall ? 19 : 6;
}

using Compressor = std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)>;

}  // namespace

std::uint64_t checksum_of(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string pack(std::string_view message, const std::string& file, Section& section) {
  if (message.size() > kMostSectionBytes) {
    fail(file, "a part of the trace takes " + std::to_string(message.size() >> 20U) + " MiB",
         "a CTA, and the code of a kernel, may take " + std::to_string(kMostSectionBytes >> 20U) + " MiB each");
  }
  const Compressor compressor(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_compressionLevel, level_for(message.size()));
  ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_checksumFlag, 1);
  std::string stored(ZSTD_compressBound(message.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(compressor.get(), stored.data(), stored.size(), message.data(), message.size());
  if (ZSTD_isError(size) != 0) {
    fail(file, std::string("cannot be compressed: ") + ZSTD_getErrorName(size));
  }
  stored.resize(size);
  section = {stored.size(), message.size(), checksum_of(stored)};
  return stored;
}

std::string unpack(std::string_view stored, const Section& section, const std::string& file) {
  if (section.bytes > kMostSectionBytes || stored.size() != section.stored || checksum_of(stored) != section.checksum) {
    fail_damaged(file, "a section is not what the index says");
  }
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != section.bytes) {
    fail_damaged(file, "a section says that it has another size than in the index");
  }
  std::string message(section.bytes, '\0');
  const std::size_t size = ZSTD_decompress(message.data(), message.size(), stored.data(), stored.size());
  if (ZSTD_isError(size) != 0 || size != message.size()) {
    fail_damaged(file, "a section cannot be decompressed");
  }
  return message;
}

void fail(const std::string& file, std::string message, std::string hint) {
  throw InputError(Problem{{file, 0, 0}, std::move(message), std::move(hint)});
}

void fail_damaged(const std::string& file, const std::string& what) {
  fail(file, "is damaged: " + what, "copy it or import it again");
}

}  // namespace gpusim::container
