// SPDX-License-Identifier: MIT
#include "sim/input/sass/layout.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace gpusim::frontend::sass {
namespace {

constexpr std::size_t kMostPlaced = 1U << 18U;
constexpr std::size_t kMostCallDepth = 16;
/// Instructions looked at to find subroutines and detours: a whole pass for each.
constexpr std::size_t kMostLookedAt = 1U << 28U;

std::string negated(const std::string& guard) {
  return guard.starts_with("@!") ? "@" + guard.substr(2) : "@!" + guard.substr(1);
}

/// A function or a subroutine of it: what is reached from `entry` without following calls.
struct Body {
  std::uint32_t entry = 0;
  std::vector<std::uint32_t> code;  ///< ascending
  /// Runs of code that stand elsewhere than behind the branch that leads to them: by that branch, first and last.
  std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> behind;
  std::vector<bool> elsewhere;  ///< by instruction of the function: part of such a run; empty: there is none
  std::string link;             ///< the register with the address to return to; empty: it never returns
};

class LayoutMaker {
 public:
  LayoutMaker(const ListedFunction& function, const std::string& file, ProblemList& problems)
      : function_(function), file_(file), problems_(problems), branches_(function) {}

  Layout run() {
    place_body(0);
    if (!too_long_) {
      for (const OpenBranch& open : open_) {
        resolve(open);
      }
    }
    return std::move(layout_);
  }

 private:
  /// A branch to an instruction of the listing, as it stands in one copy of the code.
  struct OpenBranch {
    std::uint32_t placed = 0;
    std::uint32_t copy = 0;
    std::uint32_t source = 0;
  };
  /// A copy that is being placed: where its RETs go.
  struct Frame {
    std::uint32_t copy = 0;
    std::uint32_t entry = 0;
    std::uint32_t return_copy = 0;
    std::uint32_t return_source = kNowhere;
  };

  void report(std::uint32_t at, std::string message, std::string hint = "") {
    const Place place = function_.code[at].place;
    problems_.add({{file_, place.line, place.column}, std::move(message), std::move(hint)});
  }

  void resolve(const OpenBranch& open) {
    const auto found = copies_[open.copy].find(open.source);
    if (found != copies_[open.copy].end()) {
      layout_[open.placed].target = found->second;
    } else {
      report(layout_[open.placed].source, function_.code[layout_[open.placed].source].opcode +
                                              " returns to a place that is not part of what called it");
    }
  }

  [[nodiscard]] std::vector<bool> reach(std::uint32_t entry, std::uint32_t without) {
    looked_at_ += function_.code.size();
    std::vector<bool> reached(function_.code.size());
    std::vector<std::uint32_t> open;
    const auto visit = [&](std::uint32_t at) {
      if (at < reached.size() && at != without && !reached[at]) {
        reached[at] = true;
        open.push_back(at);
      }
    };
    visit(entry);
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (branches_[at].role == Role::kBranch) {
        visit(branches_[at].target);
      }
      if (branches_.goes_on(at)) {
        visit(at + 1);
      }
    }
    return reached;
  }

  const Body& body_of(std::uint32_t entry) {
    const auto [known, is_new] = bodies_.try_emplace(entry);
    if (is_new) {
      Body& body = known->second;
      body.entry = entry;
      const std::vector<bool> reached = reach(entry, kNowhere);
      for (std::uint32_t at = 0; at < reached.size(); ++at) {
        if (reached[at]) {
          body.code.push_back(at);
          check(at, body);
        }
      }
      find_detours(body);
    }
    return known->second;
  }

  void check(std::uint32_t at, Body& body) {
    if (branches_[at].role == Role::kIndirect) {
      const Refusal refusal = branches_.refusal(at);
      report(at, refusal.message, refusal.hint);
    }
    if (branches_[at].role == Role::kReturn) {
      body.link = link_of(function_.code[at]);
    }
    if (branches_.goes_on(at) && at + 1 == function_.code.size()) {
      report(at, "the code of '" + function_.name + "' can run past its end", "the listing may be cut off");
    }
  }

  /// Assemblers put code that is seldom needed behind the rest, with a BRA back. As a program has only forward branches
  /// and loops, such a run belongs behind the branch to it, which then leads over it for the other lanes.
  void find_detours(Body& body) {
    for (std::size_t i = 1, begin = 0; i < body.code.size(); ++i) {
      const std::uint32_t at = body.code[i];
      if (body.code[i - 1] + 1 != at || !branches_.goes_on(body.code[i - 1])) {
        begin = i;
      }
      const BranchInfo& last = branches_[at];
      const std::uint32_t first = body.code[begin];
      const bool leads_back = begin != 0 && last.role == Role::kBranch && last.guard.empty() && last.target < first;
      if (!leads_back || looked_at_ > kMostLookedAt || !reach(body.entry, last.target)[at]) {
        continue;  // the last: a loop, whose begin every path to its end passes
      }
      if (const std::uint32_t from = branch_to(body, first, at, last.target); from != kNowhere) {
        body.behind.emplace(from, std::pair(first, at));
        body.elsewhere.resize(function_.code.size());
        std::fill(body.elsewhere.begin() + first, body.elsewhere.begin() + at + 1, true);
      }
    }
  }

