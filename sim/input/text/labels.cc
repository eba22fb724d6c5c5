// SPDX-License-Identifier: MIT
#include "sim/input/text/labels.h"

#include <algorithm>

#include "sim/base/nearest.h"

namespace gpusim::frontend {

using trace::kNone;

void Labels::open_scope() {
  const auto number = static_cast<std::uint32_t>(scopes_.size());
  scopes_.push_back({scope_, {}});
  scope_ = number;
}

void Labels::add(const std::string& name, const Label& label) {
  const auto number = static_cast<std::uint32_t>(labels_.size());
  labels_.push_back(label);
  const auto [known, is_new] = scopes_[scope_].labels.emplace(name, number);
  if (!is_new) {
    reporter_.add(label.place, "label '" + name + "' stands a second time",
                  "first in line " + std::to_string(labels_[known->second].place.line));
  }
}

const Labels::Label* Labels::find(const Reference& reference) {
  std::vector<std::string_view> known;
  const Word& name = reference.label;
  const std::string message = "undefined label '" + name.text + "'";
  const bool wants_hint = reporter_.wants(name.place, message);
  for (std::uint32_t scope = reference.scope; scope != kNone; scope = scopes_[scope].parent) {
    const auto found = scopes_[scope].labels.find(name.text);
    if (found == scopes_[scope].labels.end()) {
      for (const auto& [other, number] : scopes_[scope].labels) {
        if (wants_hint) {
          known.push_back(other);
        }
      }
      continue;
    }
    return &labels_[found->second];
  }
  if (reporter_.excuses(name.text)) {
    return nullptr;
  }
  std::sort(known.begin(), known.end());
  reporter_.add(name.place, message, known.empty() ? "there are no labels here" : suggestion(name.text, known));
  return nullptr;
}

void Labels::resolve(trace::ProgramDraft& draft) {
  for (const Reference& branch : branches_) {
    resolve(branch, draft);
  }
}

void Labels::resolve(const Reference& branch, trace::ProgramDraft& draft) {
  const Label* const label = find(branch);
  if (label == nullptr) {
    return;
  }
  draft.ops[branch.op].target = label->op;
  std::uint32_t around = draft.ops[branch.op].loop;
  while (around != kNone && around != label->loop) {
    around = draft.loops[around].parent;
  }
  if (around != label->loop) {
    reporter_.add(branch.label.place, "the branch to '" + branch.label.text + "' enters a loop from outside",
                  "the label stands in line " + std::to_string(label->place.line));
  }
}

void Labels::check_end(std::uint32_t ops) {
  for (const Label& label : labels_) {
    if (label.op == ops) {
      reporter_.add(label.place, "no instruction follows this label");
    }
  }
}

}  // namespace gpusim::frontend
