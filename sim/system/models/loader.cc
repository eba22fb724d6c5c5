// SPDX-License-Identifier: MIT
#include "sim/system/models/loader.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/system/config/sourced_file.h"
#include "sim/system/models/keys.h"
#include "sim/system/models/operations.h"

namespace gpusim::models {
namespace {

using arch::YamlItem;

constexpr std::array<std::string_view, 6> kTopWords{"name",        "description", "sources",
                                                    "transformer", "resnet",      "published_parameters"};

/// What keys that are not there stand for.
void complete(Transformer& of) {
  of.kv_heads = of.kv_heads == 0 ? of.heads : of.kv_heads;
  if (of.head_size == 0 && of.heads != 0) {
    of.head_size = of.hidden / of.heads;
  }
}

class ModelReader {
 public:
  explicit ModelReader(const std::string& name) { file_.yaml.file = name; }

  Model read(std::string text) {
    const std::unique_ptr<arch::YamlDocument> document =
        file_.yaml.parse(std::move(text), "a model", "one YAML document with keys such as 'transformer:'");
    file_.problems.throw_if_any();
    const arch::YamlNode& root = document->root();
    const std::vector<YamlItem> top = file_.yaml.items(root);
    refuse_unknown(top);
    model_.path = file_.yaml.file;
    read_texts(top, root);
    read_shape(top, root);
    file_.problems.throw_if_any();
    check_published(top);
    file_.problems.throw_if_any();
    model_.values = std::move(file_.values);
    return std::move(model_);
  }

 private:
  void refuse_unknown(const std::vector<YamlItem>& top) {
    for (const YamlItem& item : top) {
      if (std::ranges::find(kTopWords, item.name) == kTopWords.end()) {
        file_.yaml.add(item.key, "unknown key " + arch::in_quotes(item.name), suggestion(item.name, kTopWords));
      }
    }
  }

  void read_texts(const std::vector<YamlItem>& top, const arch::YamlNode& root) {
    if (const YamlItem* const sources = system::item_of(top, "sources")) {
      read_citations(file_.yaml, sources->value, file_.citations);
    }
    file_.read_text(system::item_of(top, "name"), model_.name);
    file_.read_text(system::item_of(top, "description"), model_.description);
    if (model_.name.empty()) {
      file_.yaml.add(root, "the model has no name", "write name: Llama-3 8B");
    }
  }

  void read_shape(const std::vector<YamlItem>& top, const arch::YamlNode& root) {
    const YamlItem* const transformer = system::item_of(top, "transformer");
    const YamlItem* const resnet = system::item_of(top, "resnet");
    if ((transformer == nullptr) == (resnet == nullptr)) {
      file_.yaml.add(root, "a model has one of 'transformer' and 'resnet'");
      return;
    }
    if (resnet != nullptr) {
      model_.is = file_.read_keys<ResNet>(*resnet, resnet->name);
    } else {
      auto of = file_.read_keys<Transformer>(*transformer, transformer->name);
      check_heads(of, *transformer);
      model_.is = of;
    }
    if (const YamlItem* const published = system::item_of(top, "published_parameters")) {
      file_.read_key(system::keys_of<Model>().front(), *published, published->name, model_);
    }
  }

  void check_heads(Transformer& of, const YamlItem& item) {
    if (of.heads == 0 || of.hidden == 0) {
      return;
    }
    if (of.head_size == 0 && of.hidden % of.heads != 0) {
      file_.yaml.add(item.key, "'hidden' is not a multiple of 'heads'", "write 'head_size' where heads are not equal");
    }
    complete(of);
    if (of.heads % of.kv_heads != 0) {
      file_.yaml.add(item.key, "'heads' is not a multiple of 'kv_heads'", "each head of keys serves as many queries");
    }
  }

  void check_published(const std::vector<YamlItem>& top) {
    constexpr std::uint64_t kOneIn = 50;
    const std::uint64_t count = parameter_count(model_);
    const std::uint64_t published = model_.published_parameters;
    const std::uint64_t apart = count > published ? count - published : published - count;
    if (published != 0 && apart > published / kOneIn) {
      file_.yaml.add(system::item_of(top, "published_parameters")->key,
                     "the shapes give " + with_thousands(count) + " parameters, and 'published_parameters' is " +
                         with_thousands(published),
                     "they may differ by 2 %");
    }
  }

  system::SourcedFile file_;
  Model model_;
};

}  // namespace

Model load_model(const std::filesystem::path& file) {
  std::string why;
  std::optional<std::string> text = arch::read_yaml_text(file, why);
  if (!text) {
    throw InputError({{file.string(), 0, 0}, why, ""});
  }
  return parse_model(*std::move(text), file.string());
}

Model parse_model(std::string text, const std::string& name) {
  return ModelReader(name).read(std::move(text));
}

}  // namespace gpusim::models
