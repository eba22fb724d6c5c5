// SPDX-License-Identifier: MIT
// Bits that tell where a line goes among places whose number is a power of two: each is the parity of some bits of the
// line's number. Such a hash is linear over GF(2), so that the 2^n lines of a stride of 2^k, which differ in n
// neighbouring bits, fall evenly on the places, not by chance, while the carries of other strides make them look
// random.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gpusim::mem::map {

class LineHash {
 public:
  /// Three hashes of four bits each. Lines are told apart up to 2^48.
  explicit LineHash(std::uint64_t line) : bits_(low_bits_of(line) ^ high_bits_of(line)) {}
  /// The hashes; those of a place are in the low four bits.
  [[nodiscard]] std::uint32_t partition() const { return bits_; }
  [[nodiscard]] std::uint32_t slice() const { return bits_ >> 4; }
  [[nodiscard]] std::uint32_t channel() const { return bits_ >> 8; }

 private:
  friend class PlaceHash;
  struct Bits {
    std::uint32_t bits;
  };
  explicit constexpr LineHash(Bits bits) : bits_(bits.bits) {}

  static std::uint32_t low_bits_of(std::uint64_t line) {
    return kTables[0][line & 0xff] ^ kTables[1][line >> 8 & 0xff];
  }
  static std::uint32_t high_bits_of(std::uint64_t line) {
    std::uint32_t hash = kTables[2][line >> 16 & 0xff] ^ kTables[3][line >> 24 & 0xff];
    if (line >> 32 != 0) [[unlikely]] {
      hash ^= kTables[4][line >> 32 & 0xff] ^ kTables[5][line >> 40 & 0xff];
    }
    return hash;
  }

  static constexpr std::size_t kBytes = 6;
  static_assert(kBytes == 6);
  using Tables = std::array<std::array<std::uint16_t, 256>, kBytes>;

  /// What each bit of a line's number toggles. Found by search, bit by bit, so that on the shapes of all shipped GPUs
  /// strides of 2^k, 2^k + 1 and 3 x 2^k bytes spread within the bound that tests/machine/mem/map/shipped_hash_test.cc
  /// holds them to. The hashes of real GPUs are not published. Kind: guess.
  static constexpr std::array<std::uint16_t, 8 * kBytes> kToggles{
      0x31f, 0xb37, 0x086, 0x3d7, 0x559, 0x98a, 0x1c1, 0x944, 0x515, 0x8eb, 0xd27, 0x615, 0x654, 0x3b8, 0x1e0, 0x290,
      0x26f, 0x1e9, 0xec8, 0x62b, 0x656, 0xe95, 0x362, 0xd6b, 0x7f7, 0xbae, 0x7a2, 0x29b, 0xfe3, 0x233, 0xfac, 0xe60,
      0x654, 0x3f5, 0x7de, 0xee3, 0xc8f, 0xa93, 0xd1c, 0x42c, 0xbc1, 0x034, 0x12f, 0x33a, 0x264, 0x4bb, 0xe3e, 0xe80};

  static constexpr Tables tables() {
    Tables tables{};
    for (std::size_t i = 0; i < kBytes; ++i) {
      for (std::size_t byte = 0; byte < 256; ++byte) {
        for (std::size_t bit = 0; bit < 8; ++bit) {
          if ((byte >> bit & 1) != 0) {
            tables[i][byte] ^= kToggles[8 * i + bit];
          }
        }
      }
    }
    return tables;
  }
  static const Tables kTables;

  std::uint32_t bits_;
};

inline constexpr LineHash::Tables LineHash::kTables = LineHash::tables();

/// The three hashes of a line, each as if some low bits of its number, which are free, were 0.
class PlaceHash {
 public:
  static constexpr std::uint64_t kMostFree = 0xffff;

  PlaceHash() : PlaceHash(0, 0, 0) {}
  /// Masks of the free bits of each, at most kMostFree.
  PlaceHash(std::uint64_t partition, std::uint64_t slice, std::uint64_t channel) {
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
      for (std::size_t i = 0; i < low_.size(); ++i) {
        const std::uint64_t line = byte << (8 * i);
        low_[i][byte] = static_cast<std::uint16_t>((LineHash::low_bits_of(line & ~partition) & 0x00f) |
                                                   (LineHash::low_bits_of(line & ~slice) & 0x0f0) |
                                                   (LineHash::low_bits_of(line & ~channel) & 0xf00));
      }
    }
  }
  [[nodiscard]] LineHash of(std::uint64_t line) const {
    return LineHash(
        LineHash::Bits{std::uint32_t{low_[0][line & 0xff]} ^ low_[1][line >> 8 & 0xff] ^ LineHash::high_bits_of(line)});
  }

 private:
  std::array<std::array<std::uint16_t, 256>, 2> low_;  ///< by byte of the line's number
};

}  // namespace gpusim::mem::map
