// SPDX-License-Identifier: MIT
#include "sim/system/generate/image_kernels.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
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

bool is_of(const Target& target, std::string_view compute_capability) {
  return target.compute_capability == compute_capability;
}

/// Products in FP32 with cuBLAS.
struct Fp32Products {
  std::string_view compute_capability;
  double reach;  ///< share of the peak at the boost clock
  double clock;  ///< what the power limit leaves of the boost clock
};
/// Where somebody measured them: 13.5 to 13.9 TFLOP/s of 14.1 on V100 (PCIe), 17.5 to 17.9 of 19.5 on A100, 3.8 to 4.0
/// of 8.1 on T4 (NeuSight's data set at 6945927d, linear.csv; PyTorch 2.1). That is half of V100's reach, so 70 W are
/// taken to halve T4's clock. Kind: inferred.
constexpr std::array<Fp32Products, 3> kFp32Products{{{"7.0", 0.96, 1}, {"7.5", 0.48, 0.5}, {"8.0", 0.91, 1}}};

/// Null where nobody measured them.
const Fp32Products* fp32_products(const Target& target) {
  const auto found = std::ranges::find(kFp32Products, target.compute_capability, &Fp32Products::compute_capability);
  return found == kFp32Products.end() ? nullptr : &*found;
}

/// What the power limit leaves busy SMs of the boost clock, as far as reach_of() has it.
double kept_clock_of(const Target& target, Precision precision) {
  if (is_half(precision)) {
    return target.product_clock;
  }
  const Fp32Products* const products = precision == Precision::kFp32 ? fp32_products(target) : nullptr;
  return products == nullptr ? 1 : products->clock;
}

Reach same_reach(double reach) {
  return {reach, reach, {reach, reach, reach}, reach, {reach, reach, reach}};
}

Reach scaled(const Reach& of, double by) {
  constexpr double kMost = 0.85;
  const auto times = [=](double reach) { return std::min(std::max(reach, kMost), reach * by); };
  return {times(of.stem),
          times(of.narrow),
          {times(of.wide[0]), times(of.wide[1]), times(of.wide[2])},
          times(of.strided_gradient),
          {times(of.pixel[0]), times(of.pixel[1]), times(of.pixel[2])}};
}

/// As measured on Hopper. cuDNN's kernels for TF32 are those of Ampere, with mma.sync, which has at most 63 % of
/// Hopper's peak, but all of that of the GPUs before; so they reach more of it there. A card whose power limit leaves
/// less of its clock reaches so much less of the peak at the boost clock.
Reach reach_of(const Target& target, Precision precision) {
  static constexpr Reach kHalf{0.26, 0.40, {0.65, 0.65, 0.46}, 0.5, {0.75, 0.75, 0.67}};
  static constexpr Reach kTf32{0.14, 0.33, {0.40, 0.35, 0.28}, 0.3, {0.85, 0.85, 0.62}};
  static constexpr Reach kFp32{0.40, 0.50, {0.67, 0.46, 0.35}, 0.46, {0.67, 0.46, 0.35}};
  constexpr double kMmaOfHopper = 0.63;
  if (precision == Precision::kFp32) {
    const Fp32Products* const products = fp32_products(target);
    return products == nullptr ? kFp32 : same_reach(products->reach);
  }
  if (precision == Precision::kTf32) {
    return is_of(target, "9.0") ? kTf32 : scaled(kTf32, 1 / kMmaOfHopper);
  }
  return scaled(kHalf, kept_clock_of(target, precision));
}

/// FP32 kernels of Winograd's, which multiply 16 numbers for a square of four results in place of 36, and add much
/// besides. cuDNN takes them for filters of 3 x 3 that leave out no pixels, but not for gradients of weights.
bool is_winograd(const Target& target, Precision precision, const Convolution& of, Direction direction) {
  return precision == Precision::kFp32 && fp32_products(target) != nullptr && of.kernel == 3 && of.stride == 1 &&
         direction != Direction::kWeightGradient;
}

/// The share of the SMs that work, turn by turn, where a CTA has a tile of 128 places and 64 channels of what is
/// written. Products for gradients of weights are split over their depth instead, and single pixels on tensor cores
/// wait for memory. SMs without work leave their power to the others, whose clock is then higher.
double used_sms(const Target& target, Precision precision, const Convolution& of, Direction direction) {
  constexpr std::uint64_t kPlaces = 128;
  constexpr std::uint64_t kChannels = 64;
  if (direction == Direction::kWeightGradient || (of.kernel == 1 && precision != Precision::kFp32)) {
    return 1;
  }
  const bool is_forward = direction == Direction::kForward;
  const std::uint64_t written = is_forward ? places(of) : of.batch * of.in_side * of.in_side;
  const std::uint64_t channels = is_forward ? of.out : of.in;
  const std::uint64_t tiles = ((written + kPlaces - 1) / kPlaces) * ((channels + kChannels - 1) / kChannels);
  const std::uint64_t turns = (tiles + target.sms - 1) / target.sms;
  const double used = static_cast<double>(tiles) / static_cast<double>(turns * target.sms);
  return std::min(1.0, used / kept_clock_of(target, precision));
}

