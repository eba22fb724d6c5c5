// SPDX-License-Identifier: MIT
// Sections of data in a listing of nvdisasm: constant banks and what a kernel needs, as bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::frontend::sass {

/// A place in a section that a linker fills in.
struct LinkedWord {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;
  std::string symbol;
};

/// ".size table,64": a variable.
struct DataSymbol {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct DataSection {
  std::string name;  ///< ".nv.constant3", ".nv.info.saxpy"
  std::string bytes;
  std::vector<LinkedWord> linked;  ///< these bytes are 0
  std::vector<DataSymbol> symbols;
};

/// Collects constant banks (".nv.constant3"), what kernels need (".nv.info.saxpy") and variables (".nv.global",
/// ".nv.global.init"), and reads past all other sections.
class DataSections {
 public:
  /// Bytes of all sections together.
  static constexpr std::size_t kMostBytes = 256U << 20U;

  /// A section begins; of another one than data, no line that follows is its data.
  void begin(std::string_view name);
  /// A label of the current section, without its ':'.
  void label(std::string_view name);
  /// A line such as ".word 0x0000000a". Throws std::length_error when there are more than kMostBytes.
  void directive(std::string_view text);
  /// All sections, in the order of the listing.
  [[nodiscard]] std::vector<DataSection> take();

 private:
  /// "(.L_1 - .L_0)": known when the section has ended.
  struct Difference {
    std::size_t offset = 0;
    std::uint32_t bytes = 0;
    std::string to;
    std::string from;
  };
  struct Open {
    DataSection section;
    std::map<std::string, std::size_t, std::less<>> labels;
    std::vector<Difference> differences;
    std::map<std::string, std::string, std::less<>> sizes;  ///< sizes of variables, as they are written
  };

  static void finish(Open& open);
  void grow(std::uint64_t bytes);
  void put(std::uint32_t bytes, std::uint64_t value);
  void add_value(std::uint32_t bytes, std::string_view text);

  std::vector<Open> open_;
  bool is_data_ = false;
  std::size_t bytes_ = 0;
};

}  // namespace gpusim::frontend::sass
