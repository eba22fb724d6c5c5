// SPDX-License-Identifier: MIT
// What PyTorch's autograd keeps: a node for each operation of a forward pass with the tensors that its backward needs,
// and the backward pass over the nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/system/memory/tape.h"

namespace gpusim::memory {

/// How gradients flow through a node, backward.
enum class Flow : std::uint8_t {
  kChain,    ///< from its output to its input
  kSplit,    ///< a residual sum: on, and past the operations in between
  kJoin,     ///< where what went past comes from: both gradients are added
  kSibling,  ///< one of several that read the same input, and not the first of them
  kFirst,    ///< the first of them: the last in the backward pass
  kInPlace,  ///< the gradient of its input is written over the first tensor that it saved
};

/// The gradient of a tensor of parameters.
struct ParameterGradient {
  std::uint64_t made = 0;  ///< bytes as calculated
  std::uint64_t kept = 0;  ///< bytes that stay until the optimizer is done; 0: it is added to one that is there
};

struct Node {
  std::string name;
  Flow flow = Flow::kChain;
  std::vector<TensorId> saved{};
  std::uint64_t input_gradient = 0;      ///< bytes; 0: the gradient passes unchanged
  std::vector<std::uint64_t> scratch{};  ///< bytes of tensors that the backward makes in order, and gives up at its end
  std::vector<ParameterGradient> parameters{};
  std::function<void()> again{};  ///< a part that is calculated again: adds its nodes
};

class Autograd {
 public:
  explicit Autograd(Tape& tape) : tape_(tape) {}

  /// A node that follows those that are there. Without recording its tensors are not kept, and it is forgotten.
  void add(Node node);
  /// Keeps a tensor for the node's backward.
  void save(Node& node, TensorId tensor) {
    if (recording_) {
      tape_.hold(tensor);
      node.saved.push_back(tensor);
    }
  }
  /// A new tensor that only the node's backward needs.
  void save_new(Node& node, std::uint64_t bytes) {
    const TensorId tensor = tape_.make(bytes, Category::kActivations);
    save(node, tensor);
    tape_.drop(tensor);
  }
  void set_recording(bool recording) { recording_ = recording; }
  /// Whether gradients of parameters are added to those of a micro-batch before.
  void set_accumulating(bool accumulating) { accumulating_ = accumulating; }

  /// A forward pass begins: what follows is of one backward pass.
  void begin_pass() { starts_.push_back(nodes_.size()); }
  /// The backward pass of the nodes of the last forward pass that has had none, from a gradient of the last output that
  /// it takes over.
  void backward(TensorId gradient);
  /// Gradients of parameters that are kept; their holder is the caller from now on.
  [[nodiscard]] std::vector<TensorId> take_gradients() { return std::exchange(gradients_, {}); }

 private:
  void backward(const Node& node);
  void flow_on(const Node& node);

  Tape& tape_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> starts_;  ///< nodes that were there when each pass began
  bool recording_ = true;
  bool accumulating_ = false;
  TensorId gradient_ = 0;
  std::vector<TensorId> past_;       ///< gradients that wait to be joined
  std::optional<TensorId> sum_;      ///< sum of siblings
  std::vector<TensorId> gradients_;  ///< gradients of parameters
};

}  // namespace gpusim::memory
