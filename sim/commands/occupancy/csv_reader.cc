// SPDX-License-Identifier: MIT
#include "sim/commands/occupancy/csv_reader.h"

#include <array>
#include <istream>
#include <new>
#include <string_view>
#include <utility>

#include <csv.h>

#include "sim/base/text.h"
#include "sim/commands/cli/input_file.h"

namespace gpusim::commands {
namespace {

/// Beyond these it is not a table but some other file.
constexpr std::size_t kMostColumns = 1000;
constexpr std::size_t kLongestCell = 10'000;
constexpr std::size_t kBlockBytes = 1 << 16;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Feeds libcsv byte by byte, because its callbacks do not say where in the text they are; nor may they throw.
class Reader {
 public:
  Reader(const std::string& file, const std::function<bool(CsvRow)>& on_row) : file_(file), on_row_(on_row) {
    if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) {
      throw std::bad_alloc();
    }
  }
  ~Reader() { csv_free(&parser_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  void read(std::istream& in) {
    std::string block(kBlockBytes, '\0');
    bool at_start = true;
    while (in.read(block.data(), kBlockBytes) || in.gcount() > 0) {
      std::string_view text(block.data(), static_cast<std::size_t>(in.gcount()));
      if (at_start && text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
      }
      at_start = false;
      for (const char c : text) {
        take(c);
        if (stopped_) {
          return;
        }
      }
    }
    if (in.bad()) {
      throw InputError({{file_, 0, 0}, "cannot be read", ""});
    }
    if (csv_fini(&parser_, on_cell, on_end_of_row, this) != 0) {
      refuse(cell_, "a quoted cell does not end", "close it with '\"'");
    }
    hand_over();
    if (at_start) {
      throw InputError({{file_, 0, 0}, "is empty", ""});
    }
  }

 private:
  static void on_cell(void* text, std::size_t length, void* self) noexcept {
    auto& reader = *static_cast<Reader*>(self);
    reader.row_.cells.push_back({std::string(static_cast<const char*>(text), length), reader.cell_});
    reader.cell_ended_ = true;
  }
  static void on_end_of_row(int, void* self) noexcept { static_cast<Reader*>(self)->row_ended_ = true; }

  [[noreturn]] void refuse(const Place& place, const std::string& message, const std::string& hint) const {
    throw InputError({{file_, place.line, place.column}, message, hint});
  }

  void take(char c) {
    if (csv_parse(&parser_, &c, 1, on_cell, on_end_of_row, this) != 1) {
      refuse(at_, "a '\"' in the middle of a cell", "put the whole cell in quotes, and double each '\"' in it");
    }
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    advance(c);
    if (cell_ended_ || (is_blank && cell_bytes_ == 0)) {
      cell_ = at_;
      cell_bytes_ = 0;
    } else {
      ++cell_bytes_;
    }
    cell_ended_ = false;
    if (cell_bytes_ > kLongestCell || row_.cells.size() > kMostColumns) {
      refuse(cell_,
             "this is not a table: a row has more than " + with_thousands(kMostColumns) + " cells, or a cell " +
                 with_thousands(kLongestCell) + " bytes",
             "");
    }
    hand_over();
  }

  /// Lines end in LF, CRLF or CR.
  void advance(char c) {
    if (c == '\n' && after_return_) {
      at_.column = 1;
    } else if (c == '\n' || c == '\r') {
      ++at_.line;
      at_.column = 1;
    } else {
      ++at_.column;
    }
    after_return_ = c == '\r';
  }

  void hand_over() {
    if (row_ended_) {
      row_ended_ = false;
      row_.line = row_.cells.front().place.line;
      stopped_ = !on_row_(std::exchange(row_, {}));
    }
  }

  const std::string& file_;
  const std::function<bool(CsvRow)>& on_row_;
  csv_parser parser_{};
  CsvRow row_;
  Place at_{1, 1};    ///< place of the next byte
  Place cell_{1, 1};  ///< where the present cell began
  std::size_t cell_bytes_ = 0;
  bool cell_ended_ = false;
  bool row_ended_ = false;
  bool after_return_ = false;
  bool stopped_ = false;  ///< by the caller
};

}  // namespace

void read_csv(const std::string& file, const std::function<bool(CsvRow)>& on_row) {
  std::ifstream in = cli::open_input(file);
  Reader(file, on_row).read(in);
}

}  // namespace gpusim::commands
