// SPDX-License-Identifier: MIT
#include "sim/commands/lab/page/handout_page.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "sim/base/base64.h"
#include "sim/base/text.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/page/markdown.h"
#include "sim/commands/lab/page/templates.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;

const std::string kPictures = std::string(kPicturesFolder) + "/";
constexpr std::uint64_t kLargestPicture = 1ULL << 20U;
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPictureKinds{
    {{".png", "image/png"}, {".svg", "image/svg+xml"}, {".jpg", "image/jpeg"}, {".webp", "image/webp"}}};

/// A file right in the folder of pictures, by a name that leads nowhere else.
bool is_picture_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  };
  return name.starts_with(kPictures) && name.size() > kPictures.size() && name[kPictures.size()] != '.' &&
         std::ranges::all_of(name.substr(kPictures.size()), is_plain);
}

std::string picture_data(const fs::path& folder, std::string_view name) {
  const fs::path file = folder / name;
  const auto kind = std::ranges::find(kPictureKinds, file.extension().string(),
                                      &std::pair<std::string_view, std::string_view>::first);
  std::error_code error;
  if (!is_picture_name(name) || kind == kPictureKinds.end() || !fs::is_regular_file(file, error) ||
      fs::file_size(file, error) > kLargestPicture) {
    return "";
  }
  return "data:" + std::string(kind->second) + ";base64," + base64(text_of(file));
}

}  // namespace

std::string handout_html(const Lab& lab, const std::string& handout) {
  return html_of(handout, [&lab](std::string_view name) { return picture_data(lab.folder, name); });
}

std::string handout_page(const Lab& lab, const std::string& text, const std::string& whose) {
  const std::string title = html_escaped(lab.text.title);
  const std::string body = "<header class=\"top\"><p class=\"facts-line\">gpusim lab <strong>" +
                           html_escaped(lab.name) + "</strong> · " + counted(lab.minutes, "minute") + " · " +
                           html_escaped(whose) + "</p></header>\n<main><article class=\"handout\">\n" +
                           handout_html(lab, text) + "</article></main>";
  return filled_page(handout(), {{kTitleMark, title}, {kBodyMark, body}});
}

}  // namespace gpusim::lab
