// SPDX-License-Identifier: MIT
// Instructions of one kind each: formats, conversions, bits, functions, exchanges within a warp.
#include <algorithm>
#include <bit>
#include <limits>

#include "tests/exec/kernels/numbers.h"
#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {
namespace {

constexpr std::size_t kArithmeticThreads = 128;

/// Two CTAs of 64 threads; the columns of a thread's results one after another.
Problem launch() {
  return Problem({2, 1, 1}, {64, 1, 1});
}

/// a + b, rounded down or up instead of to nearest.
double directed_sum(double a, double b, bool up) {
  const double sum = a + b;
  const double of_b = sum - a;
  const double error = (a - (sum - of_b)) + (b - of_b);
  if (error == 0 || (error > 0) != up) {
    return sum;
  }
  return std::nextafter(sum, up ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity());
}

Problem fp64_arithmetic() {
  Numbers numbers(41);
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> out;
  for (std::size_t i = 0; i < kArithmeticThreads; ++i) {
    const double a = numbers.real(-100, 100) + numbers.real(0, 1e-6);
    const double b = numbers.real(-1, 1) + numbers.real(0, 1e-9);
    x.push_back(a);
    y.push_back(b);
    out.insert(out.end(), {a + b, a * b, std::fma(a, b, 1.0), a / b, std::sqrt(std::abs(a)), std::min(a, b),
                           a > b ? std::floor(a) : std::ceil(b), directed_sum(a, b, false) - directed_sum(a, b, true)});
  }
  return launch().in(x).in(y).out(out);
}

std::uint32_t pair_of(std::uint16_t low, std::uint16_t high) {
  return low | std::uint32_t{high} << 16U;
}
std::uint16_t half_of(std::uint32_t pair, unsigned which) {
  return static_cast<std::uint16_t>(pair >> (16 * which));
}

Problem half_arithmetic() {
  Numbers numbers(42);
  std::vector<std::uint32_t> x;
  std::vector<std::uint32_t> y;
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < kArithmeticThreads; ++i) {
    const auto pick = [&] { return half_bits(numbers.real(-4, 4)); };
    x.push_back(pair_of(pick(), pick()));
    y.push_back(i % 8 == 0 ? x.back() : pair_of(pick(), pick()));
    const auto each = [&](const auto& result) {
      std::uint16_t halves[2];
      for (const unsigned which : {0U, 1U}) {
        halves[which] = half_bits(result(half_value(half_of(x[i], which)), half_value(half_of(y[i], which))));
      }
      out.push_back(pair_of(halves[0], halves[1]));
    };
    each([](double a, double b) { return a + b; });
    each([](double a, double b) { return a * b; });
    each([](double a, double b) { return a * b - a; });
    each([](double a, double b) { return std::clamp(a - b, 0.0, 1.0); });
    each([](double a, double b) { return a > b ? 1.0 : 0.0; });
    out.push_back(pair_of(half_of(x[i], 0), half_of(y[i], 0)));
    out.push_back(pair_of(half_bits(static_cast<float>(half_value(half_of(x[i], 0))) * 0.3F),
                          half_bits(static_cast<float>(half_value(half_of(y[i], 1))) + 0.7F)));
    each([](double, double) { return 1.0; });
  }
  return launch().in(x).in(y).out(out);
}

Problem bf16_arithmetic() {
  Numbers numbers(43);
  std::vector<std::uint32_t> x;
  std::vector<std::uint32_t> y;
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < kArithmeticThreads; ++i) {
    const auto pick = [&] { return bfloat_bits(numbers.real(-4, 4)); };
    x.push_back(pair_of(pick(), pick()));
    y.push_back(pair_of(pick(), pick()));
    const auto each = [&](const auto& result) {
      std::uint16_t halves[2];
      for (const unsigned which : {0U, 1U}) {
        halves[which] = bfloat_bits(result(bfloat_value(half_of(x[i], which)), bfloat_value(half_of(y[i], which))));
      }
      out.push_back(pair_of(halves[0], halves[1]));
    };
    each([](double a, double b) { return a + b; });
    each([](double a, double b) { return a * b; });
    each([](double a, double b) { return a * b - a; });
    each([](double a, double b) { return std::max(a, b); });
    each([](double a, double b) { return std::min(a, b); });
    out.push_back(pair_of(bfloat_bits(static_cast<float>(bfloat_value(half_of(x[i], 0))) * 0.3F),
                          bfloat_bits(static_cast<float>(bfloat_value(half_of(y[i], 1))) + 0.7F)));
  }
  return launch().in(x).in(y).out(out);
}

