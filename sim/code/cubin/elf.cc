// SPDX-License-Identifier: MIT
#include "sim/code/cubin/elf.h"

#include <algorithm>

#include "sim/code/cubin/bytes.h"
#include "sim/code/kind/kind.h"

namespace gpusim::cubin {
namespace {

constexpr std::uint64_t kHeaderBytes = 64;
constexpr std::uint64_t kSectionBytes = 64;
constexpr std::uint64_t kSymbolBytes = 24;
constexpr std::uint16_t kExtendedIndex = 0xffff;
constexpr std::uint64_t kMostSections = 1U << 22U;

struct RawSection {
  std::uint32_t name = 0;
  Section section;
};

RawSection read_section(const Bytes& file, std::uint64_t at) {
  const Bytes header = file.part(at, kSectionBytes, "a section header");
  RawSection raw;
  raw.name = header.u32(0);
  raw.section.type = header.u32(4);
  raw.section.size = header.u64(32);
  raw.section.link = header.u32(40);
  raw.section.info = header.u32(44);
  if (raw.section.type != kNoBits && raw.section.type != 0) {
    raw.section.bytes = file.part(header.u64(24), raw.section.size, "a section").view();
  }
  return raw;
}

/// Files with 65,280 sections and more keep the count and the index of the names in the first section.
std::vector<RawSection> read_sections(const Bytes& file, std::uint32_t& names) {
  const std::uint64_t table = file.u64(40);
  std::uint64_t count = file.u16(60);
  names = file.u16(62);
  if (table == 0) {
    return {};
  }
  const RawSection first = read_section(file, table);
  count = count == 0 ? first.section.size : count;
  names = names == kExtendedIndex ? first.section.link : names;
  if (count > kMostSections || !file.has(table, count * kSectionBytes)) {
    fail(file.file(), "is cut off or damaged: it has no room for its " + std::to_string(count) + " sections",
         "copy or compile it again");
  }
  std::vector<RawSection> sections;
  for (std::uint64_t i = 0; i < count; ++i) {
    sections.push_back(read_section(file, table + i * kSectionBytes));
  }
  return sections;
}

void read_symbols(const Bytes& file, const Section& table, Elf& elf) {
  if (table.link >= elf.sections.size()) {
    fail(file.file(), "is damaged: its symbols have no names", "copy or compile it again");
  }
  const Bytes names(elf.sections[table.link].bytes, file.file());
  const Bytes bytes(table.bytes, file.file());
  for (std::uint64_t at = 0; at + kSymbolBytes <= bytes.size(); at += kSymbolBytes) {
    Symbol symbol;
    symbol.name = names.text(bytes.u32(at));
    symbol.type = bytes.u8(at + 4) & 15U;
    symbol.other = bytes.u8(at + 5);
    symbol.section = bytes.u16(at + 6);
    symbol.value = bytes.u64(at + 8);
    symbol.size = bytes.u64(at + 16);
    elf.symbols.push_back(symbol);
  }
}

}  // namespace

const Section* Elf::section(std::string_view name) const {
  const auto found = std::find_if(sections.begin(), sections.end(), [&](const Section& s) { return s.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

std::vector<Relocation> Elf::relocations_of(std::size_t section, const std::string& file) const {
  std::vector<Relocation> relocations;
  const auto tables = relocation_tables.find(static_cast<std::uint32_t>(section));
  for (const std::size_t index : tables == relocation_tables.end() ? std::vector<std::size_t>() : tables->second) {
    const Section& table = sections[index];
    const bool addends = table.type == kRelocationsWithAddends;
    const Bytes bytes(table.bytes, file);
    const std::uint64_t entry = addends ? 24 : 16;
    for (std::uint64_t at = 0; at + entry <= bytes.size(); at += entry) {
      relocations.push_back({bytes.u64(at), bytes.u32(at + 8), bytes.u32(at + 12),
                             addends ? static_cast<std::int64_t>(bytes.u64(at + 16)) : 0});
    }
  }
  return relocations;
}

Elf read_elf(const Bytes& file) {
  constexpr std::uint8_t k64Bit = 2;
  constexpr std::uint8_t kLittleEndian = 1;
  if (!file.view().starts_with(code::kElfMagic)) {
    fail(file.file(), "is not an ELF file", "expected a cubin, a fatbin, or a program with kernels in it");
  }
  static_cast<void>(file.part(0, kHeaderBytes, "the header"));
  if (file.u8(4) != k64Bit || file.u8(5) != kLittleEndian) {
    fail(file.file(), "is an ELF file of 32 bits or big-endian", "kernels for Turing to Hopper are in 64-bit files");
  }
  // Nothing here is read of them, but they stand at the end of a file that may be cut off.
  static_cast<void>(file.part(file.u64(32), std::uint64_t{file.u16(54)} * file.u16(56), "the program headers"));
  Elf elf;
  elf.type = file.u16(16);
  elf.machine = file.u16(18);
  elf.abi = file.u8(7);
  elf.flags = file.u32(48);
  std::uint32_t names = 0;
  const std::vector<RawSection> raw = read_sections(file, names);
  if (!raw.empty() && names >= raw.size()) {
    fail(file.file(), "is damaged: its sections have no names", "copy or compile it again");
  }
  std::uint64_t bytes = 0;
  for (const RawSection& one : raw) {
    bytes += one.section.bytes.size();
    if (bytes > file.size()) {
      // What is read of a file must not take more memory than the file.
      fail(file.file(), "is damaged: its sections overlap", "copy or compile it again");
    }
    elf.sections.push_back(one.section);
    elf.sections.back().name = Bytes(raw[names].section.bytes, file.file()).text(one.name);
  }
  bool has_symbols = false;
  for (std::size_t i = 0; i < elf.sections.size(); ++i) {
    const Section& section = elf.sections[i];
    if (section.type == kSymbols && !has_symbols) {
      has_symbols = true;
      read_symbols(file, section, elf);
    } else if (section.type == kRelocations || section.type == kRelocationsWithAddends) {
      elf.relocation_tables[section.info].push_back(i);
    }
  }
  return elf;
}

}  // namespace gpusim::cubin
