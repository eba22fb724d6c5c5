// SPDX-License-Identifier: MIT
// The reader of one file of cases. Internal to the module.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/commands/validate/case.h"
#include "sim/commands/validate/gpu_names.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::validate {

/// Reads one file.
class CaseReader {
 public:
  CaseReader(const std::string& name, std::string suite, const GpuNames& gpus)
      : yaml_(problems_), suite_(std::move(suite)), gpus_(gpus) {
    yaml_.file = name;
  }
  std::vector<Case> read(const std::string& text);

  using Take = void (CaseReader::*)(const arch::YamlItem& item);
  struct Field {
    std::string_view name;
    Take take;
    std::string_view what;
  };
  /// The keys of a case.
  static const std::array<Field, 36> kFields;

 private:
  /// What a case says, by key: what stands nearer to it wins.
  using Items = std::map<std::string, arch::YamlItem>;

  static const Field* field_of(std::string_view name);

  void read_list(const arch::YamlNode& list, const Items& common);
  void read_entry(const arch::YamlNode& node, const Items& common);
  void add_case(const arch::YamlNode& node, const Items& items, const std::string& prefix);
  void read_case(const arch::YamlNode& node, const Items& items, const std::string& prefix);
  const arch::YamlNode& joined(const arch::YamlNode& map, const arch::YamlNode& changes);
  void merge(const arch::YamlNode& map, Items& into);
  void finish(const arch::YamlNode& node, const Items& items);
  void resolve_gpu(const Items& items);
  void check_what_runs(const arch::YamlNode& node, const Items& items);
  void check_marks(const arch::YamlNode& node, const Items& items);
  void check_trust(const arch::YamlNode& node, const Items& items);
  void substitute(const Items& items);
  void check_kernel(const arch::YamlNode& node, const Items& items);
  void check_quotients(const arch::YamlNode& node, const Items& items);
  void read_other_run(const Items& items, const std::string& key, std::vector<Case>& into);
  bool has_right_form(const arch::YamlItem& item);

  std::string text(const arch::YamlItem& item);
  double number(const arch::YamlItem& item, const arch::YamlNode& node);
  double amount(const arch::YamlItem& item);
  void take_pairs(const arch::YamlItem& item, std::vector<NamedText>& pairs);
  std::string word(const arch::YamlItem& item, std::span<const std::string_view> words);
  bool truth(const arch::YamlItem& item);
  std::uint32_t count(const arch::YamlItem& item, std::uint32_t most);

  void take_id(const arch::YamlItem& item) { case_.id += text(item); }
  void take_suite(const arch::YamlItem& item) { case_.suite = text(item); }
  void take_mechanism(const arch::YamlItem& item) { case_.mechanism = text(item); }
  void take_kind(const arch::YamlItem& item) { case_.kind = text(item); }
  void take_missing(const arch::YamlItem& item) { case_.missing = text(item); }
  void take_gpu(const arch::YamlItem& item) { case_.gpu = text(item); }
  void take_arch(const arch::YamlItem& item) { case_.arch = text(item); }
  void take_set(const arch::YamlItem& item) { take_pairs(item, case_.set); }
  void take_trace(const arch::YamlItem& item) { case_.trace = text(item); }
  void take_params(const arch::YamlItem& item) { take_pairs(item, case_.params); }
  void take_program(const arch::YamlItem& item);
  void take_with(const arch::YamlItem& item) { take_pairs(item, with_); }
  void take_warps(const arch::YamlItem& item) { case_.warps = count(item, 32); }
  void take_ctas(const arch::YamlItem& item) { case_.ctas = count(item, 1'000'000); }
  void take_estimate(const arch::YamlItem& item) { take_pairs(item, case_.estimate); }
  void take_make(const arch::YamlItem& item) { case_.make = text(item); }
  void take_relative_to(const arch::YamlItem&) {}  // when the case is whole: read_other_run()
  void take_less(const arch::YamlItem&) {}         // likewise
  void take_plus(const arch::YamlItem&) {}         // likewise
  void take_per(const arch::YamlItem& item) { case_.per = amount(item); }
  void take_rate_of(const arch::YamlItem& item) { case_.rate_of = amount(item); }
  void take_slow(const arch::YamlItem& item) { case_.slow = truth(item); }
  void take_metric(const arch::YamlItem& item);
  void take_of(const arch::YamlItem& item) { case_.of = text(item); }
  void take_from(const arch::YamlItem& item) { case_.from = text(item); }
  void take_to(const arch::YamlItem& item) { case_.to = text(item); }
  void take_measured(const arch::YamlItem& item);
  void take_unit(const arch::YamlItem& item) { case_.unit = text(item); }
  void take_clock(const arch::YamlItem& item) { case_.clock_mhz = number(item, item.value); }
  void take_clock_word(const arch::YamlItem& item);
  void take_cache(const arch::YamlItem& item);
  void take_source(const arch::YamlItem& item) { case_.source = text(item); }
  void take_confidence(const arch::YamlItem& item);
  void take_counted(const arch::YamlItem& item) { case_.counted = truth(item); }
  void take_tolerance(const arch::YamlItem& item);
  void take_note(const arch::YamlItem& item) { case_.note = text(item); }

  ProblemList problems_;
  arch::YamlReader yaml_;
  std::deque<arch::YamlNode> joined_;  ///< maps that stand in no file
  std::string suite_;
  const GpuNames& gpus_;
  std::vector<Case> cases_;
  std::map<std::string, std::uint32_t> ids_;  ///< with their lines
  Case case_;
  std::vector<NamedText> with_;
};

}  // namespace gpusim::validate