template <typename Integer>
Integer saturated(double value) {
  using Limits = std::numeric_limits<Integer>;
  if (value >= static_cast<double>(Limits::max())) {
    return Limits::max();
  }
  return value <= static_cast<double>(Limits::min()) ? Limits::min() : static_cast<Integer>(value);
}

float toward_zero(double value) {
  const auto nearest = static_cast<float>(value);
  return std::abs(double{nearest}) > std::abs(value) ? std::nextafter(nearest, 0.0F) : nearest;
}

std::uint64_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

Problem conversions() {
  Numbers numbers(44);
  std::vector<float> x = numbers.reals(kArithmeticThreads, -2000, 2000);
  const float special[] = {0.0F, -0.0F, 0.5F, -0.5F, 1.5F, 2.5F, -2.5F, 3e9F, -3e9F, 1e20F, -1e20F, 65519.0F, 1e-6F};
  std::ranges::copy(special, x.begin());
  std::vector<std::int64_t> wide;
  std::vector<std::uint64_t> out;
  const auto unsigned_of = [](double value) {
    return std::uint64_t{static_cast<std::uint32_t>(saturated<int>(value))};
  };
  for (std::size_t i = 0; i < kArithmeticThreads; ++i) {
    const float a = x[i];
    const std::int64_t w = static_cast<std::int64_t>(std::uint64_t{numbers.word()} << 32U | numbers.word()) >> (i % 40);
    wide.push_back(w);
    out.insert(out.end(),
               {unsigned_of(std::nearbyint(a)), unsigned_of(std::trunc(a)), unsigned_of(std::floor(a)),
                unsigned_of(std::ceil(a)), saturated<std::uint32_t>(a),
                static_cast<std::uint64_t>(saturated<std::int64_t>(a)), bits_of(static_cast<float>(w)),
                bits_of(toward_zero(static_cast<int>(w))), bits_of(static_cast<float>(static_cast<std::uint32_t>(w))),
                std::bit_cast<std::uint64_t>(static_cast<double>(w)), std::bit_cast<std::uint64_t>(double{a}),
                bits_of(static_cast<float>(static_cast<double>(w) * 0.1)), half_bits(a),
                static_cast<std::uint64_t>(w) & 0xffU, bits_of(std::trunc(a)) ^ bits_of(std::nearbyint(a)),
                static_cast<std::uint32_t>(static_cast<std::int16_t>(w)) + static_cast<std::uint16_t>(w >> 8U)});
  }
  return launch().in(x).in(wide).out(out);
}

Problem division() {
  Numbers numbers(45);
  std::vector<int> x;
  std::vector<int> y;
  std::vector<std::int64_t> wide;
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < kArithmeticThreads; ++i) {
    const int a = static_cast<int>(numbers.word()) >> (i % 20);
    int b = static_cast<int>(numbers.word()) >> (i % 31);
    b += b == 0 ? 3 : 0;
    const std::int64_t w = static_cast<std::int64_t>(std::uint64_t{numbers.word()} << 32U | numbers.word()) >> (i % 50);
    const auto ua = static_cast<std::uint32_t>(a);
    const auto ub = static_cast<std::uint32_t>(b);
    x.push_back(a);
    y.push_back(b);
    wide.push_back(w);
    const auto as_int = [](float value) { return std::int64_t{std::bit_cast<int>(value)}; };
    out.insert(out.end(), {a / b, a % b, ua / ub, ua % ub, w / b, w % b, a / 7 + a % 1000,
                           static_cast<std::int64_t>(static_cast<std::uint64_t>(w) / 10),
                           as_int(static_cast<float>(a) / static_cast<float>(b)),
                           as_int(std::sqrt(std::abs(static_cast<float>(a))))});
  }
  return launch().in(x).in(y).in(wide).out(out);
}

