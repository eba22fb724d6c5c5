// SPDX-License-Identifier: MIT
#include "sim/model/trace/table.h"

#include <numeric>
#include <utility>

#include "sim/base/hash.h"
#include "sim/model/trace/dealing.h"
#include "sim/model/trace/expression.h"

namespace gpusim::trace {
namespace {

/// Exchanges each entry with a random one before it: with itself allowed every permutation is equally likely
/// (Fisher-Yates), without, every cyclic one (Sattolo).
std::vector<std::uint32_t> shuffled(std::uint64_t count, std::int64_t seed, bool cyclic) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0U);
  for (std::uint64_t i = count; i > 1; --i) {
    const std::uint64_t random = mix64(mix64(static_cast<std::uint64_t>(seed)) + i * 0x9e3779b97f4a7c15ULL);
    const auto choices = static_cast<std::uint32_t>(cyclic ? i - 1 : i);
    std::swap(values[i - 1], values[scale_to(random, choices)]);
  }
  return values;
}

}  // namespace

Table Table::permutation(std::uint64_t count, std::int64_t seed) {
  Table table;
  table.count_ = count;
  table.stored_ = shuffled(count, seed, false);
  return table;
}

Table Table::chain(std::uint64_t count, std::int64_t seed) {
  Table table;
  table.count_ = count;
  table.stored_ = shuffled(count, seed, true);
  return table;
}

Table Table::hashed(std::uint64_t count, std::int64_t seed, std::int64_t modulus) {
  Table table;
  table.kind_ = Kind::kHashed;
  table.count_ = count;
  table.a_ = seed;
  table.b_ = modulus;
  return table;
}

Table Table::affine(std::uint64_t count, std::int64_t a, std::int64_t b) {
  Table table;
  table.kind_ = Kind::kAffine;
  table.count_ = count;
  table.a_ = a;
  table.b_ = b;
  return table;
}

Table Table::offsets(std::uint64_t count, std::int64_t seed, const Steps& steps) {
  constexpr std::uint64_t kFractionBits = 16;
  constexpr std::uint64_t kFraction = (1ULL << kFractionBits) - 1;
  Fault none;
  Table table;
  table.count_ = count;
  table.stored_.reserve(count);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    table.stored_.push_back(static_cast<std::uint32_t>(sum));
    const std::uint64_t u =
        static_cast<std::uint64_t>(apply(ExprOp::kHash, seed, static_cast<std::int64_t>(i), 0, none)) & kFraction;
    // The range counts one more than its width, so that the longest step does occur.
    std::uint64_t way = static_cast<std::uint64_t>(steps.most - steps.least + 1) * u >> kFractionBits;
    for (std::int64_t power = 1; power < steps.power; ++power) {
      way = way * u >> kFractionBits;
    }
    sum += static_cast<std::uint64_t>(steps.least) + way;
  }
  return table;
}

Table Table::stored(std::vector<std::uint32_t> entries) {
  Table table;
  table.count_ = entries.size();
  table.stored_ = std::move(entries);
  return table;
}

Table Table::first_free(const Dealing& dealing) {
  Table table;
  table.count_ = dealing.entries();
  table.stored_ = dealt(dealing);
  return table;
}

std::int64_t Table::at(std::int64_t index) const {
  if (kind_ == Kind::kStored) [[likely]] {
    return stored_[static_cast<std::size_t>(index)];
  }
  Fault none;
  return kind_ == Kind::kHashed ? apply(ExprOp::kHash, a_, index, 0, none) % b_
                                : apply(ExprOp::kAdd, apply(ExprOp::kMultiply, a_, index, 0, none), b_, 0, none);
}

}  // namespace gpusim::trace
