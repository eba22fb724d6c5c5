// SPDX-License-Identifier: MIT
// The reader of one file of cases: which keys each case has, from the file, the case and its row. What a key's value is
// stands in case_keys.h, what a case must be as a whole in case_checks.h. Internal to the module.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/commands/validate/case_draft.h"
#include "sim/commands/validate/case_values.h"
#include "sim/commands/validate/gpu_names.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::validate {

struct CaseKey;
struct CaseToCheck;

/// Reads one file.
class CaseReader {
 public:
  CaseReader(const std::string& name, std::string suite, const GpuNames& gpus)
      : yaml_(problems_), values_(yaml_), suite_(std::move(suite)), gpus_(gpus) {
    yaml_.file = name;
  }
  std::vector<Case> read(const std::string& text);

 private:
  struct Changes {
    std::string key;
    const arch::YamlNode* map;
  };
  static std::vector<Changes> changes_of(const CaseItems& items, const std::string& key);

  void read_list(const arch::YamlNode& list, const CaseItems& common);
  void read_entry(const arch::YamlNode& node, const CaseItems& common);
  void add_case(const arch::YamlNode& node, const CaseItems& items, const std::string& prefix);
  void read_case(const arch::YamlNode& node, const CaseItems& items, const std::string& prefix);
  const arch::YamlNode& joined(const arch::YamlNode& map, const arch::YamlNode& changes);
  void merge(const arch::YamlNode& map, CaseItems& into);
  void take(const CaseKey& key, const arch::YamlItem& item);
  void finish(const arch::YamlNode& node, const CaseItems& items);
  /// What stands beside the case: each a copy of it with the changes that a key makes, or several.
  void read_other_runs(const CaseToCheck& at);
  Case other_run(const CaseToCheck& at, const std::vector<Changes>& changes);
  void change(const CaseToCheck& at, const Changes& changes);
  bool has_right_form(const arch::YamlItem& item);

  ProblemList problems_;
  arch::YamlReader yaml_;
  CaseValues values_;
  std::deque<arch::YamlNode> joined_;  ///< maps that stand in no file
  std::string suite_;
  const GpuNames& gpus_;
  std::vector<Case> cases_;
  std::map<std::string, std::uint32_t> ids_;  ///< with their lines
  CaseDraft draft_;
};

}  // namespace gpusim::validate
