// SPDX-License-Identifier: MIT
// The parts of ELF64 that cubins and programs with kernels in them need: sections, symbols, relocations. Why not a
// library: these are four structures of fixed size, and what reads files from anywhere must hold under fuzzing.
// Source: the System V ABI's chapter on object files; values of NVIDIA's own: measured on cubins of CUDA 11 to 13.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::cubin {

class Bytes;

inline constexpr std::uint16_t kMachineCuda = 190;

/// sh_type.
enum SectionType : std::uint32_t {
  kProgramBits = 1,
  kSymbols = 2,
  kRelocationsWithAddends = 4,
  kNoBits = 8,
  kRelocations = 9,
  kCudaInfo = 0x70000000
};

struct Section {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::string_view bytes;  ///< none in a section without bits
};

struct Symbol {
  std::string_view name;
  std::uint8_t type = 0;   ///< the lower four bits of st_info: 2 is a function
  std::uint8_t other = 0;  ///< 0x10: a kernel
  std::uint16_t section = 0;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
};

struct Relocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;
};

/// The names and bytes point into the file's.
struct Elf {
  std::uint16_t machine = 0;
  std::uint16_t type = 0;  ///< 1: relocatable
  std::uint8_t abi = 0;    ///< EI_OSABI
  std::uint32_t flags = 0;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  /// By the section that is to be changed: the sections of relocations.
  std::map<std::uint32_t, std::vector<std::size_t>> relocation_tables;

  /// The first section of this name; null when there is none.
  [[nodiscard]] const Section* section(std::string_view name) const;
  /// The relocations of one section, in the order of the file.
  [[nodiscard]] std::vector<Relocation> relocations_of(std::size_t section, const std::string& file) const;
};

/// Throws InputError for what is not a 64-bit little-endian ELF, or lies about its sizes.
[[nodiscard]] Elf read_elf(const Bytes& file);

}  // namespace gpusim::cubin
