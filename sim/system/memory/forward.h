// SPDX-License-Identifier: MIT
// The operations of a transformer as PyTorch runs them one by one: tensors made, given up, and kept for the backward
// pass. Sources: PyTorch's derivatives.yaml and autocast's lists of operations, and the models of Hugging Face
// transformers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/system/memory/autograd.h"
#include "sim/system/memory/plan.h"
#include "sim/system/memory/tape.h"
#include "sim/system/memory/widths.h"
#include "sim/system/models/operations.h"

namespace gpusim::memory {

/// A tensor and the bytes of its elements.
struct Value {
  TensorId tensor = 0;
  std::uint64_t width = 0;
};

class Forward {
 public:
  Forward(const models::Transformer& model, const TrainPlan& plan, Tape& tape, Autograd& autograd)
      : model_(model), plan_(plan), widths_(widths_of(plan)), tape_(tape), autograd_(autograd) {}

  /// Operations before the layers; makes the stream.
  void embed(const std::vector<models::Operation>& operations);
  /// The cosines and sines of the positions, which the layers of a pass share; until end_layers(), for the last pass.
  void make_angles();
  void end_layers();
  /// The stream as a stage of a pipeline receives it.
  void receive();
  /// One layer, on the stream. `where`: "layer 3".
  void layer(const std::vector<models::Operation>& operations, const std::string& where);
  /// Operations behind the layers; takes the stream.
  void finish(const std::vector<models::Operation>& operations);
  /// Ends autocast: what it cast and nobody keeps is given up.
  void end_autocast();
  /// A gradient of the loss, or of the stream that the next stage has.
  [[nodiscard]] TensorId gradient(bool of_loss);

  /// From here on, outputs of attention and of every second product are held; until take_kept().
  void keep_some() { keeps_ = true; }
  /// Those outputs, whose holder is the caller from now on.
  [[nodiscard]] std::vector<TensorId> take_kept() {
    keeps_ = false;
    products_ = 0;
    return std::exchange(kept_, {});
  }

  [[nodiscard]] TensorId stream() const { return stream_->tensor; }
  /// Gives the stream up.
  void drop_stream() { tape_.drop(std::exchange(stream_, std::nullopt)->tensor); }
  /// What is logged of the logits, which go then. To be called with `train_metrics` alone, behind finish().
  void take_metrics();
  /// Takes the place of the stream; the caller stays one of its holders.
  void set_stream(TensorId tensor) {
    tape_.hold(tensor);
    stream_ = Value{tensor, widths_.stream};
  }

  /// Elements of the parameter tensors that one GPU has of an operation, its adapters left out.
  [[nodiscard]] std::vector<std::uint64_t> parameters(const models::Operation& operation) const;
  /// Elements of the adapters of an operation: none without adapters.
  [[nodiscard]] std::vector<std::uint64_t> adapters(const models::Operation& operation) const;

 private:
  [[nodiscard]] std::uint64_t tokens() const {
    return plan_.batch * (is_in_head_ && plan_.predictions > 0 ? plan_.predictions : plan_.sequence);
  }
  /// Tokens of a tensor that sequence-parallel GPUs share.
  [[nodiscard]] std::uint64_t stream_tokens() const {
    return plan_.sequence_parallel ? (tokens() + plan_.tensor - 1) / plan_.tensor : tokens();
  }
  [[nodiscard]] std::uint64_t share(std::uint64_t features) const {
    return (features + plan_.tensor - 1) / plan_.tensor;
  }
  [[nodiscard]] Value make(std::uint64_t elements, std::uint64_t width) {
    return {tape_.make(elements * width, Category::kActivations), width};
  }
  void replace(std::optional<Value>& old, Value by);
  void keep(TensorId tensor);

  void run(const models::Operation& operation, const std::string& where);
  void norm(const models::Operation& operation, Node node);
  void rms_norm(const models::Operation& operation, Node& node, const Value& in);
  void linear(const models::Operation& operation, Node node);
  void save_input(const models::Operation& operation, const Value& in, std::uint64_t elements, Node& node);
  void save_weight(const models::Operation& operation, Node& node);
  void add_gradients(const models::Operation& operation, Node& node) const;
  void rotary(Node node);
  void attention(const models::Operation& operation, Node node);
  void scores(Node& node);
  void activation(const models::Operation& operation, Node node);
  void gelu_in_steps(std::uint64_t elements, Node& node, const Value& in);
  void scale(const models::Operation& operation, Node node);
  void drop_out(const std::string& where);
  void sum(const models::Operation& operation, Node node);
  void pick_predictions();
  void begin_half(const std::string& where);
  void end_half();
  void cast_then_loss(std::uint64_t elements, const std::string& name);
  void loss_then_cast(std::uint64_t elements, const std::string& name);
  void loss(Node node);

  const models::Transformer& model_;
  const TrainPlan& plan_;
  Widths widths_;
  Tape& tape_;
  Autograd& autograd_;
  std::optional<Value> stream_;  ///< between layers
  std::optional<Value> x_;       ///< what the next operation reads
  std::vector<Value> sides_;     ///< queries, keys and values; the gate of an MLP
  std::optional<Value> input_;   ///< what several products read
  std::optional<Value> logits_;  ///< those that metrics read behind the backward pass
  std::vector<TensorId> frame_;  ///< that variables of Python hold until the half of a layer ends
  bool is_in_head_ = false;      ///< behind the layers, where a masked head may have some of the tokens alone
  bool keeps_ = false;
  std::uint64_t products_ = 0;  ///< seen since keep_some()
  std::vector<TensorId> kept_;
  std::vector<TensorId> angles_;  ///< tensors of rotary positions
  std::vector<TensorId> casts_;   ///< weights that autocast keeps
};

}  // namespace gpusim::memory
