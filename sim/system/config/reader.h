// SPDX-License-Identifier: MIT
// The reader of one system file. For loader.cc alone.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/model/arch/yaml_reader.h"
#include "sim/system/config/changes.h"
#include "sim/system/config/sourced_file.h"
#include "sim/system/config/system.h"

namespace gpusim {
class InputError;
}  // namespace gpusim
namespace gpusim::arch {
struct YamlNode;
}  // namespace gpusim::arch

namespace gpusim::system {

class SystemReader {
 public:
  SystemReader(const std::string& name, std::span<const std::filesystem::path> arch_folders, Changes changes)
      : arch_folders_(arch_folders), changes_(std::move(changes)) {
    file_.yaml.file = name;
  }
  System read(std::string text);

 private:
  using Items = std::vector<arch::YamlItem>;

  template <class T>
  void read_nodes(const arch::YamlItem* item, const std::string& group);
  void add_node(const std::string& name, const arch::YamlItem& item, Node node);
  void read_link_types(const arch::YamlItem* item);
  void read_links(const arch::YamlItem* item);
  void read_link(const arch::YamlNode& node);
  void join(const arch::YamlNode& node, const Items& items);
  [[nodiscard]] std::vector<NodeId> ends_of(const arch::YamlItem& item);
  [[nodiscard]] std::uint32_t type_of(const arch::YamlItem& item);
  [[nodiscard]] std::uint32_t count_of(const arch::YamlItem* item);
  void find_arch(Gpu& gpu, const arch::YamlItem& item);
  void refuse_arch(const Gpu& gpu, const arch::YamlNode& at, const InputError& error);
  void check_rates(const LinkType& type, const arch::YamlItem& item);
  void check_links(const arch::YamlNode& root);

  std::span<const std::filesystem::path> arch_folders_;
  Changes changes_;
  SourcedFile file_;
  std::map<std::string, NodeId, std::less<>> nodes_;
  System system_;
};

}  // namespace gpusim::system
