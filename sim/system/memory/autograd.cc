// SPDX-License-Identifier: MIT
#include "sim/system/memory/autograd.h"

#include <utility>

namespace gpusim::memory {

void Autograd::add(Node node) {
  if (recording_) {
    nodes_.push_back(std::move(node));
  }
}

/// The gradient of the node's input, made and put where it belongs.
void Autograd::flow_on(const Node& node) {
  if (node.flow == Flow::kSplit) {
    tape_.hold(gradient_);
    past_.push_back(gradient_);
  }
  if (node.flow == Flow::kJoin) {
    // Added in place to the one that is there.
    tape_.drop(past_.back());
    past_.pop_back();
  }
  if (node.flow == Flow::kInPlace) {
    tape_.drop(gradient_);
    gradient_ = node.saved.front();
    tape_.hold(gradient_);
  }
  if (node.input_gradient == 0) {
    return;
  }
  const TensorId made = tape_.make(node.input_gradient, Category::kGradients);
  if (node.flow == Flow::kSibling || node.flow == Flow::kFirst) {
    if (sum_) {
      tape_.drop(made);
    } else {
      sum_ = made;
    }
    if (node.flow == Flow::kFirst) {
      tape_.drop(gradient_);
      gradient_ = *std::exchange(sum_, std::nullopt);
    }
    return;
  }
  tape_.drop(gradient_);
  gradient_ = made;
}

void Autograd::backward(const Node& node) {
  tape_.begin("backward of " + node.name);
  std::vector<TensorId> scratch;
  for (const std::uint64_t bytes : node.scratch) {
    scratch.push_back(tape_.make(bytes, Category::kGradients));
  }
  std::vector<TensorId> made;
  for (const ParameterGradient& parameter : node.parameters) {
    const TensorId gradient = tape_.make(parameter.made, Category::kGradients);
    if (parameter.kept == parameter.made && !accumulating_) {
      gradients_.push_back(gradient);
      continue;
    }
    made.push_back(gradient);
    if (parameter.kept != 0 && parameter.kept != parameter.made) {
      (accumulating_ ? made : gradients_).push_back(tape_.make(parameter.kept, Category::kGradients));
    }
  }
  flow_on(node);
  for (const std::vector<TensorId>& all : {made, scratch, node.saved}) {
    for (const TensorId tensor : all) {
      tape_.drop(tensor);
    }
  }
}

void Autograd::backward(TensorId gradient) {
  gradient_ = gradient;
  const std::size_t start = starts_.back();
  starts_.pop_back();
  while (nodes_.size() > start) {
    const Node node = std::move(nodes_.back());
    nodes_.pop_back();
    if (node.again) {
      node.again();
      for (const TensorId tensor : node.saved) {
        tape_.drop(tensor);
      }
    } else {
      backward(node);
    }
  }
  tape_.drop(gradient_);
}

}  // namespace gpusim::memory