std::uint32_t permuted(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t both = a | std::uint64_t{b} << 32U;
  std::uint32_t result = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    result |= static_cast<std::uint32_t>(both >> (8 * (selector >> (4 * byte) & 7U)) & 0xffU) << (8 * byte);
  }
  return result;
}

std::uint32_t by_bytes(std::uint32_t a, std::uint32_t b) {
  std::uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const int distance = static_cast<int>(a >> shift & 0xffU) - static_cast<int>(b >> shift & 0xffU);
    result |= static_cast<std::uint32_t>(std::abs(distance)) << shift;
  }
  return result;
}

std::uint32_t dot_of_bytes(std::uint32_t a, std::uint32_t b, int sum) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    sum += static_cast<std::int8_t>(a >> shift) * static_cast<std::int8_t>(b >> shift);
  }
  return static_cast<std::uint32_t>(sum);
}

std::uint32_t reversed(std::uint32_t value) {
  std::uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    result |= (value >> bit & 1U) << (31 - bit);
  }
  return result;
}

Problem bits() {
  Numbers numbers(46);
  std::vector<std::uint32_t> x;
  std::vector<std::uint32_t> y;
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < kArithmeticThreads; ++i) {
    const std::uint32_t a = i == 5 ? 0 : numbers.word() >> (i % 25);
    const std::uint32_t b = numbers.word();
    x.push_back(a);
    y.push_back(b);
    const std::uint64_t high_low = std::uint64_t{b} << 32U | a;
    const std::uint32_t clamped = std::min(b & 63U, 32U);
    const auto signed_a = static_cast<std::int32_t>(a);
    const auto signed_b = static_cast<std::int32_t>(b);
    const std::uint64_t product = std::uint64_t{a} * b;
    const std::int64_t signed_product = std::int64_t{signed_a} * signed_b;
    const int first = a == 0 ? 0 : std::countr_zero(a) + 1;
    const auto upper_of = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32U); };
    out.insert(out.end(),
               {upper_of(high_low << (b & 31U)), static_cast<std::uint32_t>(high_low >> (a & 31U)),
                upper_of(high_low << clamped), static_cast<std::uint32_t>(high_low >> clamped), permuted(a, b, a >> 3U),
                static_cast<std::uint32_t>(std::popcount(a) + 100 * std::countl_zero(a) + 10000 * first), reversed(a),
                upper_of(product), upper_of(static_cast<std::uint64_t>(signed_product)),
                static_cast<std::uint32_t>(std::abs(std::int64_t{signed_a} - signed_b)) + 5, dot_of_bytes(a, b, 77),
                by_bytes(a, b), (a << (b & 31U)) ^ static_cast<std::uint32_t>(signed_a >> (b & 31U)),
                static_cast<std::uint32_t>((std::uint64_t{a} << 32U | b) >> (a & 63U)), (a & b) | (~a & 0x0f0f0f0fU),
                static_cast<std::uint32_t>(std::popcount(product) + std::countl_zero(product))});
  }
  return launch().in(x).in(y).out(out);
}

Problem math_functions() {
  Numbers numbers(47);
  const std::vector<float> x = numbers.reals(kArithmeticThreads, 0.01, 50);
  const std::vector<float> y = numbers.reals(kArithmeticThreads, -10, 10);
  std::vector<float> out;
  for (std::size_t i = 0; i < kArithmeticThreads; ++i) {
    const double a = x[i];
    const double b = y[i];
    for (const double value :
         {std::sin(b), std::cos(double{x[i] * 1000}), std::exp(b), std::log(a), std::pow(a, b), 1 / std::sqrt(a),
          std::tanh(b), std::erf(b), std::sin(b), std::exp(b), std::log2(a), std::cbrt(a)}) {
      out.push_back(static_cast<float>(value));
    }
  }
  return launch().in(x).in(y).out(out, {3e-6, 3e-6});
}

