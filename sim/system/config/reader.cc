// SPDX-License-Identifier: MIT
#include "sim/system/config/reader.h"

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/files.h"
#include "sim/model/arch/loader.h"
#include "sim/system/config/names.h"
#include "sim/system/config/yaml_changes.h"

namespace gpusim::system {

using arch::in_quotes;
using arch::YamlItem;
using arch::YamlNode;

namespace {

constexpr std::string_view kCollectives = "collectives";
constexpr std::string_view kCalls = "calls";
constexpr std::array<std::string_view, 10> kTopWords{"name",     "description", "sources", "hosts",      "gpus",
                                                     "switches", "link_types",  "links",   kCollectives, kCalls};
constexpr std::array<std::string_view, 4> kLinkWords{"type", "from", "to", "count"};
constexpr std::uint32_t kMostSideBySide = 64;
constexpr std::size_t kMostNodes = 1024;

}  // namespace

void SystemReader::add_node(const std::string& name, const YamlItem& item, Node node) {
  const auto [first, is_new] = nodes_.emplace(name, static_cast<NodeId>(system_.nodes.size()));
  if (!is_new) {
    file_.yaml.add(item.key, "'" + name + "' is named twice",
                   "first in line " + std::to_string(system_.nodes[first->second].place.line));
    return;
  }
  node.name = name;
  node.place = item.key.place;
  system_.nodes.push_back(std::move(node));
}

/// What the GPU's architecture file says of it.
void SystemReader::find_arch(Gpu& gpu, const YamlItem& item) {
  if (gpu.arch.empty()) {
    return;
  }
  const YamlNode* const value = item.value.find("arch");
  const YamlNode& at = value->is_sequence() ? *value->values.front() : *value;
  std::filesystem::path file;
  try {
    file = arch::resolve_arch_path(gpu.arch, arch_folders_);
  } catch (const InputError&) {
    std::vector<std::string> names;
    for (const arch::ArchFile& known : arch::list_archs(arch_folders_)) {
      names.push_back(known.name);
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    file_.yaml.add(at, "unknown GPU " + in_quotes(gpu.arch), suggestion(gpu.arch, known));
    return;
  }
  try {
    const arch::Arch arch = arch::load_arch(file, changes_.of_gpus, arch_folders_);
    gpu.compute_capability = arch.compute_capability;
    gpu.memory_bytes = arch.dram.capacity_bytes;
  } catch (const InputError& error) {
    refuse_arch(gpu, at, error);
  }
}

/// Problems of changed keys are told by the names under which they were given.
void SystemReader::refuse_arch(const Gpu& gpu, const YamlNode& at, const InputError& error) {
  constexpr std::string_view kSet = "--set ";
  for (Problem problem : error.problems()) {
    if (!problem.where.file.starts_with(kSet)) {
      file_.yaml.add(at, "the GPU " + in_quotes(gpu.arch) + " does not load: " + to_text(problem));
      return;
    }
    problem.where.file = std::string(kSet) + std::string(kGpuPrefix) + problem.where.file.substr(kSet.size());
    file_.problems.add(std::move(problem));
  }
}

template <class T>
void SystemReader::read_nodes(const YamlItem* item, const std::string& group) {
  for (const YamlItem& inner : file_.items_of(item, group + ": {NAME: {...}}")) {
    const std::optional<std::vector<std::string>> names = names_of(inner.name);
    if (!names) {
      file_.yaml.add(inner.key, in_quotes(inner.name) + " is not a name",
                     "write for example gpu0, or gpu0..7 for eight");
      continue;
    }
    T of = file_.read_keys<T>(inner, group + "." + inner.name);
    if constexpr (std::is_same_v<T, Gpu>) {
      find_arch(of, inner);
    }
    for (const std::string& name : *names) {
      if (system_.nodes.size() == kMostNodes) {
        file_.yaml.add(inner.key, "a system has at most " + std::to_string(kMostNodes) + " hosts, GPUs and switches");
        return;
      }
      add_node(name, inner, {"", of, {}});
    }
  }
}

void SystemReader::check_rates(const LinkType& type, const YamlItem& item) {
  if (type.usable_bytes_per_second > type.bytes_per_second && type.bytes_per_second != 0) {
    file_.yaml.add(*item.value.find("usable"), "'usable' is above 'bandwidth'",
                   "a copy cannot be faster than its link");
  }
  const std::uint64_t both = type.both_ways_bytes_per_second;
  const std::uint64_t one = type.usable_bytes_per_second;
  if (both != 0 && one != 0 && (both < one || both > 2 * one)) {
    file_.yaml.add(*item.value.find("both_ways"), "'both_ways' is not between 'usable' and twice 'usable'");
  }
}

void SystemReader::read_link_types(const YamlItem* item) {
  for (const YamlItem& inner : file_.items_of(item, "link_types: {NAME: {...}}")) {
    LinkType type = file_.read_keys<LinkType>(inner, "link_types." + inner.name);
    type.name = inner.name;
    if (inner.value.is_map()) {
      check_rates(type, inner);
    }
    system_.link_types.push_back(std::move(type));
  }
}

std::vector<NodeId> SystemReader::ends_of(const YamlItem& item) {
  const std::optional<std::string> text = file_.yaml.scalar(item.value, "'" + item.name + "'");
  const std::optional<std::vector<std::string>> names = text ? names_of(*text) : std::nullopt;
  if (!names) {
    if (text) {
      file_.yaml.add(item.value, in_quotes(*text) + " is not a name", "write for example gpu0, or gpu0..7 for eight");
    }
    return {};
  }
  std::vector<NodeId> ends;
  for (const std::string& name : *names) {
    if (const auto found = nodes_.find(name); found != nodes_.end()) {
      ends.push_back(found->second);
      continue;
    }
    std::vector<std::string_view> known;
    std::ranges::transform(nodes_, std::back_inserter(known), [](const auto& n) { return std::string_view(n.first); });
    file_.yaml.add(item.value, "a link leads to " + in_quotes(name) + ", which is not there", suggestion(name, known));
    return {};
  }
  return ends;
}

std::uint32_t SystemReader::type_of(const YamlItem& item) {
  const std::string name = file_.yaml.scalar(item.value, "'type'").value_or("");
  const auto found = std::ranges::find(system_.link_types, name, &LinkType::name);
  if (found == system_.link_types.end()) {
    std::vector<std::string_view> known;
    std::ranges::transform(system_.link_types, std::back_inserter(known),
                           [](const LinkType& t) { return std::string_view(t.name); });
    file_.yaml.add(item.value, "unknown link type " + in_quotes(name), suggestion(name, known));
    return 0;
  }
  return static_cast<std::uint32_t>(found - system_.link_types.begin());
}

std::uint32_t SystemReader::count_of(const YamlItem* item) {
  if (item == nullptr) {
    return 1;
  }
  static const arch::Key kCount{"count", arch::Unit::kCount, 1, kMostSideBySide, "", arch::PeakField{0}, {}};
  const std::string text = file_.yaml.scalar(item->value, "'count'").value_or("");
  const arch::ParsedValue parsed = arch::parse_value(kCount, text);
  if (!parsed.error.empty()) {
    file_.yaml.add(item->value, "'count': " + parsed.error, parsed.hint);
    return 1;
  }
  return static_cast<std::uint32_t>(parsed.value.number.numerator);
}

/// Each of one side with the one of the other, or as many with as many in order.
void SystemReader::join(const YamlNode& node, const Items& items) {
  const YamlItem* const type = item_of(items, "type");
  const YamlItem* const from = item_of(items, "from");
  const YamlItem* const to = item_of(items, "to");
  if (type == nullptr || from == nullptr || to == nullptr) {
    file_.yaml.add(node, "a link lacks 'type', 'from' or 'to'", "write {type: nvlink, from: gpu0..7, to: nvswitch}");
    return;
  }
  Link link;
  link.type = type_of(*type);
  link.count = count_of(item_of(items, "count"));
  const std::vector<NodeId> firsts = ends_of(*from);
  const std::vector<NodeId> seconds = ends_of(*to);
  if (firsts.empty() || seconds.empty()) {
    return;
  }
  if (firsts.size() != seconds.size() && firsts.size() != 1 && seconds.size() != 1) {
    file_.yaml.add(node, "a link joins " + std::to_string(firsts.size()) + " with " + std::to_string(seconds.size()),
                   "one side has one, or both have as many");
    return;
  }
  for (std::size_t i = 0; i < std::max(firsts.size(), seconds.size()); ++i) {
    link.from = firsts[firsts.size() == 1 ? 0 : i];
    link.to = seconds[seconds.size() == 1 ? 0 : i];
    if (link.from == link.to) {
      file_.yaml.add(node, "a link leads from '" + system_.nodes[link.from].name + "' to itself");
      return;
    }
    system_.links.push_back(link);
  }
}

void SystemReader::read_link(const YamlNode& node) {
  if (!node.is_map()) {
    file_.yaml.add(node, "a link must be a map", "write {type: nvlink, from: gpu0..7, to: nvswitch}");
    return;
  }
  const Items items = file_.yaml.items(node);
  for (const YamlItem& item : items) {
    if (std::ranges::find(kLinkWords, item.name) == kLinkWords.end()) {
      file_.yaml.add(item.key, "unknown key " + in_quotes("links." + item.name), suggestion(item.name, kLinkWords));
    }
  }
  join(node, items);
}

void SystemReader::read_links(const YamlItem* item) {
  if (item == nullptr) {
    return;
  }
  if (!item->value.is_sequence()) {
    file_.yaml.add(item->value.is_null() ? item->key : item->value, "'links' must be a list",
                   "write - {type: nvlink, from: gpu0..7, to: nvswitch}");
    return;
  }
  for (const YamlNode* const node : item->value.values) {
    read_link(*node);
  }
}

/// A system has hosts and GPUs, and nothing in it stands alone.
void SystemReader::check_links(const YamlNode& root) {
  if (nodes_of<Host>(system_).empty() || nodes_of<Gpu>(system_).empty()) {
    file_.yaml.add(root, "a system needs a host and a GPU", "write 'hosts:' and 'gpus:'");
    return;
  }
  for (NodeId id = 0; id < system_.nodes.size(); ++id) {
    const bool is_linked =
        std::ranges::any_of(system_.links, [id](const Link& link) { return link.from == id || link.to == id; });
    if (!is_linked) {
      const Node& node = system_.nodes[id];
      file_.problems.add(
          {{file_.yaml.file, node.place.line, node.place.column}, "'" + node.name + "' has no link", ""});
    }
  }
}

System SystemReader::read(std::string text) {
  const std::unique_ptr<arch::YamlDocument> document =
      file_.yaml.parse(std::move(text), "a system", "one YAML document with keys such as 'gpus:' and 'links:'");
  file_.problems.throw_if_any();
  static constexpr std::array<std::string_view, 2> kMayLack{kCollectives, kCalls};
  const YamlNode& root = changed_root(file_.problems, *document, changes_.keys, kMayLack);
  throw_if_any(file_.problems, changes_.keys);
  const Items top = file_.yaml.items(root);
  for (const YamlItem& item : top) {
    if (std::ranges::find(kTopWords, item.name) == kTopWords.end()) {
      file_.yaml.add(item.key, "unknown key " + in_quotes(item.name), suggestion(item.name, kTopWords));
    }
  }
  system_.path = file_.yaml.file;
  if (const YamlItem* const sources = item_of(top, "sources")) {
    read_citations(file_.yaml, sources->value, file_.citations);
  }
  file_.read_text(item_of(top, "name"), system_.name);
  file_.read_text(item_of(top, "description"), system_.description);
  if (system_.name.empty()) {
    file_.yaml.add(root, "the system has no name", "write name: DGX A100");
  }
  read_nodes<Host>(item_of(top, "hosts"), "hosts");
  read_nodes<Gpu>(item_of(top, "gpus"), "gpus");
  read_nodes<Switch>(item_of(top, "switches"), "switches");
  read_link_types(item_of(top, "link_types"));
  read_links(item_of(top, "links"));
  if (const YamlItem* const item = item_of(top, kCollectives)) {
    system_.collectives = file_.read_keys<CollectiveRates>(*item, std::string(kCollectives));
  }
  if (const YamlItem* const item = item_of(top, kCalls)) {
    system_.calls = file_.read_keys<CallCosts>(*item, std::string(kCalls));
  }
  if (file_.problems.empty()) {
    check_links(root);
  }
  throw_if_any(file_.problems, changes_.keys);
  system_.values = std::move(file_.values);
  for (const arch::Override& change : changes_.of_gpus) {
    system_.gpu_set.push_back(change.key + "=" + change.value);
  }
  return std::move(system_);
}

}  // namespace gpusim::system
