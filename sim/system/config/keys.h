// SPDX-License-Identifier: MIT
// The tables of every key that a node, a link type or the collectives of a system file may have: its unit, range,
// meaning and field. Reading and the documentation walk them.
#pragma once

#include <span>
#include <string>

#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"
#include "sim/system/config/system.h"

namespace gpusim::system {

/// One key of a T. `key.path` is its name within the T.
template <class T>
struct KeyRow {
  arch::Key key;
  void (*set)(T& of, const arch::Value& value);
};

/// All keys of a T, in the order in which files list them.
template <class T>
[[nodiscard]] std::span<const KeyRow<T>> keys_of();
template <>
std::span<const KeyRow<Host>> keys_of<Host>();
template <>
std::span<const KeyRow<Gpu>> keys_of<Gpu>();
template <>
std::span<const KeyRow<Switch>> keys_of<Switch>();
template <>
std::span<const KeyRow<LinkType>> keys_of<LinkType>();
template <>
std::span<const KeyRow<CollectiveRates>> keys_of<CollectiveRates>();

/// The tables as Markdown: the generated part of docs/systems.md.
[[nodiscard]] std::string keys_markdown();

}  // namespace gpusim::system
