// SPDX-License-Identifier: MIT
#include "sim/input/text/sparse_matrix.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <istream>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "sim/base/letter_case.h"
#include "sim/base/problem.h"

namespace gpusim::frontend {
namespace {

constexpr std::uint64_t kMostIndex = std::numeric_limits<std::uint32_t>::max();
constexpr std::string_view kMarket = "%%MatrixMarket";

/// One line of the file, read word by word.
class Line {
 public:
  Line(const std::string& name, std::uint64_t number, std::string_view text)
      : name_(name), number_(number), text_(text) {}

  [[nodiscard]] bool at_end() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
      ++at_;
    }
    return at_ == text_.size();
  }

  [[noreturn]] void fail(std::string message, std::string hint = "") const {
    constexpr std::uint64_t kMostLine = std::numeric_limits<std::uint32_t>::max();
    throw InputError(
        {{name_, static_cast<std::uint32_t>(std::min(number_, kMostLine)), static_cast<std::uint32_t>(begin_ + 1)},
         std::move(message),
         std::move(hint)});
  }

  std::string_view word(const char* what) {
    const bool none = at_end();
    begin_ = at_;
    if (none) {
      fail(std::string("expected ") + what + ", the line ends");
    }
    while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '\t') {
      ++at_;
    }
    return text_.substr(begin_, at_ - begin_);
  }

  std::uint64_t index(const char* what, std::uint64_t least, std::uint64_t most) {
    const std::string_view digits = word(what);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
      fail(std::string("expected ") + what + ", a whole number without sign");
    }
    if (error != std::errc() || value < least || value > most) {
      fail(std::string(what) + " is out of range", "allowed: " + std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
  }

  void value() {
    std::string_view digits = word("a value");
    if (digits.size() > 1 && digits.front() == '+') {
      digits.remove_prefix(1);
    }
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
      fail("expected a value, a number such as 1.5e-3");
    }
  }

  void expect_end(const char* after) {
    if (!at_end()) {
      begin_ = at_;
      fail(std::string("there is more in the line than ") + after);
    }
  }

 private:
  const std::string& name_;
  std::uint64_t number_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  ///< where the word read last begins
};

/// Entries as they come, and the rows they make.
class Entries {
 public:
  explicit Entries(std::uint64_t most) : most_(most) {}

  void add(const Line& line, std::uint64_t row, std::uint64_t column) {
    if (places_.size() == most_) {
      line.fail("the file has too many entries", "this matrix may have " + std::to_string(most_));
    }
    places_.emplace_back(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column));
  }

  [[nodiscard]] std::uint64_t size() const { return places_.size(); }

  /// Sorts by rows. Rows must lie within `rows`, and rows + 1 + entries within the limit.
  [[nodiscard]] SparseMatrix compressed(std::uint64_t rows, std::uint64_t columns) const {
    SparseMatrix made;
    made.columns = columns;
    made.row_begin.assign(rows + 1, 0);
    for (const auto& [row, column] : places_) {
      ++made.row_begin[row + 1];
    }
    for (std::uint64_t row = 0; row < rows; ++row) {
      made.row_begin[row + 1] += made.row_begin[row];
    }
    made.column.resize(places_.size());
    for (const auto& [row, column] : places_) {
      made.column[made.row_begin[row]++] = column;
    }
    // Each row's begin has moved to the next one's.
    std::ranges::move_backward(made.row_begin.begin(), made.row_begin.end() - 1, made.row_begin.end());
    made.row_begin.front() = 0;
    for (std::uint64_t row = 0; row < rows; ++row) {
      std::sort(made.column.begin() + made.row_begin[row], made.column.begin() + made.row_begin[row + 1]);
    }
    return made;
  }

 private:
  std::uint64_t most_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places_;
};

/// Reads the lines of a file. Only comments may be longer than any line of numbers.
class MatrixReader {
 public:
  MatrixReader(std::istream& in, const std::string& name, std::uint64_t most)
      : in_(in), name_(name), most_(most), entries_(most) {}

  [[nodiscard]] SparseMatrix read() {
    if (!next_line()) {
      fail("is empty", "expected a matrix in Matrix Market's format, or a list of edges");
    }
    if (text_.starts_with("\x1f\x8b") || text_.starts_with("\x28\xb5\x2f\xfd")) {
      fail("is compressed, which is not read for a matrix", "decompress it first");
    }
    return text_.starts_with(kMarket) ? market() : edges();
  }

 private:
  [[noreturn]] void fail(std::string message, std::string hint = "") const {
    throw InputError({{name_, 0, 0}, std::move(message), std::move(hint)});
  }

