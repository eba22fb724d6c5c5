// SPDX-License-Identifier: MIT
// All of YAML, as yaml-cpp parses it: its events become nodes.
#include <map>
#include <sstream>
#include <vector>

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "sim/model/arch/yaml_parser.h"

namespace gpusim::arch {
namespace {

Place to_place(const YAML::Mark& mark) {
  return mark.is_null() ? Place{}
                        : Place{static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

/// Builds the nodes of one document.
class Builder final : public YAML::EventHandler {
 public:
  explicit Builder(YamlDocument& document) : document_(document) {}

  [[nodiscard]] bool has_content() const { return root_ != nullptr && !root_->is_null(); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(YamlNode::Kind::kNull, mark, "", anchor); }
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t anchor) override { attach(*anchors_.at(anchor)); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    add(YamlNode::Kind::kScalar, mark, tag, anchor).text = document_.keep(value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open_.push_back(&add(YamlNode::Kind::kSequence, mark, tag, anchor));
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open_.push_back(&add(YamlNode::Kind::kMap, mark, tag, anchor));
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  YamlNode& add(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    YamlNode& node = document_.add(kind, to_place(mark));
    // "?" and "!" stand for texts without and with quotes.
    if (tag != "?" && tag != "!" && !tag.empty()) {
      node.tag = document_.keep(tag);
    }
    if (anchor != YAML::NullAnchor) {
      anchors_[anchor] = &node;
    }
    attach(node);
    return node;
  }
  void attach(const YamlNode& node) {
    if (open_.empty()) {
      root_ = &node;
    } else {
      open_.back()->values.push_back(&node);
    }
  }

  YamlDocument& document_;
  const YamlNode* root_ = nullptr;
  std::vector<YamlNode*> open_;
  std::map<YAML::anchor_t, const YamlNode*> anchors_;
};

}  // namespace

bool parse_any_yaml(YamlDocument& document) {
  try {
    std::istringstream in(document.text());
    YAML::Parser parser(in);
    YamlDocument others{""};
    for (int documents = 0;; ++documents) {
      others.clear();
      Builder builder(documents == 0 ? document : others);
      if (!parser.HandleNextDocument(builder) || !builder.has_content()) {
        return documents == 1;
      }
    }
  } catch (const YAML::DeepRecursion& error) {
    throw YamlError{to_place(error.mark), "it is nested too deeply"};
  } catch (const YAML::Exception& error) {
    throw YamlError{to_place(error.mark), error.msg};
  }
}

}  // namespace gpusim::arch