Problem warp_shuffle_vote() {
  std::vector<int> in = Numbers(48).integers(kArithmeticThreads, 0, 5000);
  std::fill(in.begin() + 32, in.begin() + 64, 77);
  std::vector<std::uint32_t> out(kArithmeticThreads * 12);
  for (std::size_t first = 0; first < kArithmeticThreads; first += 32) {
    const int* of = &in[first];
    const auto lanes_where = [&](const auto& holds) {
      std::uint32_t mask = 0;
      for (unsigned lane = 0; lane < 32; ++lane) {
        mask |= static_cast<std::uint32_t>(holds(of[lane])) << lane;
      }
      return mask;
    };
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::uint32_t* to = &out[(first + lane) * 12];
      const std::uint32_t same = lanes_where([&](int value) { return value / 4096 == of[lane] / 4096; });
      const auto value_of = [&](unsigned other) { return static_cast<std::uint32_t>(of[other]); };
      to[0] = value_of(value_of(lane) & 31U);
      to[1] = value_of(lane >= 5 ? lane - 5 : lane);
      to[2] = value_of(lane % 16 + 3 < 16 ? lane + 3 : lane);
      to[3] = value_of(lane ^ 9U);
      to[4] = value_of((lane & ~7U) + 3);
      to[5] = lanes_where([](int value) { return value % 3 == 0; });
      to[6] = lanes_where([](int value) { return value > 1000; }) != 0 ? 1 : 0;
      to[7] = ~lanes_where([](int value) { return value > 2; }) == 0 ? 1 : 0;
      to[8] = lanes_where([&](int value) { return value % 7 == of[lane] % 7; });
      to[9] = ~same == 0 ? same : 0;
      to[10] = ~same == 0 ? 1 : 0;
      to[11] = of[lane] % 2 == 0 ? lanes_where([](int value) { return value % 4 == 0; }) : 0;
    }
  }
  return launch().in(in).out(out);
}

Problem warp_redux() {
  const std::vector<int> in = Numbers(49).integers(kArithmeticThreads, -5000, 5000);
  std::vector<int> out(kArithmeticThreads * 6);
  for (std::size_t first = 0; first < kArithmeticThreads; first += 32) {
    std::int64_t sum = 0;
    int least = in[first];
    std::uint32_t most = 0;
    std::uint32_t all = ~0U;
    std::uint32_t any = 0;
    std::uint32_t odd = 0;
    for (std::size_t i = first; i < first + 32; ++i) {
      const auto word = static_cast<std::uint32_t>(in[i]);
      sum += in[i];
      least = std::min(least, in[i]);
      most = std::max(most, word);
      all &= word;
      any |= word;
      odd ^= word;
    }
    for (std::size_t i = first; i < first + 32; ++i) {
      const int results[] = {static_cast<int>(sum),  least,
                             static_cast<int>(most), static_cast<int>(all),
                             static_cast<int>(any),  static_cast<int>(odd)};
      std::ranges::copy(results, &out[i * 6]);
    }
  }
  return launch().in(in).out(out);
}

/// What `of_half` gives for the lower and the upper half of three words, as numbers of the type.
template <class Half, class OfHalf>
std::uint32_t of_halves(std::uint32_t a, std::uint32_t b, std::uint32_t c, const OfHalf& of_half) {
  const auto of = [&](unsigned shift) {
    const Half half =
        of_half(static_cast<Half>(a >> shift), static_cast<Half>(b >> shift), static_cast<Half>(c >> shift));
    return std::uint32_t{static_cast<std::uint16_t>(half)} << shift;
  };
  return of(0) | of(16);
}