  bool next_line() {
    in_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    const bool has_newline = in_.good();
    text_ = {buffer_.data(), static_cast<std::size_t>(in_.gcount()) - (has_newline ? 1 : 0)};
    if (in_.bad()) {
      fail("cannot be read to its end");
    }
    if (in_.fail() && in_.gcount() == 0) {
      return false;
    }
    ++number_;
    if (in_.fail()) {
      if (!is_comment()) {
        Line(name_, number_, text_).fail("the line is too long for a row of numbers", "is this a matrix?");
      }
      in_.clear();
      in_.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    if (text_.ends_with('\r')) {
      text_.remove_suffix(1);
    }
    return true;
  }

  [[nodiscard]] bool is_comment() const { return text_.starts_with('%') || text_.starts_with('#'); }
  [[nodiscard]] bool is_blank() const { return text_.find_first_not_of(" \t") == std::string_view::npos; }

  /// The next line with numbers.
  bool next_data() {
    while (next_line()) {
      if (!is_comment() && !is_blank()) {
        return true;
      }
    }
    return false;
  }

  static std::size_t chosen(Line& line, const char* what, std::initializer_list<std::string_view> allowed) {
    const std::string word = in_lower_case(line.word(what));
    const auto* const found = std::ranges::find(allowed, word);
    if (found == allowed.end()) {
      std::string all;
      for (const std::string_view one : allowed) {
        all += (all.empty() ? "" : ", ") + std::string(one);
      }
      line.fail(std::string("unknown ") + what + " in the first line", "read are: " + all);
    }
    return static_cast<std::size_t>(found - allowed.begin());
  }

  [[nodiscard]] SparseMatrix market() {
    Line head(name_, number_, text_);
    static_cast<void>(head.word("the first word"));
    chosen(head, "object", {"matrix"});
    chosen(head, "format", {"coordinate"});
    constexpr std::array<unsigned, 4> kValues{0, 1, 1, 2};
    const unsigned values = kValues[chosen(head, "field", {"pattern", "real", "integer", "complex"})];
    const bool mirrored = chosen(head, "symmetry", {"general", "symmetric", "skew-symmetric", "hermitian"}) != 0;
    head.expect_end("the symmetry");

    if (!next_data()) {
      fail("ends before the line with the sizes", "expected 'ROWS COLUMNS ENTRIES'");
    }
    Line sizes(name_, number_, text_);
    const std::uint64_t rows = sizes.index("the number of rows", 1, std::min(most_ - 2, kMostIndex));
    const std::uint64_t columns = sizes.index("the number of columns", 1, kMostIndex);
    const std::uint64_t lines = sizes.index("the number of entries", 1, most_ - rows - 1);
    sizes.expect_end("the three sizes");
    if (mirrored && rows != columns) {
      sizes.fail("a symmetric matrix must have as many rows as columns");
    }
    entries_ = Entries(most_ - rows - 1);
    for (std::uint64_t i = 0; i < lines; ++i) {
      if (!next_data()) {
        fail("ends after " + std::to_string(i) + " of " + std::to_string(lines) + " entries",
             "copy it or download it again");
      }
      market_entry(rows, columns, values, mirrored);
    }
    if (next_data()) {
      Line(name_, number_, text_)
          .fail("there are more entries than the " + std::to_string(lines) + " that the sizes say");
    }
    return entries_.compressed(rows, columns);
  }

  void market_entry(std::uint64_t rows, std::uint64_t columns, unsigned values, bool mirrored) {
    Line line(name_, number_, text_);
    const std::uint64_t row = line.index("the row", 1, rows) - 1;
    const std::uint64_t column = line.index("the column", 1, columns) - 1;
    for (unsigned i = 0; i < values; ++i) {
      line.value();
    }
    line.expect_end("an entry");
    entries_.add(line, row, column);
    if (mirrored && row != column) {
      entries_.add(line, column, row);
    }
  }

  [[nodiscard]] SparseMatrix edges() {
    bool both_ways = false;
    std::uint64_t vertices = 0;
    do {
      if (is_comment()) {
        both_ways = both_ways || text_.starts_with("# Undirected graph");
        continue;
      }
      if (is_blank()) {
        continue;
      }
      Line line(name_, number_, text_);
      const std::uint64_t greatest = std::min(most_, kMostIndex) - 2;
      const std::uint64_t from = line.index("the vertex an edge comes from", 0, greatest);
      const std::uint64_t to = line.index("the vertex it goes to", 0, greatest);
      if (!line.at_end()) {
        line.value();
      }
      line.expect_end("two vertices and a weight");
      vertices = std::max({vertices, from + 1, to + 1});
      entries_.add(line, from, to);
      if (both_ways && from != to) {
        entries_.add(line, to, from);
      }
      if (entries_.size() > most_ - vertices - 1) {
        line.fail("the graph is too large: vertices and edges are more than " + std::to_string(most_));
      }
    } while (next_line());
    if (entries_.size() == 0) {
      fail("has no edges");
    }
    return entries_.compressed(vertices, vertices);
  }

  std::istream& in_;
  const std::string& name_;
  std::uint64_t most_;
  std::uint64_t number_ = 0;  ///< line, counted from 1
  std::array<char, 4096> buffer_{};
  std::string_view text_;
  Entries entries_;
};

}  // namespace

SparseMatrix read_sparse_matrix(std::istream& in, const std::string& name, std::uint64_t most) {
  constexpr std::uint64_t kSmallest = 3;  // a row with an entry
  if (most < kSmallest) {
    throw InputError({{name, 0, 0}, "does not fit: the trace's tables have all entries they may have", ""});
  }
  return MatrixReader(in, name, most).read();
}

SparseMatrix read_sparse_matrix(const std::filesystem::path& path, std::uint64_t most) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw InputError({{path.string(), 0, 0}, "no such file", ""});
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw InputError({{path.string(), 0, 0}, "is not a file that holds a matrix", ""});
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw InputError({{path.string(), 0, 0}, "cannot be opened", ""});
  }
  return read_sparse_matrix(in, path.string(), most);
}

}  // namespace gpusim::frontend
