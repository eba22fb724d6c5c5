// SPDX-License-Identifier: MIT
// Products of matrices by tensor cores where half of A is there, C = A B^T with B by rows of n; and products of bits.
#include <bit>

#include "tests/exec/kernels/numbers.h"
#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {
namespace {

/// How values lie in groups of which half is there.
enum class Groups : std::uint8_t {
  kTwoOfFour,
  kOneOfTwo,     ///< the metadata count halves of the two
  kPairsOfFour,  ///< two of four pairs
};

/// Metadata that are possible: two different places, the lower one first.
constexpr std::uint32_t kTwoPlaces[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
constexpr std::uint32_t kOnePlace[] = {0x4, 0xe};

/// A with half of its values, and which they are: four bits for each group of a row.
struct SparseMatrix {
  std::size_t rows;
  std::size_t depth;  ///< values of a row, those that are not there among them
  Groups groups;
  std::vector<std::uint32_t> metadata;

  SparseMatrix(Numbers& numbers, std::size_t its_rows, std::size_t its_depth, Groups its_groups)
      : rows(its_rows), depth(its_depth), groups(its_groups), metadata(rows * groups_of_row() / 8) {
    for (std::uint32_t& word : metadata) {
      for (unsigned shift = 0; shift < 32; shift += 4) {
        const std::uint32_t any = numbers.word();
        word |= (groups == Groups::kOneOfTwo ? kOnePlace[any % 2] : kTwoPlaces[any % 6]) << shift;
      }
    }
  }

  [[nodiscard]] std::size_t kept() const { return depth / 2; }

  /// All of a row, from value(i) of those that are there.
  template <typename Value>
  [[nodiscard]] std::vector<double> whole_row(std::size_t row, const Value& value) const {
    std::vector<double> whole(depth);
    for (std::size_t i = 0; i < kept(); ++i) {
      whole[place_of(row, i)] = value(row * kept() + i);
    }
    return whole;
  }

 private:
  [[nodiscard]] std::size_t group_size() const {
    return groups == Groups::kOneOfTwo ? 2 : groups == Groups::kPairsOfFour ? 8 : 4;
  }
  [[nodiscard]] std::size_t groups_of_row() const { return depth / group_size(); }

  [[nodiscard]] std::size_t place_of(std::size_t row, std::size_t i) const {
    const std::size_t kept_of_group = group_size() / 2;
    const std::size_t group = i / kept_of_group;
    const std::size_t number = row * groups_of_row() + group;
    const std::uint32_t bits = metadata[number / 8] >> number % 8 * 4 & 0xfU;
    const std::size_t first = group * group_size();
    const std::size_t of_group = i % kept_of_group;
    switch (groups) {
      case Groups::kOneOfTwo: return first + (bits == 0xe ? 1 : 0);
      case Groups::kPairsOfFour: return first + 2 * (bits >> of_group / 2 * 2 & 3U) + of_group % 2;
      default: return first + (bits >> of_group * 2 & 3U);
    }
  }
};

/// value_a(i): of what is there of A; value_b(i): of all of B.
template <typename Result, typename A, typename B>
std::vector<Result> sparse_product(const SparseMatrix& a, std::size_t columns, const A& value_a, const B& value_b) {
  std::vector<Result> c(a.rows * columns);
  for (std::size_t row = 0; row < a.rows; ++row) {
    const std::vector<double> whole = a.whole_row(row, value_a);
    for (std::size_t column = 0; column < columns; ++column) {
      double sum = 0;
      for (std::size_t k = 0; k < a.depth; ++k) {
        sum += whole[k] * value_b(column * a.depth + k);
      }
      c[row * columns + column] = static_cast<Result>(sum);
    }
  }
  return c;
}

constexpr std::size_t kGroupRows = 128;
constexpr std::size_t kGroupColumns = 32;
constexpr std::size_t kGroupSteps = 2;
constexpr std::size_t kStepBytes = 128;  ///< bytes of a row of B

Problem warpgroup_problem() {
  Problem problem({kGroupColumns / 16, kGroupRows / 64, 1}, {128, 1, 1});
  return problem.value(int{kGroupColumns}).value(int{kGroupSteps});
}

Problem warp_problem() {
  Problem problem({kGroupColumns / 8, kGroupRows / 16, 1}, {32, 1, 1});
  return problem.value(int{kGroupColumns});
}

std::vector<std::uint16_t> small_numbers(Numbers& numbers, std::size_t count, std::uint16_t (*bits)(double)) {
  std::vector<std::uint16_t> values;
  for (const int value : numbers.integers(count, -8, 8)) {
    values.push_back(bits(value));
  }
  return values;
}

/// Small integers, so that all sums are exact. `sign`: of all of C.
Problem sixteen_bits(Problem problem, Numbers numbers, std::size_t depth, double sign, std::uint16_t (*bits)(double),
                     double (*value)(std::uint16_t)) {
  const SparseMatrix matrix(numbers, kGroupRows, depth, Groups::kTwoOfFour);
  const auto a = small_numbers(numbers, kGroupRows * matrix.kept(), bits);
  const auto b = small_numbers(numbers, kGroupColumns * depth, bits);
  const auto c = sparse_product<float>(
      matrix, kGroupColumns, [&](std::size_t i) { return sign * value(a[i]); },
      [&](std::size_t i) { return value(b[i]); });
  return problem.in(a).in(b).in(matrix.metadata).out(c);
}

Problem wgmma_sparse_f16() {
  return sixteen_bits(warpgroup_problem(), Numbers(71), kGroupSteps * kStepBytes / 2, 1, half_bits, half_value);
}

Problem wgmma_sparse_bf16() {
  return sixteen_bits(warpgroup_problem(), Numbers(72), kGroupSteps * kStepBytes / 2, -1, bfloat_bits, bfloat_value);
}

Problem mma_sparse_f16() {
  return sixteen_bits(warp_problem(), Numbers(73), 128, 1, half_bits, half_value);
}

/// Integers again, which TF32 holds.
Problem tf32_numbers(Problem problem, Numbers numbers) {
  constexpr std::size_t kDepth = 64;
  const SparseMatrix matrix(numbers, kGroupRows, kDepth, Groups::kOneOfTwo);
  const auto as_floats = [](const std::vector<int>& values) {
    return std::vector<float>(values.begin(), values.end());
  };
  const std::vector<float> a = as_floats(numbers.integers(kGroupRows * matrix.kept(), -100, 100));
  const std::vector<float> b = as_floats(numbers.integers(kGroupColumns * kDepth, -100, 100));
  const auto c = sparse_product<float>(
      matrix, kGroupColumns, [&](std::size_t i) { return a[i]; }, [&](std::size_t i) { return b[i]; });
  return problem.in(a).in(b).in(matrix.metadata).out(c);
}

Problem wgmma_sparse_tf32() {
  return tf32_numbers(warpgroup_problem(), Numbers(74));
}

Problem mma_sparse_tf32() {
  return tf32_numbers(warp_problem(), Numbers(75));
}

std::vector<std::uint8_t> bytes_of_numbers(Numbers& numbers, std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(numbers.word());
  }
  return bytes;
}

Problem signed_and_unsigned_bytes(Problem problem, Numbers numbers, std::size_t depth) {
  const SparseMatrix matrix(numbers, kGroupRows, depth, Groups::kTwoOfFour);
  const auto a = bytes_of_numbers(numbers, kGroupRows * matrix.kept());
  const auto b = bytes_of_numbers(numbers, kGroupColumns * depth);
  const auto c = sparse_product<int>(
      matrix, kGroupColumns, [&](std::size_t i) { return static_cast<std::int8_t>(a[i]); },
      [&](std::size_t i) { return b[i]; });
  return problem.in(a).in(b).in(matrix.metadata).out(c);
}

Problem wgmma_sparse_int8() {
  return signed_and_unsigned_bytes(warpgroup_problem(), Numbers(76), kGroupSteps * kStepBytes);
}

Problem mma_sparse_int8() {
  return signed_and_unsigned_bytes(warp_problem(), Numbers(77), 128);
}

/// 1, 1.5, 2 or 3 with a sign, in E4M3 and in E5M2: all sums are exact.
Problem wgmma_sparse_fp8() {
  constexpr std::size_t kDepth = kGroupSteps * kStepBytes;
  constexpr double kValues[] = {1, 1.5, 2, 3, -1, -1.5, -2, -3};
  constexpr std::uint8_t kE4m3[] = {0x38, 0x3c, 0x40, 0x44, 0xb8, 0xbc, 0xc0, 0xc4};
  constexpr std::uint8_t kE5m2[] = {0x3c, 0x3e, 0x40, 0x42, 0xbc, 0xbe, 0xc0, 0xc2};
  Numbers numbers(78);
  const SparseMatrix matrix(numbers, kGroupRows, kDepth, Groups::kTwoOfFour);
  const std::vector<int> of_a = numbers.integers(kGroupRows * matrix.kept(), 0, 7);
  const std::vector<int> of_b = numbers.integers(kGroupColumns * kDepth, 0, 7);
  const auto c = sparse_product<float>(
      matrix, kGroupColumns, [&](std::size_t i) { return kValues[of_a[i]]; },
      [&](std::size_t i) { return kValues[of_b[i]]; });
  const auto as_bytes = [](const std::vector<int>& numbers_of, const std::uint8_t* bytes) {
    std::vector<std::uint8_t> all;
    for (const int number : numbers_of) {
      all.push_back(bytes[number]);
    }
    return all;
  };
  return warpgroup_problem().in(as_bytes(of_a, kE4m3)).in(as_bytes(of_b, kE5m2)).in(matrix.metadata).out(c);
}

Problem mma_sparse_int4() {
  constexpr std::size_t kDepth = 256;
  Numbers numbers(79);
  const SparseMatrix matrix(numbers, kGroupRows, kDepth, Groups::kPairsOfFour);
  const auto a = bytes_of_numbers(numbers, kGroupRows * matrix.kept() / 2);
  const auto b = bytes_of_numbers(numbers, kGroupColumns * kDepth / 2);
  const auto of = [](const std::vector<std::uint8_t>& bytes, std::size_t i) { return bytes[i / 2] >> i % 2 * 4 & 0xf; };
  const auto c = sparse_product<int>(
      matrix, kGroupColumns, [&](std::size_t i) { return (of(a, i) ^ 8) - 8; },
      [&](std::size_t i) { return of(b, i); });
  return warp_problem().in(a).in(b).in(matrix.metadata).out(c);
}

constexpr std::size_t kRowWords = 16;

/// joined(a, b): the bits that count.
template <typename Joined>
std::vector<int> counts_of_bits(std::size_t rows, std::size_t columns, const std::vector<std::uint32_t>& a,
                                const std::vector<std::uint32_t>& b, const Joined& joined) {
  std::vector<int> c(rows * columns);
  for (std::size_t i = 0; i < c.size(); ++i) {
    for (std::size_t word = 0; word < kRowWords; ++word) {
      c[i] += std::popcount(joined(a[i / columns * kRowWords + word], b[i % columns * kRowWords + word]));
    }
  }
  return c;
}

std::uint32_t in_both(std::uint32_t a, std::uint32_t b) {
  return a & b;
}
std::uint32_t in_one(std::uint32_t a, std::uint32_t b) {
  return a ^ b;
}

Problem bits_by_warps(Numbers numbers, std::uint32_t (*joined)(std::uint32_t, std::uint32_t)) {
  const auto a = numbers.words(kGroupRows * kRowWords);
  const auto b = numbers.words(kGroupColumns * kRowWords);
  return warp_problem().in(a).in(b).out(counts_of_bits(kGroupRows, kGroupColumns, a, b, joined));
}

Problem mma_bits_and() {
  return bits_by_warps(Numbers(80), in_both);
}

Problem mma_bits_xor() {
  return bits_by_warps(Numbers(81), in_one);
}

constexpr std::size_t kRowsOfBits = 64;

Problem warpgroup_of_bits() {
  Problem problem({kGroupColumns / 16, 1, 1}, {128, 1, 1});
  return problem.value(int{kGroupColumns});
}

Problem wgmma_bits() {
  Numbers numbers(82);
  const auto a = numbers.words(kRowsOfBits * kRowWords);
  const auto b = numbers.words(kGroupColumns * kRowWords);
  return warpgroup_of_bits().in(a).in(b).out(counts_of_bits(kRowsOfBits, kGroupColumns, a, b, in_both));
}

Problem wgmma_bits_registers() {
  Numbers numbers(83);
  const auto a = numbers.words(kRowsOfBits * kRowWords);
  const auto b = numbers.words(kGroupColumns * kRowWords);
  const std::vector<int> before = numbers.integers(kRowsOfBits * kGroupColumns, -1000, 1000);
  std::vector<int> after = counts_of_bits(kRowsOfBits, kGroupColumns, a, b, in_both);
  for (std::size_t i = 0; i < after.size(); ++i) {
    after[i] += before[i];
  }
  return warpgroup_of_bits().in(a).in(b).in_out(before, after);
}

}  // namespace

