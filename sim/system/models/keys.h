// SPDX-License-Identifier: MIT
// The tables of every key that a model file may have. Reading and the documentation walk them.
#pragma once

#include <span>
#include <string>

#include "sim/system/config/key_row.h"
#include "sim/system/models/model.h"

namespace gpusim::system {

template <>
std::span<const KeyRow<models::Transformer>> keys_of<models::Transformer>();
template <>
std::span<const KeyRow<models::ResNet>> keys_of<models::ResNet>();
template <>
std::span<const KeyRow<models::Model>> keys_of<models::Model>();

}  // namespace gpusim::system

namespace gpusim::models {

/// The tables as Markdown.
[[nodiscard]] std::string keys_markdown();

}  // namespace gpusim::models
