// SPDX-License-Identifier: MIT
// What names mean at one point of a trace, and expressions built with that meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/base/problem.h"
#include "sim/input/text/syntax.h"
#include "sim/model/trace/expression.h"
#include "sim/model/trace/table.h"

namespace gpusim::frontend {

/// Problems of one file, each reported once however often its line is expanded.
class Reporter {
 public:
  Reporter(const Syntax& syntax, ProblemList& problems)
      : file_(syntax.file), problems_(problems), excused_(syntax.excused) {}
  void add(Place place, std::string message, std::string hint = "");
  [[nodiscard]] bool any() const { return !problems_.empty(); }
  /// Whether this problem would be shown: it is worth a hint, which takes time to find.
  [[nodiscard]] bool wants(Place place, const std::string& message) const {
    return seen_.size() < kMostRemembered && !seen_.contains({place, message});
  }
  /// A name whose meaning went lost with a problem: that it is unknown is not a problem of its own.
  void excuse(const std::string& name) { excused_.insert(name); }
  [[nodiscard]] bool excuses(const std::string& name) const { return excused_.contains(name); }
  /// Something has no value because of a problem that was told before.
  void consequence() { ++added_; }
  /// Counts calls of add() and consequence(), also those that said nothing new.
  [[nodiscard]] std::uint64_t added() const { return added_; }

 private:
  /// Beyond what the list keeps only their number is told, up to here.
  static constexpr std::size_t kMostRemembered = 4 * ProblemList::kMostOfKinds;

  std::string file_;
  ProblemList& problems_;
  std::uint64_t added_ = 0;
  std::set<std::pair<Place, std::string>> seen_;
  std::set<std::string> excused_;
};

/// Thrown when the rest of a kernel cannot be read, after the reason was reported: each further turn of an unroll would
/// meet it again.
struct KernelGivenUp {};

class Environment {
 public:
  Environment(const Syntax& syntax, Reporter& reporter, trace::ExprPool& pool)
      : syntax_(syntax), reporter_(reporter), pool_(pool) {}

  /// What a name stands for: a value, or a table to be indexed.
  struct Binding {
    trace::ExprId value = trace::kNoExpr;
    std::uint32_t table = 0;
    const trace::Table* contents = nullptr;
  };
  /// Binds until the matching unbind; an inner binding hides an outer one.
  void bind(const std::string& name, Binding binding) { names_[name].push_back(binding); }
  void bind_constant(const std::string& name, std::int64_t value) { bind(name, Binding{pool_.constant(value)}); }
  /// As bind(); reports a name that has a meaning already.
  void declare(const Word& name, Binding binding);
  void unbind(const std::string& name) { names_[name].pop_back(); }
  /// The parameter's value is this word: what it means as an element type is looked up by word_of.
  void bind_word(const std::string& parameter, std::string word) { words_[parameter] = std::move(word); }
  [[nodiscard]] const std::string* word_of(const std::string& parameter) const;
  [[nodiscard]] bool knows(const std::string& name) const;

  /// The expression in the pool. Problems are reported, and the value is then a constant 0.
  [[nodiscard]] trace::ExprId build(SyntaxId id);
  /// The value of an expression that must not depend on where and when it is evaluated; nothing (reported) otherwise.
  [[nodiscard]] std::optional<std::int64_t> constant(SyntaxId id, const std::string& what);
  /// As constant(), and within [least, most].
  [[nodiscard]] std::optional<std::int64_t> constant_in(SyntaxId id, const std::string& what, std::int64_t least,
                                                        std::int64_t most);
  /// As build(), for what must be the same for all lanes and must not depend on a poll's answer. Otherwise it is
  /// reported.
  [[nodiscard]] trace::ExprId uniform(SyntaxId id, const std::string& what);
  /// Reports an expression, of which `built` is made, that depends on a poll's answer.
  void refuse_live(SyntaxId id, trace::ExprId built, const std::string& what);
  [[nodiscard]] std::string expand(const Template& text);
  /// The chosen branch of a static choice; nothing (reported) when it cannot be decided here.
  [[nodiscard]] std::optional<bool> decide(SyntaxId id, const std::string& what);
  [[nodiscard]] Place place(SyntaxId id) const { return syntax_.nodes[id].place; }
  /// The name that an expression is; null when it is more or another thing.
  [[nodiscard]] const std::string* name_of(SyntaxId id) const;
  [[nodiscard]] trace::ExprPool& pool() { return pool_; }
  [[nodiscard]] Reporter& reporter() { return reporter_; }

 private:
  void append(SyntaxId id, std::string& to);
  trace::ExprId build_node(const SyntaxNode& node);
  trace::ExprId build_call(const SyntaxNode& node);
  trace::ExprId build_index(const SyntaxNode& node);
  trace::ExprId unknown(const SyntaxNode& node, const std::string& what);
  [[nodiscard]] const Binding* find(const std::string& name) const;

  const Syntax& syntax_;
  Reporter& reporter_;
  trace::ExprPool& pool_;
  std::unordered_map<std::string, std::vector<Binding>> names_;
  std::unordered_map<std::string, std::string> words_;
};

}  // namespace gpusim::frontend