std::vector<KernelCase> sparse_cases() {
  return {
      {"mma_sparse", "mma_sparse_f16", 80, "exact", mma_sparse_f16},
      {"mma_sparse", "mma_sparse_tf32", 80, "exact", mma_sparse_tf32},
      {"mma_sparse", "mma_sparse_int8", 80, "exact", mma_sparse_int8},
      {"mma_sparse", "mma_sparse_int4", 80, "exact", mma_sparse_int4},
      {"mma_bits", "mma_bits_and", 80, "exact", mma_bits_and},
      {"mma_bits", "mma_bits_xor", 80, "exact", mma_bits_xor},
      {"wgmma_sparse", "wgmma_sparse_f16", 90, "exact", wgmma_sparse_f16},
      {"wgmma_sparse", "wgmma_sparse_bf16", 90, "exact", wgmma_sparse_bf16},
      {"wgmma_sparse", "wgmma_sparse_tf32", 90, "exact", wgmma_sparse_tf32},
      {"wgmma_sparse", "wgmma_sparse_fp8", 90, "exact", wgmma_sparse_fp8},
      {"wgmma_sparse", "wgmma_sparse_int8", 90, "exact", wgmma_sparse_int8},
      {"wgmma_bits", "wgmma_bits", 90, "exact", wgmma_bits},
      {"wgmma_bits", "wgmma_bits_registers", 90, "exact", wgmma_bits_registers},
  };
}

}  // namespace gpusim::exec
