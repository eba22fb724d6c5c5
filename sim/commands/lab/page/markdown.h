// SPDX-License-Identifier: MIT
// Markdown as HTML. The only home of md4c, which parses CommonMark and tables. What is written here decides what may
// become HTML: no HTML of the text does, no script, and nothing is loaded from elsewhere.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gpusim::lab {

/// The bytes of a picture as an address that begins with "data:"; empty for a picture that may not be shown.
using PictureOf = std::function<std::string(std::string_view name)>;

/// Links lead to http: and https: only; what else links to stays as text. Of a picture that is not shown its
/// description stays.
/// A block of code whose language is "picture WORDS" has data-picture="WORDS", for the script of the page.
[[nodiscard]] std::string html_of(std::string_view markdown, const PictureOf& picture_of);

}  // namespace gpusim::lab
