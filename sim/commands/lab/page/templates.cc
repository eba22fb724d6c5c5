// SPDX-License-Identifier: MIT
#include "sim/commands/lab/page/templates.h"

#include <cassert>

namespace gpusim::lab {

std::string filled_page(std::string_view page,
                        std::initializer_list<std::pair<std::string_view, std::string_view>> texts) {
  std::string out;
  for (const auto& [mark, text] : texts) {
    const std::size_t at = page.find(mark);
    assert(at != std::string_view::npos);
    out.append(page.substr(0, at)).append(text);
    page.remove_prefix(at + mark.size());
  }
  return out.append(page);
}

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace gpusim::lab
