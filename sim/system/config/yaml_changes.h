// SPDX-License-Identifier: MIT
// What a user changes of a YAML file with --set, before it is read: each value stands for the one under the path of its
// key, and messages about it name --set.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpusim {
class ProblemList;
}  // namespace gpusim
namespace gpusim::arch {
struct Override;
class YamlDocument;
struct YamlNode;
}  // namespace gpusim::arch

namespace gpusim::system {

/// A path leads through maps: "calls.launch", "kernels.relu.bytes". Its last key is added where the file lacks it, and
/// so are maps that are called as one of `may_lack`. A path that leads nowhere is a problem, with the nearest. The root
/// that is returned is the document's.
[[nodiscard]] const arch::YamlNode& changed_root(ProblemList& problems, arch::YamlDocument& document,
                                                 std::span<const arch::Override> changes,
                                                 std::span<const std::string_view> may_lack);

/// Throws InputError when there is a problem. Those of nodes that changed_root() made name the change: such nodes have
/// lines beyond those of any file.
void throw_if_any(const ProblemList& problems, std::span<const arch::Override> changes);

/// The value under a path, without kind and source; empty where there is none.
[[nodiscard]] std::string text_at(const arch::YamlNode& root, std::string_view path);

}  // namespace gpusim::system
