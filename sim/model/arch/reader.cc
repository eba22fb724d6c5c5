// SPDX-License-Identifier: MIT
// From YAML to a Sheet.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/model/arch/derive.h"
#include "sim/model/arch/files.h"
#include "sim/model/arch/provenance.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/sheet.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::arch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestChain = 16;
/// Words at the top of a file that are not keys of the schema.
constexpr std::array<std::string_view, 3> kFormWords{"extends", "inherited", "sources"};

class Reader {
 public:
  Reader(std::span<const fs::path> folders, ProblemList& problems)
      : folders_(folders), problems_(problems), yaml_(problems) {}

  Sheet read(const fs::path& file, const SourceLocation& from);

 private:
  std::unique_ptr<YamlDocument> parse(const fs::path& file, const SourceLocation& from);
  Sheet read_base(const YamlItem* extends, const fs::path& file);
  [[nodiscard]] fs::path find_base(const fs::path& name, const fs::path& variant) const;
  void doubt_inherited(const YamlItem& inherited, Sheet& sheet);
  void read_group(const std::vector<YamlItem>& group, const std::string& path, Sheet& sheet);
  void read_item(const YamlItem& item, const std::string& path, Sheet& sheet);
  void read_leaf(std::size_t index, const YamlItem& item, Sheet& sheet);
  void read_derived(const YamlItem& item, const std::string& path);
  void give(const std::string& path, std::string text, const SourceLocation& where);

  std::span<const fs::path> folders_;  ///< where bases are searched that are not beside their variant
  ProblemList& problems_;
  std::vector<fs::path> chain_;      ///< files being read, outermost first
  std::optional<Derivation> given_;  ///< by the file that is being read; nothing while it extends no other
  YamlReader yaml_;
};

std::unique_ptr<YamlDocument> Reader::parse(const fs::path& file, const SourceLocation& from) {
  std::string why;
  std::optional<std::string> text = read_yaml_text(file, why);
  if (!text) {
    problems_.add({from, in_quotes(file.string()) + " " + why, ""});
    return nullptr;
  }
  return yaml_.parse(*std::move(text), "an architecture", "one YAML document with keys such as 'sm:' and 'l2:'");
}

void Reader::read_leaf(std::size_t index, const YamlItem& item, Sheet& sheet) {
  const Key& key = schema()[index];
  if (const Entry* const known = sheet.find(index); known != nullptr && known->where.file == yaml_.file) {
    yaml_.add(item.key, "'" + key.path + "' is given twice", "first in line " + std::to_string(known->where.line));
  }
  // Whatever is wrong with it, the file gives this key: nothing is missing, and the base's value no longer holds.
  Entry entry;
  read_sourced(yaml_, {item, key.path, key.has_source, is_list(key.unit)}, sheet.sources, entry);
  if (!item.value.is_null() && !item.value.is_map() && (!item.value.is_sequence() || key.has_source)) {
    give(key.path, entry.text, entry.where);
  }
  sheet.put(index, std::move(entry));
}

void Reader::give(const std::string& path, std::string text, const SourceLocation& where) {
  if (given_) {
    const std::string why = "follows from " + path + ": " + text;
    given_->give(path, {std::move(text), where, "'" + path + "'", why});
  }
}

/// A value, or one with its kind and sources, which the keys that follow from it do without.
void Reader::read_derived(const YamlItem& item, const std::string& path) {
  const bool has_source = item.value.is_sequence() && !item.value.values.empty();
  const YamlNode& value = has_source ? *item.value.values.front() : item.value;
  if (!given_) {
    yaml_.add(item.key, "'" + path + "' changes what a file extends, and this one extends none",
              "write 'clocks.memory' and 'dram.command_hz'");
  } else if (const std::optional<std::string> text = yaml_.scalar(value, "the value of '" + path + "'")) {
    give(path, *text, yaml_.place(value));
  }
}

void Reader::read_item(const YamlItem& item, const std::string& path, Sheet& sheet) {
  const std::optional<std::size_t> index = find_key(path);
  if (item.value.is_map() && is_group(path)) {
    read_group(yaml_.items(item.value), path, sheet);
  } else if (index) {
    read_leaf(*index, item, sheet);
  } else if (is_derived_key(path)) {
    read_derived(item, path);
  } else if (is_group(path)) {
    yaml_.add(item.key, "'" + path + "' is a group of keys, not a value", suggestion("", children_of(path)));
  } else {
    const std::string group = path.substr(0, path.size() - std::min(path.size(), item.name.size() + 1));
    std::vector<std::string_view> known = children_of(group);
    if (group.empty()) {
      known.insert(known.end(), kFormWords.begin(), kFormWords.end());
    }
    yaml_.add(item.key, "unknown key " + in_quotes(path), suggestion(item.name, known));
  }
}

