// SPDX-License-Identifier: MIT
#include "sim/system/generate/resnet.h"

#include <string>
#include <vector>

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/system/generate/frame.h"
#include "sim/system/generate/image_kernels.h"
#include "sim/system/generate/step_builder.h"
#include "sim/system/models/operations.h"

namespace gpusim::generate {

using application::Application;
using application::Index;
using models::ImageOp;
using models::ImageOperation;

namespace {

constexpr double kFew = 4096;  ///< bytes of a kernel that moves next to nothing
constexpr Index kReady = 0;
constexpr Index kAllSummed = 1;

enum class ImagePass : std::uint8_t { kTraining, kInference };

class ResNetStep {
 public:
  ResNetStep(const ImageRequest& request, ImagePass pass)
      : request_(request),
        trains_(pass == ImagePass::kTraining),
        operations_(models::forward_pass(request.model)),
        builder_(application_, is_one_graph(request.mode) ? 0 : request.operator_ns),
        width_(static_cast<double>(element_bytes(request.precision))),
        is_half_(width_ == 2),
        is_eager_(!is_compiled(request.mode)) {}

  Application make();

 private:
  void train();
  void forward(const ImageOperation& of);
  void backward(const ImageOperation& of);
  void forward_convolution(const ImageOperation& of);
  void forward_batch_norm(const ImageOperation& of);
  void convert(const std::string& name, double bytes);
  [[nodiscard]] bool converts() const;
  void backward_convolution(const ImageOperation& of);
  void cast_weights(const ImageOperation& of);
  void cast_gradient(const ImageOperation& of);
  void pad_stem(const ImageOperation& of);
  void forward_linear(const ImageOperation& of);
  void backward_linear(const ImageOperation& of);
  void forward_loss();
  void backward_loss();
  void optimize();
  void sum_gradients(const ImageOperation& of);
  void sum_bucket();
  void launch(const std::string& name, double bytes) { builder_.launch(name, moving(bytes)); }
  /// Bytes of the images that an operation reads, and writes.
  [[nodiscard]] double in_bytes(const ImageOperation& of) const { return width_ * inputs(of); }
  [[nodiscard]] double out_bytes(const ImageOperation& of) const { return width_ * outputs(of); }
  [[nodiscard]] double inputs(const ImageOperation& of) const {
    return static_cast<double>(request_.batch * of.in_side * of.in_side * of.in);
  }
  [[nodiscard]] double outputs(const ImageOperation& of) const { return static_cast<double>(rows(of) * of.out); }
  [[nodiscard]] std::uint64_t rows(const ImageOperation& of) const {
    return request_.batch * of.out_side * of.out_side;
  }
  [[nodiscard]] Convolution shape_of(const ImageOperation& of) const {
    return {request_.batch, of.in, of.out, of.kernel, of.stride, of.in_side, of.out_side};
  }
  [[nodiscard]] static double weights_of(const ImageOperation& of) {
    double sum = 0;
    for (const models::Parameter& parameter : models::parameters_of(of)) {
      sum += static_cast<double>(parameter.count());
    }
    return sum;
  }

