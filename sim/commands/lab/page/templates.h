// SPDX-License-Identifier: MIT
// The pages of labs without what a lab puts into them: what tools/viewer builds.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace gpusim::lab {

/// A handout on its own, with kTitleMark and kBodyMark.
[[nodiscard]] std::string_view handout();

/// Where the text of the title goes, and HTML.
inline constexpr std::string_view kTitleMark = "@GPUSIM_TITLE@";
inline constexpr std::string_view kBodyMark = "@GPUSIM_BODY@";

/// The page with a text in the place of each mark. The marks stand in the page in the order of `texts`, each once; what
/// a text holds is no mark.
[[nodiscard]] std::string filled_page(std::string_view page,
                                      std::initializer_list<std::pair<std::string_view, std::string_view>> texts);

/// Text as HTML shows it, also in quotes.
[[nodiscard]] std::string html_escaped(std::string_view text);

}  // namespace gpusim::lab
