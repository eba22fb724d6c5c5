// SPDX-License-Identifier: MIT
// The tables of every key that a node, a link type, the collectives or the calls of a system file may have: its unit,
// range, meaning and field. Reading and the documentation walk them.
#pragma once

#include <span>
#include <string>

#include "sim/system/config/key_row.h"
#include "sim/system/config/system.h"

namespace gpusim::system {

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
template <>
std::span<const KeyRow<CallCosts>> keys_of<CallCosts>();

/// The tables as Markdown: the generated part of docs/systems.md.
[[nodiscard]] std::string keys_markdown();

}  // namespace gpusim::system