void Reader::read_group(const std::vector<YamlItem>& group, const std::string& path, Sheet& sheet) {
  for (const YamlItem& item : group) {
    read_item(item, path.empty() ? item.name : path + "." + item.name, sheet);
  }
}

Sheet Reader::read_base(const YamlItem* extends, const fs::path& file) {
  if (extends == nullptr) {
    return {};
  }
  const std::optional<std::string> name = yaml_.scalar(extends->value, "'extends'");
  if (!name) {
    return {};
  }
  if (const fs::path base = find_base(*name, file); !base.empty()) {
    const std::string outer = yaml_.file;
    Sheet sheet = read(base, yaml_.place(extends->value));
    yaml_.file = outer;
    return sheet;
  }
  std::vector<fs::path> searched{file.parent_path()};
  searched.insert(searched.end(), folders_.begin(), folders_.end());
  yaml_.add(extends->value, "'extends' names " + in_quotes(*name) + ", which is not there",
            near_files(searched, *name));
  return {};
}

/// "inherited: guess": nobody has said of this GPU what the file takes from its base, and the base's vendor did not
/// publish figures for it.
void Reader::doubt_inherited(const YamlItem& inherited, Sheet& sheet) {
  const std::optional<std::string> word = yaml_.scalar(inherited.value, "'inherited'");
  if (!word) {
    return;
  }
  if (*word != source_kind_text(SourceKind::kGuess)) {
    yaml_.add(inherited.value, "'inherited' is " + in_quotes(*word), "allowed: guess");
    return;
  }
  const Entry* const name = sheet.find("name");
  const std::string base = name != nullptr ? name->text : "the base";
  for (std::size_t i = 0; i < schema().size(); ++i) {
    const Entry* const entry = sheet.find(i);
    if (entry == nullptr || entry->kind == SourceKind::kGuess) {
      continue;
    }
    Entry doubted = *entry;
    doubted.kind = SourceKind::kGuess;
    doubted.sources.insert(doubted.sources.begin(),
                           "as on " + base + " (" + std::string(source_kind_text(entry->kind)) + ")");
    sheet.put(i, std::move(doubted));
  }
  sheet.drop_own_figures();
}

/// Beside the variant, or a name (no path) in the folders, there in capitals of any kind; empty when it is nowhere.
fs::path Reader::find_base(const fs::path& name, const fs::path& variant) const {
  std::vector<fs::path> places{variant.parent_path()};
  if (!name.has_parent_path()) {
    places.insert(places.end(), folders_.begin(), folders_.end());
  }
  std::error_code error;
  for (const fs::path& folder : places) {
    for (const fs::path& candidate : {folder / name, folder / (name.string() + ".yaml")}) {
      if (fs::is_regular_file(candidate, error)) {
        return candidate;
      }
    }
  }
  return name.has_parent_path() ? fs::path() : file_in_other_case(folders_, name.string());
}

Sheet Reader::read(const fs::path& file, const SourceLocation& from) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(file, error);
  const bool again = std::ranges::find(chain_, canonical) != chain_.end();
  if (again || chain_.size() == kLongestChain) {
    std::string text;
    for (const fs::path& link : chain_) {
      text += link.filename().string() + " -> ";
    }
    text += canonical.filename().string();
    problems_.add({from,
                   again ? "'extends' goes in a circle: " + text
                         : "'extends' leads through more than " + std::to_string(kLongestChain) + " files: " + text,
                   ""});
    return {};
  }
  chain_.push_back(canonical);
  yaml_.file = file.string();
  const std::unique_ptr<YamlDocument> document = parse(file, from);
  const std::vector<YamlItem> top = document ? yaml_.items(document->root()) : std::vector<YamlItem>();
  const auto named = [&top](std::string_view name) {
    const auto found = std::ranges::find(top, name, &YamlItem::name);
    return found == top.end() ? nullptr : &*found;
  };
  Sheet sheet = read_base(named("extends"), file);
  sheet.file = yaml_.file;
  if (const YamlItem* item = named("inherited")) {
    doubt_inherited(*item, sheet);
  }
  if (const YamlItem* item = named("sources")) {
    read_citations(yaml_, item->value, sheet.sources);
  }
  std::vector<YamlItem> keys;
  std::ranges::copy_if(top, std::back_inserter(keys), [](const YamlItem& item) {
    return std::ranges::find(kFormWords, item.name) == kFormWords.end();
  });
  given_.reset();
  if (named("extends") != nullptr) {
    given_.emplace(sheet, SourceKind::kInferred);
  }
  read_group(keys, "", sheet);
  if (given_) {
    given_->follow(sheet, problems_);
  }
  chain_.pop_back();
  return sheet;
}

}  // namespace

Sheet read_sheet(const fs::path& file, std::span<const fs::path> folders, ProblemList& problems) {
  return Reader(folders, problems).read(file, {});
}

}  // namespace gpusim::arch
