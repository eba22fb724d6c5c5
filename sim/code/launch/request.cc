// SPDX-License-Identifier: MIT
#include "sim/code/launch/request.h"

#include <algorithm>
#include <utility>

#include "sim/base/text.h"

namespace gpusim::launch {

bool is_argument_name(const std::string& name) {
  return is_word(name) || parse_unsigned(name).has_value();
}

void set_text(std::vector<NamedText>& texts, NamedText text) {
  const auto known = std::ranges::find(texts, text.name, &NamedText::name);
  if (known == texts.end()) {
    texts.push_back(std::move(text));
  } else {
    *known = std::move(text);
  }
}

}  // namespace gpusim::launch
