// SPDX-License-Identifier: MIT
#include "sim/system/models/operations.h"

#include <numeric>
#include <utility>

namespace gpusim::models {
namespace {

std::uint64_t count_of(const std::vector<Operation>& operations) {
  std::uint64_t sum = 0;
  for (const Operation& operation : operations) {
    for (const Parameter& parameter : parameters_of(operation)) {
      sum += parameter.count();
    }
  }
  return sum;
}

/// Makes the operations of one model.
class TransformerPass {
 public:
  explicit TransformerPass(const Transformer& of) : of_(of) {}

  [[nodiscard]] std::vector<Operation> before() const {
    std::vector<Operation> out{table("embedding.tokens", of_.vocabulary)};
    if (of_.position_kind == Positions::kLearned) {
      out.push_back(table("embedding.positions", of_.positions));
    }
    if (of_.token_types != 0) {
      out.push_back(table("embedding.types", of_.token_types));
    }
    for (std::size_t sums = out.size(); sums > 1; --sums) {
      out.push_back(plain(Op::kAdd, "embedding.sum", of_.hidden));
    }
    if (of_.norm_place == NormPlace::kPost) {
      out.push_back(norm("embedding.norm"));
    }
    return out;
  }

  [[nodiscard]] std::vector<Operation> layer() const {
    std::vector<Operation> out;
    add_half(out, "attention.norm", "attention.sum", attention());
    add_half(out, "mlp.norm", "mlp.sum", mlp());
    return out;
  }

  [[nodiscard]] std::vector<Operation> after() const {
    std::vector<Operation> out;
    if (of_.norm_place == NormPlace::kPre) {
      out.push_back(norm("head.norm"));
    }
    if (of_.head == Head::kMasked) {
      out.push_back(linear("head.transform", of_.hidden, of_.hidden));
      out.push_back(plain(Op::kActivation, "head.activation", of_.hidden));
      out.push_back(norm("head.transform_norm"));
    }
    out.push_back({Op::kLinear, "head.vocabulary", of_.hidden, of_.vocabulary, of_.head == Head::kMasked,
                   of_.embeddings == Embeddings::kSeparate});
    out.push_back({Op::kLoss, "loss", of_.vocabulary, 0, false, false});
    return out;
  }

 private:
  [[nodiscard]] bool has_biases() const { return of_.biases == Biases::kAll; }
  [[nodiscard]] Operation table(std::string name, std::uint64_t rows) const {
    return {Op::kEmbedding, std::move(name), rows, of_.hidden, false, true};
  }
  [[nodiscard]] static Operation plain(Op op, std::string name, std::uint64_t features) {
    return {op, std::move(name), features, features, false, false};
  }
  [[nodiscard]] Operation norm(std::string name) const {
    return {Op::kNorm, std::move(name), of_.hidden, of_.hidden, of_.norm == Norm::kLayer && has_biases(), true};
  }
  [[nodiscard]] Operation linear(std::string name, std::uint64_t in, std::uint64_t out) const {
    return {Op::kLinear, std::move(name), in, out, has_biases(), true};
  }

  /// A half of a layer with its norm and its residual sum.
  void add_half(std::vector<Operation>& out, const char* norm_name, const char* sum_name,
                std::vector<Operation> inside) const {
    if (of_.norm_place == NormPlace::kPre) {
      out.push_back(norm(norm_name));
    }
    std::move(inside.begin(), inside.end(), std::back_inserter(out));
    out.push_back(plain(Op::kAdd, sum_name, of_.hidden));
    if (of_.norm_place == NormPlace::kPost) {
      out.push_back(norm(norm_name));
    }
  }

  [[nodiscard]] std::vector<Operation> attention() const {
    const std::uint64_t q = of_.query_features();
    const std::uint64_t kv = of_.kv_features();
    std::vector<Operation> out;
    if (of_.qkv == Qkv::kFused) {
      out.push_back(linear("attention.qkv", of_.hidden, q + 2 * kv));
    } else {
      out.push_back(linear("attention.query", of_.hidden, q));
      out.push_back(linear("attention.key", of_.hidden, kv));
      out.push_back(linear("attention.value", of_.hidden, kv));
    }
    if (of_.position_kind == Positions::kRotary) {
      out.push_back(plain(Op::kRotary, "attention.rotary", q + kv));
    }
    out.push_back({Op::kAttention, "attention.core", q + 2 * kv, q, false, false});
    out.push_back(linear("attention.output", q, of_.hidden));
    return out;
  }

  [[nodiscard]] std::vector<Operation> mlp() const {
    std::vector<Operation> out;
    const bool gated = of_.mlp == Mlp::kGated;
    out.push_back(linear(gated ? "mlp.gate" : "mlp.up", of_.hidden, of_.ffn));
    out.push_back(plain(Op::kActivation, "mlp.activation", of_.ffn));
    if (gated) {
      out.push_back(linear("mlp.up", of_.hidden, of_.ffn));
      out.push_back({Op::kScale, "mlp.scale", 2 * of_.ffn, of_.ffn, false, false});
    }
    out.push_back(linear("mlp.down", of_.ffn, of_.hidden));
    return out;
  }

  const Transformer& of_;
};

/// Makes the operations of one residual network.
class ResNetPass {
 public:
  explicit ResNetPass(const ResNet& of) : of_(of), side_(of.image) {}

