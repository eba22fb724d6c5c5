// SPDX-License-Identifier: MIT
#include "sim/input/text/environment.h"

#include <algorithm>
#include <array>

#include "sim/base/nearest.h"

namespace gpusim::frontend {
namespace {

using trace::ExprId;
using trace::ExprOp;

struct Function {
  std::string_view name;
  ExprOp op;
  std::size_t arguments;
};
constexpr std::array<Function, 5> kFunctions{{{"min", ExprOp::kMin, 2},
                                              {"max", ExprOp::kMax, 2},
                                              {"abs", ExprOp::kAbs, 1},
                                              {"hash", ExprOp::kHash, 2},
                                              {"bit", ExprOp::kBit, 2}}};

}  // namespace

void Reporter::add(Place place, std::string message, std::string hint) {
  ++added_;
  if (wants(place, message)) {
    seen_.emplace(place, message);
    problems_.add({{file_, place.line, place.column}, std::move(message), std::move(hint)});
  }
}

const Environment::Binding* Environment::find(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() || found->second.empty() ? nullptr : &found->second.back();
}

bool Environment::knows(const std::string& name) const {
  return find(name) != nullptr;
}

const std::string* Environment::name_of(SyntaxId id) const {
  const SyntaxNode& node = syntax_.nodes[id];
  return node.kind == SyntaxNode::Kind::kName ? &syntax_.names[node.name] : nullptr;
}

const std::string* Environment::word_of(const std::string& parameter) const {
  const auto found = words_.find(parameter);
  return found == words_.end() ? nullptr : &found->second;
}

void Environment::declare(const Word& name, Binding binding) {
  if (knows(name.text)) {
    reporter_.add(name.place, "'" + name.text + "' has a meaning already");
  }
  bind(name.text, binding);
}

ExprId Environment::unknown(const SyntaxNode& node, const std::string& what) {
  const std::string& name = syntax_.names[node.name];
  if (reporter_.excuses(name) || reporter_.excuses(name.substr(0, name.find('.')))) {
    reporter_.consequence();
    return pool_.constant(0);
  }
  const std::string message = "unknown " + what + " '" + name + "'";
  if (!reporter_.wants(node.place, message)) {
    reporter_.consequence();
    return pool_.constant(0);
  }
  std::vector<std::string_view> known;
  for (const auto& [other, bindings] : names_) {
    if (!bindings.empty()) {
      known.push_back(other);
    }
  }
  std::sort(known.begin(), known.end());
  reporter_.add(node.place, message, suggestion(name, known));
  return pool_.constant(0);
}

ExprId Environment::build(SyntaxId id) {
  const SyntaxNode& node = syntax_.nodes[id];
  try {
    return build_node(node);
  } catch (const trace::ExpressionTooLarge& error) {
    reporter_.add(node.place, error.what);
    if (error.is_pool_full) {
      throw KernelGivenUp{};
    }
    return pool_.constant(0);
  }
}

ExprId Environment::build_node(const SyntaxNode& node) {
  switch (node.kind) {
    case SyntaxNode::Kind::kNumber: return pool_.constant(node.value);
    case SyntaxNode::Kind::kCall: return build_call(node);
    case SyntaxNode::Kind::kIndex: return build_index(node);
    case SyntaxNode::Kind::kText:
      reporter_.add(node.place, "a text is not a number",
                    "texts are only chosen between: {condition ? \".128\" : \"\"}");
      return pool_.constant(0);
    case SyntaxNode::Kind::kName: {
      const Binding* binding = find(syntax_.names[node.name]);
      if (binding == nullptr) {
        return unknown(node, "name");
      }
      if (binding->contents != nullptr) {
        reporter_.add(node.place, "table '" + syntax_.names[node.name] + "' needs an index in brackets");
        return pool_.constant(0);
      }
      return binding->value;
    }
    default: break;
  }
  std::array<ExprId, 3> args{trace::kNoExpr, trace::kNoExpr, trace::kNoExpr};
  for (std::size_t i = 0; i < args.size() && node.args[i] != kNoSyntax; ++i) {
    args[i] = build(node.args[i]);
  }
  return pool_.node(node.op, args[0], args[1], args[2]);
}

ExprId Environment::build_call(const SyntaxNode& node) {
  const std::string& name = syntax_.names[node.name];
  std::vector<std::string_view> known;
  for (const Function& function : kFunctions) {
    known.push_back(function.name);
    if (function.name != name) {
      continue;
    }
    std::array<ExprId, 2> args{trace::kNoExpr, trace::kNoExpr};
    std::size_t given = 0;
    for (; given < node.args.size() && node.args[given] != kNoSyntax; ++given) {
      const ExprId value = build(node.args[given]);
      if (given < args.size()) {
        args[given] = value;
      }
    }
    if (given != function.arguments) {
      reporter_.add(node.place, "'" + name + "' takes " + std::to_string(function.arguments) + " arguments, not " +
                                    std::to_string(given));
      return pool_.constant(0);
    }
    return pool_.node(function.op, args[0], args[1]);
  }
  const std::string message = "unknown function '" + name + "'";
  reporter_.add(node.place, message, reporter_.wants(node.place, message) ? suggestion(name, known) : "");
  return pool_.constant(0);
}

ExprId Environment::build_index(const SyntaxNode& node) {
  const std::string& name = syntax_.names[node.name];
  const Binding* binding = find(name);
  const ExprId index = build(node.args[0]);
  if (binding == nullptr) {
    return unknown(node, "table");
  }
  if (binding->contents == nullptr) {
    reporter_.add(node.place, "'" + name + "' is not a table",
                  "a table is a buffer with '= permutation(n, seed)' or such");
    return pool_.constant(0);
  }
  return pool_.table(binding->table, *binding->contents, index);
}

std::optional<std::int64_t> Environment::constant(SyntaxId id, const std::string& what) {
  const std::uint64_t problems = reporter_.added();
  const ExprId value = build(id);
  if (reporter_.added() != problems) {
    return std::nullopt;
  }
  const trace::ExprNode& node = pool_[value];
  if (pool_.is_constant(value)) {
    return node.value;
  }
  const bool varies = (node.flags & trace::kDependencies) != 0;
  reporter_.add(place(id), what + (varies ? " must be the same for the whole launch" : " has no value"),
                varies ? "it depends on the CTA, the warp, the lane or a loop counter"
                       : "division by zero, or an index outside its table");
  return std::nullopt;
}

std::optional<std::int64_t> Environment::constant_in(SyntaxId id, const std::string& what, std::int64_t least,
                                                     std::int64_t most) {
  const std::optional<std::int64_t> value = constant(id, what);
  if (value && (*value < least || *value > most)) {
    reporter_.add(place(id), what + " is " + std::to_string(*value),
                  "allowed: " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
  }
  return value;
}

std::optional<bool> Environment::decide(SyntaxId id, const std::string& what) {
  const auto value = constant(id, what);
  return value ? std::optional<bool>(*value != 0) : std::nullopt;
}

ExprId Environment::uniform(SyntaxId id, const std::string& what) {
  const ExprId built = build(id);
  refuse_live(id, built, what);
  if ((pool_[built].flags & trace::kDependsLane) != 0) {
    reporter_.add(place(id), what + " must be the same for all lanes");
    return pool_.constant(0);
  }
  return built;
}

void Environment::refuse_live(SyntaxId id, ExprId built, const std::string& what) {
  if ((pool_[built].flags & trace::kDependsRuntime) != 0) {
    reporter_.add(place(id), what + " cannot depend on 'live'", "it stands behind 'when', or in an 'if'");
  }
}

void Environment::append(SyntaxId id, std::string& to) {
  const SyntaxNode& node = syntax_.nodes[id];
  if (node.kind == SyntaxNode::Kind::kText) {
    to += syntax_.names[node.name];
  } else if (node.kind == SyntaxNode::Kind::kOperator && node.op == ExprOp::kSelect) {
    append(node.args[decide(node.args[0], "a choice in braces").value_or(false) ? 1 : 2], to);
  } else {
    to += std::to_string(constant(id, "an expression in braces").value_or(0));
  }
}

std::string Environment::expand(const Template& text) {
  std::string all = text.literals.empty() ? std::string() : text.literals[0];
  for (std::size_t i = 0; i < text.holes.size(); ++i) {
    append(text.holes[i], all);
    all += text.literals[i + 1];
  }
  return all;
}

}  // namespace gpusim::frontend
