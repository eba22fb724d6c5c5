// SPDX-License-Identifier: MIT
#include "sim/commands/validate/case_checks.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/commands/validate/metric.h"
#include "sim/commands/validate/program.h"
#include "sim/model/arch/value.h"

namespace gpusim::validate {
namespace {

using arch::in_quotes;

class CaseChecker {
 public:
  CaseChecker(const CaseToCheck& at, CaseDraft& draft)
      : yaml_(at.yaml), node_(at.node), items_(at.items), gpus_(at.gpus), case_(draft.value), with_(draft.with) {}

  void check_keys();
  void resolve_gpu();
  void check_what_runs();
  void check_marks();
  void check_trust();
  void substitute();
  void check_quotients();
  void check_kernel();

 private:
  arch::YamlReader& yaml_;
  const arch::YamlNode& node_;
  const CaseItems& items_;
  const GpuNames& gpus_;
  Case& case_;
  const std::vector<NamedText>& with_;
};

void CaseChecker::check_keys() {
  for (const char* const key : {"id", "metric", "measured", "unit", "source", "confidence"}) {
    const bool is_implied = (items_.contains("estimate") && std::string_view(key) == "metric") ||
                            (case_.is_word() && std::string_view(key) == "unit");
    if (!items_.contains(key) && !is_implied) {
      yaml_.add(node_, "case " + in_quotes(case_.id) + " lacks '" + std::string(key) + "'");
    }
  }
}

void CaseChecker::resolve_gpu() {
  const auto gpu = items_.find("gpu");
  if (gpu == items_.end() || case_.gpu == "?") {
    return;
  }
  const auto found = gpus_.find(case_.gpu);
  if (found == gpus_.end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, named] : gpus_) {
      if (!named.arch.empty()) {  // others are several GPUs, or have no description
        names.emplace_back(name);
      }
    }
    yaml_.add(gpu->second.value, "unknown GPU " + in_quotes(case_.gpu), name_suggestion(case_.gpu, names));
    return;
  }
  case_.arch = found->second.arch;
  case_.set.insert(case_.set.begin(), found->second.set.begin(), found->second.set.end());
}

void CaseChecker::check_what_runs() {
  const auto one_of = [&](std::initializer_list<const char*> names, const std::string& what) {
    const auto given = std::ranges::count_if(names, [&](const char* name) { return items_.contains(name); });
    if (given != 1) {
      yaml_.add(node_, "case " + in_quotes(case_.id) + (given == 0 ? " lacks " : " has more than one of ") + what);
    }
  };
  if (!items_.contains("estimate")) {
    one_of({"gpu", "arch"}, "'gpu' or 'arch'");
  }
  one_of({"trace", "program", "make", "estimate"}, "'trace', 'program', 'make' or 'estimate'");
  for (const auto& [key, whose] : {std::pair("params", "trace"), std::pair("with", "program"),
                                   std::pair("warps", "program"), std::pair("ctas", "program")}) {
    if (items_.contains(key) && !items_.contains(whose)) {
      yaml_.add(items_.at(key).key, "'" + std::string(key) + "' goes with '" + whose + "', which is not given");
    }
  }
}

void CaseChecker::check_marks() {
  if (items_.contains("estimate")) {
    return;
  }
  const Metric* const metric = find_metric(case_.metric);
  if (metric != nullptr && !items_.contains("program") && !items_.contains("make")) {
    yaml_.add(node_, "metric '" + case_.metric + "' is of a 'program'", "a trace has the numbers of the result's JSON");
    return;
  }
  const auto check = [&](const char* key, bool wanted, const std::string& value) {
    if (wanted != items_.contains(key)) {
      yaml_.add(node_, "metric '" + case_.metric + "' " + (wanted ? "lacks" : "takes no") + " '" + key + "'");
    } else if (const std::optional<Mark> mark = parse_mark(value); wanted && !mark) {
      yaml_.add(items_.at(key).value, in_quotes(value) + " is not a mark",
                "LABEL, LABEL#3 (the third time), LABEL@2 (warp 2)");
    }
  };
  check("of", metric != nullptr && metric->wants_of, case_.of);
  check("from", metric != nullptr && metric->wants_from_to, case_.from);
  check("to", metric != nullptr && metric->wants_from_to, case_.to);
}