  /// The last branch before `join` that leads to `first` to `last`, if all that do stand before these.
  [[nodiscard]] std::uint32_t branch_to(const Body& body, std::uint32_t first, std::uint32_t last,
                                        std::uint32_t join) const {
    std::uint32_t from = kNowhere;
    for (const std::uint32_t at : body.code) {
      const BranchInfo& info = branches_[at];
      const bool inside = at >= first && at <= last;
      if (info.role != Role::kBranch || inside || info.target < first || info.target > last) {
        continue;
      }
      if (at > last || (info.target != first && !info.guard.empty())) {
        return kNowhere;
      }
      from = at < join ? at : from;
    }
    return from;
  }

  void place_body(std::uint32_t entry) {
    const Body& body = body_of(entry);
    copies_.resize(std::max<std::size_t>(copies_.size(), frame_.copy + 1));
    for (const std::uint32_t at : body.code) {
      if (body.elsewhere.empty() || !body.elsewhere[at]) {
        place(body, at);
      }
    }
  }

  void place(const Body& body, std::uint32_t at) {
    if (too_long_ || layout_.size() >= kMostPlaced || looked_at_ > 2 * kMostLookedAt) {
      if (!std::exchange(too_long_, true)) {
        report(at, "with its subroutines where they are called, '" + function_.name + "' is too long",
               "at most " + std::to_string(kMostPlaced) + " instructions");
      }
      return;
    }
    const BranchInfo& info = branches_[at];
    const auto number = static_cast<std::uint32_t>(layout_.size());
    copies_[frame_.copy].emplace(at, number);
    Placed& placed = layout_.emplace_back();
    placed.source = at;
    placed.copy = frame_.copy;
    placed.guard = info.role == Role::kPlain || info.role == Role::kNever ? listed_guard(at) : info.guard;
    placed.never = info.role == Role::kNever;
    placed.goes_on = branches_.goes_on(at);
    placed.is_branch = info.role == Role::kBranch || info.role == Role::kCall || info.role == Role::kReturn;
    switch (info.role) {
      case Role::kBranch: place_branch(body, at, number); break;
      case Role::kCall: place_call(at, number); break;
      case Role::kReturn: place_return(at, number); break;
      default: break;
    }
  }

  [[nodiscard]] std::string listed_guard(std::uint32_t at) const {
    return function_.code[at].instr.guarded ? function_.code[at].guard : "";
  }

  /// The branch `number` goes on where it led, and leads to what comes next in the listing.
  void invert(std::uint32_t number, std::uint32_t next) {
    layout_[number].guard = negated(layout_[number].guard);
    layout_[number].inverted = true;
    open_.push_back({number, frame_.copy, next});
  }

  void place_branch(const Body& body, std::uint32_t at, std::uint32_t number) {
    const auto detour = body.behind.find(at);
    if (detour == body.behind.end() || branches_[at].guard.empty()) {
      open_.push_back({number, frame_.copy, branches_[at].target});
    } else {
      invert(number, at + 1);
    }
    if (detour != body.behind.end()) {
      for (std::uint32_t inner = detour->second.first; inner <= detour->second.second; ++inner) {
        place(body, inner);
      }
    }
  }

  void place_call(std::uint32_t at, std::uint32_t number) {
    const std::uint32_t entry = branches_[at].target;
    const bool recursive =
        std::any_of(frames_.begin(), frames_.end(), [&](const Frame& f) { return f.entry == entry; });
    if (recursive || entry == 0 || frames_.size() >= kMostCallDepth) {
      report(at, function_.code[at].opcode + " calls what calls itself, or is nested too deeply",
             "have it inlined (__forceinline__)");
      return;
    }
    const Body& callee = body_of(entry);
    if (callee.code.front() != entry) {
      report(at, function_.code[at].opcode + " calls a subroutine that does not begin with its first instruction", "");
      return;
    }
    const std::uint32_t back = branches_.return_of(at, callee.link);
    const Frame caller = frame_;
    if (branches_[at].guard.empty()) {
      open_.push_back({number, ++last_copy_, entry});
      layout_[number].goes_on = false;
    } else {
      invert(number, at + 1);
      ++last_copy_;
    }
    frame_ = {last_copy_, entry, caller.copy, back};
    frames_.push_back(frame_);
    place_body(entry);
    frames_.pop_back();
    frame_ = caller;
  }

  void place_return(std::uint32_t at, std::uint32_t number) {
    if (frame_.return_source != kNowhere) {
      open_.push_back({number, frame_.return_copy, frame_.return_source});
    } else if (frames_.empty()) {
      report(at, function_.code[at].opcode + " returns from a subroutine that nothing here calls",
             "'" + function_.name + "' is not a kernel: list kernels only, as with cuobjdump -fun NAME");
    } else {
      report(at, function_.code[at].opcode + " returns to an unknown place", "");
    }
  }

  const ListedFunction& function_;
  const std::string& file_;
  ProblemList& problems_;
  Branches branches_;
  std::map<std::uint32_t, Body> bodies_;
  Layout layout_;
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> copies_;  ///< listed instruction to placed one
  std::vector<OpenBranch> open_;
  std::vector<Frame> frames_;
  Frame frame_;
  std::uint32_t last_copy_ = 0;
  std::size_t looked_at_ = 0;
  bool too_long_ = false;
};

}  // namespace

Layout lay_out(const ListedFunction& function, const std::string& file, ProblemList& problems) {
  return LayoutMaker(function, file, problems).run();
}

}  // namespace gpusim::frontend::sass
