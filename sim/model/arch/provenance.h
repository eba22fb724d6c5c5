// SPDX-License-Identifier: MIT
// A value with its kind and sources as our YAML files write it, [50 MiB, vendor, h100wp], and the citations that its
// sources name.
#pragma once

#include <map>
#include <string>

namespace gpusim::arch {

struct Entry;
struct YamlItem;
struct YamlNode;
class YamlReader;

/// Citations by the word that stands for them.
using Citations = std::map<std::string, std::string>;

/// The map under `sources:`, added to the citations that a base file has.
void read_citations(YamlReader& yaml, const YamlNode& map, Citations& citations);

/// A key whose value is to be read.
struct SourcedKey {
  const YamlItem& item;
  const std::string& path;  ///< for messages
  bool has_source = true;   ///< false: a name, which has no kind
  bool is_list = false;     ///< true: a list of values, which become one text with commas
};

/// Reads text, kind and sources into the entry, and whether a problem was found; a value without a kind is the user's.
void read_sourced(YamlReader& yaml, const SourcedKey& key, const Citations& citations, Entry& entry);

}  // namespace gpusim::arch