  [[nodiscard]] std::vector<ImageOperation> make() {
    constexpr std::uint64_t kColours = 3;
    constexpr std::uint64_t kStemKernel = 7;
    convolve("stem", kColours, of_.channels, kStemKernel, 2, true);
    push(ImageOp::kMaxPool, "stem.pool", of_.channels, of_.channels, 3, 2);
    std::uint64_t in = of_.channels;
    const std::uint64_t blocks[] = {of_.blocks1, of_.blocks2, of_.blocks3, of_.blocks4};
    for (std::uint64_t stage = 0; stage < std::size(blocks); ++stage) {
      const std::uint64_t inside = of_.channels << stage;
      for (std::uint64_t i = 0; i < blocks[stage]; ++i) {
        block("stage" + std::to_string(stage + 1) + ".block" + std::to_string(i), in, inside,
              stage != 0 && i == 0 ? 2 : 1);
        in = inside * of_.expansion;
      }
    }
    push(ImageOp::kAveragePool, "head.pool", in, in, side_, side_);
    side_ = 1;
    out_.back().out_side = 1;
    push(ImageOp::kLinear, "head.classes", in, of_.classes, 1, 1);
    push(ImageOp::kLoss, "loss", of_.classes, of_.classes, 1, 1);
    return std::move(out_);
  }

 private:
  void push(ImageOp op, std::string name, std::uint64_t in, std::uint64_t out, std::uint64_t kernel,
            std::uint64_t stride) {
    const std::uint64_t after = (side_ + stride - 1) / stride;
    out_.push_back({op, std::move(name), in, out, kernel, stride, side_, after, false});
    side_ = after;
  }

  /// With its normalisation, and a ReLU where one follows.
  void convolve(const std::string& name, std::uint64_t in, std::uint64_t out, std::uint64_t kernel,
                std::uint64_t stride, bool relu) {
    push(ImageOp::kConvolution, name + ".conv", in, out, kernel, stride);
    push(ImageOp::kBatchNorm, name + ".norm", out, out, 1, 1);
    if (relu) {
      push(ImageOp::kRelu, name + ".relu", out, out, 1, 1);
    }
  }

  void block(const std::string& name, std::uint64_t in, std::uint64_t inside, std::uint64_t stride) {
    const std::uint64_t begin_side = side_;
    const std::uint64_t out = inside * of_.expansion;
    convolve(name + ".1", in, inside, 1, 1, true);
    convolve(name + ".2", inside, inside, 3, stride, true);
    convolve(name + ".3", inside, out, 1, 1, false);
    if (in != out || stride != 1) {
      side_ = begin_side;
      const std::size_t first = out_.size();
      convolve(name + ".shortcut", in, out, 1, stride, false);
      for (std::size_t i = first; i < out_.size(); ++i) {
        out_[i].on_shortcut = true;
      }
    }
    push(ImageOp::kAdd, name + ".sum", out, out, 1, 1);
    push(ImageOp::kRelu, name + ".relu", out, out, 1, 1);
  }

  const ResNet& of_;
  std::uint64_t side_;
  std::vector<ImageOperation> out_;
};

}  // namespace

ForwardPass forward_pass(const Transformer& model) {
  const TransformerPass pass(model);
  return {pass.before(), model.layers, pass.layer(), pass.after()};
}

std::vector<ImageOperation> forward_pass(const ResNet& model) {
  return ResNetPass(model).make();
}

std::vector<Parameter> parameters_of(const Operation& operation) {
  std::vector<Parameter> out;
  const bool has_weights = operation.op == Op::kLinear || operation.op == Op::kEmbedding;
  if (operation.op == Op::kNorm) {
    out.push_back({operation.name + ".weight", operation.out, 1});
  } else if (has_weights && operation.owns_weights) {
    const bool is_table = operation.op == Op::kEmbedding;
    out.push_back(
        {operation.name + ".weight", is_table ? operation.in : operation.out, is_table ? operation.out : operation.in});
  }
  if (operation.bias) {
    out.push_back({operation.name + ".bias", operation.out, 1});
  }
  return out;
}

std::vector<Parameter> parameters_of(const ImageOperation& operation) {
  if (operation.op == ImageOp::kConvolution) {
    return {{operation.name + ".weight", operation.out, operation.in * operation.kernel * operation.kernel}};
  }
  if (operation.op == ImageOp::kBatchNorm || operation.op == ImageOp::kLinear) {
    const bool is_linear = operation.op == ImageOp::kLinear;
    return {{operation.name + ".weight", operation.out, is_linear ? operation.in : 1},
            {operation.name + ".bias", operation.out, 1}};
  }
  return {};
}

std::uint64_t layer_parameters(const Transformer& model) {
  return count_of(forward_pass(model).layer);
}

std::uint64_t parameter_count(const Transformer& model) {
  const ForwardPass pass = forward_pass(model);
  return count_of(pass.before) + pass.layers * count_of(pass.layer) + count_of(pass.after);
}

std::uint64_t parameter_count(const ResNet& model) {
  std::uint64_t sum = 0;
  for (const ImageOperation& operation : forward_pass(model)) {
    for (const Parameter& parameter : parameters_of(operation)) {
      sum += parameter.count();
    }
  }
  return sum;
}

std::uint64_t parameter_count(const Model& model) {
  return std::visit([](const auto& of) { return parameter_count(of); }, model.is);
}

double forward_flops(const Transformer& model, std::uint64_t sequence) {
  const auto products = [](const std::vector<Operation>& operations) {
    return std::accumulate(operations.begin(), operations.end(), 0.0, [](double sum, const Operation& of) {
      return sum + (of.op == Op::kLinear ? 2.0 * static_cast<double>(of.in) * static_cast<double>(of.out) : 0.0);
    });
  };
  const ForwardPass pass = forward_pass(model);
  const auto tokens = static_cast<double>(sequence);
  const double attention = 4.0 * tokens * static_cast<double>(model.query_features());
  return tokens * (products(pass.before) + static_cast<double>(pass.layers) * (products(pass.layer) + attention) +
                   products(pass.after));
}

}  // namespace gpusim::models
