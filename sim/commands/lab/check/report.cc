// SPDX-License-Identifier: MIT
#include "sim/commands/lab/check/report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"

namespace gpusim::lab {
namespace {

constexpr std::size_t kSentenceIndent = 11;

/// A guess is never wrong, so it is not right either.
std::string painted(const Verdict& verdict, const layout::Look& look) {
  const bool is_guess = verdict.task->kind == TaskKind::kPredict && verdict.standing == Standing::kRight;
  const std::string word = fmt::format("{:<7}", is_guess ? "noted" : standing_name(verdict.standing));
  switch (verdict.standing) {
    case Standing::kRight: return layout::paint(word, layout::Style::kStrong, look);
    case Standing::kNotYet: return layout::paint(word, layout::Style::kWarning, look);
    case Standing::kWaiting: return layout::paint(word, layout::Style::kFaint, look);
  }
  return word;
}

std::string sentence(const std::string& text, const layout::Look& look) {
  return text.empty() ? "" : layout::wrapped(text, kSentenceIndent, look.width);
}

std::string suite_begin(const std::string& name, std::size_t tests, std::size_t failures, std::size_t errors) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n",
      xml_escaped(name), tests, failures, errors);
}

std::string points_text(const Report& report) {
  return std::to_string(report.points()) + " of " + counted(report.lab->points(), "point");
}

}  // namespace

std::string report_text(const Report& report, const layout::Look& look) {
  std::string out = report.lab->text.title + "  " +
                    layout::paint(fmt::format("{}, seed {}", printable(report.student.id), report.student.seed),
                                  layout::Style::kFaint, look) +
                    "\n\n";
  for (const Verdict& verdict : report.verdicts) {
    out += fmt::format("  {}  {}\n", painted(verdict, look), verdict.task->key);
    out += sentence(verdict.note, look) + sentence(verdict.hint, look);
  }
  for (const std::string& note : report.notes) {
    out += "\n" + note + "\n";
  }
  for (const std::string& problem : report.problems) {
    out += "\n" + problem + "\n";
  }
  return out + "\n" + points_text(report) + (report.passed() ? ": passed" : "") + "\n";
}

std::string report_json(const Report& report) {
  nlohmann::ordered_json json;
  json["schema"] = "gpusim.lab-check/1";
  json["lab"] = report.lab->name;
  json["student"] = report.student.id;
  json["seed"] = report.student.seed;
  json["passed"] = report.passed();
  json["points"] = report.points();
  json["of_points"] = report.lab->points();
  json["problems"] = report.problems;
  json["notes"] = report.notes;
  json["tasks"] = nlohmann::ordered_json::array();
  for (const Verdict& verdict : report.verdicts) {
    json["tasks"].push_back({{"key", verdict.task->key},
                             {"kind", kind_name(verdict.task->kind)},
                             {"points", verdict.task->points},
                             {"standing", standing_name(verdict.standing)},
                             {"note", verdict.note},
                             {"hint", verdict.hint},
                             {"hint_key", verdict.hint_key}});
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string report_junit(const Report& report) {
  const auto right = std::ranges::count(report.verdicts, Standing::kRight, &Verdict::standing);
  std::string out = suite_begin(report.lab->name, report.verdicts.size(),
                                report.verdicts.size() - static_cast<std::size_t>(right), 0);
  for (const Verdict& verdict : report.verdicts) {
    out += fmt::format("  <testcase classname=\"{}\" name=\"{}\">", xml_escaped(report.lab->name),
                       xml_escaped(verdict.task->key));
    if (verdict.standing != Standing::kRight) {
      out += fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", standing_name(verdict.standing),
                         xml_escaped(verdict.hint), xml_escaped(verdict.note));
    }
    out += "</testcase>\n";
  }
  for (const std::string& problem : report.problems) {
    out += "  <system-err>" + xml_escaped(problem) + "</system-err>\n";
  }
  return out + "</testsuite>\n";
}

std::string refusal_json(const std::vector<std::string>& problems) {
  nlohmann::ordered_json json;
  json["schema"] = "gpusim.lab-check/1";
  json["passed"] = false;
  json["points"] = 0;
  json["problems"] = problems;
  json["tasks"] = nlohmann::ordered_json::array();
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string refusal_junit(const std::vector<std::string>& problems) {
  std::string out = suite_begin("gpusim lab check", 1, 0, 1) +
                    "  <testcase classname=\"gpusim lab check\" name=\"submission\"><error message=\"" +
                    xml_escaped(problems.empty() ? "" : problems.front()) + "\">";
  for (const std::string& problem : problems) {
    out += xml_escaped(problem + "\n");
  }
  return out + "</error></testcase>\n</testsuite>\n";
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      default: out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  }
  return out;
}

}  // namespace gpusim::lab
