// SPDX-License-Identifier: MIT
// Applications by kind, from texts that a user or a file gives.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/system/application/application.h"
#include "sim/system/config/changes.h"

namespace gpusim::app {

/// As texts; a kind reads those that it has.
struct KindOptions {
  std::string kind;
  std::string system = "dgx-h100";
  std::string model;
  std::string batch = "1";
  std::string sequence = "1024";
  std::string gpus = "1";
  std::string precision = "bf16";
  std::string mode = "eager";
  std::string recompute = "none";
  std::string parallel = "data";
  std::string dropout = "model";  ///< or "none"
  std::string operator_time;
  std::string operations = "64";
  std::string elements = "65536";
  std::string size = "512";
  std::string streams = "2";
  std::string workers = "2";
};

/// A text of KindOptions by the name of its option.
struct KindField {
  std::string_view name;  ///< "operator-time"
  std::string KindOptions::*member;
};
[[nodiscard]] std::span<const KindField> kind_fields();

/// Throws UsageError for an unknown kind and for values that are out of range, InputError for a model or a system that
/// is not there.
/// `changes` are those of its system.
[[nodiscard]] application::Application make_application(const KindOptions& options,
                                                        const system::Changes& changes = {});

}  // namespace gpusim::app
