// SPDX-License-Identifier: MIT
#include "sim/system/models/keys.h"

#include <array>

#include "sim/base/units.h"

namespace gpusim::system {
namespace {

using models::Model;
using models::ResNet;
using models::Transformer;

constexpr std::uint64_t kMostLayers = 4096;
constexpr std::uint64_t kMostFeatures = kMi;
constexpr std::uint64_t kMostHeads = 4096;
constexpr std::uint64_t kMostHeadSize = 64 * kKi;
constexpr std::uint64_t kMostTokens = 16 * kMi;

template <class T>
KeyRow<T> shape(const char* name, std::uint64_t most, const char* meaning, void (*set)(T&, const arch::Value&),
                bool required = true) {
  return number<T>(name, arch::Unit::kCount, 1, most, meaning, set, required);
}

}  // namespace

template <>
std::span<const KeyRow<Transformer>> keys_of<Transformer>() {
  static const std::array kRows{
      shape<Transformer>("layers", kMostLayers, "layers of attention and MLP", &Whole<&Transformer::layers>::set),
      shape<Transformer>("hidden", kMostFeatures, "features of a token between layers",
                         &Whole<&Transformer::hidden>::set),
      shape<Transformer>("heads", kMostHeads, "heads of queries", &Whole<&Transformer::heads>::set),
      shape<Transformer>("kv_heads", kMostHeads, "heads of keys and values; without the key as many as of queries",
                         &Whole<&Transformer::kv_heads>::set, false),
      shape<Transformer>("head_size", kMostHeadSize, "features of a head; without the key `hidden` over `heads`",
                         &Whole<&Transformer::head_size>::set, false),
      shape<Transformer>("ffn", kMostFeatures, "features inside the MLP", &Whole<&Transformer::ffn>::set),
      shape<Transformer>("vocabulary", kMostTokens, "rows of the embedding", &Whole<&Transformer::vocabulary>::set),
      shape<Transformer>("positions", kMostTokens, "tokens of the longest sequence",
                         &Whole<&Transformer::positions>::set),
      shape<Transformer>("token_types", kKi, "rows of an embedding of segments; without the key there is none",
                         &Whole<&Transformer::token_types>::set, false),
      Choice<&Transformer::norm>::row("norm", "LayerNorm, or RMSNorm"),
      Choice<&Transformer::norm_place>::row(
          "norm_place", "pre (without the key): before attention and MLP; post: behind their sums", false),
      Choice<&Transformer::position_kind>::row("position_kind", "how positions enter"),
      Choice<&Transformer::activation>::row(
          "activation", "function inside the MLP; gelu_new: gelu_tanh as eight element-wise operations"),
      Choice<&Transformer::mlp>::row("mlp", "gated: two products in, one of which scales the other"),
      Choice<&Transformer::embeddings>::row("embeddings", "tied: the head uses the embedding's weights"),
      Choice<&Transformer::biases>::row("biases", "whether linear operations and LayerNorm have biases"),
      Choice<&Transformer::qkv>::row("qkv", "fused: one product for queries, keys and values"),
      Choice<&Transformer::attention>::row("attention", "causal (without the key): tokens see those before", false),
      Choice<&Transformer::head>::row("head", "language (without the key), or masked: BERT's", false),
      Choice<&Transformer::dropout>::row(
          "dropout", "all: behind embeddings, attention and MLP, as it is trained; without the key none", false)};
  return kRows;
}

template <>
std::span<const KeyRow<ResNet>> keys_of<ResNet>() {
  constexpr std::uint64_t kMostBlocks = 256;
  constexpr std::uint64_t kMostChannels = 4096;
  static const std::array kRows{
      shape<ResNet>("blocks1", kMostBlocks, "blocks of the first stage", &Whole<&ResNet::blocks1>::set),
      shape<ResNet>("blocks2", kMostBlocks, "blocks of the second stage", &Whole<&ResNet::blocks2>::set),
      shape<ResNet>("blocks3", kMostBlocks, "blocks of the third stage", &Whole<&ResNet::blocks3>::set),
      shape<ResNet>("blocks4", kMostBlocks, "blocks of the fourth stage", &Whole<&ResNet::blocks4>::set),
      shape<ResNet>("channels", kMostChannels, "channels inside a block of the first stage",
                    &Whole<&ResNet::channels>::set),
      shape<ResNet>("expansion", 64, "channels behind a block over those inside", &Whole<&ResNet::expansion>::set),
      number<ResNet>("image", arch::Unit::kCount, 32, kMostChannels, "pixels of a side", &Whole<&ResNet::image>::set),
      shape<ResNet>("classes", kMostTokens, "classes", &Whole<&ResNet::classes>::set)};
  return kRows;
}

template <>
std::span<const KeyRow<Model>> keys_of<Model>() {
  static const std::array kRows{number<Model>("published_parameters", arch::Unit::kCount, 1, kPeta,
                                              "parameters by its makers; the shapes must give them within 2 %",
                                              &Whole<&Model::published_parameters>::set, false)};
  return kRows;
}

}  // namespace gpusim::system

namespace gpusim::models {

std::string keys_markdown() {
  return system::key_table<Model>("The file's own keys", "Beside `name`, `description` and `sources`.") + "\n" +
         system::key_table<Transformer>("`transformer`", "A stack of attention and MLP.") + "\n" +
         system::key_table<ResNet>("`resnet`", "A residual network of bottleneck blocks, in place of `transformer`.");
}

}  // namespace gpusim::models
