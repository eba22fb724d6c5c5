// SPDX-License-Identifier: MIT
// Applications by kind, from texts that a user or a file gives.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/application/application.h"

namespace gpusim::system {
struct Changes;
}  // namespace gpusim::system

namespace gpusim::app {

/// As texts; empty: not given. A kind takes those that it has, and refuses others.
struct KindOptions {
  std::string kind;
  std::string system = "dgx-h100";
  std::string model;
  std::string batch;
  std::string sequence;
  std::string gpus;
  std::string precision;
  std::string layout;
  std::string mode;
  std::string recompute;
  std::string parallel;
  std::string tensor;
  std::string sequence_parallel;  ///< "yes" or "no"
  std::string all_reduce;         ///< a word of collective::Library
  std::string pipeline;
  std::string micro_batches;
  std::string attention;
  std::string qkv;  ///< a word of models::Qkv
  std::string libraries;
  std::string loss;
  std::string optimizer;
  std::string clip_gradients;  ///< "yes" or "no"
  std::string train_metrics;
  std::string predictions;
  std::string prefetch;
  std::string pad_vocabulary;
  std::string dropout;
  std::string operator_time;
  std::string operations;
  std::string elements;
  std::string size;
  std::string streams;
  std::string workers;
  std::string pinned;  ///< "yes" or "no"
};

/// A text of KindOptions by the name of its option.
struct KindField {
  std::string_view name;  ///< "operator-time"
  std::string KindOptions::*member;
};
[[nodiscard]] std::span<const KindField> kind_fields();

/// All kinds: "transformer-train", ...
[[nodiscard]] std::vector<std::string_view> kind_names();

/// What make_application() does otherwise than the options and their defaults ask for, a sentence each.
[[nodiscard]] std::vector<std::string> notes_of(const KindOptions& options);

/// Throws UsageError for an unknown kind, for an option that the kind does not take, and for values that are out of
/// range, InputError for a model or a system that is not there.
[[nodiscard]] application::Application make_application(const KindOptions& options);
/// The same with what is changed of its system.
[[nodiscard]] application::Application make_application(const KindOptions& options, const system::Changes& changes);

}  // namespace gpusim::app