/// Nanoseconds that a kernel for Hopper's tensor cores takes besides what grows with the batch: it begins, goes through
/// the depth of a tile while the next is not there, waits in a last turn that does not fill the SMs, and ends. They are
/// what the H200 took longer in all with 32 images than by the reach alone: 248 us for 38 kernels forward and for
/// gradients of images, 219 us for 52 gradients of weights, of which cuBLAS does half
/// (tests/validation/silicon/h200). With 16 images it is as much. In FP16; others were not measured.
double besides_ns(const Target& target, Precision precision, Direction direction) {
  constexpr double kOfImages = 6500;
  constexpr double kOfWeights = 4200;
  if (!is_half(precision) || !is_of(target, "9.0")) {
    return 0;
  }
  return direction == Direction::kWeightGradient ? kOfWeights : kOfImages;
}

/// With Winograd's form the FLOPs are those that are done, fewer than the model's.
KernelForm roofline(const Target& target, Precision precision, const Convolution& of, Direction direction) {
  constexpr double kFewer = 36.0 / 16;
  // What V100 takes for ResNet-50 in FP32 with batch 256 leaves them (tests/validation/steps/published-recipes.yaml).
  // Others reach 93 % there with such a kernel, 2.13 times what cuDNN's does at worst (Yan et al., PPoPP 2020).
  constexpr double kOfProducts = 0.73;
  const bool is_fewer = is_winograd(target, precision, of, direction);
  const double flops = flops_of(of) / (is_fewer ? kFewer : 1);
  const double reach = reach_of(target, precision).by(direction, of) * (is_fewer ? kOfProducts : 1) *
                       used_sms(target, precision, of, direction);
  return {Roofline{flops, bytes_of(of, precision), peak_of(target, precision), reach, 0,
                   besides_ns(target, precision, direction)},
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

/// What kernels of batch norm reach of DRAM, and an SM's cycles for an element of 16 bits: by an H100 and an H200, for
/// other GPUs a guess.
struct BatchNorm {
  double reach;
  double cycles;
};

/// CTAs of a channel wait for each other between the passes: 2.3 us a kernel, by an H200's forward kernels for few rows
/// (52 with 32 images, 899 us for 660 MB; 41 with 128 images, 1,753 us for 1,406 MB).
KernelForm normalising(const BatchNorm& by, double bytes, double elements) {
  constexpr double kWaitNs = 1800;  // without the kernel's launch
  return {Roofline{0, bytes, "fp32", by.reach, by.cycles * elements, kWaitNs}, 0};
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

KernelForm moving_by_sms(double bytes, double bytes_a_cycle) {
  constexpr double kReachOfCopies = 0.85;
  return {Roofline{0, bytes, "fp32", kReachOfCopies, bytes / bytes_a_cycle}, 0};
}

/// Mean and variance, then the normalised image: it is read twice and written once. Few rows stay on the SMs between:
/// 0.66 of DRAM's peak for the same bytes on an H100. An H200's DRAM is faster, and its SMs are not: they take 1.2 us
/// for a MB of few rows (normalising() says of which kernels), and 0.93 us of many with 64 images and more. In FP32
/// DRAM is slower than the SMs.
KernelForm batch_norm(Precision precision, double elements, std::uint64_t rows) {
  constexpr double kPasses = 3;
  constexpr std::uint64_t kFewRows = 150'000;
  constexpr BatchNorm kForFew{0.66, 0.625};
  constexpr BatchNorm kForMany{0.85, 0.485};
  const double bytes = kPasses * elements * static_cast<double>(element_bytes(precision));
  const bool is_few = rows <= kFewRows;
  if (!is_half(precision)) {
    return is_few ? KernelForm{Roofline{0, bytes, "fp32", kForFew.reach}, 0} : moving(bytes);
  }
  return normalising(is_few ? kForFew : kForMany, bytes, elements);
}

/// The H200's 41 kernels for few rows took 638 us for 351 MB with 32 images, those for many rows 1.27 us for a MB.
KernelForm batch_norm_backward(Precision precision, double elements, std::uint64_t rows) {
  constexpr double kPasses = 5;
  constexpr std::uint64_t kFewRows = 75'000;
  constexpr BatchNorm kForFew{0.85, 0.83};
  constexpr BatchNorm kForMany{0.85, 0.66};
  const double bytes = kPasses * elements * static_cast<double>(element_bytes(precision));
  return is_half(precision) ? normalising(rows > kFewRows ? kForMany : kForFew, bytes, elements) : moving(bytes);
}

/// PyTorch's pooling is slowed by what it calculates for addresses, which is the SMs' work: with 128 images 432 us
/// forward and 913 us backward on an H100, 415 us and 910 us on an H200, whose DRAM is faster by half. In FP32 the H200
/// takes 442 us and 913 us for twice the bytes.
KernelForm max_pool(double bytes, double outputs) {
  constexpr double kReach = 0.32;
  constexpr double kCycles = 4.2;  // an SM's for a pixel that it writes
  return {Roofline{0, bytes, "fp32", kReach, kCycles * outputs}, 0};
}

KernelForm max_pool_backward(double bytes, double inputs) {
  constexpr double kReach = 0.15;
  constexpr double kCycles = 2.3;
  return {Roofline{0, bytes, "fp32", kReach, kCycles * inputs}, 0};
}

}  // namespace gpusim::generate
