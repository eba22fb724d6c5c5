// SPDX-License-Identifier: MIT
#include "sim/system/generate/image_kernels.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gpusim::generate {

using application::Roofline;
using application::Simulated;

namespace {

bool is_half(Precision precision) {
  return precision == Precision::kBf16 || precision == Precision::kFp16;
}

std::uint64_t places(const Convolution& of) {
  return of.batch * of.out_side * of.out_side;
}

double flops_of(const Convolution& of) {
  return 2.0 * static_cast<double>(places(of) * of.kernel * of.kernel) * static_cast<double>(of.in * of.out);
}

/// Image, result and weights once. A stride larger than the kernel leaves pixels out.
double bytes_of(const Convolution& of, Precision precision) {
  const std::uint64_t read = std::min(of.in_side, of.out_side * of.kernel);
  const std::uint64_t elements = of.batch * read * read * of.in + places(of) * of.out;
  return static_cast<double>((elements + of.kernel * of.kernel * of.in * of.out) * element_bytes(precision));
}

std::string peak_of(const Target& target, Precision precision) {
  const bool is_volta = target.compute_capability < "8.0" && target.compute_capability.size() == 3;
  switch (precision) {
    case Precision::kFp32: return "fp32";
    case Precision::kTf32: return is_volta ? "fp32" : "tf32_tensor";
    case Precision::kBf16: return is_volta ? "fp16_tensor" : "bf16_tensor";
    case Precision::kFp16: break;
  }
  return "fp16_tensor";
}

/// Shares of the roofline, the larger of both parts, that cuDNN's kernels reach.
struct Reach {
  double stem;              ///< filters of 7 x 7 on three channels, all directions
  double narrow;            ///< 3 x 3 on at most 64 channels
  double wide[3];           ///< 3 x 3, by direction
  double strided_gradient;  ///< the gradient of the input, where pixels were left out
  double pixel[3];          ///< 1 x 1, by direction
  double by(Direction direction, const Convolution& of) const {
    constexpr std::uint64_t kNarrow = 64;
    const auto index = static_cast<std::size_t>(direction);
    if (of.kernel > 3) {
      return stem;
    }
    if (of.stride > 1 && direction == Direction::kInputGradient) {
      return strided_gradient;
    }
    return of.kernel == 1 ? pixel[index] : std::min(of.in, of.out) <= kNarrow ? narrow : wide[index];
  }
};

const Reach& reach_of(Precision precision) {
  static constexpr Reach kHalf{0.26, 0.40, {0.65, 0.65, 0.46}, 0.5, {0.75, 0.75, 0.67}};
  static constexpr Reach kTf32{0.14, 0.33, {0.40, 0.35, 0.28}, 0.3, {0.85, 0.85, 0.62}};
  static constexpr Reach kFp32{0.40, 0.50, {0.67, 0.46, 0.35}, 0.46, {0.67, 0.46, 0.35}};
  return is_half(precision) ? kHalf : precision == Precision::kTf32 ? kTf32 : kFp32;
}

KernelForm roofline(const Target& target, Precision precision, const Convolution& of, Direction direction) {
  const double flops = flops_of(of);
  return {Roofline{flops, bytes_of(of, precision), peak_of(target, precision), reach_of(precision).by(direction, of)},
          flops};
}

/// The library's convolution, where shape and GPU allow it; without parameters they do not.
Simulated implicit_product(const Target& target, const Convolution& of) {
  const auto text = [](std::uint64_t value) { return std::to_string(value); };
  const std::uint64_t tile_m = places(of) % 128 == 0 ? 128 : 64;
  const std::uint64_t tile_n = of.out % 128 == 0 ? 128 : 64;
  constexpr std::uint64_t kMostRows = 65535;
  const bool runs = target.compute_capability >= "8.0" && target.compute_capability != "9.0" &&
                    target.compute_capability.size() == 3 && of.kernel % 2 == 1 && of.in % 32 == 0 &&
                    of.out % tile_n == 0 && places(of) % tile_m == 0 && places(of) / tile_m <= kMostRows &&
                    of.in_side >= 4;
  if (!runs) {
    return {};
  }
  return {"conv-implicit-gemm",
          {{"batch", text(of.batch)},
           {"height", text(of.in_side)},
           {"width", text(of.in_side)},
           {"channels", text(of.in)},
           {"filters", text(of.out)},
           {"edge", text(of.kernel)},
           {"stride", text(of.stride)},
           {"tile_m", text(tile_m)},
           {"tile_n", text(tile_n)}}};
}

}  // namespace

KernelForm convolution(const Target& target, Precision precision, const Convolution& shape, Direction direction) {
  constexpr std::uint64_t kMostRows = 1'048'576;
  Convolution of = shape;
  if (direction == Direction::kInputGradient) {
    std::swap(of.in, of.out);
  }
  const bool is_gradient_of_weights = direction == Direction::kWeightGradient;
  if (!is_half(precision) || is_gradient_of_weights || (shape.stride > 1 && direction != Direction::kForward)) {
    return roofline(target, precision, shape, direction);
  }
  const bool is_pixel = of.kernel == 1 && of.stride == 1;
  if (is_pixel && places(of) <= kMostRows && places(of) > 1 && of.in % 8 == 0 && of.out % 8 == 0) {
    return product(target, Precision::kBf16, places(of), of.out, of.in);
  }
  if (Simulated how = implicit_product(target, of); !how.params.empty()) {
    return {std::move(how), flops_of(shape)};
  }
  return roofline(target, precision, shape, direction);
}

/// Mean and variance, then the normalised image: it is read twice and written once. Few rows stay on the SMs between,
/// where those of a channel wait for each other: 0.66 of DRAM's peak for the same bytes.
KernelForm batch_norm(double bytes, std::uint64_t rows) {
  constexpr double kPasses = 3;
  constexpr std::uint64_t kFewRows = 150'000;
  constexpr double kWaitingReach = 0.66;
  return rows > kFewRows ? moving(kPasses * bytes) : KernelForm{Roofline{0, kPasses * bytes, "fp32", kWaitingReach}, 0};
}

KernelForm batch_norm_backward(double bytes) {
  constexpr double kPasses = 5;
  return moving(kPasses * bytes);
}

// PyTorch's pooling is slowed by what it calculates for addresses: 432 us and 913 us of 462 MB each on an H100, batch
// 128.
KernelForm max_pool(double bytes) {
  constexpr double kReach = 0.32;
  return {Roofline{0, bytes, "fp32", kReach}, 0};
}

KernelForm max_pool_backward(double bytes) {
  constexpr double kReach = 0.15;
  return {Roofline{0, bytes, "fp32", kReach}, 0};
}

}  // namespace gpusim::generate
