// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/input/text/load.h"
#include "sim/input/text/sparse_matrix.h"

#include "tests/input/text/support.h"

namespace matrix_test {

using namespace gpusim;
using namespace gpusim::test;
using Catch::Contains;
using frontend::SparseMatrix;
using Words = std::vector<std::uint32_t>;

namespace {

const std::string kHead = "%%MatrixMarket matrix coordinate ";

SparseMatrix read(const std::string& text, std::uint64_t most = 1000) {
  std::istringstream in(text);
  return frontend::read_sparse_matrix(in, "m", most);
}

std::string error_of(const std::string& text, std::uint64_t most = 1000) {
  try {
    (void)read(text, most);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A folder of this test's own, removed at the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("gpusim_" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path_ / "below");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// One warp reads a table that is made of a matrix, `lanes` entries.
std::string trace_of(const std::string& matrix, const std::string& table, const std::string& count) {
  return "gpusim trace 1\nmatrix A = " + matrix + "\nkernel k\ngrid (1)\nblock (32)\nbuffer t u32[" + count +
         "] = " + table + "\nbuffer out u8[1 << 33]\ncode\nLDG.E.U8 R0, [R2.64] @ out[t[min(lane, " + count +
         " - 1)]]\nEXIT\nend\n";
}

/// The entries of the table of trace_of(), as many as there are and lanes read.
Words table_of(const trace::Trace& trace) {
  const trace::Kernel& kernel = trace.kernels[0];
  const std::size_t count = std::min<std::size_t>(kernel.buffers[0].bytes / 4, 32);
  Words entries;
  for (std::size_t lane = 0; lane < count; ++lane) {
    entries.push_back(static_cast<std::uint32_t>(addresses(kernel)[0][lane] - kernel.buffers[1].base));
  }
  return entries;
}

trace::ParameterChoice given(const std::string& file) {
  trace::ParameterChoice choice;
  choice.words.emplace_back("A", file);
  return choice;
}

std::string load_error_of(const std::filesystem::path& file, const trace::ParameterChoice& choice = {}) {
  try {
    (void)frontend::load_trace_text(file, choice);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a matrix in Matrix Market's format is read into sorted rows") {
  const SparseMatrix m =
      read(kHead + "real general\n% a comment\n\n3 4 5\n3 4 1.5e-3\n1 2 -1\n3 1 +2\r\n1 1 nan\n3 2 0\n");
  CHECK(m.rows() == 3);
  CHECK(m.columns == 4);
  CHECK(m.row_begin == Words{0, 2, 2, 5});
  CHECK(m.column == Words{0, 1, 0, 1, 3});
  CHECK(read("%%MatrixMarket MATRIX Coordinate Pattern General\n1 1 1\n1 1").column == Words{0});
  CHECK(read(kHead + "complex general\n1 1 1\n1 1 0.5 -2\n").column == Words{0});
}

TEST_CASE("an entry of a symmetric matrix stands for two, but on the diagonal") {
  for (const char* const symmetry : {"symmetric", "skew-symmetric"}) {
    const SparseMatrix m = read(kHead + "integer " + symmetry + "\n3 3 3\n1 1 7\n2 1 7\n3 2 7\n");
    CHECK(m.row_begin == Words{0, 2, 4, 5});
    CHECK(m.column == Words{0, 1, 0, 2, 1});
  }
}

TEST_CASE("a list of edges is read as a graph, directed unless SNAP's comment says otherwise") {
  const SparseMatrix m = read("# some graph\n0\t3\n2 1 0.5\n\n0 1\n");
  CHECK(m.rows() == 4);
  CHECK(m.columns == 4);
  CHECK(m.row_begin == Words{0, 2, 2, 3, 3});
  CHECK(m.column == Words{1, 3, 1});
  CHECK(read("# Undirected graph: x\n0 1\n1 1\n").column == Words{1, 0, 1});
}

TEST_CASE("a file that is not a matrix is refused with line and column, and never quoted") {
  const std::string head = kHead + "pattern general\n";
  const std::vector<std::pair<std::string, std::string>> kBad{
      {"", "m: is empty"},
      {"\n\n# nothing\n", "m: has no edges"},
      {"\x1f\x8b\x08", "m: is compressed"},
      {"root:x:0:0\n", "m:1:1: expected the vertex an edge comes from, a whole number"},
      {"0 1\n5\n", "m:2:2: expected the vertex it goes to, the line ends"},
      {"0 1\n5 -1\n", "m:2:3: expected the vertex it goes to, a whole number without sign"},
      {"0 99999999999999999999\n", "m:1:3: the vertex it goes to is out of range"},
      {"0 1 2 3\n", "m:1:7: there is more in the line than two vertices and a weight"},
      {std::string("0 1\0 5\n", 7), "m:1:3: expected the vertex it goes to"},
      {std::string(5000, '1'), "m:1:1: the line is too long"},
      {"%%MatrixMarket matrix array real general\n1 1\n1\n", "m:1:23: unknown format in the first line"},
      {kHead + "real\n", "m:1:38: expected symmetry, the line ends"},
      {head, "m: ends before the line with the sizes"},
      {head + "3 3\n", "m:2:4: expected the number of entries, the line ends"},
      {head + "3 3 1 1\n", "m:2:7: there is more in the line than the three sizes"},
      {head + "0 3 1\n", "m:2:1: the number of rows is out of range (allowed: 1 to 998)"},
      {head + "3 3 18446744073709551615\n", "m:2:5: the number of entries is out of range (allowed: 1 to 996)"},
      {head + "3 3 2\n1 1\n", "m: ends after 1 of 2 entries"},
      {head + "3 3 1\n0 1\n", "m:3:1: the row is out of range (allowed: 1 to 3)"},
      {head + "3 3 1\n1 4\n", "m:3:3: the column is out of range"},
      {head + "3 3 1\n1 1 5\n", "m:3:5: there is more in the line than an entry"},
      {head + "3 3 1\n1 1\n2 2\n", "m:4:1: there are more entries than the 1"},
      {kHead + "real general\n1 1 1\n1 1\n", "m:3:4: expected a value, the line ends"},
      {kHead + "real general\n1 1 1\n1 1 x1\n", "m:3:5: expected a value, a number"},
      {kHead + "pattern symmetric\n2 3 1\n1 1\n", "a symmetric matrix must have as many rows as columns"}};
  for (const auto& [text, message] : kBad) {
    INFO(text);
    CHECK_THAT(error_of(text), Contains(message));
    CHECK_THAT(error_of(text), !Contains("root"));
  }
}

TEST_CASE("a matrix holds no more than the trace's tables may") {
  const std::string symmetric = kHead + "pattern symmetric\n3 3 3\n2 1\n3 1\n3 2\n";
  CHECK(read(symmetric, 10).column.size() == 6);
  CHECK_THAT(error_of(symmetric, 9), Contains("m:5:3: the file has too many entries (this matrix may have 5)"));
  CHECK(read("5 0\n", 8).rows() == 6);
  CHECK_THAT(error_of("5 0\n", 7), Contains("the graph is too large") || Contains("out of range"));
  CHECK_THAT(error_of("0 0\n", 2), Contains("does not fit"));
}

TEST_CASE("a comment may be longer than any line of numbers") {
  CHECK(read("#" + std::string(100'000, 'x') + "\n0 0\n").column == Words{0});
}

TEST_CASE("a trace's matrix lies beside it, and --param names another") {
  const Folder folder;
  const auto trace = folder.write("below/t.trace", trace_of("\"../m.txt\"", "row_begin(A)", "A.rows + 1"));
  CHECK_THAT(load_error_of(trace), Contains("m.txt: no such file"));
  folder.write("m.txt", "0 1\n0 2\n2 0\n");
  const trace::Trace loaded = frontend::load_trace_text(trace, {});
  CHECK(table_of(loaded) == Words{0, 2, 2, 3});
  const auto other = folder.write("other.mtx", kHead + "pattern general\n2 9 1\n1 9\n");
  const trace::Trace replaced = frontend::load_trace_text(trace, given(other.string()));
  CHECK(table_of(replaced) == Words{0, 1, 1});
  REQUIRE(replaced.parameters.size() == 1);
  CHECK(replaced.parameters[0].text_of(replaced.parameters[0].value) == other.string());
  CHECK(replaced.parameters[0].text_of(replaced.parameters[0].default_value) == "../m.txt");
  CHECK(loaded.parameters[0].file == (trace.parent_path() / "../m.txt").string());
  CHECK(replaced.parameters[0].file == other.string());
  trace::ParameterChoice numbered;
  numbered.overrides.emplace_back("A", 0);  // the first word
  CHECK(table_of(frontend::load_trace_text(trace, numbered)) == Words{0, 2, 2, 3});
  numbered.overrides[0].second = 7;
  CHECK_THAT(load_error_of(trace, numbered), Contains("--param A: 7 is not the name of a file (write ./7"));
  CHECK_THAT(load_error_of(trace, given(folder.write("x", "").parent_path().string())),
             Contains("is not a file that holds a matrix"));
}

TEST_CASE("a matrix gives its columns, its sizes and the levels of a search") {
  const Folder folder;
  folder.write("g.txt", "0 1\n1 3\n0 3\n4 0\n");
  const auto words = [&](const std::string& table, const std::string& count) {
    return table_of(frontend::load_trace_text(folder.write("t.trace", trace_of("\"g.txt\"", table, count)), {}));
  };
  CHECK(words("column(A)", "A.entries") == Words{1, 3, 3, 0});
  CHECK(words("level(A, 0)", "A.columns") == Words{0, 1, 0xffffffff, 1, 0xffffffff});
  CHECK(words("level(A, A.rows - 1)", "A.rows") == Words{1, 2, 0xffffffff, 2, 0});
}

TEST_CASE("a random matrix has the rows of `offsets` and the columns of `hash`") {
  const std::string random = "random(8, 50, 1, 6, 2, 3)";
  const auto words = [](const std::string& text) { return table_of(load(text)); };
  const Words begin = words(trace_of(random, "row_begin(A)", "A.rows + 1"));
  CHECK(begin == words(trace_of(random, "offsets(3, 1, 6, 2)", "9")));
  const std::string entries = std::to_string(begin.back());
  CHECK(words(trace_of(random, "column(A)", "A.entries")) == words(trace_of(random, "hash(4, 50)", entries)));
}

TEST_CASE("what a matrix cannot be is said where it stands") {
  const auto error = [](const std::string& matrix, const std::string& table, const std::string& count) {
    return load_error(trace_of(matrix, table, count));
  };
  const std::string random = "random(8, 9, 1, 6, 2, 3)";
  CHECK_THAT(error(random, "column(A)", "7"), Contains("t.trace:6:19: 'column' has") && Contains("the buffer 7"));
  CHECK_THAT(error(random, "level(A, 0)", "A.rows"), Contains("'level' needs a graph: the matrix has 8 rows and 9"));
  CHECK_THAT(error("random(8, 8, 1, 6, 2, 3)", "level(A, 8)", "A.rows"), Contains("allowed: 0 to 7"));
  CHECK_THAT(error("random(100, 100, 1 << 20, 1 << 20, 1, 1)", "level(A, 0)", "A.rows"),
             Contains("'level' searches at most 67108864 edges, the graph has 104857600"));
  CHECK_THAT(error(random, "column(B)", "7"), Contains("the first argument of 'column' must be a matrix"));
  CHECK_THAT(error(random, "column(5)", "7"),
             Contains("the first argument of 'column' must be a matrix (there is 'A')"));
  CHECK_THAT(error("random(8, 9)", "column(A)", "7"), Contains("'random' takes 6 arguments, not 2"));
  CHECK_THAT(error("random(0, 9, 1, 6, 2, 3)", "column(A)", "7"), Contains("the number of rows is 0"));
  CHECK_THAT(error("random(8, 9, 0, 0, 2, 3)", "column(A)", "7"), Contains("the matrix has no entries"));
  CHECK_THAT(error("random(8, 9, 7, 6, 2, 3)", "column(A)", "7"), Contains("the greatest step of 'random' is 6"));
  CHECK_THAT(error("random(1 << 30, 9, 1, 1, 1, 3)", "column(A)", "7"), Contains("the matrix has too many rows"));
  CHECK_THAT(error("7", "column(A)", "7"), Contains("expected random(...), or the name of a file in double quotes"));
  CHECK_THAT(error("\"\"", "column(A)", "7"), Contains("the name of the file is empty"));
  CHECK_THAT(
      load_error("gpusim trace 1\nparam A = 1\nmatrix A = " + random + "\n" + kernel_text("", "EXIT").substr(15)),
      Contains("'A' is defined a second time"));
}

TEST_CASE("a written copy of a trace finds its matrix from any folder, and a description reads none") {
  const Folder folder;
  const std::string text = trace_of("\"none.txt\" \"the graph\"", "column(A)", "A.entries");
  const frontend::Description told = frontend::describe_trace_text(text, "t.trace");
  REQUIRE(told.parameters.size() == 1);
  CHECK(told.parameters[0].name == "A");
  CHECK(told.parameters[0].what == "the graph");
  CHECK(told.parameters[0].words == std::vector<std::string>{"none.txt", "FILE"});

  const auto matrix = folder.write("g.txt", "0 5\n");
  const std::string copy = frontend::text_with_defaults(text, "t.trace", given(matrix.string()));
  CHECK_THAT(copy, Contains("matrix A = \"" + matrix.string() + "\" \"the graph\""));
  CHECK(table_of(frontend::load_trace_text(folder.write("below/copy.trace", copy), {})) == Words{5});
}

}  // namespace matrix_test
