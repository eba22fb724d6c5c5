// SPDX-License-Identifier: MIT
#include "sim/commands/lab/check/handout.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "sim/commands/lab/course/file_text.h"

namespace gpusim::lab {
namespace {

constexpr std::string_view kSection = "\n## ";
constexpr std::string_view kOutside = "](../";

/// Where the section with this number, 0 for the first, begins; the end where there are fewer.
std::size_t section_at(std::string_view handout, std::size_t number) {
  std::size_t at = handout.find(kSection);
  for (; number > 0 && at != handout.npos; --number) {
    at = handout.find(kSection, at + 1);
  }
  return at == handout.npos ? handout.size() : at + 1;
}

/// How many sections stand before the discussion of the English handout.
std::size_t sections_before_discussion(const std::filesystem::path& english) {
  const std::string text = text_of(english);
  const std::size_t end = text.find("\n" + std::string(kDiscussionSection));
  std::size_t count = 0;
  for (std::size_t at = text.find(kSection); at < std::min(end, text.size()); at = text.find(kSection, at + 1)) {
    ++count;
  }
  return count;
}

std::size_t discussion_at(const Lab& lab, const std::string& handout) {
  Lab english = lab;
  english.language.clear();
  return section_at(handout, sections_before_discussion(english.handout_file()));
}

/// [occupancy](../../occupancy.md) as "occupancy (docs/occupancy.md in the sources of gpusim)".
std::string without_links_outside(std::string text) {
  for (std::size_t at = text.find(kOutside); at != text.npos; at = text.find(kOutside, at)) {
    const std::size_t end = text.find(')', at);
    const std::size_t begin = text.rfind('[', at);
    if (end == text.npos || begin == text.npos) {
      break;
    }
    std::string file = text.substr(at + 2, end - at - 2);
    file = file.substr(0, file.find('#'));
    file.erase(0, file.find_first_not_of("./"));
    const std::string name = text.substr(begin + 1, at - begin - 1) + " (docs/" + file + " in the sources of gpusim)";
    text.replace(begin, end + 1 - begin, name);
    at = begin + name.size();
  }
  return text;
}

/// What a block of code begins with, behind the end of a line; and a block with the table of a picture.
constexpr std::string_view kFence = "\n```";
constexpr std::string_view kPicture = "\n```picture ";

}  // namespace

bool is_exam() {
  const char* const exam = std::getenv("GPUSIM_LAB_EXAM");
  return exam != nullptr && std::string_view(exam) == "1";
}

std::string handout_text(const Lab& lab, const Scope& scope) {
  const std::filesystem::path file = lab.handout_file();
  return scope.filled(without_links_outside(text_of(file)), file.string());
}

std::string readme_text(const Lab& lab, const Scope& scope) {
  const std::string text = handout_text(lab, scope);
  const std::size_t at = discussion_at(lab, text);
  return at == text.size()
             ? text
             : text.substr(0, at) + "The discussion and the sources answer what is asked here. The first " +
                   "`gpusim lab check` that passes\nwrites them to `" + kDiscussionFile + "`.\n";
}

std::string with_tables_of_pictures(std::string handout) {
  for (std::size_t at = handout.find(kPicture); at != handout.npos; at = handout.find(kPicture, at + 1)) {
    const std::size_t begin = at + kFence.size();
    handout.erase(begin, std::min(handout.find('\n', begin), handout.size()) - begin);
  }
  return handout;
}

std::string discussion_text(const Lab& lab, const Scope& scope) {
  const std::string text = handout_text(lab, scope);
  return text.substr(0, text.find('\n') + 1) + "\n" + text.substr(discussion_at(lab, text));
}

}  // namespace gpusim::lab
