// SPDX-License-Identifier: MIT
// A value of a file with its kind and sources.
#pragma once

#include <string>
#include <vector>

#include "sim/base/source_kind.h"

namespace gpusim::system {

/// A value of the file, for reports on where values come from.
struct GivenValue {
  std::string key;  ///< "gpus.gpu0..7.arch"
  std::string text;
  SourceKind kind = SourceKind::kGuess;
  std::vector<std::string> sources;  ///< citations and explanations
  friend bool operator==(const GivenValue&, const GivenValue&) = default;
};

}  // namespace gpusim::system