void CaseChecker::check_trust() {
  const bool is_mixed = case_.is_kernel() && !is_time_metric(case_.metric) && !case_.is_word();
  if (!items_.contains("counted")) {
    case_.counted = case_.confidence != Confidence::kLow && !is_mixed;
  } else if (case_.counted && is_mixed && is_result_metric(case_.metric)) {
    yaml_.add(items_.at("counted").value, "metric " + in_quotes(case_.metric) + " of a kernel is never counted",
              "the mean is over times");
  } else if (case_.counted && case_.confidence == Confidence::kLow) {
    yaml_.add(items_.at("counted").value, "a case of low confidence is never counted");
  }
  if (!items_.contains("tolerance") && !case_.is_word()) {
    constexpr double kToTheNearest = 0.5;
    case_.tolerance = {case_.is_kernel() ? std::numeric_limits<double>::infinity() : kToTheNearest, false};
    if (case_.unit != "cycles" && case_.counted && !case_.is_kernel()) {
      yaml_.add(node_, "case " + in_quotes(case_.id) + " lacks 'tolerance'", "only cycles have one by themselves: 0.5");
    }
  }
}

/// "${NAME}" becomes what `with` says of it.
void CaseChecker::substitute() {
  std::string& program = case_.program;
  std::set<std::string> used;
  for (std::size_t at = program.find("${"); at != std::string::npos; at = program.find("${", at)) {
    const std::size_t end = program.find('}', at);
    const std::string name = program.substr(at + 2, end == std::string::npos ? end : end - at - 2);
    const auto found = std::ranges::find(with_, name, &NamedText::first);
    if (end == std::string::npos || found == with_.end()) {
      std::vector<std::string_view> names;
      std::ranges::transform(with_, std::back_inserter(names),
                             [](const NamedText& t) { return std::string_view(t.first); });
      yaml_.add(items_.at("program").value,
                "case " + in_quotes(case_.id) + ": the program's '${" + name + "}' is not in 'with'",
                suggestion(name, names));
      return;
    }
    used.insert(name);
    program.replace(at, end + 1 - at, found->second);
    at += found->second.size();
  }
  for (const NamedText& text : with_) {
    if (!used.contains(text.first) && items_.contains("program")) {
      yaml_.add(items_.at("with").value, "the program has no '${" + text.first + "}'");
    }
  }
}

void CaseChecker::check_quotients() {
  for (const auto& [one, other] :
       {std::pair("less", "relative_to"), std::pair("plus", "relative_to"), std::pair("per", "rate_of")}) {
    if (items_.contains(one) && items_.contains(other)) {
      yaml_.add(node_, "case " + in_quotes(case_.id) + " has both '" + one + "' and '" + other + "'");
    }
  }
  for (const char* const key : {"relative_to", "less", "plus", "per", "rate_of"}) {
    if (case_.is_word() && items_.contains(key)) {
      yaml_.add(items_.at(key).key, "metric '" + case_.metric + "' is a word, and takes no '" + key + "'");
    }
  }
}

/// What the measurement did is a part of a kernel's case.
void CaseChecker::check_kernel() {
  if (!case_.is_kernel()) {
    return;
  }
  if (!items_.contains("clock") && !items_.contains("clock_mhz")) {
    yaml_.add(node_, "case " + in_quotes(case_.id) + " does not say at which clock it was measured",
              "'clock: boost', or 'clock_mhz'");
  }
  if (!items_.contains("cache")) {
    yaml_.add(node_, "case " + in_quotes(case_.id) + " does not say what the caches held",
              "'cache': warm, cold, flush-between or dirty");
  }
  if (gpus_.contains(case_.gpu) && case_.arch.empty()) {
    yaml_.add(node_, "case " + in_quotes(case_.id) + ": no architecture describes the GPU " + in_quotes(case_.gpu));
  }
}

}  // namespace

void complete_case(const CaseToCheck& at, CaseDraft& draft) {
  CaseChecker checker(at, draft);
  checker.check_keys();
  checker.resolve_gpu();
  checker.check_what_runs();
  checker.check_marks();
  checker.check_trust();
  checker.check_kernel();
  checker.substitute();
  checker.check_quotients();
}

void substitute_names(const CaseToCheck& at, CaseDraft& draft) {
  CaseChecker(at, draft).substitute();
}

}  // namespace gpusim::validate
