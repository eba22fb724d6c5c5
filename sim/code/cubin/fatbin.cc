// SPDX-License-Identifier: MIT
#include "sim/code/cubin/fatbin.h"

#include <algorithm>

#include <lz4.h>
#include <zstd.h>

#include "sim/code/kind/kind.h"

namespace gpusim::cubin {
namespace {

constexpr std::uint64_t kFatbinHeadBytes = 16;
constexpr std::uint64_t kLeastEntryBytes = 64;
constexpr std::uint16_t kVersion = 1;
constexpr std::uint16_t kPtx = 1;
constexpr std::uint16_t kCubin = 2;
constexpr std::uint64_t kLz4Flag = 0x2000;
constexpr std::uint64_t kZstdFlag = 0x8000;
/// More than any cubin there is; a size that lies must not fill the memory.
constexpr std::uint64_t kMostUnpackedBytes = std::uint64_t{1} << 30U;

Member read_member(const Bytes& entry, const Bytes& payload) {
  Member member;
  member.is_ptx = entry.u16(0) == kPtx;
  member.sm = entry.u32(28);
  const std::uint64_t flags = entry.u64(40);
  if ((flags & (kLz4Flag | kZstdFlag)) != 0) {
    member.compression = (flags & kZstdFlag) != 0 ? Compression::kZstd : Compression::kLz4;
    member.unpacked_bytes = entry.u64(56);
    member.payload = payload.part(0, entry.u32(16), "a compressed member of the fatbin").view();
  } else {
    member.payload = payload.view();
    member.unpacked_bytes = member.payload.size();
  }
  return member;
}

/// Reads one fatbin; returns where it ends.
std::uint64_t read_fatbin(const Bytes& bytes, std::uint64_t begin, std::vector<Member>& members) {
  const Bytes head = bytes.part(begin, kFatbinHeadBytes, "the head of a fatbin");
  if (!head.view().starts_with(code::kFatbinMagic) || head.u16(4) != kVersion) {
    fail(bytes.file(), "has a fatbin of an unknown form at byte " + std::to_string(begin),
         "those of nvcc 11 to 13 are read");
  }
  const std::uint64_t first = begin + head.u16(6);
  const Bytes body = bytes.part(first, head.u64(8), "a fatbin");
  for (std::uint64_t at = 0; at + kLeastEntryBytes <= body.size();) {
    const Bytes entry = body.part(at, kLeastEntryBytes, "the head of a fatbin's member");
    const std::uint64_t entry_bytes = entry.u32(4);
    if (entry_bytes < kLeastEntryBytes) {
      fail(bytes.file(), "is damaged: a member of its fatbin has a head of " + std::to_string(entry_bytes) + " bytes",
           "copy or compile it again");
    }
    const Bytes payload = body.part(at + entry_bytes, entry.u64(8), "a member of the fatbin");
    if (const std::uint16_t kind = entry.u16(0); kind == kPtx || kind == kCubin) {
      members.push_back(read_member(entry, payload));
    }
    at += entry_bytes + payload.size();
  }
  return first + body.size();
}

/// Whether the payload can be that large: before the memory is taken.
bool is_plausible(const Member& member) {
  constexpr std::uint64_t kMostLz4Ratio = 255;
  if (member.compression == Compression::kLz4) {
    return member.unpacked_bytes <= kMostLz4Ratio * (member.payload.size() + 1);
  }
  return ZSTD_getFrameContentSize(member.payload.data(), member.payload.size()) == member.unpacked_bytes;
}

bool unpack_zstd(std::string_view payload, std::string& into) {
  const std::size_t size = ZSTD_decompress(into.data(), into.size(), payload.data(), payload.size());
  return ZSTD_isError(size) == 0 && size == into.size();
}

bool unpack_lz4(std::string_view payload, std::string& into) {
  const int size =
      LZ4_decompress_safe(payload.data(), into.data(), static_cast<int>(payload.size()), static_cast<int>(into.size()));
  return size >= 0 && static_cast<std::size_t>(size) == into.size();
}

}  // namespace

std::string Member::unpack(const std::string& file) const {
  if (compression == Compression::kNone) {
    return std::string(payload);
  }
  if (unpacked_bytes > kMostUnpackedBytes || payload.size() > kMostUnpackedBytes || !is_plausible(*this)) {
    fail(file, "is damaged: it says that it has " + std::to_string(unpacked_bytes) + " bytes when unpacked",
         "copy or compile it again; at most 1 GiB is read");
  }
  std::string bytes(unpacked_bytes, '\0');
  const bool good = compression == Compression::kZstd ? unpack_zstd(payload, bytes) : unpack_lz4(payload, bytes);
  if (!good) {
    fail(file, "cannot be unpacked", "it is damaged or encrypted; copy or compile it again");
  }
  return bytes;
}

std::vector<Member> read_fatbins(const Bytes& bytes) {
  constexpr std::uint64_t kAlignment = 8;
  std::vector<Member> members;
  for (std::uint64_t at = 0; at < bytes.size();) {
    // Padding between two of them.
    const std::size_t next = bytes.view().find_first_not_of('\0', at);
    if (next == std::string_view::npos) {
      break;
    }
    at = read_fatbin(bytes, next / kAlignment * kAlignment, members);
  }
  return members;
}

}  // namespace gpusim::cubin
