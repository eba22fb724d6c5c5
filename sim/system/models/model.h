// SPDX-License-Identifier: MIT
// Models of deep learning by their shapes: plain values, which loader.h reads from configs/models. What a forward pass
// of one does, and what it has for parameters, stands in operations.h.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/model/arch/words.h"
#include "sim/system/config/given_value.h"

namespace gpusim::models {

enum class Norm : std::uint8_t { kLayer, kRms };
/// Pre: before attention and MLP, and once after the last layer. Post: behind each sum, and behind the embeddings.
enum class NormPlace : std::uint8_t { kPre, kPost };
enum class Positions : std::uint8_t { kLearned, kRotary, kAlibi };
/// kGeluTanh: the approximation by a hyperbolic tangent. kGeluNew: the same, written as eight element-wise operations,
/// which keep four tensors for the backward pass.
enum class Activation : std::uint8_t { kGelu, kGeluTanh, kGeluNew, kSilu };
/// All: behind the embeddings, attention and the MLP of each layer, in training.
enum class Dropout : std::uint8_t { kNone, kAll };
/// Gated: two products into the MLP's width, one of which scales the other.
enum class Mlp : std::uint8_t { kPlain, kGated };
/// Tied: the head's weights are those of the embedding.
enum class Embeddings : std::uint8_t { kTied, kSeparate };
/// All: of every linear operation and of LayerNorm.
enum class Biases : std::uint8_t { kNone, kAll };
/// Fused: one product makes queries, keys and values.
enum class Qkv : std::uint8_t { kFused, kSeparate };
enum class Attention : std::uint8_t { kCausal, kFull };
/// Masked: BERT's, with a product, an activation and a norm before the vocabulary's product, which has a bias.
enum class Head : std::uint8_t { kLanguage, kMasked };

struct Transformer {
  std::uint64_t layers = 0;
  std::uint64_t hidden = 0;     ///< features of a token between layers
  std::uint64_t heads = 0;      ///< heads of queries
  std::uint64_t kv_heads = 0;   ///< heads of keys and values
  std::uint64_t head_size = 0;  ///< features of a head
  std::uint64_t ffn = 0;        ///< features inside the MLP
  std::uint64_t vocabulary = 0;
  std::uint64_t positions = 0;    ///< tokens of the longest sequence
  std::uint64_t token_types = 0;  ///< rows of an embedding of segments; 0: there is none
  Norm norm = Norm::kLayer;
  NormPlace norm_place = NormPlace::kPre;
  Positions position_kind = Positions::kLearned;
  Activation activation = Activation::kGelu;
  Mlp mlp = Mlp::kPlain;
  Embeddings embeddings = Embeddings::kTied;
  Biases biases = Biases::kAll;
  Qkv qkv = Qkv::kFused;
  Attention attention = Attention::kCausal;
  Head head = Head::kLanguage;
  Dropout dropout = Dropout::kNone;

  [[nodiscard]] std::uint64_t query_features() const { return heads * head_size; }
  [[nodiscard]] std::uint64_t kv_features() const { return kv_heads * head_size; }
  friend bool operator==(const Transformer&, const Transformer&) = default;
};

/// A residual network of bottleneck blocks, in four stages that each halve the image and double the channels.
struct ResNet {
  std::uint64_t blocks1 = 0;  ///< blocks of the first stage, and so on
  std::uint64_t blocks2 = 0;
  std::uint64_t blocks3 = 0;
  std::uint64_t blocks4 = 0;
  std::uint64_t channels = 0;   ///< inside a block of the first stage, and behind the stem
  std::uint64_t expansion = 0;  ///< channels behind a block over those inside
  std::uint64_t image = 0;      ///< pixels of a side
  std::uint64_t classes = 0;
  friend bool operator==(const ResNet&, const ResNet&) = default;
};

struct Model {
  std::string name;  ///< "Llama-3 8B"
  std::string description;
  std::string path;
  std::variant<Transformer, ResNet> is;
  std::uint64_t published_parameters = 0;  ///< what its makers say it has; 0 where they say nothing
  std::vector<system::GivenValue> values;
  friend bool operator==(const Model&, const Model&) = default;
};

}  // namespace gpusim::models

namespace gpusim::arch {

template <>
inline constexpr auto kWords<models::Norm> = std::to_array<Word<models::Norm>>({{"layer", models::Norm::kLayer},
                                                                                {"rms", models::Norm::kRms}});
template <>
inline constexpr auto kWords<models::NormPlace> =
    std::to_array<Word<models::NormPlace>>({{"pre", models::NormPlace::kPre}, {"post", models::NormPlace::kPost}});
template <>
inline constexpr auto kWords<models::Positions> =
    std::to_array<Word<models::Positions>>({{"learned", models::Positions::kLearned},
                                            {"rotary", models::Positions::kRotary},
                                            {"alibi", models::Positions::kAlibi}});
template <>
inline constexpr auto kWords<models::Activation> =
    std::to_array<Word<models::Activation>>({{"gelu", models::Activation::kGelu},
                                             {"gelu_tanh", models::Activation::kGeluTanh},
                                             {"gelu_new", models::Activation::kGeluNew},
                                             {"silu", models::Activation::kSilu}});
template <>
inline constexpr auto kWords<models::Mlp> = std::to_array<Word<models::Mlp>>({{"plain", models::Mlp::kPlain},
                                                                              {"gated", models::Mlp::kGated}});
template <>
inline constexpr auto kWords<models::Embeddings> = std::to_array<Word<models::Embeddings>>(
    {{"tied", models::Embeddings::kTied}, {"separate", models::Embeddings::kSeparate}});
template <>
inline constexpr auto kWords<models::Biases> = std::to_array<Word<models::Biases>>({{"none", models::Biases::kNone},
                                                                                    {"all", models::Biases::kAll}});
template <>
inline constexpr auto kWords<models::Qkv> = std::to_array<Word<models::Qkv>>({{"fused", models::Qkv::kFused},
                                                                              {"separate", models::Qkv::kSeparate}});
template <>
inline constexpr auto kWords<models::Attention> = std::to_array<Word<models::Attention>>(
    {{"causal", models::Attention::kCausal}, {"full", models::Attention::kFull}});
template <>
inline constexpr auto kWords<models::Dropout> = std::to_array<Word<models::Dropout>>({{"none", models::Dropout::kNone},
                                                                                      {"all", models::Dropout::kAll}});
template <>
inline constexpr auto kWords<models::Head> = std::to_array<Word<models::Head>>({{"language", models::Head::kLanguage},
                                                                                {"masked", models::Head::kMasked}});

}  // namespace gpusim::arch
