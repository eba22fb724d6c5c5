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

/// The pages of a server, with all three marks.
[[nodiscard]] std::string_view workbench();

/// Where the text of the title goes, HTML, and JSON in a script element.
inline constexpr std::string_view kTitleMark = "@GPUSIM_TITLE@";
inline constexpr std::string_view kBodyMark = "@GPUSIM_BODY@";
inline constexpr std::string_view kDataMark = "@GPUSIM_DATA@";

/// The page with a text in the place of each mark. The marks stand in the page in the order of `texts`, each once; what
/// a text holds is not a mark.
[[nodiscard]] std::string filled_page(std::string_view page,
                                      std::initializer_list<std::pair<std::string_view, std::string_view>> texts);

/// Text as HTML shows it, also in quotes.
[[nodiscard]] std::string html_escaped(std::string_view text);

}  // namespace gpusim::lab