  const ImageRequest& request_;
  bool trains_;
  std::vector<ImageOperation> operations_;
  Application application_;
  StepBuilder builder_;
  double width_;  ///< bytes of an element of an image
  bool is_half_;
  bool is_eager_;
  double bucket_ = 0;  ///< bytes of gradients that wait to be summed
  bool is_first_bucket_ = true;
};

/// cuDNN's FP32 kernels want each channel on its own, those for tensor cores want the channels of a pixel together.
bool ResNetStep::converts() const {
  const bool is_fp32 = request_.precision == Precision::kFp32;
  return is_fp32 == (request_.layout == Layout::kChannelsLast);
}

/// Writes an image of so many bytes in the other layout, where a convolution's kernel wants that.
void ResNetStep::convert(const std::string& name, double bytes) {
  if (converts()) {
    const bool is_fp32 = request_.precision == Precision::kFp32;
    launch(name + (is_fp32 ? " to NCHW" : " to NHWC"), 2 * bytes);
  }
}

/// Weights in FP32 are not in L2: those of all other layers were read since.
void ResNetStep::cast_weights(const ImageOperation& of) {
  builder_.launch("weights cast", from_cold_caches(moving(6 * weights_of(of))));
}

/// PyTorch makes FP32 of FP16 one element at a time, as its trace of an H200 says (unrolled_elementwise_kernel).
void ResNetStep::cast_gradient(const ImageOperation& of) {
  const double weights = weights_of(of);
  builder_.launch("weights cast gradient", is_eager_ ? mixed(Mixed::kCast, weights) : moving(6 * weights));
}

/// cuDNN's nhwcAddPaddingKernel moves 1.5 to 1.7 TB/s on an H200, 6 bytes in a cycle of an SM.
void ResNetStep::pad_stem(const ImageOperation& of) {
  constexpr double kPadded = 1 + 4.0 / 3;
  constexpr double kBytesOfCycle = 6;
  if (!converts()) {
    builder_.launch(of.name + " pad", moving_by_sms(kPadded * in_bytes(of), kBytesOfCycle));
  }
  launch("weights pad", kFew);
}

/// Tensor cores have three channels padded to four. Their kernels write either layout in the forward pass
/// (tf32f32_f32_nhwckrsc_nchw and _nhwc in public traces of A100).
void ResNetStep::forward_convolution(const ImageOperation& of) {
  const bool is_stem = of.kernel > 3;
  const bool is_fp32 = request_.precision == Precision::kFp32;
  if (is_half_) {
    cast_weights(of);
  }
  convert(of.name, in_bytes(of));
  if (is_stem && !is_fp32) {
    pad_stem(of);
  }
  builder_.launch(of.name, convolution(request_.target, request_.precision, shape_of(of), Direction::kForward));
  if (is_fp32 && converts()) {
    launch(of.name + " to NHWC", 2 * out_bytes(of));
  }
}

/// The product of the weights' gradient is split over its depth, or begins with a kernel that makes its workspace. Each
/// of both gradients converts what it reads, where the layout is not its own: they are calls of their own.
void ResNetStep::backward_convolution(const ImageOperation& of) {
  const bool is_stem = of.kernel > 3;
  const bool is_fp32 = request_.precision == Precision::kFp32;
  if (!is_stem) {
    convert(of.name + " gradient", out_bytes(of));
    builder_.launch(of.name + " dgrad",
                    convolution(request_.target, request_.precision, shape_of(of), Direction::kInputGradient));
    if (converts()) {
      launch(of.name + (is_fp32 ? " gradient to NHWC" : " gradient to NCHW"), 2 * in_bytes(of));
    }
  }
  if (!is_fp32) {
    convert(of.name + " input", in_bytes(of));
    convert(of.name + " gradient", out_bytes(of));
  }
  if (is_stem && is_half_) {  // both once more: four such kernels are in traces of FP16, two in those of TF32
    pad_stem(of);
  }
  builder_.launch(of.name + " wgrad",
                  convolution(request_.target, request_.precision, shape_of(of), Direction::kWeightGradient));
  launch("weights join", width_ * weights_of(of));
  if (is_half_) {
    cast_gradient(of);
  }
  if (of.name.ends_with(".1.conv")) {  // gradients of the block, and of what went past it
    launch("gradients sum", 3 * in_bytes(of));
  }
}

/// In inference the means are known, so the image is read once.
void ResNetStep::forward_batch_norm(const ImageOperation& of) {
  if (!trains_) {
    if (is_eager_) {
      launch("batch norm", 2 * out_bytes(of));
    }
    return;
  }
  if (is_eager_) {
    launch("batches count", kFew);
    builder_.fill(static_cast<std::uint64_t>(kFew));
  }
  builder_.launch("batch norm", batch_norm(request_.precision, outputs(of), rows(of)));
}

void ResNetStep::forward_linear(const ImageOperation& of) {
  if (is_half_) {
    cast_weights(of);
    launch("bias cast", kFew);
  }
  const Precision precision = is_half_ ? Precision::kBf16 : request_.precision;
  builder_.launch(of.name, product(request_.target, precision, request_.batch, of.out, of.in));
}

void ResNetStep::backward_linear(const ImageOperation& of) {
  const Precision precision = is_half_ ? Precision::kBf16 : request_.precision;
  builder_.launch(of.name + " dgrad", product(request_.target, precision, request_.batch, of.in, of.out));
  builder_.launch(of.name + " wgrad", product(request_.target, precision, of.out, of.in, request_.batch));
  launch(of.name + " bias gradient", kFew);
  if (is_half_) {
    cast_gradient(of);
    launch("bias cast gradient", kFew);
  }
}

void ResNetStep::forward_loss() {
  launch("loss log-softmax", kFew);
  if (is_half_) {
    launch("loss cast", kFew);
  }
  launch("loss mean", kFew);
}

void ResNetStep::backward_loss() {
  for (const char* const name : {"loss fill", "loss fill", "loss mean backward", "loss log-softmax backward"}) {
    launch(name, kFew);
  }
  if (is_half_) {
    launch("loss cast backward", kFew);
  }
}

/// A compiler puts ReLU, and the sum at the end of a block, into the kernels around them.
void ResNetStep::forward(const ImageOperation& of) {
  switch (of.op) {
    case ImageOp::kConvolution: forward_convolution(of); break;
    case ImageOp::kBatchNorm: forward_batch_norm(of); break;
    case ImageOp::kRelu:
      if (is_eager_) {
        launch("ReLU", 2 * out_bytes(of));
      }
      break;
    case ImageOp::kAdd: launch("residual sum", 3 * out_bytes(of)); break;
    case ImageOp::kMaxPool: {
      constexpr double kIndexBytes = 8;
      builder_.launch(of.name, max_pool(in_bytes(of) + (1 + kIndexBytes / width_) * out_bytes(of), outputs(of)));
      break;
    }
    case ImageOp::kAveragePool: launch(of.name, in_bytes(of)); break;
    case ImageOp::kLinear: forward_linear(of); break;
    case ImageOp::kLoss:
      if (trains_) {
        forward_loss();
      }
      break;
  }
}

void ResNetStep::backward(const ImageOperation& of) {
  switch (of.op) {
    case ImageOp::kConvolution: backward_convolution(of); break;
    case ImageOp::kBatchNorm:
      if (is_eager_) {
        builder_.fill(static_cast<std::uint64_t>(kFew));
      }
      builder_.launch("batch norm backward", batch_norm_backward(request_.precision, outputs(of), rows(of)));
      break;
    case ImageOp::kRelu:
      if (is_eager_) {
        launch("ReLU backward", 3 * out_bytes(of));
      }
      break;
    case ImageOp::kAdd: break;  // the gradient passes on both ways
    case ImageOp::kMaxPool: {
      constexpr double kIndexBytes = 8;
      launch(of.name + " zeros", in_bytes(of));
      builder_.launch(of.name + " backward",
                      max_pool_backward(in_bytes(of) + (1 + kIndexBytes / width_) * out_bytes(of), inputs(of)));
      break;
    }
    case ImageOp::kAveragePool: launch(of.name + " backward", in_bytes(of)); break;
    case ImageOp::kLinear: backward_linear(of); break;
    case ImageOp::kLoss: backward_loss(); break;
  }
  sum_gradients(of);
}

/// DDP: a bucket is summed when it is full: the first of 1 MiB, others of 25 MiB.
void ResNetStep::sum_gradients(const ImageOperation& of) {
  constexpr double kGradientBytes = 4;
  constexpr double kFirstBucket = static_cast<double>(kMi);
  constexpr double kBucket = 25.0 * static_cast<double>(kMi);
  if (request_.gpus == 1) {
    return;
  }
  bucket_ += kGradientBytes * weights_of(of);
  if (bucket_ >= (is_first_bucket_ ? kFirstBucket : kBucket)) {
    is_first_bucket_ = false;
    sum_bucket();
  }
}

void ResNetStep::sum_bucket() {
  if (bucket_ == 0) {
    return;
  }
  builder_.record(kReady, kCompute);
  builder_.wait(kReady, kComm);
  builder_.collective(collective::Collective::kAllReduce, bucket_, kComm);
  bucket_ = 0;
}

/// SGD with momentum and weight decay, each part over lists of tensors in so many kernels. A CTA of theirs has 65,536
/// elements, so that most SMs have two and some have three: they move 2.9 TB/s on an H200, which are 11 bytes in a
/// cycle of an SM (13 kernels take 390 us with 16 images, with 32, and with 256).
void ResNetStep::optimize() {
  struct Part {
    const char* name;
    int kernels;
    double bytes;  ///< a parameter
  };
  static constexpr Part kParts[] = {
      {"SGD weight decay", 4, 12}, {"SGD momentum", 3, 8}, {"SGD gradient", 3, 12}, {"SGD weights", 3, 12}};
  constexpr double kBytesOfCycle = 11;
  const auto parameters = static_cast<double>(models::parameter_count(request_.model));
  for (const Part& part : kParts) {
    for (int i = 0; i < part.kernels; ++i) {
      builder_.launch(part.name, moving_by_sms(part.bytes * parameters / part.kernels, kBytesOfCycle));
    }
  }
}

/// What a step of training does behind the forward pass.
void ResNetStep::train() {
  builder_.begin_range("backward");
  for (auto of = operations_.rbegin(); of != operations_.rend(); ++of) {
    backward(*of);
  }
  sum_bucket();
  builder_.end();
  builder_.begin_range("optimizer");
  if (request_.gpus > 1) {
    application_.events = {"ready", "summed"};
    builder_.record(kAllSummed, kComm);
    builder_.wait(kAllSummed, kCompute);
  }
  optimize();
  builder_.end();
}

Application ResNetStep::make() {
  application_ = begin_step(
      request_.model_name + (trains_ ? ", training step" : ", inference"),
      counted(request_.batch, "image") + ", " + std::string(arch::word_of(request_.precision)) +
          (request_.layout == Layout::kChannelsLast ? ", channels last, " : ", channels first, ") +
          std::string(arch::word_of(request_.mode)) + (request_.gpus > 1 ? ", " + counted(request_.gpus, "GPU") : ""),
      request_.gpus > 1);
  builder_.begin_range("forward");
  if (is_half_) {  // the images come in FP32
    launch("images cast", 3 * in_bytes(operations_.front()));
  }
  for (const ImageOperation& of : operations_) {
    forward(of);
  }
  builder_.end();
  if (trains_) {
    train();
  }
  application::Calls calls = as_launched(request_.mode, application_, builder_.take());
  add_threads(application_, {0, request_.gpus, request_.gpus == 1}, {}, std::move(calls));
  return std::move(application_);
}

}  // namespace

Application resnet_train(const ImageRequest& request) {
  return ResNetStep(request, ImagePass::kTraining).make();
}

Application resnet_infer(const ImageRequest& request) {
  return ResNetStep(request, ImagePass::kInference).make();
}

}  // namespace gpusim::generate