/// Sums wrap.
template <class Half>
Half half_sum(Half a, Half b) {
  return static_cast<Half>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

/// 2 where the upper half of a result is that of a word, and 1 where the lower one is.
std::uint32_t kept_halves(std::uint32_t result, std::uint32_t word) {
  return (result >> 16U == word >> 16U ? 2U : 0U) + ((result & 0xffffU) == (word & 0xffffU) ? 1U : 0U);
}

template <class T>
T least(T x, T y, T z) {
  return std::min({x, y, z});
}
template <class T>
T most(T x, T y, T z) {
  return std::max({x, y, z});
}
template <class T>
T relu(T value) {
  return std::max(value, T{0});
}

void append_minima(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t block,
                   std::vector<std::uint32_t>& out) {
  using S16 = std::int16_t;
  using U16 = std::uint16_t;
  const auto number = [](std::uint32_t word) { return static_cast<std::int32_t>(word); };
  const auto word = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
  const std::int32_t least_number = least(number(a), number(b), number(c));
  const std::int32_t most_number = most(number(a), number(b), number(c));
  const std::uint32_t most_of_two = of_halves<S16>(a, b, c, [](S16 x, S16 y, S16) { return std::max(x, y); });
  const std::uint32_t least_of_two = of_halves<U16>(b, c, a, [](U16 x, U16 y, U16) { return std::min(x, y); });
  const std::uint32_t results[] = {
      word(least_number),
      word(most_number),
      least(a, b, c),
      most(a, b, c),
      word(relu(least_number)),
      word(relu(most_number)),
      of_halves<S16>(a, b, c, least<S16>),
      of_halves<S16>(a, b, c, most<S16>),
      of_halves<U16>(a, b, c, least<U16>),
      of_halves<U16>(a, b, c, most<U16>),
      of_halves<S16>(a, b, c, [](S16 x, S16 y, S16 z) { return relu(least(x, y, z)); }),
      of_halves<S16>(a, b, c, [](S16 x, S16 y, S16 z) { return relu(most(x, y, z)); }),
      word(std::min(number(a + b), number(c))),
      std::max(a + b, c),
      word(relu(std::max(number(a + b), number(c)))),
      of_halves<S16>(a, b, c, [](S16 x, S16 y, S16 z) { return std::min(half_sum(x, y), z); }),
      of_halves<U16>(a, b, c, [](U16 x, U16 y, U16 z) { return std::max(half_sum(x, y), z); }),
      of_halves<S16>(a, b, c, [](S16 x, S16 y, S16 z) { return relu(std::max(half_sum(x, y), z)); }),
      most_of_two,
      kept_halves(most_of_two, a),
      least_of_two,
      kept_halves(least_of_two, b),
      word(least(number(a), 12345, number(c))),
      most(a >> 8U, block << 23U, c >> 9U)};
  out.insert(out.end(), std::begin(results), std::end(results));
}

Problem minima() {
  std::vector<std::uint32_t> in = Numbers(59).words(3 * kArithmeticThreads);
  const std::uint32_t special[] = {0, 0x80000000, 0x7fffffff, 0xffffffff, 0x8000ffff, 0x7fff8000, 0x00010001};
  std::ranges::copy(special, in.begin());
  std::ranges::copy(special, in.begin() + kArithmeticThreads);  // equal numbers
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < kArithmeticThreads; ++i) {
    append_minima(in[i], in[kArithmeticThreads + i], in[2 * kArithmeticThreads + i], static_cast<std::uint32_t>(i / 64),
                  out);
  }
  return launch().in(in).out(out);
}

}  // namespace

std::vector<KernelCase> arithmetic_cases() {
  return {
      {"fp64", "fp64_arithmetic", 75, "exact", fp64_arithmetic},
      {"half", "half_arithmetic", 75, "exact", half_arithmetic},
      {"bf16", "bf16_arithmetic", 80, "exact", bf16_arithmetic},
      {"conversions", "conversions", 75, "exact", conversions},
      {"division", "division", 75, "exact", division},
      {"bits", "bits", 75, "exact", bits},
      {"minima", "minima", 75, "exact", minima},
      {"math", "math_functions", 75, "3e-6", math_functions},
      {"warp_ops", "warp_shuffle_vote", 75, "exact", warp_shuffle_vote},
      {"redux", "warp_redux", 80, "exact", warp_redux},
  };
}

}  // namespace gpusim::exec
